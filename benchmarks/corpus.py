"""What the benchmark judges: 64 answers of our own about 25 real policies, indexed into a folder of its own."""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from claimstream.adapters.documents.folder import FolderReader
from claimstream.adapters.system.clock import SystemClock
from claimstream.config.models import ModelSettings
from claimstream.config.retrieval import EmbeddedSettings, RetrievalSettings
from claimstream.contracts.messages import ResponseV1
from claimstream.domain.evidence.passage import CorpusRef
from claimstream.indexer.app import open_indexer
from claimstream.runtime.engines import Engines, open_engines
from claimstream.runtime.models import open_embedder

HERE = Path(__file__).resolve().parent
DOCUMENTS = HERE.parent / "tests" / "data" / "37signals-policies"
ANSWERS = HERE / "answers.jsonl"
CORPUS = CorpusRef("bench", "policies")


class _Answer(msgspec.Struct, frozen=True):
    response_id: str
    text: str


def answers(number: int | None = None) -> list[ResponseV1]:
    """The first so many answers, or all; no claim occurs twice, so no pair of claim and passage does."""
    decoder = msgspec.json.Decoder(_Answer)
    return [_response(decoder.decode(line)) for line in ANSWERS.read_bytes().splitlines()[:number]]


def _response(answer: _Answer) -> ResponseV1:
    return ResponseV1(
        response_id=answer.response_id,
        tenant=CORPUS.tenant,
        corpus=CORPUS.corpus,
        bot="benchmark",
        model="none",
        text=answer.text,
        responded_at=datetime(2026, 1, 1, tzinfo=UTC),
    )


def micro_batches(responses: Sequence[ResponseV1], size: int) -> Iterator[Sequence[ResponseV1]]:
    """The responses in micro-batches of this many, as the loop would cut them when it is busy."""
    return (responses[at : at + size] for at in range(0, len(responses), size))


def embedded(data: Path) -> RetrievalSettings:
    """Both legs under this folder."""
    here = EmbeddedSettings(data_dir=data)
    return RetrievalSettings(dense=here, sparse=here)


def open_index(data: Path) -> Engines:
    """The engines over an index that is there; one process at a time."""
    return open_engines(embedded(data))


def build_index(data: Path, models: ModelSettings) -> int:
    """Index the policies under this folder and let go of it; returns the number of passages."""
    engines = open_index(data)
    try:
        indexer = open_indexer(open_embedder(models), engines, SystemClock())
        return indexer.index_folder(CORPUS, DOCUMENTS, FolderReader()).manifest.passages
    finally:
        engines.close()
