"""The verifier itself: a micro-batch of responses in, their verdicts out; it knows no broker and no settings."""

import logging
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from claimstream.contracts.messages import (
    ClaimVerdictV1,
    Label,
    Reason,
    ResponseState,
    ResponseV1,
    ResponseVerdictV1,
)
from claimstream.domain.claims.blocks import blocks
from claimstream.domain.claims.claim import Claim, Decomposition
from claimstream.domain.claims.decompose import decompose
from claimstream.domain.evidence.generation import Manifest
from claimstream.domain.evidence.passage import CorpusRef
from claimstream.domain.judging.decision import Decision
from claimstream.domain.judging.thresholds import for_model
from claimstream.domain.judging.verdict import Finding, claim_verdict, response_verdict
from claimstream.errors import ModelRefused
from claimstream.ports.clock import Clock
from claimstream.ports.metrics import Metrics
from claimstream.ports.models import EntailmentScorer, ModelIdentity, Parser
from claimstream.ports.stores import Catalogue
from claimstream.ports.tracing import Stage
from claimstream.verifier.conditions import ConditionCheck
from claimstream.verifier.evidence import Request, Retrieval, Retriever
from claimstream.verifier.judgement import Case, Judge
from claimstream.verifier.rules import Rules
from claimstream.verifier.stages import Stopwatch, Stretch

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Judged:
    """The verdicts of one response; `degraded` names the retrieval legs that gave nothing."""

    response: ResponseVerdictV1
    claims: tuple[ClaimVerdictV1, ...]
    degraded: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Verification:
    """What became of a micro-batch: one `Judged` a response, in order, and where the time went."""

    judged: tuple[Judged, ...]
    stretches: tuple[Stretch, ...]


@dataclass(frozen=True, slots=True)
class _Reading:
    """A response taken apart, and the generation it is judged by, if there is one."""

    response: ResponseV1
    claims: Decomposition
    manifest: Manifest | None
    refused: str = ""
    """Why the corpus's generation cannot be judged by this process, if it cannot."""

    def to_check(self) -> list[Claim]:
        """The claims that evidence can speak to."""
        return [claim for claim in self.claims.claims if claim.checkable] if self.manifest else []


