"""What every embedder promises: unit vectors, one a text, in order, whatever else is embedded with it."""

import numpy as np
import pytest

from claimstream.adapters.documents.splitter import CHUNKER
from claimstream.ports.models import Embedder
from claimstream.testing.models import FakeEmbedder
from packaged import embedder

TEXTS = [
    "Refunds are issued within 5 to 10 business days.",
    "Refunds",
    "Annual plans are refunded pro rata for the unused full months. " * 6,
    "Whales sing.",
]


@pytest.fixture(scope="module", params=["fake", "packaged"])
def any_embedder(request: pytest.FixtureRequest) -> Embedder:
    return FakeEmbedder(floors={CHUNKER: 0.2}) if request.param == "fake" else embedder()


def test_one_unit_vector_a_text(any_embedder: Embedder) -> None:
    vectors = any_embedder.embed(TEXTS)
    assert vectors.shape == (len(TEXTS), any_embedder.dimension)
    assert vectors.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)


def test_nothing_asked_nothing_answered(any_embedder: Embedder) -> None:
    assert any_embedder.embed([]).shape == (0, any_embedder.dimension)


def test_in_order_and_repeatable(any_embedder: Embedder) -> None:
    there, back = any_embedder.embed(TEXTS), any_embedder.embed(TEXTS[::-1])
    np.testing.assert_allclose(there, back[::-1], atol=1e-5)


def test_texts_alone_and_together_agree(any_embedder: Embedder) -> None:
    alone = np.concatenate([any_embedder.embed([text]) for text in TEXTS])
    np.testing.assert_allclose(any_embedder.embed(TEXTS), alone, atol=1e-4)


def test_texts_of_one_subject_are_nearer(any_embedder: Embedder) -> None:
    refund, subject, _, whales = any_embedder.embed(TEXTS)
    assert refund @ subject > refund @ whales


@pytest.mark.parametrize(
    "text", ["", "\x00", "\ud83d", "\U0001f389" * 40, "word " * 5_000], ids=lambda t: ascii(t[:9])
)
def test_any_text_has_a_unit_vector(any_embedder: Embedder, text: str) -> None:
    assert np.linalg.norm(any_embedder.embed([text])) == pytest.approx(1, abs=1e-5)


def test_a_floor_belongs_to_one_chunker(any_embedder: Embedder) -> None:
    floor = any_embedder.floor(CHUNKER)
    assert floor is not None
    assert 0 < floor < 1
    assert any_embedder.floor("another@1") is None
