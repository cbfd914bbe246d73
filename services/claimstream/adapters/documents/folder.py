"""Reads a folder of Markdown, HTML and plain text files."""

from pathlib import Path

from claimstream.adapters.documents.html import readable_text
from claimstream.errors import EmptyCorpus
from claimstream.ports.documents import Document, Reading, Skipped

MARKDOWN, HTML, PLAIN = "text/markdown", "text/html", "text/plain"
MEDIA_TYPES = {
    ".md": MARKDOWN,
    ".markdown": MARKDOWN,
    ".html": HTML,
    ".htm": HTML,
    ".txt": PLAIN,
    ".text": PLAIN,
}
MAX_DOCUMENT_BYTES = 8 * 1024 * 1024


class FolderReader:
    """Reads every file with a known ending below a folder; names that begin with a dot are left alone.

    Texts are UTF-8 with `\\n` line ends. Markdown and plain text stay as they are; of HTML the readable text is
    kept, as Markdown (see `html`). What cannot be read is skipped with its reason, never guessed at.
    """

    def read(self, folder: Path) -> Reading:
        """All documents in the order of their paths. Raises EmptyCorpus where there is no such folder."""
        if not folder.is_dir():
            what = "is a file, not a folder" if folder.exists() else "does not exist"
            raise EmptyCorpus(f"the documents folder {folder} {what}: name a folder of .md, .html or .txt files")
        found = [_read(path, path.relative_to(folder).as_posix()) for path in _files(folder)]
        return Reading(
            documents=tuple(one for one in found if isinstance(one, Document)),
            skipped=tuple(one for one in found if isinstance(one, Skipped)),
        )


def document_of(doc_id: str, text: str, media_type: str) -> Document:
    """A document from a text as it came: line ends made `\\n`, HTML turned into its readable text as Markdown."""
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    if media_type == HTML:
        return Document(doc_id, readable_text(text), MARKDOWN)
    return Document(doc_id, text, media_type)


def _files(folder: Path) -> list[Path]:
    paths = (path for path in folder.rglob("*") if path.is_file())
    shown = (path for path in paths if not any(part.startswith(".") for part in path.relative_to(folder).parts))
    return sorted(shown, key=lambda path: path.relative_to(folder).as_posix())


def _read(path: Path, doc_id: str) -> Document | Skipped:
    media_type = MEDIA_TYPES.get(path.suffix.lower())
    if media_type is None:
        return Skipped(doc_id, f"unknown file type {path.suffix or '(none)'}; read are {', '.join(MEDIA_TYPES)}")
    try:
        size = path.stat().st_size
        if size > MAX_DOCUMENT_BYTES:
            return Skipped(doc_id, f"{size:,} bytes; the limit is {MAX_DOCUMENT_BYTES:,}: split the file")
        text = path.read_bytes().decode("utf-8")
    except OSError as error:
        return Skipped(doc_id, f"cannot be read: {error.strerror}")
    except UnicodeDecodeError as error:
        return Skipped(doc_id, f"not UTF-8 (byte {error.start}): save it as UTF-8")
    if "\0" in text:
        return Skipped(doc_id, "binary: it holds NUL bytes")
    return document_of(doc_id, text, media_type)
