"""What may be in a log line, and what may not."""

import io
import json
import logging
from collections.abc import Iterator
from typing import Any

import pytest
import structlog
from pydantic import SecretStr

from claimstream.runtime.logs import MASK, configure_logging


@pytest.fixture
def stream() -> Iterator[io.StringIO]:
    root = logging.getLogger()
    handlers, level = root.handlers, root.level
    yield io.StringIO()
    root.handlers, root.level = handlers, level
    structlog.reset_defaults()


def lines(stream: io.StringIO) -> list[dict[str, Any]]:
    return [json.loads(line) for line in stream.getvalue().splitlines()]


def test_json_for_machines_with_the_trace(stream: io.StringIO) -> None:
    configure_logging("INFO", stream=stream)
    traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
    structlog.get_logger("a").info("judged", claims=3, traceparent=traceparent)
    logging.getLogger("b").warning("%d records", 7, extra={"topic": "t"})
    first, second = lines(stream)
    assert first["event"] == "judged"
    assert (first["claims"], first["level"], first["logger"]) == (3, "info", "a")
    assert first["trace_id"] == "0af7651916cd43dd8448eb211c80319c"
    assert first["span_id"] == "b7ad6b7169203331"
    assert first["timestamp"].endswith("Z")
    assert (second["event"], second["topic"], second["logger"]) == ("7 records", "t", "b")


def test_text_of_a_response_only_at_debug_level(stream: io.StringIO) -> None:
    configure_logging("DEBUG", stream=stream)
    logger = structlog.get_logger("a")
    logger.info("judged", text="My order 7 is late.", response_id="r1")
    logger.debug("judged", text="My order 7 is late.")
    logging.getLogger("b").info("judged", extra={"quote": "My order 7"})
    shown, debug, foreign = lines(stream)
    assert "order" not in json.dumps(shown)
    assert shown["response_id"] == "r1"
    assert debug["text"] == "My order 7 is late."
    assert "order" not in json.dumps(foreign)


def test_secrets_are_masked_at_any_depth(stream: io.StringIO) -> None:
    configure_logging("DEBUG", stream=stream)
    settings = {"kafka": {"security": {"password": "hunter2", "username": "svc"}}, "token_budget": 4096}
    structlog.get_logger("a").info("settings", settings=settings, api_key="hunter2", held=SecretStr("hunter2"))
    (line,) = lines(stream)
    assert "hunter2" not in json.dumps(line)
    assert line["settings"]["kafka"]["security"] == {"password": MASK, "username": "svc"}
    assert line["settings"]["token_budget"] == 4096


def test_readable_for_people(stream: io.StringIO) -> None:
    configure_logging("INFO", json=False, stream=stream)
    structlog.get_logger("a").info("judged", claims=3)
    assert "judged" in stream.getvalue()
    with pytest.raises(json.JSONDecodeError):
        json.loads(stream.getvalue())


def test_the_level_holds(stream: io.StringIO) -> None:
    configure_logging("WARNING", stream=stream)
    structlog.get_logger("a").info("quiet")
    logging.getLogger("b").info("quiet")
    assert stream.getvalue() == ""
