"""The codec: what it accepts, and that it refuses everything else in one way."""

import json
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from claimstream import __version__
from claimstream.contracts.codec import Headers, decode, decode_response, encode, header
from claimstream.contracts.messages import ResponseV1, ResponseVerdictV1
from claimstream.errors import InvalidMessage

MINIMAL: dict[str, Any] = {
    "response_id": "r-1",
    "tenant": "acme",
    "bot": "helpdesk",
    "model": "m-1",
    "text": "Refunds are available within 30 days.",
    "responded_at": "2026-11-30T09:15:27Z",
}


def raw(**fields: Any) -> bytes:
    return json.dumps(MINIMAL | fields).encode()


def spliced(member: bytes) -> bytes:
    """The minimal response with one member more, byte for byte."""
    return raw()[:-1] + b"," + member + b"}"


def refusal(value: bytes | None, headers: Headers = ()) -> InvalidMessage:
    with pytest.raises(InvalidMessage) as refused:
        decode_response(value, headers)
    return refused.value


@pytest.mark.parametrize(
    ("value", "reason", "detail"),
    [
        (None, "empty_value", "no value"),
        (b"", "empty_value", "no value"),
        (b"   ", "not_json", ""),
        (b"{", "not_json", ""),
        (raw() + b" x", "not_json", "trailing"),
        (b"\xef\xbb\xbf" + raw(), "not_json", "byte 0"),
        (spliced(b'"score":NaN'), "not_json", ""),
        (spliced(b'"score":-Infinity'), "not_json", ""),
        (spliced(b'"question":"\\ud800"'), "not_json", ""),
        (spliced(b'"question":"\\udc00\\ud800"'), "not_json", "surrogate"),
        (spliced(b'"question":"\xff"'), "not_unicode", "0xff"),
        (spliced(b'"question":"\xed\xa0\x80"'), "not_unicode", "0xed"),
        (spliced(b'"question":"\xc0\x80"'), "not_unicode", "0xc0"),
        (raw().decode().encode("utf-16"), "not_unicode", "0xff"),
        (b"null", "schema", "object"),
        (b"[]", "schema", "object"),
        (b"17", "schema", "object"),
        (raw(steps=None), "schema", "$.steps"),
        (raw(text=None), "schema", "$.text"),
        (raw(tenant="a" * 129), "schema", "$.tenant"),
        (raw(tenant=".."), "schema", "$.tenant"),
        (raw(tenant="acme\n"), "schema", "tenant ends in a line break"),
        (raw(corpus="p\n"), "schema", "corpus ends in a line break"),
        (raw(response_id="r\n"), "schema", "response_id ends in a line break"),
        (raw(response_id="a\x00b"), "schema", "$.response_id"),
        (raw(citations=[{"start": 0, "end": 1, "doc_id": "d\n"}]), "schema", "doc_id ends in a line break"),
        (raw(citations=[{"start": 2**64 - 1, "end": 1, "doc_id": "d"}]), "schema", "$.citations[0].start"),
        (spliced(b'"citations":[{"start":' + b"9" * 5000 + b"}]"), "schema", "$.citations[0].start"),
        (spliced(b'"citations":[{"start":1e400}]'), "schema", "$.citations[0].start"),
        (raw(responded_at="0001-01-01T00:00:00+14:00"), "schema", "years 1 to 9999"),
        (raw(responded_at="9999-12-31T23:59:59-14:00"), "schema", "years 1 to 9999"),
        (raw(responded_at="2026-11-30T09:15:27"), "schema", "timezone"),
        (spliced(b'"z":' + b"[" * 100_000 + b"]" * 100_000), "too_deep", "nested"),
        (spliced(b'"z":' + b'{"a":' * 100_000 + b"1" + b"}" * 100_000), "too_deep", "nested"),
    ],
)
def test_what_can_never_be_read_is_refused_with_its_reason(value: bytes | None, reason: str, detail: str) -> None:
    error = refusal(value)

    assert error.reason == reason
    assert detail in error.detail


@pytest.mark.parametrize(
    ("headers", "reason", "detail"),
    [
        ((("message-type", b"WindowV1"),), "unknown_type", "carries ResponseV1"),
        ((("message-type", b"\xff"),), "unknown_type", "carries ResponseV1"),
        ((("schema-version", b"2"),), "unknown_version", "known here: 1"),
        ((("message-type", b"ResponseV1"), ("message-type", b"Other")), "unknown_type", "'Other'"),
    ],
)
def test_another_type_or_version_is_refused(headers: Headers, reason: str, detail: str) -> None:
    error = refusal(raw(), headers)

    assert error.reason == reason
    assert detail in error.detail


def test_a_strangers_header_cannot_fill_ours() -> None:
    error = refusal(raw(), (("message-type", b"x" * 1_000_000),))

    assert len(error.detail) == 500


