"""A total order over engines that order ties as they like."""

import random

import pytest

from claimstream.domain.evidence.ranking import SLACK, best, fetch_past_ties

Hit = tuple[str, float]


class CarelessEngine:
    """Answers the best n, equals in another order each time."""

    def __init__(self, scores: list[float]) -> None:
        self.hits: list[Hit] = [(f"id{number:04}", score) for number, score in enumerate(scores)]
        self.asked: list[int] = []
        self._random = random.Random(7)

    def __call__(self, number: int) -> list[list[Hit]]:
        self.asked.append(number)
        shuffled = self._random.sample(self.hits, len(self.hits))
        return [sorted(shuffled, key=lambda hit: -hit[1])[:number]]


def top(engine: CarelessEngine, limit: int) -> list[str]:
    (found,) = fetch_past_ties(engine, limit, score=lambda hit: hit[1])
    return [name for name, _ in best(found, limit, score=lambda hit: hit[1], name=lambda hit: hit[0])]


@pytest.mark.parametrize(
    "scores",
    [
        [],
        [0.5],
        [0.5] * 300,
        [0.9] * 3 + [0.5] * 200,
        [1.0 - number / 1000 for number in range(200)],
        [0.5 + number * 1e-9 for number in range(100)],
    ],
    ids=["none", "one", "all equal", "a tie at the limit", "no tie", "a tie but for noise"],
)
def test_the_same_top_every_time(scores: list[float]) -> None:
    engine = CarelessEngine(scores)
    first = top(engine, 10)
    assert all(top(engine, 10) == first for _ in range(10))
    assert len(first) == min(10, len(scores))


def test_an_engine_is_asked_once_where_no_tie_reaches_the_end() -> None:
    engine = CarelessEngine([1.0 - number / 1000 for number in range(200)])
    top(engine, 10)
    assert engine.asked == [10 + SLACK]


def test_ties_go_by_name() -> None:
    assert top(CarelessEngine([0.5] * 300), 3) == ["id0000", "id0001", "id0002"]
