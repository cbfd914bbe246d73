"""The claim: one predicate with its arguments and the conditions attached to it."""

from dataclasses import dataclass, field

from claimstream.contracts.messages import ClaimKind


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """A stretch of a response that asserts one thing, or a stretch that asserts nothing (see `kind`).

    `quote == response[start:end]`, code points, end exclusive; quotes may overlap where a subject is shared.
    """

    index: int
    quote: str
    start: int
    end: int
    text: str
    """The stand-alone hypothesis: subjects carried over, pronouns resolved; what NLI sees."""
    kind: ClaimKind = ClaimKind.CLAIM
    conditions: tuple[str, ...] = ()
    """Conditions that stay with the claim, as they stand in the text."""
    context: str = ""
    """Left context for retrieval where a pronoun could not be resolved."""
    resolved: dict[str, str] = field(default_factory=dict)

    @property
    def checkable(self) -> bool:
        """Whether the claim is compared with evidence and counted."""
        return self.kind is ClaimKind.CLAIM

    @property
    def query(self) -> str:
        """What retrieval searches for: the claim, after its left context where it needs one."""
        return f"{self.context} {self.text}".strip()


@dataclass(frozen=True, slots=True, kw_only=True)
class Decomposition:
    """All claims of a response in text order; `bound` says what cut it short, if anything did."""

    claims: tuple[Claim, ...]
    bound: str = ""
