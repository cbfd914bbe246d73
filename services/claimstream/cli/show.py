"""Verdicts for people and for machines."""

from collections.abc import Iterator

import msgspec
from rich.console import Console
from rich.table import Table
from rich.text import Text

from claimstream.contracts.messages import (
    ClaimKind,
    ClaimVerdictV1,
    EvidenceRole,
    EvidenceV1,
    Label,
    ResponseVerdictV1,
)
from claimstream.verifier.pipeline import Judged

COLOURS = {
    Label.SUPPORTED: "green",
    Label.CONTRADICTED: "red",
    Label.DISPUTED: "magenta",
    Label.NOT_ENOUGH_INFO: "yellow",
    Label.NOT_CHECKED: "dim",
}
DECISIVE = {EvidenceRole.SUPPORTS: "supported by", EvidenceRole.CONTRADICTS: "contradicted by"}
EXCERPT_CHARACTERS = 300
LABEL_WIDTH = 15


def to_line(judged: Judged) -> str:
    """The response verdict with its claim verdicts in full under `claims`, as one line of JSON."""
    verdict = msgspec.to_builtins(judged.response) | {"claims": msgspec.to_builtins(judged.claims)}
    return msgspec.json.encode(verdict).decode()


def to_json(judged: Judged) -> str:
    """The same, indented."""
    return msgspec.json.format(to_line(judged), indent=2)


def print_judged(judged: Judged, console: Console | None = None) -> None:
    """Every claim with its label, scores, reasons and the passage that decided, then one line for the response."""
    console = console or Console(highlight=False)
    for claim in judged.claims:
        print_claim(console, claim)
    console.print(summary(judged.response))


def print_claim(console: Console, claim: ClaimVerdictV1) -> None:
    """One claim: label and text, then what it rests on."""
    table = Table.grid(padding=(0, 1))
    table.add_column(width=LABEL_WIDTH, no_wrap=True)
    table.add_column(overflow="fold")
    checked = claim.label is not Label.NOT_CHECKED
    table.add_row(Text(claim.label.value, style=COLOURS[claim.label]), Text(claim.text if checked else claim.quote))
    for line in _lines(claim):
        table.add_row("", line)
    console.print(table)


def _lines(claim: ClaimVerdictV1) -> Iterator[Text]:
    yield Text(_numbers(claim), style="dim")
    for evidence in claim.evidence:
        if evidence.role in DECISIVE:
            yield Text(f"{DECISIVE[evidence.role]} {evidence.id}", style="dim")
            yield Text(f"“{_excerpt(evidence)}”")
        elif evidence.role is EvidenceRole.OMITTED_CONDITION:
            yield Text(f"left out: “{evidence.text}”", style="yellow")


def _numbers(claim: ClaimVerdictV1) -> str:
    if claim.label is Label.NOT_CHECKED:
        return claim.kind.value if claim.kind is not ClaimKind.CLAIM else claim.reasons[0].value
    parts = [reason.value for reason in claim.reasons]
    if claim.raw_entailment is not None and claim.raw_contradiction is not None:
        parts = [f"entailment {claim.raw_entailment:.2f}  contradiction {claim.raw_contradiction:.2f}", *parts]
    return "  ".join(parts)


def decisive_text(evidence: EvidenceV1) -> str:
    """The stretch of the passage that the model read, on one line."""
    start, end = evidence.premise_start, evidence.premise_end
    if start is None or end is None or start < evidence.start or end > evidence.end:
        return " ".join(evidence.text.split())  # the parent was read: the passage stands for it
    return " ".join(evidence.text[start - evidence.start : end - evidence.start].split())


def _excerpt(evidence: EvidenceV1) -> str:
    text = decisive_text(evidence)
    return text if len(text) <= EXCERPT_CHARACTERS else text[: EXCERPT_CHARACTERS - 1] + "…"


def summary(verdict: ResponseVerdictV1) -> Text:
    """One line: the state, the counts by label, the action."""
    counts = ", ".join(f"{count} {label}" for label, count in verdict.labels.items()) or "no claim"
    detail = f" ({verdict.detail})" if verdict.detail else ""
    return Text(f"{verdict.state.value}{detail}: {counts}; action: {verdict.action.value}", style="bold")
