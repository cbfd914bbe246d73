"""Passages and manifests survive the form in which engines keep them; names stay apart."""

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

import engines
from claimstream.domain.evidence.names import alias_of, collection_of, generation_number, next_generation
from claimstream.domain.evidence.passage import CorpusRef
from claimstream.domain.evidence.records import (
    PASSAGE_FIELDS,
    manifest_record,
    passage_record,
    read_manifest,
    read_passage,
)

SEGMENTS = st.from_regex(r"[A-Za-z0-9][A-Za-z0-9._-]{0,12}", fullmatch=True)


def test_a_passage_survives() -> None:
    one = replace(engines.passage(engines.manifest(), "Ü 返品 🎻"), start=3, end=9, parent_start=1, title="A > B")
    record = json.loads(json.dumps(passage_record(one)))
    assert set(record) == set(PASSAGE_FIELDS)
    assert read_passage(record | {"words": "more"}) == one


def test_a_manifest_survives() -> None:
    one = engines.manifest(document_hashes={"a b.md": "00ff"}, passages=3)
    assert read_manifest(json.loads(json.dumps(manifest_record(one)))) == one


def test_other_text_is_another_id() -> None:
    of = engines.manifest()
    ids = {engines.passage(of, text).evidence_id for text in ("30 days", "60 days")}
    assert len(ids) == 2
    assert all(name.startswith("acme/help/doc.md#0@g1.") for name in ids)


@given(st.tuples(SEGMENTS, SEGMENTS), st.tuples(SEGMENTS, SEGMENTS))
def test_two_corpora_never_share_an_alias(one: tuple[str, str], other: tuple[str, str]) -> None:
    names = {alias_of(CorpusRef(*ref)) for ref in {one, other}}
    assert len(names) == len({one, other})
    assert all(name == name.lower() for name in names)


def test_a_generation_is_named_after_its_alias() -> None:
    of = engines.manifest(generation="g12")
    assert collection_of(of) == f"{alias_of(of.corpus)}-g12"


@pytest.mark.parametrize(
    ("names", "following"), [([], "g1"), (["g1"], "g2"), (["g9", "g10", "g2"], "g11"), (["by-hand"], "g1")]
)
def test_the_next_generation(names: list[str], following: str) -> None:
    assert next_generation(names) == following
    assert generation_number(following) == int(following[1:])
