"""The W3C header: what is read, what is refused, what is handed on."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from claimstream.contracts.traceparent import TraceContext, parse_traceparent

TRACE, SPAN = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"


@pytest.mark.parametrize(
    ("value", "flags", "sampled"),
    [
        (f"00-{TRACE}-{SPAN}-01", 1, True),
        (f"00-{TRACE}-{SPAN}-00", 0, False),
        (f"00-{TRACE}-{SPAN}-03", 3, True),
        (f"00-{TRACE}-{SPAN}-02", 2, False),
        (f"00-{TRACE}-{SPAN}-ff", 3, True),
        (f"  00-{TRACE}-{SPAN}-01\t", 1, True),
        (f"01-{TRACE}-{SPAN}-01", 1, True),
        (f"cc-{TRACE}-{SPAN}-01-what-the-future-holds", 1, True),
    ],
)
def test_a_sound_header_is_read(value: str, flags: int, sampled: bool) -> None:
    context = parse_traceparent(value)

    assert context == TraceContext(TRACE, SPAN, flags)
    assert context.sampled is sampled


@pytest.mark.parametrize(
    "value",
    [
        None,
        "",
        " ",
        "nonsense",
        f"{TRACE}-{SPAN}-01",
        f"ff-{TRACE}-{SPAN}-01",
        f"00-{TRACE}-{SPAN}-01-",
        f"00-{TRACE}-{SPAN}-01-more",
        f"00-{TRACE}-{SPAN}-1",
        f"00-{TRACE}-{SPAN}-0g",
        f"00-{TRACE}-{SPAN}-01\n",
        f"00-{TRACE.upper()}-{SPAN}-01",
        f"00-{TRACE[:-1]}-{SPAN}-01",
        f"00-{'0' * 32}-{SPAN}-01",
        f"00-{TRACE}-{'0' * 16}-01",
        f"00-{'٠' * 32}-{SPAN}-01",
        f"00-{TRACE}-{SPAN}-01, 00-{TRACE}-{SPAN}-01",
    ],
)
def test_anything_else_is_none(value: str | None) -> None:
    assert parse_traceparent(value) is None


@given(st.text(alphabet="0123456789abcdef-ABCDEFg \n", max_size=60))
@settings(deadline=None)
def test_no_text_makes_it_fail_and_what_is_read_is_written_the_same(value: str) -> None:
    context = parse_traceparent(value)

    assert context is None or parse_traceparent(str(context)) == context
