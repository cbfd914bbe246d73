"""Sessions run where they were asked to, and say so."""

from pathlib import Path

import numpy as np
import pytest

from claimstream.adapters.onnx.session import (
    Session,
    SessionOptions,
    available,
    check_placement,
    provider_options,
    shapes_for,
)
from claimstream.errors import ConfigurationError, ModelUnavailable
from packaged import NLI, ON_CPU

ONES = np.ones((2, 8), dtype=np.int64)
INPUTS = {"input_ids": ONES, "attention_mask": ONES, "token_type_ids": ONES * 0, "unknown": ONES}


def test_the_matrix_products_of_the_packaged_model_run_on_the_cpu() -> None:
    session = Session(NLI / "model.onnx", ON_CPU, profile=True)
    session.run(INPUTS)
    assert session.provider == "cpu"
    assert session.matrix_product_providers() == {"cpu"}
    check_placement(NLI / "model.onnx", ON_CPU)


def test_profiling_must_be_asked_for(exported: Path) -> None:
    with pytest.raises(ConfigurationError, match="without profiling"):
        Session(exported / "model.onnx", ON_CPU).matrix_product_providers()


def test_a_run_without_matrix_products_is_not_a_placement(tmp_path: Path) -> None:
    """What names a provider and does nothing on it is refused."""
    import onnx
    from onnx import TensorProto, helper

    ids = helper.make_tensor_value_info("input_ids", TensorProto.INT64, ["batch", "sequence"])
    out = helper.make_tensor_value_info("out", TensorProto.FLOAT, ["batch", "sequence"])
    node = helper.make_node("Cast", ["input_ids"], ["out"], to=TensorProto.FLOAT)
    model = helper.make_model(
        helper.make_graph([node], "cast", [ids], [out]), opset_imports=[helper.make_opsetid("", 21)]
    )
    model.ir_version = 10
    onnx.save(model, tmp_path / "model.onnx")
    with pytest.raises(ConfigurationError, match="matrix products run on none"):
        check_placement(tmp_path / "model.onnx", ON_CPU)


@pytest.mark.parametrize(
    ("providers", "message"),
    [
        (("gpu",), r"unknown providers \['gpu'\]: use some of"),
        (("CPUExecutionProvider",), "unknown providers"),
        ((), "none of the providers"),
    ],
)
def test_providers_that_are_not_there_are_refused(exported: Path, providers: tuple[str, ...], message: str) -> None:
    with pytest.raises(ConfigurationError, match=message):
        Session(exported / "model.onnx", SessionOptions(providers=providers))


def test_of_the_providers_asked_for_those_that_this_build_has() -> None:
    assert available(("tensorrt", "cuda", "cpu"))[-1] == "cpu"


@pytest.mark.parametrize(
    ("name", "cache", "options"),
    [
        ("cpu", None, {}),
        ("cuda", None, {"arena_extend_strategy": "kSameAsRequested"}),
        ("tensorrt", None, {"trt_fp16_enable": "1"}),
        (
            "tensorrt",
            Path("/cache"),
            {"trt_fp16_enable": "1", "trt_engine_cache_enable": "1", "trt_engine_cache_path": "/cache"},
        ),
    ],
)
def test_options_of_a_provider(name: str, cache: Path | None, options: dict[str, str]) -> None:
    assert provider_options(name, SessionOptions(engine_cache=cache)) == options


@pytest.mark.parametrize(("provider", "budget"), [("cpu", 512), ("cuda", 4096), ("tensorrt", 4096)])
def test_batches_suit_the_provider(provider: str, budget: int) -> None:
    assert shapes_for(provider).token_budget == budget


@pytest.mark.parametrize("threads", [1, 3])
def test_results_come_in_the_order_of_the_batches(exported: Path, threads: int) -> None:
    session = Session(exported / "model.onnx", SessionOptions(providers=("cpu",), threads=threads))
    batches = [{name: value[:, :length] for name, value in INPUTS.items()} for length in (2, 8, 3, 7, 4, 6, 5)]
    alone = [session.run(batch) for batch in batches]
    np.testing.assert_array_equal(session.run_all(batches), alone)
    assert len({row.tobytes() for row in alone}) == len(alone)


@pytest.mark.parametrize("threads", [1, 2])
def test_a_run_that_fails_is_unavailability(exported: Path, threads: int) -> None:
    session = Session(exported / "model.onnx", SessionOptions(providers=("cpu",), threads=threads))
    out_of_vocabulary = INPUTS | {"input_ids": ONES * 10_000}
    with pytest.raises(ModelUnavailable, match="the cpu session failed"):
        session.run_all([INPUTS, out_of_vocabulary])
