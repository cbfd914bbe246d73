"""What the demo plays with: an invented company's help centre, the answers of its bots, one broken record."""

from collections.abc import Sequence
from pathlib import Path

import msgspec

from claimstream.contracts.messages import ResponseV1
from claimstream.contracts.topics import RESPONSES
from claimstream.domain.evidence.passage import CorpusRef
from claimstream.ports.broker import Outgoing

HERE = Path(__file__).parent
DOCUMENTS = HERE / "documents"
ANSWERS = HERE / "answers.jsonl"
CORPUS = CorpusRef("nimbrel", "help")

BROKEN = (
    b'{"response_id": "answer-99", "tenant": "nimbrel", "bot": "help-chat", "model": "swift-2", "text": "You can'
)
"""What a bot leaves behind that dies while it writes."""

BROKEN_AFTER = 5
"""So many answers come before it."""


def read_answers() -> list[ResponseV1]:
    """The answers in the order in which they were given."""
    return [msgspec.json.decode(line, type=ResponseV1) for line in ANSWERS.read_bytes().splitlines()]


def as_records(answers: Sequence[ResponseV1]) -> list[Outgoing]:
    """The records that the bots write: the answers, and the broken one among them."""
    records = [
        Outgoing(topic=RESPONSES.name, key=one.response_id.encode(), value=msgspec.json.encode(one))
        for one in answers
    ]
    records.insert(BROKEN_AFTER, Outgoing(topic=RESPONSES.name, key=None, value=BROKEN))
    return records
