"""Documents that disagree, with the packaged models: entailed by one and contradicted by another is DISPUTED."""

from pathlib import Path

import pytest

from claimstream.contracts.messages import EvidenceRole, Label
from claimstream.domain.evidence.passage import CorpusRef
from judging import judged, verifier_over

CORPUS = CorpusRef("acme", "help")
DOCUMENTS = {
    "new.md": "# Refunds\n\nCustomers can return opened software.\n",
    "old.md": "# Refunds\n\nCustomers cannot return opened software.\n",
}


@pytest.mark.parametrize(
    "text", ["Customers can return opened software.", "Customers cannot return opened software."]
)
def test_a_conflict_between_documents_is_never_support(text: str, tmp_path: Path) -> None:
    with verifier_over({CORPUS: DOCUMENTS}, tmp_path) as verifier:
        ((claim,),) = (one.claims for one in judged(verifier, [(CORPUS, text)]))
    roles = {evidence.role: evidence.id for evidence in claim.evidence}
    assert claim.label is Label.DISPUTED, (claim.raw_entailment, claim.raw_contradiction)
    assert roles[EvidenceRole.SUPPORTS] != roles[EvidenceRole.CONTRADICTS]