class Verifier:
    """Judges responses. Called from one thread at a time.

    `verify` raises Unavailable when a dependency is down: nothing was judged. A corpus whose generation these
    models cannot judge is a state of its responses, as an unknown one is.
    """

    def __init__(
        self,
        *,
        parser: Parser,
        retriever: Retriever,
        scorer: EntailmentScorer,
        embedder: ModelIdentity,
        catalogue: Catalogue,
        clock: Clock,
        metrics: Metrics,
        rules: Rules,
    ) -> None:
        for_model(rules.thresholds, scorer.identity.hash)
        self._parser = parser
        self._retriever = retriever
        self._judge = Judge(scorer, ConditionCheck(parser), rules)
        self._model = str(scorer.identity)
        self._embedder = str(embedder)
        self._catalogue = catalogue
        self._clock = clock
        self._metrics = metrics
        self._rules = rules

    def verify(self, responses: Sequence[ResponseV1]) -> Verification:
        """Judge a micro-batch: every engine and model is called once for all of its claims."""
        watch = Stopwatch(self._clock, self._metrics)
        with watch.stage(Stage.CLAIMS):
            readings = self._read(responses)
        cases, degraded = self._retrieve(readings, watch)
        findings = iter(self._judge.findings(cases, watch))
        with watch.stage(Stage.DECISION):
            judged = tuple(
                self._judged(reading, findings, degraded.get(_corpus(reading), ())) for reading in readings
            )
        return Verification(judged, tuple(watch.stretches))

    def _read(self, responses: Sequence[ResponseV1]) -> list[_Reading]:
        """Take all texts apart with one call to the parser; pin each corpus's generation once a micro-batch."""
        limits = self._rules.limits
        plans = [blocks(response.text, limits) for response in responses]
        parses = iter(self._parser.parse([text for plan in plans for block in plan for text in block.texts]))
        manifests, refused = self._manifests(responses)
        readings = []
        for response, plan in zip(responses, plans, strict=True):
            own = [next(parses) for block in plan for _ in block.texts]
            claims = decompose(response.text, plan, own, limits)
            corpus = corpus_of(response)
            readings.append(_Reading(response, claims, manifests.get(corpus), refused.get(corpus, "")))
        return readings

    def _manifests(
        self, responses: Iterable[ResponseV1]
    ) -> tuple[dict[CorpusRef | None, Manifest], dict[CorpusRef | None, str]]:
        """The generation of each corpus that can be judged, and why others cannot."""
        manifests: dict[CorpusRef | None, Manifest] = {}
        refused: dict[CorpusRef | None, str] = {}
        corpora = {corpus for response in responses if (corpus := corpus_of(response)) is not None}
        for corpus in sorted(corpora, key=str):
            manifest = self._catalogue.in_service(corpus)
            if manifest is None:
                continue
            try:
                self._retriever.floor(manifest)
            except ModelRefused as error:
                logger.error("%s", error)
                refused[corpus] = str(error)
            else:
                manifests[corpus] = manifest
        return manifests, refused

    def _retrieve(
        self, readings: Sequence[_Reading], watch: Stopwatch
    ) -> tuple[list[Case], dict[CorpusRef | None, tuple[str, ...]]]:
        """The cases in the order of the readings, and the legs that were missing, by corpus."""
        claims: dict[CorpusRef, list[Claim]] = {}
        manifests: dict[CorpusRef, Manifest] = {}
        for reading in readings:
            if reading.manifest is not None and (wanted := reading.to_check()):
                manifests[reading.manifest.corpus] = reading.manifest
                claims.setdefault(reading.manifest.corpus, []).extend(wanted)
        requests = [Request(manifests[corpus], tuple(c.query for c in found)) for corpus, found in claims.items()]
        retrievals = dict(zip(claims, self._retriever.retrieve(requests), strict=True))
        _record_calls(retrievals.values(), watch)
        passages = {corpus: iter(retrieval.claims) for corpus, retrieval in retrievals.items()}
        cases = [
            Case(claim, next(passages[reading.manifest.corpus]))
            for reading in readings
            if reading.manifest is not None
            for claim in reading.to_check()
        ]
        return cases, {corpus: retrieval.degraded for corpus, retrieval in retrievals.items()}

    def _judged(self, reading: _Reading, findings: Iterator[Finding], degraded: tuple[str, ...]) -> Judged:
        rules, response = self._rules, reading.response
        versions = rules.versions(model=self._model, embedder=self._embedder, manifest=reading.manifest)
        claims = tuple(
            claim_verdict(response, claim, self._finding(reading, claim, findings, degraded), versions)
            for claim in reading.claims.claims
        )
        state, detail = _state(reading, claims, degraded)
        verdict = response_verdict(
            response, claims, state=state, policy=rules.policy, versions=versions, detail=detail
        )
        return Judged(verdict, claims, degraded)

    def _finding(
        self, reading: _Reading, claim: Claim, findings: Iterator[Finding], degraded: tuple[str, ...]
    ) -> Finding:
        if not claim.checkable:
            return _not_checked(Reason.NOT_CHECKABLE)
        if reading.manifest is None:
            return _not_checked(Reason.UNKNOWN_CORPUS)
        finding = next(findings)
        return replace(finding, reasons=(*finding.reasons, Reason.DEGRADED)) if degraded else finding


def corpus_of(response: ResponseV1) -> CorpusRef | None:
    """The corpus that a response says it was written from; its own tenant's, always."""
    return CorpusRef(response.tenant, response.corpus) if response.corpus else None


def _corpus(reading: _Reading) -> CorpusRef | None:
    return reading.manifest.corpus if reading.manifest and reading.to_check() else None


def _not_checked(reason: Reason) -> Finding:
    return Finding(decision=Decision(label=Label.NOT_CHECKED, reasons=(reason,)))


def _record_calls(retrievals: Iterable[Retrieval], watch: Stopwatch) -> None:
    for retrieval in retrievals:
        for call in retrieval.calls:
            watch.record(Stretch(Stage(call.leg), call.start_ns, call.end_ns))


def _state(
    reading: _Reading, claims: Sequence[ClaimVerdictV1], degraded: Sequence[str]
) -> tuple[ResponseState, str]:
    """How far the response was judged, the gravest reason first, and that reason in words."""
    if reading.manifest is None:
        name = corpus_of(reading.response)
        missing = f"no generation of {name} is in service" if name else "the response names no corpus"
        detail = reading.refused or missing
        return ResponseState.UNKNOWN_CORPUS, detail
    if reading.claims.bound:
        return ResponseState.TOO_LARGE, reading.claims.bound
    if degraded:
        return ResponseState.DEGRADED, f"no answer from: {', '.join(degraded)}"
    if all(claim.label is Label.NOT_CHECKED for claim in claims):
        return ResponseState.NO_CHECKED_CLAIM, "nothing in the response can be checked"
    return ResponseState.CHECKED, ""
