"""Structured logs: JSON in production, readable in a terminal, with trace ids and without secrets or texts."""

import logging
import re
import sys
from collections.abc import Mapping, MutableMapping
from typing import Any, TextIO

import structlog
from structlog.typing import EventDict, Processor

TEXT_KEYS = frozenset({"text", "quote", "premise", "hypothesis", "question", "answer", "value", "body", "detail"})
"""Fields that may hold words of a response; only debug lines keep them."""
SECRET_KEY = re.compile(r"password|secret|(^|_)token$|api_?key|authorization|credential", re.IGNORECASE)
MASK = "**********"


def configure_logging(level: str = "INFO", *, json: bool | None = None, stream: TextIO | None = None) -> None:
    """Send everything, also of libraries that use `logging`, to `stream` (standard error).

    `json` None means: JSON unless the stream is a terminal. Calling it again replaces the configuration.
    """
    stream = stream or sys.stderr
    as_json = not stream.isatty() if json is None else json
    handler = logging.StreamHandler(stream)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=_shared(),
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, *_rendering(as_json)],
        )
    )
    root = logging.getLogger()
    root.handlers = [handler]
    root.setLevel(level.upper())
    structlog.configure(
        processors=[*_shared(), structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=False,
    )


def _shared() -> list[Processor]:
    return [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.stdlib.ExtraAdder(),
        structlog.stdlib.PositionalArgumentsFormatter(),
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        trace_ids,
        without_texts,
        without_secrets,
    ]


def _rendering(as_json: bool) -> list[Processor]:
    if as_json:
        return [structlog.processors.format_exc_info, structlog.processors.JSONRenderer(default=str)]
    return [structlog.dev.ConsoleRenderer()]


def trace_ids(_: Any, __: str, event: EventDict) -> EventDict:
    """A `traceparent` becomes `trace_id` and `span_id`, which is what log stores join on."""
    parts = str(event.pop("traceparent", "")).split("-")
    if len(parts) == 4:
        event["trace_id"], event["span_id"] = parts[1], parts[2]
    return event


def without_texts(_: Any, method: str, event: EventDict) -> EventDict:
    """Above debug level nothing that may hold a response's words."""
    if event.get("level", method) == "debug":
        return event
    return {key: value for key, value in event.items() if key not in TEXT_KEYS}


def without_secrets(_: Any, __: str, event: EventDict) -> EventDict:
    """Values under telling names are masked, at any depth."""
    return dict(_masked(event))


def _masked(values: Mapping[str, Any]) -> MutableMapping[str, Any]:
    masked: dict[str, Any] = {}
    for key, value in values.items():
        if SECRET_KEY.search(str(key)):
            masked[key] = MASK
        else:
            masked[key] = _masked(value) if isinstance(value, Mapping) else value
    return masked
