"""A file of answers: what may be left out, and what is said of a bad line."""

from pathlib import Path

import pytest

from claimstream.cli.answers import read_answers
from claimstream.errors import ConfigurationError


def read(folder: Path, content: bytes) -> list[str]:
    file = folder / "answers.jsonl"
    file.write_bytes(content)
    return [one.text for one in read_answers(file, tenant="acme", corpus="help")]


@pytest.mark.parametrize(
    ("content", "texts"),
    [
        (b'{"text": "a"}\n\n{"text": "b"}', ["a", "b"]),
        (b'{"text": "a"}\r\n{"text": "b"}\r\n', ["a", "b"]),
        ('\ufeff{"text": "a"}'.encode(), ["a"]),
        ('{"text": "a\u2028b\x85c"}'.encode(), ["a\u2028b\x85c"]),
    ],
)
def test_one_object_a_line(tmp_path: Path, content: bytes, texts: list[str]) -> None:
    assert read(tmp_path, content) == texts


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b'{"text": "a"}\n{"text": 3}', "line 2: Expected `str`, got `int`"),
        (b'{"text": "a"}\n\n[1]', "line 3: Expected an object"),
        (b'{"text": "a"', "line 1: "),
        (b"\n\n", "holds no answer"),
        (b"\xff\xfe", "not UTF-8"),
    ],
)
def test_a_bad_line_is_named(tmp_path: Path, content: bytes, says: str) -> None:
    with pytest.raises(ConfigurationError, match=says):
        read(tmp_path, content)


def test_the_lines_own_fields_win(tmp_path: Path) -> None:
    file = tmp_path / "answers.jsonl"
    file.write_text('{"text": "a", "tenant": "rival", "response_id": "r9"}\n{"text": "b"}\n')
    first, second = read_answers(file, tenant="acme", corpus="help")
    assert (first.tenant, first.response_id, second.tenant, second.response_id) == ("rival", "r9", "acme", "line-2")


def test_no_such_file(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="cannot be read"):
        read_answers(tmp_path / "none.jsonl", tenant="acme", corpus="help")
