"""The examples: valid ones survive a round trip, invalid ones are refused for the reason in their name."""

import json
from datetime import datetime
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from claimstream.contracts.codec import decode, encode
from claimstream.contracts.export import MESSAGES, message_schemas, schema_name
from claimstream.errors import InvalidMessage

EXAMPLES = Path(__file__).parents[2] / "schemas" / "examples"
BEYOND_JSON_SCHEMA = {
    "schema.responded_at_has_no_offset.json": "`format` is an annotation unless a validator opts in",
    "schema.responded_at_is_no_rfc3339.json": "`format` is an annotation unless a validator opts in",
    "schema.tenant_ends_in_a_line_break.json": "`$` also matches before a final line break in Python's expressions",
}


def examples(kind: str) -> list[Any]:
    paths = sorted(EXAMPLES.glob(f"*/v*/{kind}/*.json"))
    return [pytest.param(path, id=f"{path.parts[-4]}/{path.name}") for path in paths]


def validator(path: Path) -> jsonschema.Draft202012Validator:
    schema = message_schemas()[f"{schema_name(MESSAGES[path.parts[-4]])}.schema.json"]
    return jsonschema.Draft202012Validator(schema)


def comparable(document: dict[str, Any]) -> dict[str, Any]:
    """Moments as moments: `.5Z` and `.500000Z` are the same one."""
    moments = {key: datetime.fromisoformat(document[key]) for key in ("responded_at",) if key in document}
    return document | moments


def test_every_message_has_examples_of_both_kinds_in_its_version() -> None:
    for name, message in MESSAGES.items():
        version = schema_name(message).rpartition(".")[2]
        for kind in ("valid", "invalid"):
            assert list((EXAMPLES / name / version / kind).glob("*.json")), f"{name}/{version}/{kind} is empty"


@pytest.mark.parametrize("path", examples("valid"))
def test_a_valid_example_survives_a_round_trip(path: Path) -> None:
    raw = path.read_bytes()
    message = decode(MESSAGES[path.parts[-4]], raw, ())
    value, headers = encode(message)

    assert decode(MESSAGES[path.parts[-4]], value, headers) == message
    given, written = comparable(json.loads(raw)), comparable(json.loads(value))
    assert {key: written[key] for key in given if key != "evidence"} == {
        key: given[key] for key in given if key != "evidence"
    }
    for one, other in zip(given.get("evidence", []), written.get("evidence", []), strict=True):
        assert one.items() <= other.items()


@pytest.mark.parametrize("path", examples("valid"))
def test_a_valid_example_fits_the_json_schema_before_and_after(path: Path) -> None:
    raw = path.read_bytes()
    value, _ = encode(decode(MESSAGES[path.parts[-4]], raw, ()))

    validator(path).validate(json.loads(raw))
    validator(path).validate(json.loads(value))


@pytest.mark.parametrize("path", examples("invalid"))
def test_an_invalid_example_is_refused_for_its_reason(path: Path) -> None:
    with pytest.raises(InvalidMessage) as refused:
        decode(MESSAGES[path.parts[-4]], path.read_bytes(), ())

    assert refused.value.reason == path.name.partition(".")[0]


@pytest.mark.parametrize("path", [one for one in examples("invalid") if one.values[0].name.startswith("schema.")])
def test_the_json_schema_refuses_it_too_where_it_can(path: Path) -> None:
    accepted = validator(path).is_valid(json.loads(path.read_bytes()))

    assert accepted == (path.name in BEYOND_JSON_SCHEMA)
