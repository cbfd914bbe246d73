"""`make bench`: throughput, memory and the cost of telemetry in one run with cold caches, against their targets.

    python benchmarks/pipeline.py [--save FILE] [--answers N]

Reads settings from the environment as every command does (CLAIMSTREAM_MODELS__NLI=… measures another model).
A missed target is said plainly and is not an error: it may be the machine's.
"""

import argparse
import json
import logging
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import latency
import machine
import observed
import one_a_call
import throughput
from corpus import answers, build_index, embedded, micro_batches, open_index
from probes import RecordingScorer, TimedEmbedder, TimedParser
from reference import open_reference
from report import Figures, Memory, report
from throughput import Parts, Throughput
from transformers.utils.logging import disable_progress_bar

from claimstream.adapters.onnx.threads import allowed_cpus
from claimstream.adapters.spacy.parser import SpacyParser
from claimstream.contracts.messages import ResponseV1
from claimstream.ports.models import Pair
from claimstream.runtime.engines import Engines
from claimstream.runtime.models import model_folder, open_embedder, open_scorer
from claimstream.testing.telemetry import MemoryMetrics
from claimstream.verifier.settings import VerifierSettings

GROUPS, GROUP_PAIRS = 6, 12
"""So many stretches of so many pairs are scored three ways: the one-a-call sides are slow."""
AGREEING = 8
"""Pairs on which the CrossEncoder must agree with the packaged file."""
ALONE = 8
WARM_UP = "The office is closed on public holidays. Visitors sign in at the front desk."


def main() -> None:
    """Measure, print, and write the page to a file where one is named."""
    parser = argparse.ArgumentParser(description="Throughput and memory of the verifier, against their targets.")
    parser.add_argument("--save", type=Path, metavar="FILE", help="write the report there too")
    parser.add_argument("--answers", type=int, metavar="N", help="only the first N answers: quicker and rougher")
    given = parser.parse_args()
    _let_threads_sleep()
    save: Path | None = given.save
    logging.getLogger("transformers").setLevel(logging.ERROR)
    logging.getLogger("sentence_transformers").setLevel(logging.ERROR)
    disable_progress_bar()  # type: ignore[no-untyped-call]  # transformers leaves it untyped
    with tempfile.TemporaryDirectory(prefix="claimstream-bench-") as work:
        page = report(_measured(Path(work), given.answers))
    print(page)
    if save is not None:
        save.write_text(page + "\n")


def _let_threads_sleep() -> None:
    """Begin again with OpenMP threads that sleep while they wait: that is read when PyTorch is loaded.

    By default they spin, and beside any other process the CrossEncoder then takes up to ten times its time.
    """
    if "OMP_WAIT_POLICY" not in os.environ:
        os.execve(sys.executable, [sys.executable, *sys.argv], {**os.environ, "OMP_WAIT_POLICY": "PASSIVE"})


def _measured(work: Path, number: int | None) -> Figures:
    started = time.perf_counter()
    settings = VerifierSettings(retrieval=embedded(work / "index"))
    before = machine.load()
    _say("indexing the policies")
    passages = build_index(work / "index", settings.models)
    _say("memory: a verifier in a process of its own judges everything")
    memory = _memory(work / "index", number)
    engines = open_index(work / "index")
    try:
        figures = _in_process(work, settings, engines, answers(number), memory)
    finally:
        engines.close()
    figures.setting.append(f"{passages} passages of 25 documents, both legs embedded")
    figures.loads = [("at the start", before), *figures.loads, ("at the end", machine.load())]
    figures.seconds = time.perf_counter() - started
    return figures


def _in_process(
    work: Path, settings: VerifierSettings, engines: Engines, responses: Sequence[ResponseV1], memory: Memory
) -> Figures:
    loads = [("after memory", machine.load())]
    scorer = open_scorer(settings.models)
    parts = Parts(
        TimedParser(SpacyParser()), TimedEmbedder(open_embedder(settings.models)), RecordingScorer(scorer)
    )
    batches = list(micro_batches(responses, settings.loop.batch_records))
    _say(f"throughput: {len(responses)} answers, pipeline and bare session in turns")
    _warm_up(responses[0], settings, engines, parts)
    through = throughput.measure(batches, settings, engines, parts)
    _require_new_pairs(through)
    loads.append(("after throughput", machine.load()))
    tallies = throughput.tallies(parts)
    _say("the same pairs one a call, and by a CrossEncoder")
    groups = _groups(through)
    known = {pair: parts.scorer.known[pair] for pair in groups[0][:AGREEING]}
    folder, threads = model_folder(settings.models.nli), settings.models.threads or allowed_cpus()
    comparisons = one_a_call.measure(groups, scorer, open_reference(folder, work, threads, known))
    loads.append(("after one a call", machine.load()))
    _say("telemetry on and off in turns")
    cost = observed.measure(batches, settings, engines, parts)
    _say("small figures")
    return Figures(
        setting=[machine.described(), *_described(settings, parts, threads)],
        memory=memory,
        throughput=through,
        tallies=tallies,
        comparisons=comparisons,
        cost=cost,
        latencies=latency.measure(responses, ALONE, settings, engines, parts),
        loads=loads,
    )


def _described(settings: VerifierSettings, parts: Parts, threads: int) -> list[str]:
    nli, embedder = parts.scorer.identity, parts.embedder.identity
    return [
        f"NLI {nli} {nli.precision} on {nli.provider}, embedder {embedder} {embedder.precision}; {threads} threads",
        f"token budget {settings.models.token_budget or 'by provider'}, "
        f"micro-batches of {settings.loop.batch_records} responses",
    ]


def _memory(index: Path, number: int | None) -> Memory:
    program = [
        sys.executable,
        str(Path(__file__).with_name("verifier_process.py")),
        str(index),
        *([str(number)] if number else []),
    ]
    done = subprocess.run(program, check=True, stdout=subprocess.PIPE, text=True)
    return Memory(**json.loads(done.stdout))


def _warm_up(like: ResponseV1, settings: VerifierSettings, engines: Engines, parts: Parts) -> None:
    """What is paid once a process: lazy imports, first arenas. The text is none of the answers."""
    response = type(like)(**{name: getattr(like, name) for name in like.__struct_fields__} | {"text": WARM_UP})
    parts.verifier(settings, engines, MemoryMetrics()).verify([response])
    parts.reset()


def _require_new_pairs(found: Throughput) -> None:
    """No claim occurs twice and no pair reached the model twice: the cache had nothing to give across claims."""
    twice = sorted(text for text, times in found.claims.items() if times > 1)
    pairs = [pair for one in found.rounds for call in one.calls for pair in call]
    if twice or len(set(pairs)) != len(pairs):
        sys.exit(
            f"{len(pairs) - len(set(pairs))} pairs came twice, and these claims: {twice}; "
            "change the answers in benchmarks/answers.jsonl that say the same"
        )


def _groups(found: Throughput) -> list[Sequence[Pair]]:
    """Stretches of pairs from all over the answers."""
    pairs = [pair for one in found.rounds for pair in one.calls[0]]
    step = len(pairs) // GROUPS
    return [pairs[at : at + GROUP_PAIRS] for at in range(0, step * GROUPS, step)]


def _say(what: str) -> None:
    print(f"… {what}", file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
