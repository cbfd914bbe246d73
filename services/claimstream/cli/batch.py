"""Judges a list of answers in micro-batches, with a bar for people and JSON lines for machines."""

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

import typer
from rich.console import Console
from rich.progress import Progress

from claimstream.cli.show import to_line
from claimstream.cli.statuses import gravest, status_of
from claimstream.contracts.messages import ResponseV1
from claimstream.errors import ConfigurationError
from claimstream.verifier.pipeline import Judged, Verifier


@contextmanager
def verdicts_file(path: Path | None) -> Iterator[TextIO | None]:
    """The file to write to, opened before the work begins; None for the screen. Raises ConfigurationError."""
    if path is None:
        yield None
        return
    try:
        file = path.open("w", encoding="utf-8")
    except OSError as error:
        raise ConfigurationError(f"{path} cannot be written ({error.strerror}): name another file") from None
    with file:
        yield file


def judge_all(verifier: Verifier, answers: Sequence[ResponseV1], batch: int, out: TextIO | None) -> int:
    """Write one JSON line an answer, in order, and a summary to stderr; returns the gravest exit status."""
    statuses: list[int] = []
    labels: Counter[str] = Counter()
    states: Counter[str] = Counter()
    console = Console(stderr=True, highlight=False)
    with Progress(console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task("verifying", total=len(answers))
        for start in range(0, len(answers), batch):
            for judged in verifier.verify(answers[start : start + batch]).judged:
                _write(judged, out)
                labels.update(judged.response.labels)
                states[judged.response.state.value] += 1
                statuses.append(status_of(judged.response))
                progress.advance(task)
    console.print(_summary(states, labels))
    return gravest(statuses)


def _write(judged: Judged, out: TextIO | None) -> None:
    if out is None:
        typer.echo(to_line(judged))
    else:
        out.write(to_line(judged) + "\n")


def _summary(states: Counter[str], labels: Counter[str]) -> str:
    """How far the answers could be judged, and what came out."""
    claims = ", ".join(f"{count} {label}" for label, count in sorted(labels.items())) or "none"
    answers = ", ".join(f"{count} {state}" for state, count in sorted(states.items()))
    return f"{states.total()} answers: {answers}; claims: {claims}"
