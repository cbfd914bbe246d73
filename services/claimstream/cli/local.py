"""Answers against a folder of documents, everything in this process and nothing left behind."""

import tempfile
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from claimstream.adapters.documents.folder import FolderReader
from claimstream.adapters.spacy.parser import SpacyParser
from claimstream.adapters.system.clock import SystemClock
from claimstream.cli.working import working
from claimstream.config.load import load
from claimstream.config.retrieval import EmbeddedSettings, RetrievalSettings
from claimstream.contracts.messages import ResponseV1
from claimstream.domain.evidence.passage import CorpusRef
from claimstream.indexer.app import open_indexer
from claimstream.ports.off import NullMetrics
from claimstream.runtime.engines import open_engines
from claimstream.runtime.models import open_embedder, open_scorer
from claimstream.verifier.app import compose
from claimstream.verifier.pipeline import Judged
from claimstream.verifier.settings import VerifierSettings

CORPUS = CorpusRef("local", "docs")


def verify_against(docs: Path, answers: Sequence[str]) -> list[Judged]:
    """The verdicts of these answers, in order. Raises EmptyCorpus and the models' errors."""
    settings, clock = load(VerifierSettings), SystemClock()
    with tempfile.TemporaryDirectory(prefix="claimstream-") as folder:
        here = EmbeddedSettings(data_dir=Path(folder))
        engines = open_engines(RetrievalSettings(dense=here, sparse=here))
        try:
            embedder = open_embedder(settings.models)
            with working(f"indexing {docs}"):
                open_indexer(embedder, engines, clock).index_folder(CORPUS, docs, FolderReader())
            verifier = compose(
                settings,
                engines,
                clock,
                NullMetrics(),
                parser=SpacyParser(),
                embedder=embedder,
                scorer=open_scorer(settings.models),
            )
            return list(verifier.verify([_response(number, text) for number, text in enumerate(answers)]).judged)
        finally:
            engines.close()


def _response(number: int, text: str) -> ResponseV1:
    return ResponseV1(
        response_id=f"answer-{number + 1}",
        tenant=CORPUS.tenant,
        corpus=CORPUS.corpus,
        bot="command-line",
        model="unknown",
        text=text,
        responded_at=datetime.now(UTC),
    )
