"""Batches: every item once, in shapes that were announced."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from claimstream.domain.judging.batching import Shapes, plan
from claimstream.errors import ConfigurationError

SHAPES = Shapes()


@given(st.lists(st.integers(1, SHAPES.lengths[-1]), max_size=200), st.sampled_from([512, 1024, 4096]))
def test_every_item_once_in_an_announced_shape(tokens: list[int], budget: int) -> None:
    shapes = Shapes(token_budget=budget)
    batches = plan(tokens, shapes)
    assert sorted(index for batch in batches for index in batch.members) == list(range(len(tokens)))
    for batch in batches:
        assert (len(batch.members), batch.length) in shapes.all()
        assert len(batch.members) * batch.length <= budget
        assert all(tokens[index] <= batch.length for index in batch.members)


def test_pads_no_further_than_the_next_length() -> None:
    assert [(batch.length, batch.members) for batch in plan([33, 64, 10, 65], SHAPES)] == [
        (32, (2,)),
        (64, (0, 1)),
        (96, (3,)),
    ]


def test_cuts_a_group_into_the_largest_sizes_first() -> None:
    assert [len(batch.members) for batch in plan([20] * 45, SHAPES)] == [32, 8, 4, 1]


def test_nothing_to_do() -> None:
    assert plan([], SHAPES) == []


@pytest.mark.parametrize("wrong", [{"sizes": (2, 4)}, {"token_budget": 511}])
def test_shapes_that_cannot_hold_every_pair_are_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(ConfigurationError, match="batch of 1 and a token budget of at least 512"):
        Shapes(**wrong)  # type: ignore[arg-type]  # a table of keyword arguments
