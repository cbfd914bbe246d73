"""The verdicts: everything that was found out about a claim and about a response, put in writing."""

import hashlib
import uuid
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from claimstream.contracts.messages import (
    ClaimRef,
    ClaimVerdictV1,
    EvidenceRole,
    EvidenceV1,
    Label,
    Reason,
    ResponseState,
    ResponseV1,
    ResponseVerdictV1,
    Versions,
    encoder,
)
from claimstream.domain.claims.claim import Claim
from claimstream.domain.evidence.retrieved import Retrieved
from claimstream.domain.judging.decision import Decision
from claimstream.domain.judging.premises import Heard
from claimstream.domain.judging.scores import Scores
from claimstream.domain.policy import Policy, text_after

_NAMESPACE = uuid.uuid5(uuid.NAMESPACE_URL, "claimstream:verdict")


@dataclass(frozen=True, slots=True, kw_only=True)
class Omitted:
    """A condition of a passage that the claim leaves out; `start`/`end` in the source document."""

    evidence_id: str
    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """What was found out about one claim. `scores` and `raw` run along `retrieved`; None: not judged."""

    decision: Decision
    retrieved: Sequence[Retrieved] = ()
    scores: Sequence[Scores | None] = ()
    raw: Sequence[Scores | None] = ()
    heard: Sequence[Heard | None] = ()
    """Which stretch of each passage its scores come from."""
    omitted: Sequence[Omitted] = ()
    reasons: Sequence[Reason] = field(default_factory=tuple)
    """Reasons beside those of the decision."""


def configuration_hash(versions: Versions) -> str:
    """Names the whole configuration in 12 hexadecimal digits."""
    return hashlib.sha256(encoder.encode(versions)).hexdigest()[:12]


def verdict_id(response: ResponseV1, claim_index: int, versions: Versions) -> str:
    """The same response, claim and configuration give the same id, so that judging twice writes once."""
    name = f"{response.tenant}\x1f{response.response_id}\x1f{claim_index}\x1f{configuration_hash(versions)}"
    return str(uuid.uuid5(_NAMESPACE, name))


def claim_verdict(response: ResponseV1, claim: Claim, finding: Finding, versions: Versions) -> ClaimVerdictV1:
    """One claim's verdict; the scores are those after the checks, the raw ones beside them."""
    decision = finding.decision
    judged = decision.label is not Label.NOT_CHECKED and decision.supporting is not None
    raw = [scores for scores in finding.raw if scores is not None]
    return ClaimVerdictV1(
        verdict_id=verdict_id(response, claim.index, versions),
        response_id=response.response_id,
        tenant=response.tenant,
        corpus=response.corpus,
        claim_index=claim.index,
        quote=claim.quote,
        start=claim.start,
        end=claim.end,
        text=claim.text,
        kind=claim.kind,
        label=decision.label,
        reasons=list(dict.fromkeys((*decision.reasons, *finding.reasons))),
        entailment=decision.entailment if judged else None,
        contradiction=decision.contradiction if judged else None,
        raw_entailment=max(s.entailment for s in raw) if raw else None,
        raw_contradiction=max(s.contradiction for s in raw) if raw else None,
        evidence=evidence_of(finding),
        versions=versions,
        resolved=dict(claim.resolved),
    )


def evidence_of(finding: Finding) -> list[EvidenceV1]:
    """The passages that were considered, best fused first, then the conditions that the claim left out."""
    roles = _roles(finding)
    premises = finding.heard or [None] * len(finding.retrieved)
    passages = [
        _evidence(item, scores, heard, roles.get(index, EvidenceRole.CONSIDERED))
        for index, (item, scores, heard) in enumerate(zip(finding.retrieved, finding.raw, premises, strict=True))
    ]
    return passages + [
        EvidenceV1(id=o.evidence_id, role=EvidenceRole.OMITTED_CONDITION, start=o.start, end=o.end, text=o.text)
        for o in finding.omitted
    ]


def _roles(finding: Finding) -> Mapping[int, EvidenceRole]:
    """Position in `retrieved` -> role; the decision indexes the judged passages only."""
    judged = [index for index, scores in enumerate(finding.scores) if scores is not None]
    label, roles = finding.decision.label, {}
    if label in (Label.SUPPORTED, Label.DISPUTED) and finding.decision.supporting is not None:
        roles[judged[finding.decision.supporting]] = EvidenceRole.SUPPORTS
    if label in (Label.CONTRADICTED, Label.DISPUTED) and finding.decision.contradicting is not None:
        roles[judged[finding.decision.contradicting]] = EvidenceRole.CONTRADICTS
    return roles


def _evidence(item: Retrieved, scores: Scores | None, heard: Heard | None, role: EvidenceRole) -> EvidenceV1:
    offset = item.passage.start
    return EvidenceV1(
        id=item.passage.evidence_id,
        role=role,
        start=item.passage.start,
        end=item.passage.end,
        text=item.passage.text,
        entailment=scores.entailment if scores else None,
        neutral=scores.neutral if scores else None,
        contradiction=scores.contradiction if scores else None,
        cosine=item.cosine,
        dense_rank=item.dense_rank,
        sparse_rank=item.sparse_rank,
        fused_score=item.fused_score,
        premise_start=None if heard is None else offset + heard.start,
        premise_end=None if heard is None else offset + heard.end,
    )


def response_verdict(
    response: ResponseV1,
    claims: Sequence[ClaimVerdictV1],
    *,
    state: ResponseState,
    policy: Policy,
    versions: Versions,
    detail: str = "",
) -> ResponseVerdictV1:
    """One response's verdict: counts a label and a kind, the action, all evidence ids."""
    action = policy.action(claim.label for claim in claims)
    return ResponseVerdictV1(
        response_id=response.response_id,
        tenant=response.tenant,
        corpus=response.corpus,
        bot=response.bot,
        model=response.model,
        responded_at=response.responded_at,
        state=state,
        labels={label.value: count for label, count in sorted(Counter(c.label for c in claims).items())},
        kinds={kind.value: count for kind, count in sorted(Counter(c.kind for c in claims).items())},
        claims=[ClaimRef(verdict_id=c.verdict_id, label=c.label, kind=c.kind) for c in claims],
        action=action,
        action_text=text_after(action, response.text),
        evidence_ids=sorted({e.id for claim in claims for e in claim.evidence}),
        policy=policy.version,
        versions=versions,
        detail=detail,
    )
