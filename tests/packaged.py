"""The packaged models and their golden sets, opened once a session."""

from functools import cache
from pathlib import Path

from claimstream.adapters.onnx.embedder import OnnxEmbedder
from claimstream.adapters.onnx.scorer import OnnxScorer
from claimstream.adapters.onnx.session import SessionOptions
from claimstream.runtime.models import PACKAGED
from claimstream.training.golden import GoldenPair, read_lines

NLI = PACKAGED / "nli-e5-small"
EMBEDDER = PACKAGED / "minilm-l6"
ON_CPU = SessionOptions(providers=("cpu",))


@cache
def scorer() -> OnnxScorer:
    return OnnxScorer(NLI, ON_CPU)


@cache
def embedder() -> OnnxEmbedder:
    return OnnxEmbedder(EMBEDDER, ON_CPU)


@cache
def golden() -> tuple[GoldenPair, ...]:
    """Half of them general pairs of one or two sentences, half of them policy passages."""
    return tuple(read_lines(Path(__file__).parent / "data" / "golden" / "nli.jsonl", GoldenPair))
