"""What the demo shows: steps, verdicts as they come, a summary. Without a terminal the same as plain text."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from rich.console import Console
from rich.table import Table
from rich.text import Text

from claimstream.cli.demo.gathering import Dead, Judged, Tally
from claimstream.cli.demo.material import DOCUMENTS
from claimstream.cli.show import COLOURS, decisive_text
from claimstream.contracts.messages import (
    ClaimVerdictV1,
    EvidenceRole,
    EvidenceV1,
    Label,
    ResponseState,
    ResponseV1,
)
from claimstream.domain.evidence.generation import Manifest
from claimstream.ports.clock import Clock

EXCERPT_CHARACTERS = 140
INDENT = "  "
FAILURE = "Yes, refunds are available for up to 60 days, so a 45-day-old purchase is eligible."


class Screen:
    """Writes to standard output; times are seconds since it was made."""

    def __init__(self, clock: Clock, console: Console | None = None) -> None:
        self._console = console or Console(highlight=False)
        self._clock = clock
        self._start = clock.monotonic()
        self._first: float | None = None
        self._streaming = self._start
        self._say("claimstream demo: the answers of two bots against the help centre of an invented company")

    @contextmanager
    def working(self, what: str) -> Iterator[None]:
        """Say what is being done while it is done, and afterwards when it was."""
        with self._console.status(what):
            if not self._console.is_terminal:
                self._say(f"{what} …", "dim")
            yield
        self._say(f"{self._elapsed():5.1f} s  {what}: done", "dim")

    def indexed(self, manifest: Manifest) -> None:
        """What the answers are judged by."""
        corpus = f"{manifest.corpus}@{manifest.generation}"
        self._say(f"{'':9}{corpus}: {manifest.documents} documents, {manifest.passages} passages", "dim")

    def streaming(self, topic: str, address: str) -> None:
        """The answers are coming now."""
        self._streaming = self._clock.monotonic()
        self._say(f"{self._elapsed():5.1f} s  answers go to {topic} at {address}", "dim")

    def judged(self, one: Judged, answer: ResponseV1) -> None:
        """One response: a line with its id and state, what was asked, then its claims."""
        if self._first is None:
            self._first = self._elapsed()
        verdict = one.verdict
        self._say("")
        head = Text(f"{verdict.response_id}  {verdict.state.value}", style="bold")
        head.append(f"  {verdict.bot} ({verdict.model})", style="not bold")
        self._console.print(head)
        self._say(f"{INDENT}asked: {answer.question}", "dim")
        if verdict.state is not ResponseState.CHECKED:
            self._say(f"{INDENT}{verdict.detail}", "dim")
        self._console.print(_claims(one.claims))

    def dead(self, one: Dead) -> None:
        """One dead letter."""
        self._say("")
        self._say(f"dead letter  {one.reason}  {one.source}", "bold red")
        self._say(f"{INDENT}{one.detail}", "dim")

    def summary(self, tally: Tally) -> None:
        """The counts, and how long it took."""
        seconds = max(self._clock.monotonic() - self._streaming, 1e-9)
        self._say("")
        self._say("Summary", "bold")
        rows = {
            "responses": _counts(tally.states),
            "claims": _counts({label.value: tally.labels[label] for label in Label if tally.labels[label]}),
            "faithfulness": _share(tally.labels[Label.SUPPORTED], tally.checked),
            "dead letters": _counts(tally.dead),
            "first verdict": f"{self._first or 0.0:.1f} s after the start of this command",
            "pace": f"{tally.labels.total() / seconds:.1f} claims a second, the pauses between answers included",
        }
        self._console.print(_grid(rows.items()))

    def what_next(self, keep: Path | None, answers: Path) -> None:
        """Commands that go on from here."""
        self._say("")
        self._say("What to try next", "bold")
        for line in _commands(keep, answers):
            self._console.print(Text(f"{INDENT}{line}"), soft_wrap=True)  # unbroken, to be copied

    def _say(self, text: str, style: str = "") -> None:
        self._console.print(Text(text, style=style))

    def _elapsed(self) -> float:
        return self._clock.monotonic() - self._start


def _claims(claims: Iterable[ClaimVerdictV1]) -> Table:
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(min_width=18, no_wrap=True)
    table.add_column(overflow="fold")
    for claim in claims:
        checked = claim.label is not Label.NOT_CHECKED
        style = COLOURS[claim.label]
        words = Text(claim.text if checked else claim.quote, style="" if checked else "dim")
        table.add_row(Text(f"{INDENT}{claim.label.value}", style=style), words)
        for line in _why(claim):
            table.add_row("", line)
    return table


def _why(claim: ClaimVerdictV1) -> Iterator[Text]:
    """The kind of what is not checked; else scores and reasons, left out conditions, the passage that decided."""
    if claim.label is Label.NOT_CHECKED:
        unknown = [reason.value for reason in claim.reasons if reason.value != "not_checkable"]
        yield Text(", ".join(unknown) or claim.kind.value, style="dim")
        return
    yield Text(_numbers(claim), style="dim")
    for evidence in claim.evidence:
        if evidence.role is EvidenceRole.OMITTED_CONDITION:
            yield Text(f"leaves out: “{evidence.text}”", style="yellow")
    for evidence in claim.evidence:
        if evidence.role in (EvidenceRole.SUPPORTS, EvidenceRole.CONTRADICTS):
            yield Text(f"{evidence.role.value}: {_excerpt(evidence)}", style="dim")


def _numbers(claim: ClaimVerdictV1) -> str:
    """The scores as the model gave them, and the reasons."""
    reasons = [reason.value for reason in claim.reasons]
    if claim.raw_entailment is None or claim.raw_contradiction is None:
        return ", ".join(reasons)
    scores = f"entailment {claim.raw_entailment:.2f}, contradiction {claim.raw_contradiction:.2f}"
    return ", ".join([scores, *reasons])


def _excerpt(evidence: EvidenceV1) -> str:
    """The passage by its id, with the first words of what decided."""
    text = decisive_text(evidence)
    if len(text) > EXCERPT_CHARACTERS:
        text = text[: EXCERPT_CHARACTERS - 1].rstrip() + "…"
    return f"{evidence.id} “{text}”"


def _counts(counts: Mapping[str, int]) -> str:
    """`12 a, 3 b`, with the sum in front where there is more than one kind."""
    parts = ", ".join(f"{count} {name}" for name, count in counts.items()) or "none"
    return f"{sum(counts.values())}: {parts}" if len(counts) > 1 else parts


def _share(supported: int, checked: int) -> str:
    if not checked:
        return "no claim was checked"
    return f"{supported / checked:.1%} ({supported} supported of {checked} checked claims)"


def _grid(rows: Iterable[tuple[str, str]]) -> Table:
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(min_width=18, no_wrap=True)
    table.add_column()
    for name, value in rows:
        table.add_row(f"{INDENT}{name}", Text(value))
    return table


def _commands(keep: Path | None, answers: Path) -> list[str]:
    kept = [f"claimstream verify {answers} --corpus help --tenant nimbrel --data-dir {keep}"] if keep else []
    return [
        f'claimstream check --docs {DOCUMENTS} "{FAILURE}"',
        *kept,
        "claimstream index YOUR_DOCUMENTS --corpus help --tenant you",
        "claimstream stack up, claimstream topics create, claimstream run verifier: the same on real Kafka",
    ]
