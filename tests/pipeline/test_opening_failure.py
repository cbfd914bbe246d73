"""The failure that opens the first seed, with the packaged models: the policy's words without its conditions."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from claimstream.contracts.messages import ClaimVerdictV1, EvidenceRole, Label, Reason
from claimstream.domain.evidence.passage import CorpusRef
from claimstream.verifier.pipeline import Verifier
from judging import judged, verifier_over

POLICY = (
    "Refunds are available within 30 days of purchase. "
    "Enterprise customers may request an extension of up to 60 days, subject to approval."
)
FAILURE = "Yes, refunds are available for up to 60 days, so a 45-day-old purchase is eligible."
FAITHFUL = "Refunds are available within 30 days of purchase."

ALONE = CorpusRef("acme", "alone")
AMONG_OTHERS = CorpusRef("acme", "among-others")
"""The same two sentences as one paragraph of a help centre."""

OTHERS = {
    "shipping.md": "# Shipping\n\nOrders leave within 2 business days. Express delivery costs 12.50 EUR.",
    "warranty.md": "# Warranty\n\nThe warranty is 24 months. Batteries are covered for 12 months.",
    "support.md": "# Support\n\nEnterprise customers are answered within 4 hours, all others within 2 days.",
}


@pytest.fixture(scope="module")
def verifier(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Verifier]:
    refunds = {"refunds.md": f"# Refunds\n\n{POLICY}\n"}
    corpora = {ALONE: refunds, AMONG_OTHERS: refunds | OTHERS}
    with verifier_over(corpora, Path(tmp_path_factory.mktemp("data"))) as opened:
        yield opened


def claims(verifier: Verifier, corpus: CorpusRef, answer: str) -> tuple[ClaimVerdictV1, ...]:
    (only,) = judged(verifier, [(corpus, answer)])
    return only.claims


def omitted(claim: ClaimVerdictV1) -> str:
    return " | ".join(e.text for e in claim.evidence if e.role is EvidenceRole.OMITTED_CONDITION)


@pytest.mark.parametrize("corpus", [ALONE, AMONG_OTHERS], ids=str)
def test_the_dropped_conditions_are_found(verifier: Verifier, corpus: CorpusRef) -> None:
    sixty_days, _ = claims(verifier, corpus, FAILURE)
    assert "60 days" in sixty_days.quote
    assert sixty_days.label is Label.CONTRADICTED or (
        sixty_days.label is Label.NOT_ENOUGH_INFO and Reason.DROPPED_CONDITION in sixty_days.reasons
    ), (sixty_days.label, sixty_days.reasons)
    assert "Enterprise" in omitted(sixty_days)
    assert "approval" in omitted(sixty_days)


@pytest.mark.parametrize("corpus", [ALONE, AMONG_OTHERS], ids=str)
def test_what_follows_from_the_dropped_conditions_is_not_supported(verifier: Verifier, corpus: CorpusRef) -> None:
    _, forty_five_days = claims(verifier, corpus, FAILURE)
    assert "45-day-old" in forty_five_days.quote
    assert forty_five_days.label is not Label.SUPPORTED


@pytest.mark.parametrize("corpus", [ALONE, AMONG_OTHERS], ids=str)
def test_the_policy_s_own_sentence_is_supported(verifier: Verifier, corpus: CorpusRef) -> None:
    (claim,) = claims(verifier, corpus, FAITHFUL)
    assert claim.label is Label.SUPPORTED, (claim.label, claim.raw_entailment, claim.reasons)
    assert [e.id.split("#")[0] for e in claim.evidence if e.role is EvidenceRole.SUPPORTS] == [
        f"{corpus}/refunds.md"
    ]
