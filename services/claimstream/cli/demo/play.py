"""The demo from beginning to end: engines up, answers in, verdicts out, everything away again."""

import tempfile
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path

from claimstream.adapters.documents.folder import FolderReader
from claimstream.adapters.kafka.embedded import EmbeddedBroker
from claimstream.adapters.kafka.follower import KafkaFollower
from claimstream.adapters.kafka.writer import KafkaWriter
from claimstream.adapters.spacy.parser import SpacyParser
from claimstream.adapters.system.clock import SystemClock
from claimstream.cli.demo import material
from claimstream.cli.demo.background import Background
from claimstream.cli.demo.gathering import Dead, Gathering, Judged, Tally
from claimstream.cli.demo.screen import Screen
from claimstream.config.load import load
from claimstream.config.loop import LoopSettings
from claimstream.config.retrieval import EmbeddedSettings
from claimstream.contracts.messages import ResponseV1
from claimstream.contracts.topics import CLAIM_VERDICTS, RESPONSE_VERDICTS, RESPONSES, RESPONSES_DLQ, TOPICS
from claimstream.errors import Unavailable
from claimstream.indexer.app import open_indexer
from claimstream.ports.broker import Outgoing
from claimstream.ports.clock import Clock
from claimstream.ports.off import NullMetrics, NullTracer
from claimstream.runtime.engines import Engines, open_engines
from claimstream.runtime.logs import configure_logging
from claimstream.runtime.models import open_embedder, open_scorer
from claimstream.verifier.app import compose, open_runner
from claimstream.verifier.pipeline import Verifier
from claimstream.verifier.settings import VerifierSettings

POLL_SECONDS = 0.05
SILENCE_SECONDS = 120.0
"""Nothing comes out for so long: something is wrong that nobody said."""

BATCH_RECORDS = 4
BATCH_AGE_SECONDS = 0.05
"""Small micro-batches: the first verdict comes early, and the screen moves."""

LEG_TIMEOUT_SECONDS = 30.0
"""No server is asked: a leg that is slow here has a busy machine, and its verdicts are not degraded."""

DRAIN_SECONDS = 2.0


def play(screen: Screen, *, pause_seconds: float, keep: Path | None) -> None:
    """Show everything once. Raises what a part of it raises; nothing is left behind but `keep`."""
    configure_logging("ERROR")
    clock = SystemClock()
    with ExitStack() as opened:
        folder = keep or Path(opened.enter_context(tempfile.TemporaryDirectory(prefix="claimstream-demo-")))
        broker = EmbeddedBroker(TOPICS)
        opened.callback(broker.close)
        settings = _settings(load(VerifierSettings), broker, folder)
        engines = open_engines(settings.retrieval)
        opened.callback(engines.close)
        verifier = _verifier(settings, engines, clock, screen)
        stage = _Stage(settings, verifier, clock, opened)
        screen.streaming(RESPONSES.name, broker.address)
        tally = _perform(stage, screen, clock, pause_seconds)
    screen.summary(tally)
    screen.what_next(keep, material.ANSWERS)


def _settings(settings: VerifierSettings, broker: EmbeddedBroker, folder: Path) -> VerifierSettings:
    """The settings with everything in this process: models and judging stay as the environment has them."""
    # The newer group protocol: with the classic one the mock cluster lets a new group wait for three seconds.
    kafka = broker.settings(group={"protocol": "consumer"})
    loop = LoopSettings(
        batch_records=BATCH_RECORDS,
        batch_age_seconds=BATCH_AGE_SECONDS,
        drain_seconds=DRAIN_SECONDS,
        state_dir=folder / "state",
    )
    here = EmbeddedSettings(data_dir=folder)
    legs = {"dense": here, "sparse": here, "leg_timeout_seconds": LEG_TIMEOUT_SECONDS}
    retrieval = settings.retrieval.model_copy(update=legs)
    return settings.model_copy(update={"kafka": kafka, "loop": loop, "retrieval": retrieval})


def _verifier(settings: VerifierSettings, engines: Engines, clock: Clock, screen: Screen) -> Verifier:
    """Index the documents while the other two models load."""
    with ThreadPoolExecutor(max_workers=2) as pool:
        scorer, parser = pool.submit(open_scorer, settings.models), pool.submit(SpacyParser)
        with screen.working("indexing the help centre"):
            embedder = open_embedder(settings.models)
            indexer = open_indexer(embedder, engines, clock)
            built = indexer.index_folder(material.CORPUS, material.DOCUMENTS, FolderReader())
        screen.indexed(built.manifest)
        with screen.working("loading the models"):
            return compose(
                settings,
                engines,
                clock,
                NullMetrics(),
                parser=parser.result(),
                embedder=embedder,
                scorer=scorer.result(),
            )


class _Stage:
    """The bots, the verifier and the one who watches, each with a connection of its own to the broker."""

    def __init__(self, settings: VerifierSettings, verifier: Verifier, clock: Clock, opened: ExitStack) -> None:
        self.follower = KafkaFollower(
            settings.kafka, [CLAIM_VERDICTS.name, RESPONSE_VERDICTS.name, RESPONSES_DLQ.name]
        )
        opened.callback(self.follower.close)
        self.bots = KafkaWriter(settings.kafka, clock)
        opened.callback(self.bots.close)
        runner = open_runner(settings, verifier, clock=clock, metrics=NullMetrics(), tracer=NullTracer())
        self.verifier = Background(runner, clock)
        opened.callback(self.verifier.close)


def _perform(stage: _Stage, screen: Screen, clock: Clock, pause_seconds: float) -> Tally:
    """Send record by record and show what comes out, until every record has its end."""
    answers = material.read_answers()
    by_id = {one.response_id: one for one in answers}
    records = material.as_records(answers)
    waiting: list[Outgoing] = records[::-1]
    tally, gathering = Tally(), Gathering()
    due = heard = clock.monotonic()
    while tally.finished < len(records):
        stage.verifier.check()
        now = clock.monotonic()
        if waiting and now >= due:
            stage.bots.write([waiting.pop()])
            due = heard = now + pause_seconds
        for one in gathering.add(stage.follower.poll(_patience(waiting, due - now), max_records=64)):
            heard = now
            tally.count(one)
            _show(screen, one, by_id)
        if now - heard > SILENCE_SECONDS:
            raise Unavailable(
                f"no verdict for {SILENCE_SECONDS:.0f} s, {tally.finished} of {len(records)} records have theirs: "
                "try again, with fewer other things running"
            )
    return tally


def _patience(waiting: Sequence[Outgoing], seconds_left: float) -> float:
    return min(POLL_SECONDS, max(0.0, seconds_left)) if waiting else POLL_SECONDS


def _show(screen: Screen, one: Judged | Dead, answers: Mapping[str, ResponseV1]) -> None:
    if isinstance(one, Dead):
        screen.dead(one)
    else:
        screen.judged(one, answers[one.verdict.response_id])
