"""The W3C `traceparent` header: the one piece of trace context that crosses topics."""

import re
from typing import NamedTuple

_FORM = re.compile(r"([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-[^\x00-\x1f]*)?", re.ASCII)


_KNOWN_FLAGS = 0x03
"""Sampled (level 1) and random trace id (level 2): a reader hands on no others."""


class TraceContext(NamedTuple):
    """The span that a header names: ids in lower-case hexadecimal, 32 and 16 digits, neither all zeros."""

    trace_id: str
    span_id: str
    flags: int = 1

    @property
    def sampled(self) -> bool:
        """Whether the caller may have recorded its span."""
        return bool(self.flags & 1)

    def __str__(self) -> str:
        """The header, in version 00."""
        return f"00-{self.trace_id}-{self.span_id}-{self.flags:02x}"


def parse_traceparent(value: str | None) -> TraceContext | None:
    """Read a header; None for anything malformed, so that the reader starts a new trace.

    As W3C Trace Context has it: version ff is invalid, 00 has exactly four fields, later ones may have more.
    """
    match = _FORM.fullmatch(value.strip(" \t")) if value else None
    if match is None:
        return None
    version, trace_id, span_id, flags, more = match.groups()
    if version == "ff" or (version == "00" and more) or not int(trace_id, 16) or not int(span_id, 16):
        return None
    return TraceContext(trace_id, span_id, int(flags, 16) & _KNOWN_FLAGS)
