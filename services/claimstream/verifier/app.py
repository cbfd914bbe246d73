"""The composition root of the verifier: settings and outside things in, a verifier or its running loop out."""

import random
from functools import partial
from pathlib import Path

from claimstream.adapters.documents.splitter import CHUNKER
from claimstream.adapters.files.pauses import FilePauseStore
from claimstream.adapters.kafka.channel import KafkaChannel
from claimstream.adapters.spacy.parser import SpacyParser
from claimstream.config.judging import JudgingSettings
from claimstream.config.loop import LoopSettings
from claimstream.config.retrieval import RetrievalSettings
from claimstream.contracts.codec import decode_response
from claimstream.contracts.messages import ResponseV1
from claimstream.contracts.topics import RESPONSES
from claimstream.domain.claims.blocks import Limits
from claimstream.ports.broker import Channel
from claimstream.ports.clock import Clock
from claimstream.ports.metrics import Metrics
from claimstream.ports.models import Embedder, EntailmentScorer, Parser
from claimstream.ports.tracing import Tracer
from claimstream.runtime.engines import Engines
from claimstream.runtime.models import open_embedder, open_scorer
from claimstream.streaming.assembler import BatchLimits
from claimstream.streaming.deadletters import DeadLetterLimits
from claimstream.streaming.intake import Intake
from claimstream.streaming.runner import Runner, RunnerLimits
from claimstream.streaming.worker import ThreadWorker
from claimstream.verifier.evidence import RetrievalPolicy, Retriever, require_floor
from claimstream.verifier.handler import VerifyHandler
from claimstream.verifier.pipeline import Verifier
from claimstream.verifier.rules import Rules
from claimstream.verifier.scoring import CachedScorer
from claimstream.verifier.settings import VerifierSettings


def open_verifier(settings: VerifierSettings, engines: Engines, clock: Clock, metrics: Metrics) -> Verifier:
    """A verifier with the models of the settings. Raises ConfigurationError and its kinds."""
    return compose(
        settings,
        engines,
        clock,
        metrics,
        parser=SpacyParser(),
        embedder=open_embedder(settings.models),
        scorer=open_scorer(settings.models),
    )


def compose(
    settings: VerifierSettings,
    engines: Engines,
    clock: Clock,
    metrics: Metrics,
    *,
    parser: Parser,
    embedder: Embedder,
    scorer: EntailmentScorer,
) -> Verifier:
    """A verifier from parts that are already there. Raises ModelRefused for an embedder without a floor."""
    require_floor(embedder, CHUNKER)
    retriever = Retriever(
        dense=engines.dense,
        sparse=engines.sparse,
        embedder=embedder,
        clock=clock,
        policy=retrieval_policy(settings.retrieval),
    )
    return Verifier(
        parser=parser,
        retriever=retriever,
        scorer=CachedScorer(scorer, settings.models.score_cache, metrics),
        embedder=embedder.identity,
        catalogue=engines.catalogue,
        clock=clock,
        metrics=metrics,
        rules=rules(settings.judging),
    )


def open_runner(
    settings: VerifierSettings,
    verifier: Verifier,
    *,
    clock: Clock,
    metrics: Metrics,
    tracer: Tracer,
    channel: Channel | None = None,
) -> Runner[ResponseV1]:
    """The loop around a verifier, on the Kafka of the settings unless a channel is given."""
    loop = settings.loop
    return Runner(
        topics=[RESPONSES.name],
        channel=channel or KafkaChannel(settings.kafka, clock),
        intake=Intake(decode_response, lambda response: response.tenant, clock, tracer),
        handler=VerifyHandler(verifier, clock=clock, metrics=metrics, tracer=tracer),
        worker=ThreadWorker(),
        clock=clock,
        metrics=metrics,
        tracer=tracer,
        pauses=FilePauseStore(pauses_folder(loop)),
        jitter=partial(random.uniform, 0.0, 1.0),
        limits=RunnerLimits(drain_seconds=loop.drain_seconds),
        batches=batch_limits(loop),
        dead_letters=DeadLetterLimits(max_run=loop.dead_letter_run, max_ratio=loop.dead_letter_ratio),
    )


def rules(settings: JudgingSettings) -> Rules:
    """What the verdicts are decided by."""
    return Rules(
        thresholds=settings.thresholds(),
        strict=settings.strict,
        check_conditions=settings.check_conditions,
        limits=Limits(max_text_bytes=settings.max_text_bytes, max_claims=settings.max_claims),
    )


def retrieval_policy(settings: RetrievalSettings) -> RetrievalPolicy:
    """How wide to look and how long to wait."""
    return RetrievalPolicy(
        candidates=settings.candidates,
        judged=settings.judged,
        leg_timeout_seconds=settings.leg_timeout_seconds,
    )


def pauses_folder(settings: LoopSettings) -> Path:
    """Where the marks of paused tenants lie."""
    return settings.state_dir / "paused"


def batch_limits(settings: LoopSettings) -> BatchLimits:
    """When a micro-batch is full or old enough."""
    return BatchLimits(
        max_bytes=settings.batch_bytes,
        max_records=settings.batch_records,
        max_age_seconds=settings.batch_age_seconds,
    )
