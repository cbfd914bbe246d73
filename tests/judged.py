"""Small values of what the judging domain works on."""

from datetime import UTC, datetime

from claimstream.contracts.messages import ResponseV1, Versions
from claimstream.domain.claims.claim import Claim
from claimstream.domain.evidence.passage import CorpusRef, Passage
from claimstream.domain.evidence.retrieved import Retrieved


def retrieved(number: int) -> Retrieved:
    text = f"Passage {number}."
    passage = Passage(
        corpus=CorpusRef("acme", "help"),
        generation="g1",
        doc_id="a.md",
        chunk_no=number,
        text=text,
        start=100 * number,
        end=100 * number + len(text),
        parent_start=0,
        parent_text=text,
    )
    return Retrieved(
        passage=passage,
        cosine=0.6,
        dense_rank=number + 1,
        sparse_rank=None,
        fused_score=1 / (61 + number),
        above_floor=True,
    )


def response(response_id: str = "r1", tenant: str = "acme", text: str = "Refunds take 5 days.") -> ResponseV1:
    return ResponseV1(
        response_id=response_id,
        tenant=tenant,
        corpus="help",
        bot="support",
        model="m1",
        text=text,
        responded_at=datetime(2026, 1, 1, tzinfo=UTC),
    )


def claim(index: int = 0) -> Claim:
    return Claim(index=index, quote="Refunds take 5 days.", start=0, end=20, text="Refunds take 5 days.")


def versions(**changes: str) -> Versions:
    values = {
        "model": "nli@1",
        "embedder": "minilm@1",
        "generation": "g1",
        "thresholds": "0.75/0.70 uncalibrated",
        "policy": "1",
        "code": "0.1.0",
    }
    return Versions(**(values | changes))
