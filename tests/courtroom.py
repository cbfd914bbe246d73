"""A verifier over memory engines and the real parser, with scores that a test writes down."""

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from claimstream.contracts.messages import ResponseV1
from claimstream.domain.evidence.generation import Manifest
from claimstream.domain.evidence.passage import CorpusRef, Passage
from claimstream.domain.judging.scores import Scores
from claimstream.ports.clock import Clock
from claimstream.ports.metrics import Metrics
from claimstream.ports.models import ModelIdentity, Pair
from claimstream.ports.off import NullMetrics
from claimstream.testing.clock import FakeClock
from claimstream.testing.models import FakeEmbedder
from claimstream.testing.stores import MemoryCatalogue, MemoryDense, MemorySparse
from claimstream.verifier.evidence import RetrievalPolicy, Retriever
from claimstream.verifier.pipeline import Verifier
from claimstream.verifier.rules import Rules
from grammar import parser

CHUNKER = "whole@1"
NEUTRAL = Scores(0.05, 0.90, 0.05)
ENTAILED = Scores(0.95, 0.04, 0.01)
CONTRADICTED = Scores(0.02, 0.03, 0.95)

Rule = Callable[[Pair], Scores]


class ScriptedScorer:
    """Scores by a rule of the test's own, and remembers what it was asked."""

    def __init__(self, rule: Rule) -> None:
        self.identity = ModelIdentity(name="scripted", hash="1" * 12, provider="none", precision="fp32")
        self.calls: list[list[Pair]] = []
        self._rule = rule

    def score(self, pairs: Sequence[Pair]) -> list[Scores]:
        self.calls.append(list(pairs))
        return [self._rule(pair) for pair in pairs]


class Courtroom:
    """One verifier and everything it stands on; `hold` writes a tenant's documents."""

    def __init__(
        self,
        rule: Rule | None = None,
        *,
        rules: Rules | None = None,
        metrics: Metrics | None = None,
        floor: float = 0.1,
    ) -> None:
        self.dense, self.sparse = MemoryDense(), MemorySparse()
        self.catalogue = MemoryCatalogue(self.dense, self.sparse)
        self.embedder = FakeEmbedder(floors={CHUNKER: floor})
        self.scorer = ScriptedScorer(rule or (lambda _: NEUTRAL))
        self.clock: Clock = FakeClock()
        self.verifier = Verifier(
            parser=parser(),
            retriever=Retriever(
                dense=self.dense,
                sparse=self.sparse,
                embedder=self.embedder,
                clock=self.clock,
                policy=RetrievalPolicy(leg_timeout_seconds=60),
            ),
            scorer=self.scorer,
            embedder=self.embedder.identity,
            catalogue=self.catalogue,
            clock=self.clock,
            metrics=metrics or NullMetrics(),
            rules=rules or Rules(),
        )

    def hold(self, texts: Mapping[str, str], *, tenant: str = "acme", corpus: str = "help") -> list[Passage]:
        """One passage a document, each in the parent given after `||`, if any; in service at once."""
        reference = CorpusRef(tenant, corpus)
        manifest = Manifest(
            corpus=reference,
            generation="g1",
            embedder=str(self.embedder.identity),
            chunker=CHUNKER,
            dimension=self.embedder.dimension,
            documents=len(texts),
            passages=len(texts),
            created_at="2026-01-01T00:00:00Z",
        )
        found = [_passage(reference, name, text) for name, text in texts.items()]
        self.dense.create(manifest)
        self.sparse.create(manifest)
        self.dense.upsert(manifest, found, self.embedder.embed([one.text for one in found]))
        self.sparse.upsert(manifest, found)
        self.catalogue.promote(manifest)
        return found


def _passage(corpus: CorpusRef, name: str, text: str) -> Passage:
    passage, _, parent = text.partition("||")
    return Passage(
        corpus=corpus,
        generation="g1",
        doc_id=name,
        chunk_no=0,
        text=passage,
        start=0,
        end=len(passage),
        parent_start=0,
        parent_text=parent or passage,
    )


def answer(text: str, **changes: Any) -> ResponseV1:
    """A response of acme's bot from its help corpus."""
    values: dict[str, Any] = {
        "response_id": "r1",
        "tenant": "acme",
        "corpus": "help",
        "bot": "support",
        "model": "m1",
        "text": text,
        "responded_at": datetime(2026, 12, 1, tzinfo=UTC),
    }
    return ResponseV1(**(values | changes))
