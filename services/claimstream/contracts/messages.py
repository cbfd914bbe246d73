"""Every message that crosses a topic, as frozen msgspec structs; a new field always has a default."""

from datetime import UTC, datetime
from enum import StrEnum
from typing import Annotated

import msgspec
from msgspec import Meta, Struct

Identifier = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=256,
        pattern=r"^[^\x00-\x1f\x7f]+$",
        description="A name or id: 1 to 256 characters without control characters.",
    ),
]
PathSegment = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=128,
        pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]*$",
        description="A tenant or corpus: safe in evidence ids, index names and file paths.",
    ),
]
Probability = Annotated[float, Meta(ge=0.0, le=1.0)]
Offset = Annotated[int, Meta(ge=0, le=2**53 - 1, description="A position in a text, in code points.")]
Instant = Annotated[datetime, Meta(tz=True, description="A moment, RFC 3339 with its offset; written in UTC.")]


class Label(StrEnum):
    """What the evidence says about one claim."""

    SUPPORTED = "SUPPORTED"
    CONTRADICTED = "CONTRADICTED"
    DISPUTED = "DISPUTED"
    NOT_ENOUGH_INFO = "NOT_ENOUGH_INFO"
    NOT_CHECKED = "NOT_CHECKED"


class ClaimKind(StrEnum):
    """What a stretch of a response does; only `claim` is checkable."""

    CLAIM = "claim"
    GREETING = "greeting"
    QUESTION = "question"
    INSTRUCTION = "instruction"
    OPINION = "opinion"
    HEDGE = "hedge"
    ABSTENTION = "abstention"
    META = "meta"
    CODE = "code"


class Reason(StrEnum):
    """Why a verdict is what it is; a verdict carries any number of them.

    The list is complete for version 1, also where no check gives a reason yet: a value more would be a new version.
    """

    NO_EVIDENCE = "no_evidence"
    BELOW_THRESHOLD = "below_threshold"
    NEUTRAL = "neutral"
    DROPPED_CONDITION = "dropped_condition"
    WIDENED_TO_PARENT = "widened_to_parent"
    DEGRADED = "degraded"
    NOT_CHECKABLE = "not_checkable"
    UNKNOWN_CORPUS = "unknown_corpus"
    VALUE_CONFLICT = "value_conflict"
    OTHER_SCOPE = "other_scope"
    CITATION_MISMATCH = "citation_mismatch"
    HOP_FAILED = "hop_failed"


class EvidenceRole(StrEnum):
    """What a passage did for a verdict."""

    SUPPORTS = "supports"
    CONTRADICTS = "contradicts"
    CONSIDERED = "considered"
    OMITTED_CONDITION = "omitted_condition"


class ResponseState(StrEnum):
    """How far a response could be judged; only `checked` and `degraded` carry rates."""

    CHECKED = "checked"
    NO_CHECKED_CLAIM = "no_checked_claim"
    TOO_LARGE = "too_large"
    UNKNOWN_CORPUS = "unknown_corpus"
    DEGRADED = "degraded"


class Action(StrEnum):
    """What happens to a response, weakest first."""

    PASS = "pass"
    HEDGE = "hedge"
    STRIP = "strip"
    REVIEW = "review"
    BLOCK = "block"


class Citation(Struct, frozen=True, kw_only=True):
    """A stretch of the response and the document that it cites."""

    start: Offset
    end: Offset
    doc_id: Identifier

    def __post_init__(self) -> None:
        """Raises ValueError for an id that ends in a line break."""
        _refuse_final_newline(doc_id=self.doc_id)


class ResponseV1(Struct, frozen=True, kw_only=True):
    """One answer of a bot. Unknown fields are ignored, so that a bot may run ahead of the verifier."""

    response_id: Identifier
    tenant: PathSegment
    bot: Identifier
    model: Identifier
    text: str
    responded_at: Instant
    corpus: PathSegment | None = None
    question: str | None = None
    samples: list[str] = []
    steps: list[str] = []
    citations: list[Citation] = []
    attributes: dict[str, str] = {}
    genai_traceparent: str | None = None

    def __post_init__(self) -> None:
        """Put the moment into UTC. Raises ValueError for a line break at an id's end or a moment out of range."""
        _refuse_final_newline(
            response_id=self.response_id, tenant=self.tenant, corpus=self.corpus, bot=self.bot, model=self.model
        )
        if self.responded_at.tzinfo is None:
            raise ValueError("responded_at has no timezone")
        try:
            moment = self.responded_at.astimezone(UTC)
        except OverflowError:
            raise ValueError("responded_at in UTC is outside the years 1 to 9999") from None
        msgspec.structs.force_setattr(self, "responded_at", moment)


def _refuse_final_newline(**fields: str | None) -> None:
    """The `$` of a pattern also matches before a final line break in Python; in JSON Schema it does not."""
    for name, value in fields.items():
        if value is not None and value.endswith("\n"):
            raise ValueError(f"{name} ends in a line break")


class Check(Struct, frozen=True, kw_only=True):
    """One typed check: its name, what it found, and the two stretches of text that it compared."""

    name: str
    outcome: str
    claim_text: str = ""
    passage_text: str = ""


class EvidenceV1(Struct, frozen=True, kw_only=True):
    """One passage in a verdict. `start`/`end`: code points in the source document."""

    id: str
    role: EvidenceRole
    start: Offset
    end: Offset
    text: str = ""
    entailment: Probability | None = None
    neutral: Probability | None = None
    contradiction: Probability | None = None
    cosine: float | None = None
    dense_rank: int | None = None
    sparse_rank: int | None = None
    fused_score: float | None = None
    premise_start: Offset | None = None
    premise_end: Offset | None = None
    """The stretch of the document that the model read for these scores: a sentence, or the passage."""
    checks: list[Check] = []


class Versions(Struct, frozen=True, kw_only=True):
    """Everything that a verdict depends on besides the response itself."""

    model: str
    embedder: str
    generation: str
    thresholds: str
    policy: str
    code: str


class ClaimVerdictV1(Struct, frozen=True, kw_only=True):
    """The judgement of one claim. `quote` equals `response.text[start:end]`."""

    verdict_id: str
    response_id: str
    tenant: str
    claim_index: int
    quote: str
    start: Offset
    end: Offset
    text: str
    kind: ClaimKind
    label: Label
    reasons: list[Reason]
    versions: Versions
    corpus: str | None = None
    entailment: Probability | None = None
    contradiction: Probability | None = None
    raw_entailment: Probability | None = None
    raw_contradiction: Probability | None = None
    evidence: list[EvidenceV1] = []
    resolved: dict[str, str] = {}
    """Pronoun or elided subject -> the antecedent that was put in its place."""


class ClaimRef(Struct, frozen=True, kw_only=True):
    """A claim verdict by id, with the label alone."""

    verdict_id: str
    label: Label
    kind: ClaimKind


class ResponseVerdictV1(Struct, frozen=True, kw_only=True):
    """The judgement of one response: what downstream consumers act on."""

    response_id: str
    tenant: str
    corpus: str | None
    bot: str
    model: str
    responded_at: Instant
    state: ResponseState
    labels: dict[str, int]
    kinds: dict[str, int]
    claims: list[ClaimRef]
    action: Action
    action_text: str
    evidence_ids: list[str]
    policy: str
    versions: Versions
    detail: str = ""
    """For a state other than `checked`: what stood in the way, in words."""


Message = ResponseV1 | ClaimVerdictV1 | ResponseVerdictV1

encoder = msgspec.json.Encoder(order="deterministic")
"""Deterministic, so that the same verdict is the same bytes."""
