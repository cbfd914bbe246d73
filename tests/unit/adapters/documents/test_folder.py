"""Which files become documents, and what is said of the rest."""

from pathlib import Path

import pytest

from claimstream.adapters.documents import folder as folder_module
from claimstream.adapters.documents.folder import FolderReader
from claimstream.errors import EmptyCorpus


def read(folder: Path) -> tuple[dict[str, str], dict[str, str]]:
    reading = FolderReader().read(folder)
    return (
        {one.doc_id: one.text for one in reading.documents},
        {one.doc_id: one.reason for one in reading.skipped},
    )


def test_files_below_the_folder_in_the_order_of_their_names(tmp_path: Path) -> None:
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "Ü 2.md").write_text("two", encoding="utf-8")
    (tmp_path / "a.txt").write_text("one")
    (tmp_path / "c.html").write_text("<p>three</p>")
    (tmp_path / ".hidden.md").write_text("no")
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "x.md").write_text("no")
    documents, skipped = read(tmp_path)
    assert list(documents.items()) == [("a.txt", "one"), ("b/Ü 2.md", "two"), ("c.html", "three")]
    assert skipped == {}


def test_what_cannot_be_read_is_named_with_its_reason(tmp_path: Path) -> None:
    (tmp_path / "good.md").write_text("fine")
    (tmp_path / "latin.md").write_bytes("größe".encode("latin-1"))
    (tmp_path / "binary.txt").write_bytes(b"a\0b")
    (tmp_path / "logo.png").write_bytes(b"\x89PNG")
    documents, skipped = read(tmp_path)
    assert list(documents) == ["good.md"]
    assert "not UTF-8 (byte 2)" in skipped["latin.md"]
    assert "NUL" in skipped["binary.txt"]
    assert "unknown file type .png" in skipped["logo.png"]


def test_a_document_too_large_is_skipped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(folder_module, "MAX_DOCUMENT_BYTES", 10)
    (tmp_path / "long.md").write_text("x" * 11)
    assert "11 bytes" in read(tmp_path)[1]["long.md"]


@pytest.mark.parametrize("raw", [b"a\r\nb\r\n", b"\xef\xbb\xbfa\nb\n", b"a\rb\r"])
def test_line_ends_and_byte_order_marks_are_put_right(tmp_path: Path, raw: bytes) -> None:
    (tmp_path / "doc.md").write_bytes(raw)
    assert read(tmp_path)[0] == {"doc.md": "a\nb\n"}


@pytest.mark.parametrize(("name", "complaint"), [("missing", "does not exist"), ("file.md", "is a file")])
def test_no_folder(tmp_path: Path, name: str, complaint: str) -> None:
    (tmp_path / "file.md").write_text("text")
    with pytest.raises(EmptyCorpus, match=complaint):
        FolderReader().read(tmp_path / name)
