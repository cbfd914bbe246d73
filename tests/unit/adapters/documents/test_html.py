"""The readable text of a page."""

import pytest

from claimstream.adapters.documents.html import readable_text

PAGE = """<!doctype html><html><head><title>T</title><style>p {}</style></head><body>
<nav><a href="/">Home</a></nav><script>var refund = 1;</script>
<h1>Refund <em>policy</em></h1>
<p>Refunds are   available within
<b>30 days</b>.<br>No fee.</p>
<h2>Steps</h2><ul><li>Write to us.</li><li>Send it <i>back</i>.</li></ul>
<table><tr><th>Plan</th><th>Days</th></tr><tr><td>Pro</td><td>60</td></tr></table>
<div>Loose text<div>inner &amp; more &euro;</div></div><!-- not shown --></body></html>"""


def test_a_page() -> None:
    assert readable_text(PAGE) == (
        "# Refund policy\n\n"
        "Refunds are available within 30 days. No fee.\n\n"
        "## Steps\n\n"
        "- Write to us.\n- Send it back.\n\n"
        "Plan | Days |\nPro | 60 |\n\n"
        "Loose text\n\ninner & more €"
    )


@pytest.mark.parametrize(
    ("html", "text"),
    [("", ""), ("just text", "just text"), ("<p>open <p>again", "open\n\nagain"), ("<h2></h2><p> </p>", "")],
)
def test_scraps(html: str, text: str) -> None:
    assert readable_text(html) == text


def test_deep_nesting_is_no_error() -> None:
    assert readable_text("<div>" * 3000 + "deep" + "</div>" * 3000) == "deep"
