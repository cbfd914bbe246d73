"""Whether a model folder says on this machine what its source said when it was exported."""

from pathlib import Path

from claimstream.adapters.onnx.embedder import OnnxEmbedder
from claimstream.adapters.onnx.folder import manifest_of
from claimstream.adapters.onnx.scorer import OnnxScorer
from claimstream.adapters.onnx.session import SessionOptions
from claimstream.training.checks import EmbedderReport, NliReport, check_embedder, check_scorer
from claimstream.training.golden import GOLDEN, GoldenCosine, GoldenPair, read_lines


def check_folder(folder: Path, options: SessionOptions, golden: Path | None = None) -> NliReport | EmbedderReport:
    """Score a golden set, the folder's own where none is given, together and each line alone.

    Raises ModelRefused where files, labels or results are not what they should be.
    """
    path = golden or folder / GOLDEN
    report: NliReport | EmbedderReport
    if manifest_of(folder).task == "nli":
        report = check_scorer(OnnxScorer(folder, options), read_lines(path, GoldenPair))
    else:
        report = check_embedder(OnnxEmbedder(folder, options), read_lines(path, GoldenCosine))
    report.require()
    return report
