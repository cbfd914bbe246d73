"""Verdicts for people and for machines."""

import msgspec
from rich.console import Console
from rich.text import Text

from claimstream.contracts.messages import ClaimVerdictV1, EvidenceRole, EvidenceV1, Label, ResponseVerdictV1
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
    """One claim: label and quote, then what it rests on."""
    line = Text()
    line.append(f"{claim.label.value:<16}", style=COLOURS[claim.label])
    line.append(claim.text if claim.label is not Label.NOT_CHECKED else claim.quote)
    console.print(line)
    console.print(Text(f"{'':<16}{_numbers(claim)}", style="dim"))
    for evidence in claim.evidence:
        if evidence.role in DECISIVE:
            _print_passage(console, DECISIVE[evidence.role], evidence)
        elif evidence.role is EvidenceRole.OMITTED_CONDITION:
            console.print(Text(f"{'':<16}left out: “{evidence.text}”", style="yellow"))


def _numbers(claim: ClaimVerdictV1) -> str:
    if claim.label is Label.NOT_CHECKED:
        return claim.kind.value
    parts = [reason.value for reason in claim.reasons]
    if claim.raw_entailment is not None and claim.raw_contradiction is not None:
        parts = [f"entailment {claim.raw_entailment:.2f}  contradiction {claim.raw_contradiction:.2f}", *parts]
    return "  ".join(parts)


def _print_passage(console: Console, verb: str, evidence: EvidenceV1) -> None:
    console.print(Text(f"{'':<16}{verb} {evidence.id}", style="dim"))
    text = " ".join(evidence.text.split())
    excerpt = text if len(text) <= EXCERPT_CHARACTERS else text[: EXCERPT_CHARACTERS - 1] + "…"
    console.print(Text(f"{'':<16}“{excerpt}”"))


def summary(verdict: ResponseVerdictV1) -> Text:
    """One line: the state, the counts by label, the action."""
    counts = ", ".join(f"{count} {label}" for label, count in verdict.labels.items()) or "no claim"
    detail = f" ({verdict.detail})" if verdict.detail else ""
    return Text(f"{verdict.state.value}{detail}: {counts}; action: {verdict.action.value}", style="bold")
