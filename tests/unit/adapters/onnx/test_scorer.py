"""The packaged judge: against its reference, over long premises, beside the numbers of the specification."""

from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from claimstream.adapters.onnx.scorer import UNJUDGED, OnnxScorer
from claimstream.adapters.onnx.session import Arrays
from claimstream.domain.judging.batching import Shapes
from claimstream.ports.models import Pair
from packaged import NLI, ON_CPU, golden, scorer

ANSWER = "Refunds are available within 30 days of purchase."
FILLER = "The museum shop sells postcards, pencils and prints of the permanent collection. "


def test_the_packaged_file_says_what_pytorch_says() -> None:
    """200 pairs: labels flip in at most 0.5 %, and a flip is a near tie."""
    lines = golden()
    found = np.array(scorer().score([line.pair for line in lines]))
    reference = np.array([line.scores for line in lines])
    assert (found.argmax(axis=1) != reference.argmax(axis=1)).sum() <= 0.005 * len(lines)
    assert np.abs(found - reference).max() < 0.05
    assert np.abs(found - reference).mean() < 0.002


def test_the_reference_itself_is_a_useful_judge() -> None:
    right = [line.label == line.scores._fields[int(np.argmax(line.scores))] for line in golden()]
    assert sum(right) / len(right) > 0.6


@pytest.mark.parametrize("words", [100, 520, 1_500])
def test_a_long_premise_is_split_and_never_cut(monkeypatch: pytest.MonkeyPatch, words: int) -> None:
    """Every token of the premise is in some window; every window fits and holds the whole claim; they overlap."""
    judge, windows = OnnxScorer(NLI, ON_CPU), []
    run_all = judge._session.run_all

    def watched(batches: Sequence[Arrays]) -> list[NDArray[np.float32]]:
        for batch in batches:
            windows.extend(row[kept == 1] for row, kept in zip(*_rows(batch), strict=True))
        return run_all(batches)

    monkeypatch.setattr(judge._session, "run_all", watched)
    premise, claim = " ".join(str(1000 + number) for number in range(words)), "Whales sing."
    assert len(judge.score([Pair(premise, claim)])) == 1
    wanted, ending = _ids(judge, premise), _ids(judge, claim)
    parts = [window[1 : -len(ending) - 2].tolist() for window in windows]  # without [CLS], the claim, two [SEP]
    assert all(len(window) <= 512 for window in windows)
    assert all(window[-len(ending) - 1 : -1].tolist() == ending for window in windows)
    assert sorted(set().union(*parts)) == sorted(set(wanted))
    assert (len(windows) == 1) == (len(wanted) + len(ending) + 3 <= 512)
    assert (sum(map(len, parts)) > len(wanted)) == (len(windows) > 1)


def _rows(batch: Arrays) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    return batch["input_ids"], batch["attention_mask"]


def _ids(judge: OnnxScorer, text: str) -> list[int]:
    return list(judge._tokenizer.encode(text, add_special_tokens=False).ids)


def test_a_hypothesis_that_leaves_no_room_is_not_judged() -> None:
    long_claim = FILLER * 40
    first, short = scorer().score([Pair(ANSWER, long_claim), Pair(ANSWER, ANSWER)])
    assert first == UNJUDGED
    assert short.entailment > 0.75


def test_other_shapes_give_the_same_scores() -> None:
    pairs = [line.pair for line in golden()[90:110]]
    wide = OnnxScorer(NLI, ON_CPU, Shapes(lengths=(512,), sizes=(1, 2, 4, 8), token_budget=4096))
    for one, other in zip(scorer().score(pairs), wide.score(pairs), strict=True):
        assert one == pytest.approx(other, abs=1e-3)


def test_warms_up_every_shape_it_will_use() -> None:
    shapes = Shapes(lengths=(32, 64), sizes=(1, 2), token_budget=128)
    small = OnnxScorer(NLI, ON_CPU, shapes)
    small.warm_up()
    assert small.score([Pair(ANSWER, ANSWER)])[0].entailment > 0.75
