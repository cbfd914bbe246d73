"""The composition root of the indexer."""

from claimstream.adapters.documents.splitter import SemanticSplitter
from claimstream.adapters.onnx.embedder import OnnxEmbedder
from claimstream.indexer.build import Indexer
from claimstream.ports.clock import Clock
from claimstream.runtime.engines import Engines


def open_indexer(embedder: OnnxEmbedder, engines: Engines, clock: Clock) -> Indexer:
    """An indexer whose chunks are counted in the embedder's own tokens."""
    return Indexer(
        splitter=SemanticSplitter(embedder.tokenizer),
        embedder=embedder,
        dense=engines.dense,
        sparse=engines.sparse,
        catalogue=engines.catalogue,
        clock=clock,
    )
