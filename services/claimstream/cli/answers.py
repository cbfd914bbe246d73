"""Answers from a file of JSON lines, the fields that a file may leave out filled in."""

from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec

from claimstream.contracts.messages import ResponseV1
from claimstream.errors import ConfigurationError

UNKNOWN = "unknown"


def read_answers(file: Path, *, tenant: str, corpus: str) -> list[ResponseV1]:
    """All answers in order, blank lines left out. Raises ConfigurationError with the number of a bad line."""
    try:
        lines = file.read_text(encoding="utf-8-sig").split("\n")  # a string may hold other line breaks
    except OSError as error:
        raise ConfigurationError(f"{file} cannot be read ({error.strerror}): name a file of JSON lines") from None
    except UnicodeDecodeError as error:
        raise ConfigurationError(f"{file} is not UTF-8 text ({error.reason} at byte {error.start})") from None
    defaults = {"tenant": tenant, "corpus": corpus, "bot": UNKNOWN, "model": UNKNOWN}
    answers = [_answer(file, number, line, defaults) for number, line in enumerate(lines, start=1) if line.strip()]
    if not answers:
        raise ConfigurationError(f"{file} holds no answer: write one JSON object a line, with at least `text`")
    return answers


def _answer(file: Path, number: int, line: str, defaults: Mapping[str, Any]) -> ResponseV1:
    try:
        given = msgspec.json.decode(line.encode("utf-8", "surrogatepass"))
        if not isinstance(given, dict):
            raise msgspec.ValidationError(f"Expected an object, got {type(given).__name__}")
        own = {"response_id": f"line-{number}", "responded_at": datetime.now(UTC)}
        return msgspec.convert({**defaults, **own, **given}, ResponseV1)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise ConfigurationError(
            f'{file}, line {number}: {error}; each line is one JSON object, as {{"text": "…"}}'
        ) from None
