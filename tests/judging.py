"""The real verifier on the embedded engines with the packaged models: documents in, verdicts of answers out."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from claimstream.adapters.documents.folder import MARKDOWN, document_of
from claimstream.adapters.system.clock import SystemClock
from claimstream.config.retrieval import EmbeddedSettings, RetrievalSettings
from claimstream.contracts.messages import ResponseV1
from claimstream.domain.evidence.passage import CorpusRef
from claimstream.indexer.app import open_indexer
from claimstream.ports.off import NullMetrics
from claimstream.runtime.engines import open_engines
from claimstream.verifier.app import compose
from claimstream.verifier.pipeline import Judged, Verifier
from claimstream.verifier.settings import VerifierSettings
from grammar import parser
from packaged import embedder, scorer

Corpora = Mapping[CorpusRef, Mapping[str, str]]
"""Corpus -> document id -> its Markdown."""


@contextmanager
def verifier_over(corpora: Corpora, folder: Path) -> Iterator[Verifier]:
    """A verifier whose data lie in this folder; a busy machine makes no leg late."""
    here, clock = EmbeddedSettings(data_dir=folder), SystemClock()
    settings = VerifierSettings(retrieval=RetrievalSettings(dense=here, sparse=here, leg_timeout_seconds=60))
    engines = open_engines(settings.retrieval)
    try:
        indexer = open_indexer(embedder(), engines, clock)
        for corpus, documents in corpora.items():
            indexer.build_generation(
                corpus, [document_of(doc_id, text, MARKDOWN) for doc_id, text in documents.items()]
            )
        yield compose(
            settings, engines, clock, NullMetrics(), parser=parser(), embedder=embedder(), scorer=scorer()
        )
    finally:
        engines.close()


def judged(verifier: Verifier, answers: Sequence[tuple[CorpusRef, str]]) -> list[Judged]:
    """The verdicts of these answers, judged in one micro-batch."""
    responses = [
        ResponseV1(
            response_id=f"r{number}",
            tenant=corpus.tenant,
            corpus=corpus.corpus,
            bot="support",
            model="m",
            text=text,
            responded_at=datetime(2026, 1, 1, tzinfo=UTC),
        )
        for number, (corpus, text) in enumerate(answers)
    ]
    return list(verifier.verify(responses).judged)
