"""Between bytes with headers and messages: the only place that knows the wire format."""

from collections.abc import Mapping
from typing import Final

import msgspec

from claimstream import __version__
from claimstream.contracts.messages import Message, ResponseV1, encoder
from claimstream.errors import InvalidMessage

MESSAGE_TYPE: Final = "message-type"
SCHEMA_VERSION: Final = "schema-version"
PRODUCED_BY: Final = "produced-by"
TRACEPARENT: Final = "traceparent"
REASON: Final = "dead-letter-reason"
DETAIL: Final = "dead-letter-detail"
SOURCE_TOPIC: Final = "source-topic"
SOURCE_PARTITION: Final = "source-partition"
SOURCE_OFFSET: Final = "source-offset"

Headers = tuple[tuple[str, bytes], ...]
"""As Kafka has them: ordered, keys may repeat, the last one wins."""

_responses = msgspec.json.Decoder(ResponseV1)


def header(headers: Headers, name: str) -> str | None:
    """The last value of a header as text, or None; bytes that are not UTF-8 are replaced."""
    for key, value in reversed(headers):
        if key == name:
            return value.decode("utf-8", errors="replace")
    return None


def decode_response(value: bytes | None, headers: Headers) -> ResponseV1:
    """Read one record of `bot.responses`; without a type header it is a `ResponseV1`.

    Raises InvalidMessage with the reasons `empty_value`, `unknown_type`, `unknown_version`, `not_json`,
    `schema`, `not_unicode`.
    """
    if not value:
        raise InvalidMessage("empty_value", "the record has no value")
    kind, version = header(headers, MESSAGE_TYPE), header(headers, SCHEMA_VERSION)
    if kind not in (None, "ResponseV1"):
        raise InvalidMessage("unknown_type", f"message-type is {kind!r}, this topic carries ResponseV1")
    if version not in (None, "1"):
        raise InvalidMessage("unknown_version", f"schema-version is {version!r}, known here: 1")
    try:
        response = _responses.decode(value)
    except msgspec.ValidationError as error:
        raise InvalidMessage("schema", str(error)) from None
    except msgspec.DecodeError as error:
        raise InvalidMessage("not_json", str(error)) from None
    except UnicodeDecodeError as error:
        raise InvalidMessage("not_unicode", str(error)) from None
    return response


def encode(message: Message, traceparent: str | None = None) -> tuple[bytes, Headers]:
    """The value and the envelope headers of a message."""
    name = type(message).__name__
    version = name.rpartition("V")[2]
    envelope: dict[str, str] = {
        MESSAGE_TYPE: name,
        SCHEMA_VERSION: version,
        PRODUCED_BY: f"claimstream/{__version__}",
    }
    if traceparent:
        envelope[TRACEPARENT] = traceparent
    return encoder.encode(message), to_headers(envelope)


def to_headers(values: Mapping[str, str]) -> Headers:
    """Text headers as Kafka wants them."""
    return tuple((name, value.encode()) for name, value in values.items())
