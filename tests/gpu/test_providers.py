"""The GPU providers for real: where the matrix products run, and that the scores are the CPU's."""

from pathlib import Path

import onnxruntime
import pytest

from claimstream.adapters.onnx.scorer import OnnxScorer
from claimstream.adapters.onnx.session import PROVIDERS, SessionOptions, check_placement
from claimstream.ports.models import Pair
from packaged import NLI, golden


def options(provider: str, cache: Path) -> SessionOptions:
    if PROVIDERS[provider] not in onnxruntime.get_available_providers():
        pytest.skip(
            f"this ONNX Runtime has no {provider} provider: install the extra `gpu` on a machine with a GPU"
        )
    return SessionOptions(providers=(provider,), engine_cache=cache)


@pytest.mark.gpu
@pytest.mark.parametrize("provider", ["cuda", "tensorrt"])
def test_matrix_products_run_on_the_gpu(provider: str, tmp_path: Path) -> None:
    check_placement(NLI / "model.onnx", options(provider, tmp_path))


@pytest.mark.gpu
@pytest.mark.parametrize("provider", ["cuda", "tensorrt"])
def test_scores_are_those_of_the_reference(provider: str, tmp_path: Path) -> None:
    scorer = OnnxScorer(NLI, options(provider, tmp_path))
    pairs = golden()
    found = scorer.score([Pair(one.premise, one.hypothesis) for one in pairs])
    flips = sum(
        max(range(3), key=scores.__getitem__) != max(range(3), key=one.scores.__getitem__)
        for scores, one in zip(found, pairs, strict=True)
    )
    assert scorer.identity.provider == provider
    assert flips <= 0.005 * len(pairs)
