"""The topics as data: who writes them, what they hold, how long, and what to do when they misbehave."""

from dataclasses import dataclass

from claimstream.contracts.messages import ClaimVerdictV1, Message, ResponseV1, ResponseVerdictV1

MEBIBYTE = 1024 * 1024
DLQ_SUFFIX = ".dlq"
DLQ_HEADROOM_BYTES = 64 * 1024
"""A dead letter is the input's bytes plus headers: room for the headers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Topic:
    """One topic of the contract. `message` is None where the bytes are somebody else's."""

    name: str
    owner: str
    """Who answers for what is in it: the only ones that write to it."""
    key: str
    message: type[Message] | None
    direction: str
    meaning: str
    partitions: int = 4
    cleanup: str = "delete"
    retention_hours: int = 7 * 24
    max_message_bytes: int = MEBIBYTE


RESPONSES = Topic(
    name="bot.responses",
    owner="bots",
    key="response_id",
    message=ResponseV1,
    direction="in",
    meaning="Answers of bots, as they were or are about to be given.",
)
CLAIM_VERDICTS = Topic(
    name="claims.verdicts",
    owner="verifier",
    key="response_id",
    message=ClaimVerdictV1,
    direction="out",
    meaning="One verdict a claim, with the passages it rests on.",
    retention_hours=30 * 24,
)
RESPONSE_VERDICTS = Topic(
    name="responses.verdicts",
    owner="verifier",
    key="response_id",
    message=ResponseVerdictV1,
    direction="out",
    meaning="One verdict a response: counts, state, action and all evidence ids.",
    retention_hours=30 * 24,
    max_message_bytes=2 * MEBIBYTE,  # the text of the largest input again, and all ids beside it
)


def dead_letters_of(topic: Topic, reader: str = "verifier") -> Topic:
    """The dead-letter topic of an input, written by its reader: the raw bytes, the reason in headers."""
    return Topic(
        name=topic.name + DLQ_SUFFIX,
        owner=reader,
        key=topic.key,
        message=None,
        direction="out",
        meaning=f"Records of {topic.name} that can never be judged; headers say why.",
        partitions=1,
        retention_hours=30 * 24,
        max_message_bytes=topic.max_message_bytes + DLQ_HEADROOM_BYTES,
    )


RESPONSES_DLQ = dead_letters_of(RESPONSES)
TOPICS = (RESPONSES, CLAIM_VERDICTS, RESPONSE_VERDICTS, RESPONSES_DLQ)

ENVELOPE_BYTES = 4096
"""Room for key and headers within a topic's limit."""


def largest_value(topic: str) -> int:
    """The largest value in bytes that a topic takes; a name outside the contract is held to the default limit."""
    limits = {known.name: known.max_message_bytes for known in TOPICS}
    return limits.get(topic, MEBIBYTE) - ENVELOPE_BYTES
