"""Draws the golden set of the entailment model.

`python -m claimstream.training.sample SOURCE DATA OUT` writes it: 100 pairs each of `dev.jsonl.gz` and
`policy_dev.jsonl.gz` in the folder DATA, drawn with a fixed seed, scored by the Hugging Face folder SOURCE.
"""

import random
import sys
from collections.abc import Sequence
from pathlib import Path

from claimstream.training.export import reference_scores
from claimstream.training.golden import LabelledPair, read_lines, with_reference, write_lines
from claimstream.training.source import Source

SEED = 20261201
PAIRS_A_SET = 100
SETS = ("dev", "policy_dev")


def draw(pairs: Sequence[LabelledPair], count: int, seed: int = SEED) -> list[LabelledPair]:
    """A seeded sample in a seeded order; all of them where there are fewer."""
    return random.Random(seed).sample(list(pairs), min(count, len(pairs)))


def main(source: Path, data: Path, out: Path) -> None:
    """Draw, score and write the set."""
    pairs = [
        pair for name in SETS for pair in draw(read_lines(data / f"{name}.jsonl.gz", LabelledPair), PAIRS_A_SET)
    ]
    opened = Source.open(source)
    reference = reference_scores(opened, opened.classifier(), [pair.pair for pair in pairs])
    write_lines(out, with_reference(pairs, reference))


if __name__ == "__main__":
    main(*(Path(argument) for argument in sys.argv[1:4]))
