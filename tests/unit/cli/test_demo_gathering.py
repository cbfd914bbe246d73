"""Claim verdicts and response verdicts come in any order, and more than once."""

import itertools
from collections.abc import Sequence

import pytest

from claimstream.cli.demo.gathering import Dead, Gathering, Judged, Tally
from claimstream.contracts import codec
from claimstream.contracts.codec import decode_response, encode
from claimstream.contracts.messages import ClaimKind, ClaimRef, ClaimVerdictV1, Label
from claimstream.contracts.topics import CLAIM_VERDICTS, RESPONSE_VERDICTS, RESPONSES_DLQ
from claimstream.ports.broker import Partition, Record
from loop import VERSIONS, response_bytes, verdict_of

LABELS = (Label.SUPPORTED, Label.CONTRADICTED, Label.NOT_CHECKED)


def claim(index: int, label: Label) -> ClaimVerdictV1:
    return ClaimVerdictV1(
        verdict_id=f"v{index}",
        response_id="r",
        tenant="acme",
        claim_index=index,
        quote="q",
        start=0,
        end=1,
        text="q",
        kind=ClaimKind.CLAIM,
        label=label,
        reasons=[],
        versions=VERSIONS,
    )


CLAIMS = [claim(index, label) for index, label in enumerate(LABELS)]
REFERENCES = [ClaimRef(verdict_id=one.verdict_id, label=one.label, kind=one.kind) for one in CLAIMS]


def records() -> list[Record]:
    """The claims' records, then the response's."""
    response = decode_response(response_bytes("r"), ())
    verdict = verdict_of(response)
    full = type(verdict)(
        **{name: getattr(verdict, name) for name in verdict.__struct_fields__} | {"claims": REFERENCES}
    )
    addressed = [*((CLAIM_VERDICTS.name, one) for one in CLAIMS), (RESPONSE_VERDICTS.name, full)]
    made = []
    for offset, (topic, message) in enumerate(addressed):
        value, headers = encode(message)
        made.append(Record(partition=Partition(topic, 0), offset=offset, key=b"r", value=value, headers=headers))
    return made


@pytest.mark.parametrize("order", list(itertools.permutations(range(len(CLAIMS) + 1))), ids=str)
def test_a_response_is_complete_with_its_last_record(order: Sequence[int]) -> None:
    gathering, parts = Gathering(), records()
    seen = [list(gathering.add([parts[index]])) for index in order]
    assert seen[:-1] == [[]] * len(CLAIMS)
    (only,) = seen[-1]
    assert isinstance(only, Judged)
    assert list(only.claims) == CLAIMS


def test_records_that_come_again_are_not_shown_again() -> None:
    gathering = Gathering()
    assert len(list(gathering.add(records()))) == 1
    assert list(gathering.add(records())) == []


def test_a_dead_letter_says_where_from_and_why() -> None:
    headers = codec.to_headers(
        {
            codec.REASON: "not_json",
            codec.DETAIL: "cut off",
            codec.SOURCE_TOPIC: "bot.responses",
            codec.SOURCE_PARTITION: "2",
            codec.SOURCE_OFFSET: "7",
        }
    )
    letter = Record(partition=Partition(RESPONSES_DLQ.name, 0), offset=0, key=None, value=b"{", headers=headers)
    assert list(Gathering().add([letter])) == [Dead("bot.responses[2]@7", "not_json", "cut off")]


def test_the_tally_keeps_what_is_not_checked_out_of_the_denominator() -> None:
    tally = Tally()
    for one in Gathering().add(records()):
        tally.count(one)
    tally.count(Dead("bot.responses[0]@0", "not_json", ""))
    assert tally.finished == 2
    assert tally.labels == dict.fromkeys(LABELS, 1)
    assert tally.checked == 2
