"""Reciprocal rank fusion: the specification's numbers, and an order that is total and repeatable."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from claimstream.domain.evidence.fusion import fuse, reciprocal_rank

RANKED = st.lists(st.sampled_from("abcdefghijkl"), unique=True)


def test_second_and_third_beat_first_in_one_list_alone() -> None:
    fused = fuse(["first", "both", "x"], ["y", "z", "both"])
    assert fused[0].id == "both"
    assert fused[0].score == pytest.approx(1 / 62 + 1 / 63)
    assert round(fused[0].score, 5) == 0.03200
    assert (fused[0].dense_rank, fused[0].sparse_rank) == (2, 3)
    assert fused[1].id == "first"
    assert round(fused[1].score, 5) == 0.01639


@pytest.mark.parametrize(
    ("dense", "sparse", "order"),
    [
        ([], [], ""),
        ("ab", [], "ab"),
        ([], "ba", "ba"),
        ("ab", "ab", "ab"),
        ("ab", "ba", "ab"),
        ("a", "b", "ab"),
        ("b", "a", "ab"),
        ("abc", "cba", "acb"),
    ],
)
def test_order(dense: str, sparse: str, order: str) -> None:
    assert "".join(one.id for one in fuse(dense, sparse)) == order


def test_a_missing_rank_adds_nothing() -> None:
    assert reciprocal_rank(None) == 0.0
    assert reciprocal_rank(1) == 1 / 61


@given(RANKED, RANKED)
def test_the_order_is_total_and_holds_every_document_once(dense: list[str], sparse: list[str]) -> None:
    fused = fuse(dense, sparse)
    keys = [(-one.score, one.best_rank, one.id) for one in fused]
    assert keys == sorted(keys)
    assert len(set(keys)) == len(keys)
    assert {one.id for one in fused} == set(dense) | set(sparse)


@given(RANKED, RANKED)
def test_the_legs_are_equals(dense: list[str], sparse: list[str]) -> None:
    assert [one.id for one in fuse(dense, sparse)] == [one.id for one in fuse(sparse, dense)]


@given(RANKED, RANKED, st.integers(0, 11))
def test_a_better_rank_never_lowers_a_document(dense: list[str], sparse: list[str], at: int) -> None:
    if not 0 < at < len(dense):
        return
    better = [*dense[: at - 1], dense[at], dense[at - 1], *dense[at + 1 :]]
    before = [one.id for one in fuse(dense, sparse)].index(dense[at])
    assert [one.id for one in fuse(better, sparse)].index(dense[at]) <= before
