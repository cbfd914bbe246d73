"""The exported documents as other people's tools read them."""

import re
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml

from claimstream.contracts.export import DIALECT, MESSAGES, asyncapi, message_schemas, topic_sheets
from claimstream.contracts.topics import DLQ_HEADROOM_BYTES, TOPICS

SCHEMAS = Path(__file__).parents[2] / "schemas"


def resolve(document: Any, pointer: str) -> Any:
    for part in pointer.removeprefix("#/").split("/"):
        document = document[part]
    return document


def references(document: Any) -> list[str]:
    if isinstance(document, list):
        return [found for one in document for found in references(one)]
    if isinstance(document, dict):
        own = [document["$ref"]] if isinstance(document.get("$ref"), str) else []
        return own + [found for one in document.values() for found in references(one)]
    return []


@pytest.mark.parametrize("name", sorted(message_schemas()))
def test_each_schema_is_sound_in_its_dialect(name: str) -> None:
    schema = message_schemas()[name]

    assert schema["$schema"] == DIALECT
    jsonschema.Draft202012Validator.check_schema(schema)
    assert all(resolve(schema, pointer) for pointer in references(schema))


def test_each_message_type_has_a_schema_named_by_its_version() -> None:
    assert set(message_schemas()) == {f"{name}.v1.schema.json" for name in MESSAGES}


def test_a_response_may_carry_fields_that_are_new() -> None:
    schema = message_schemas()["response.v1.schema.json"]

    assert schema["$defs"]["ResponseV1"].get("additionalProperties", True) is True
    assert schema["$defs"]["Citation"].get("additionalProperties", True) is True


def test_every_reference_of_the_asyncapi_document_leads_somewhere() -> None:
    document = asyncapi()
    found = references(document)

    assert len(found) > len(TOPICS)
    assert all(resolve(document, pointer) for pointer in found)


@pytest.mark.parametrize("topic", TOPICS, ids=lambda topic: topic.name)
def test_each_topic_is_a_channel_with_its_kafka_settings(topic: Any) -> None:
    (channel,) = (one for one in asyncapi()["channels"].values() if one["address"] == topic.name)
    kafka = channel["bindings"]["kafka"]

    assert kafka["partitions"] == topic.partitions
    assert kafka["topicConfiguration"] == {
        "cleanup.policy": [topic.cleanup],
        "retention.ms": topic.retention_hours * 60 * 60 * 1000,
        "max.message.bytes": topic.max_message_bytes,
    }


def test_operations_say_who_reads_and_who_writes() -> None:
    assert {name: operation["action"] for name, operation in asyncapi()["operations"].items()} == {
        "receiveBotResponses": "receive",
        "sendClaimsVerdicts": "send",
        "sendResponsesVerdicts": "send",
        "sendBotResponsesDlq": "send",
    }


def test_messages_have_payload_headers_and_key() -> None:
    document = asyncapi()
    for name, message in document["components"]["messages"].items():
        assert message["bindings"]["kafka"]["key"]["description"] == "response_id"
        assert resolve(document, message["headers"]["$ref"])["type"] == "object"
        assert ("payload" in message) == (name != "DeadLetter")


def test_only_what_we_write_must_carry_the_envelope() -> None:
    schemas = asyncapi()["components"]["schemas"]

    assert "required" not in schemas["InputHeaders"]
    assert schemas["OutputHeaders"]["required"] == ["message-type", "schema-version", "produced-by"]
    assert "dead-letter-reason" in schemas["DeadLetterHeaders"]["required"]


def test_a_yaml_reader_gets_the_same_documents_back() -> None:
    assert yaml.safe_load((SCHEMAS / "asyncapi.yaml").read_text()) == asyncapi()
    for name, sheet in topic_sheets().items():
        assert yaml.safe_load((SCHEMAS / "topics" / name).read_text()) == sheet


def test_a_dead_letter_has_room_for_the_whole_input_and_its_headers() -> None:
    sheets = topic_sheets()
    room = sheets["bot.responses.dlq.yaml"]["max_message_bytes"] - sheets["bot.responses.yaml"]["max_message_bytes"]

    assert room == DLQ_HEADROOM_BYTES == 64 * 1024


def test_a_response_verdict_has_room_for_the_largest_text_and_all_ids() -> None:
    sheets = topic_sheets()
    ids = 200 * 5 * 600

    assert (
        sheets["responses.verdicts.yaml"]["max_message_bytes"]
        >= sheets["bot.responses.yaml"]["max_message_bytes"] + ids
    )


@pytest.mark.parametrize("topic", TOPICS, ids=lambda topic: topic.name)
def test_topic_names_are_portable(topic: Any) -> None:
    assert re.fullmatch(r"[a-z]+(\.[a-z]+)+", topic.name)
    assert topic.owner
    assert topic.meaning.endswith(".")
