"""Between bytes with headers and messages: the only place that knows the wire format."""

from collections.abc import Mapping
from typing import Final, TypeVar, cast

import msgspec

from claimstream import __version__
from claimstream.contracts.messages import ClaimVerdictV1, Message, ResponseV1, ResponseVerdictV1, encoder
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

_DETAIL_CHARACTERS = 500
"""Details travel in headers, and may quote what a stranger wrote."""

M = TypeVar("M", bound=msgspec.Struct)
_decoders: Final[Mapping[type[msgspec.Struct], msgspec.json.Decoder[Message]]] = {
    kind: msgspec.json.Decoder(kind) for kind in (ResponseV1, ClaimVerdictV1, ResponseVerdictV1)
}


def header(headers: Headers, name: str) -> str | None:
    """The last value of a header as text, or None; bytes that are not UTF-8 are replaced."""
    for key, value in reversed(headers):
        if key == name:
            return value.decode("utf-8", errors="replace")
    return None


def decode_response(value: bytes | None, headers: Headers) -> ResponseV1:
    """Read one record of `bot.responses`; without a type header it is a `ResponseV1`. As `decode`."""
    return decode(ResponseV1, value, headers)


def decode(expected: type[M], value: bytes | None, headers: Headers) -> M:
    """Read one record of a topic that carries this message; of a key that comes twice the last one counts.

    Raises InvalidMessage, and nothing else, with the reasons `empty_value`, `unknown_type`, `unknown_version`,
    `not_unicode`, `not_json`, `too_deep`, `schema`; the detail is at most 500 characters long.
    """
    if not value:
        raise InvalidMessage("empty_value", "the record has no value")
    name, known = name_and_version(expected)
    kind, version = header(headers, MESSAGE_TYPE), header(headers, SCHEMA_VERSION)
    if kind not in (None, name):
        raise _invalid("unknown_type", f"message-type is {kind!r}, this topic carries {name}")
    if version not in (None, known):
        raise _invalid("unknown_version", f"schema-version is {version!r}, known here: {known}")
    try:
        return cast(M, _decoders[expected].decode(value))
    except msgspec.ValidationError as error:
        raise _invalid("schema", str(error)) from None
    except RecursionError:
        raise _invalid("too_deep", "objects or arrays are nested too deep to read") from None
    except (msgspec.DecodeError, UnicodeError) as error:
        raise _why_not_json(value, error) from None


def _why_not_json(value: bytes, error: Exception) -> InvalidMessage:
    """Bytes that are not UTF-8 have their own reason, with the place of the first."""
    try:
        value.decode()
    except UnicodeDecodeError as unicode_error:
        return _invalid("not_unicode", str(unicode_error))
    return _invalid("not_json", str(error))


def _invalid(reason: str, detail: str) -> InvalidMessage:
    """The error with its detail cut to what a header may carry."""
    return InvalidMessage(reason, detail[:_DETAIL_CHARACTERS])


def name_and_version(kind: type[msgspec.Struct]) -> tuple[str, str]:
    """`("ResponseV1", "1")`: what the envelope says of a message."""
    return kind.__name__, kind.__name__.rpartition("V")[2]


def encode(message: Message, traceparent: str | None = None) -> tuple[bytes, Headers]:
    """The value and the envelope headers of a message."""
    name, version = name_and_version(type(message))
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