@pytest.mark.parametrize(
    ("fields", "name", "expected"),
    [
        ({"text": "a\x00b"}, "text", "a\x00b"),
        ({"text": ""}, "text", ""),
        ({"text": "x" * 200_000}, "text", "x" * 200_000),
        ({"text": "🙂 – „Grüße“"}, "text", "🙂 – „Grüße“"),
        ({"corpus": None}, "corpus", None),
        ({"genai_traceparent": "nonsense"}, "genai_traceparent", "nonsense"),
        (
            {"responded_at": "2026-11-30T11:15:27+02:00"},
            "responded_at",
            datetime(2026, 11, 30, 9, 15, 27, tzinfo=UTC),
        ),
    ],
    ids=lambda value: None if isinstance(value, str) and len(value) > 99 else str(value)[:40],
)
def test_what_is_odd_but_sound_is_read(fields: dict[str, Any], name: str, expected: object) -> None:
    assert getattr(decode_response(raw(**fields), ()), name) == expected


def test_unknown_fields_are_ignored_at_every_depth() -> None:
    value = raw(temperature=0.2, citations=[{"start": 0, "end": 1, "doc_id": "d", "title": "new"}])

    assert decode_response(value, ()).citations[0].doc_id == "d"


def test_of_a_key_that_comes_twice_the_last_counts() -> None:
    assert decode_response(spliced(b'"text":"other"'), ()).text == "other"


def test_moments_are_written_in_utc() -> None:
    value, _ = encode(decode_response(raw(responded_at="2026-11-30T11:15:27+02:00"), ()))

    assert json.loads(value)["responded_at"] == "2026-11-30T09:15:27Z"


def test_the_envelope_names_type_version_and_writer() -> None:
    _, headers = encode(decode_response(raw(), ()), "00-" + "ab" * 16 + "-" + "cd" * 8 + "-01")

    assert dict(headers) == {
        "message-type": b"ResponseV1",
        "schema-version": b"1",
        "produced-by": f"claimstream/{__version__}".encode(),
        "traceparent": b"00-" + b"ab" * 16 + b"-" + b"cd" * 8 + b"-01",
    }


def test_without_a_span_there_is_no_traceparent() -> None:
    _, headers = encode(decode_response(raw(), ()))

    assert header(headers, "traceparent") is None


def test_a_topic_refuses_the_message_of_another() -> None:
    value, headers = encode(decode_response(raw(), ()))
    with pytest.raises(InvalidMessage, match="this topic carries ResponseVerdictV1"):
        decode(ResponseVerdictV1, value, headers)


def test_of_a_header_that_comes_twice_the_last_counts() -> None:
    assert header((("a", b"1"), ("a", b"2")), "a") == "2"
    assert header((("a", b"\xff"),), "a") == "�"


patient = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
"""Other work on the machine must not fail a test: no limits in time."""


def read_or_refuse(value: bytes) -> None:
    """Anything but a response or InvalidMessage fails the test."""
    try:
        response = decode_response(value, ())
    except InvalidMessage:
        return
    assert decode_response(*encode(response)) == response


@given(st.binary(max_size=300))
@patient
@example(b"{" * 5_000)
@example(b"[" * 200_000)
def test_no_bytes_escape_the_codec(value: bytes) -> None:
    read_or_refuse(value)


JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.datetimes().map(str),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@given(
    st.dictionaries(st.sampled_from([*ResponseV1.__struct_fields__, "unknown"]), JSON_VALUES, max_size=4),
    st.sets(st.sampled_from(sorted(MINIMAL)), max_size=2),
)
@patient
def test_no_json_of_the_wrong_shape_escapes_the_codec(changes: dict[str, Any], left_out: set[str]) -> None:
    fields = {name: value for name, value in (MINIMAL | changes).items() if name not in left_out}

    read_or_refuse(json.dumps(fields).encode("utf-8", "surrogatepass"))


@given(st.data())
@settings(patient, max_examples=300)
def test_no_damaged_json_escapes_the_codec(data: st.DataObject) -> None:
    value = bytearray(raw(citations=[{"start": 0, "end": 3, "doc_id": "d"}], attributes={"a": "ü🙂"}, question="?"))
    for _ in range(data.draw(st.integers(1, 4))):
        place = data.draw(st.integers(0, len(value) - 1))
        value[place : place + data.draw(st.integers(0, 3))] = data.draw(st.binary(max_size=4))

    read_or_refuse(bytes(value))


@given(
    st.builds(
        ResponseV1,
        response_id=st.from_regex(r"[A-Za-z0-9 /#-]{1,40}", fullmatch=True),
        tenant=st.from_regex(r"[a-z][a-z0-9.-]{0,20}", fullmatch=True),
        bot=st.just("helpdesk"),
        model=st.just("m-1"),
        text=st.text(),
        responded_at=st.datetimes(timezones=st.just(UTC)),
        corpus=st.none() | st.just("policies"),
        question=st.none() | st.text(),
        samples=st.lists(st.text(), max_size=3),
        attributes=st.dictionaries(st.text(), st.text(), max_size=3),
    )
)
@patient
def test_every_response_survives_a_round_trip(response: ResponseV1) -> None:
    value, headers = encode(response)

    assert decode_response(value, headers) == response
    assert encode(decode_response(value, headers)) == (value, headers)
