"""Which token budget and which micro-batch suit a machine: the pipeline at several settings, in turns.

    python benchmarks/sweep.py [--budgets 512 1024 …] [--records 1 4 16 …] [--answers N]

Not part of `make bench`: it is how the defaults were chosen. Every setting judges the same answers with an empty
score cache; all settings judge one stretch before any of them goes on to the next. On a busy machine read the CPU
time: the wall clock is also other people's.
"""

import argparse
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import machine
from corpus import answers, build_index, embedded, micro_batches, open_index
from probes import RecordingScorer, TimedEmbedder, TimedParser
from throughput import Parts

from claimstream.adapters.spacy.parser import SpacyParser
from claimstream.contracts.messages import ResponseV1
from claimstream.runtime.engines import Engines
from claimstream.runtime.models import open_embedder, open_scorer
from claimstream.testing.telemetry import MemoryMetrics
from claimstream.verifier.pipeline import Verifier
from claimstream.verifier.settings import VerifierSettings


@dataclass(slots=True)
class Candidate:
    """One setting: responses a micro-batch, tokens an NLI batch; seconds of each micro-batch, CPU over all."""

    records: int
    budget: int
    verifier: Verifier
    scorer: RecordingScorer
    seconds: list[float] = field(default_factory=list)
    cpu: float = 0.0

    def judge(self, stretch: Sequence[ResponseV1]) -> None:
        """Judge a stretch in micro-batches of our size."""
        for batch in micro_batches(stretch, self.records):
            started, cpu = time.perf_counter(), time.process_time()
            self.verifier.verify(batch)
            self.seconds.append(time.perf_counter() - started)
            self.cpu += time.process_time() - cpu

    def line(self, responses: int) -> str:
        """Throughput, and how long a response waits for its micro-batch."""
        total, mean = sum(self.seconds), sum(self.seconds) / len(self.seconds)
        pair = self.scorer.tally.seconds / self.scorer.tally.items * 1000
        return (
            f"  {self.records:>7} {self.budget:>7} {responses / total:>12.2f} {self.cpu / responses:>16.3f} "
            f"{mean:>17.2f} {pair:>13.1f} {self.scorer.tally.seconds / total:>9.1%}"
        )


def main() -> None:
    """Print a line a setting."""
    parser = argparse.ArgumentParser(description="The pipeline at several token budgets and micro-batch sizes.")
    parser.add_argument("--budgets", type=int, nargs="+", default=[512, 1024, 2048, 4096])
    parser.add_argument("--records", type=int, nargs="+", default=[4, 16])
    parser.add_argument("--answers", type=int, default=32)
    given = parser.parse_args()
    responses, before = answers(given.answers), machine.load()
    with tempfile.TemporaryDirectory(prefix="claimstream-sweep-") as work:
        index = Path(work) / "index"
        settings = VerifierSettings(retrieval=embedded(index))
        build_index(index, settings.models)
        engines = open_index(index)
        try:
            found = _candidates(settings, engines, given.budgets, given.records)
            _take_turns(found, responses, max(given.records))
        finally:
            engines.close()
    print(machine.described())
    print(f"load average {before:.1f} before, {machine.load():.1f} after; {len(responses)} answers")
    print("  records  budget  responses/s  CPU s a response  s a micro-batch  ms NLI a pair  NLI part")
    for one in found:
        print(one.line(len(responses)))


def _candidates(
    settings: VerifierSettings, engines: Engines, budgets: Sequence[int], records: Sequence[int]
) -> list[Candidate]:
    parser, embedder = TimedParser(SpacyParser()), TimedEmbedder(open_embedder(settings.models))
    made = []
    for budget in budgets:
        scorer = open_scorer(settings.models.model_copy(update={"token_budget": budget}))
        for number in records:
            recording = RecordingScorer(scorer)
            parts = Parts(parser, embedder, recording)
            made.append(Candidate(number, budget, parts.verifier(settings, engines, MemoryMetrics()), recording))
    return made


def _take_turns(candidates: Sequence[Candidate], responses: Sequence[ResponseV1], size: int) -> None:
    """Stretch by stretch, forwards and backwards through the settings."""
    for turn, stretch in enumerate(micro_batches(responses, size)):
        for one in candidates if turn % 2 == 0 else reversed(candidates):
            one.judge(stretch)


if __name__ == "__main__":
    main()
