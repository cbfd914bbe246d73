"""Two tenants whose documents contradict each other: each one's answers are judged by its own documents only."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from claimstream.contracts.messages import Label
from claimstream.domain.evidence.passage import CorpusRef
from claimstream.verifier.pipeline import Judged, Verifier
from judging import judged, verifier_over

NORTH, SOUTH = CorpusRef("north", "help"), CorpusRef("south", "help")
"""The same corpus name, so that only the tenant keeps them apart."""

DOCUMENTS = {
    NORTH: {"policy.md": "# Refunds\n\nCustomers can return opened software.\n"},
    SOUTH: {"policy.md": "# Refunds\n\nCustomers cannot return opened software.\n"},
}
CAN, CANNOT = "Customers can return opened software.", "Customers cannot return opened software."


@pytest.fixture(scope="module")
def verifier(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Verifier]:
    with verifier_over(DOCUMENTS, Path(tmp_path_factory.mktemp("data"))) as opened:
        yield opened


@pytest.fixture(scope="module")
def verdicts(verifier: Verifier) -> dict[tuple[CorpusRef, str], Judged]:
    """All four answers in one micro-batch, the tenants by turns."""
    asked = [(corpus, text) for text in (CAN, CANNOT) for corpus in (NORTH, SOUTH)]
    return dict(zip(asked, judged(verifier, asked), strict=True))


@pytest.mark.parametrize(
    ("corpus", "text", "label"),
    [
        (NORTH, CAN, Label.SUPPORTED),
        (NORTH, CANNOT, Label.CONTRADICTED),
        (SOUTH, CAN, Label.CONTRADICTED),
        (SOUTH, CANNOT, Label.SUPPORTED),
    ],
)
def test_each_tenant_has_its_own_truth(
    verdicts: dict[tuple[CorpusRef, str], Judged], corpus: CorpusRef, text: str, label: Label
) -> None:
    (claim,) = verdicts[corpus, text].claims
    assert claim.label is label, (claim.raw_entailment, claim.raw_contradiction, claim.reasons)


@pytest.mark.parametrize("corpus", [NORTH, SOUTH], ids=str)
def test_no_evidence_id_is_the_other_tenant_s(
    verdicts: dict[tuple[CorpusRef, str], Judged], corpus: CorpusRef
) -> None:
    own = [one for (whose, _), one in verdicts.items() if whose == corpus]
    ids = {evidence.id for one in own for claim in one.claims for evidence in claim.evidence}
    ids |= {evidence_id for one in own for evidence_id in one.response.evidence_ids}
    assert ids
    assert all(evidence_id.startswith(f"{corpus}/") for evidence_id in ids)


def test_a_tenant_without_documents_is_not_judged_by_anybody_else_s(verifier: Verifier) -> None:
    (stranger,) = judged(verifier, [(CorpusRef("west", "help"), CAN)])
    assert stranger.response.state.value == "unknown_corpus"
    assert stranger.response.evidence_ids == []
