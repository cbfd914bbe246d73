"""The contract as documents for others: JSON Schema, AsyncAPI and topic sheets, as plain dictionaries.

Whoever writes them to files chooses the notation; here every document is built from the types and topics alone,
so that two runs give equal documents.
"""

from collections.abc import Mapping
from typing import Any, Final

import msgspec

from claimstream import __version__
from claimstream.contracts import codec
from claimstream.contracts.messages import ClaimVerdictV1, Message, ResponseV1, ResponseVerdictV1
from claimstream.contracts.topics import DLQ_SUFFIX, TOPICS, Topic

Document = dict[str, Any]
"""Objects, arrays, strings, numbers, booleans and nulls: what JSON and YAML share."""

MESSAGES: Final[Mapping[str, type[Message]]] = {
    "response": ResponseV1,
    "claim-verdict": ClaimVerdictV1,
    "response-verdict": ResponseVerdictV1,
}
"""The messages by the names of their schema files and example folders."""

DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"
KAFKA_BINDING: Final = "0.5.0"


def message_schemas() -> dict[str, Document]:
    """A JSON Schema (2020-12) for each message, by file name, as `response.v1.schema.json`."""
    return {f"{schema_name(kind)}.schema.json": _message_schema(kind) for kind in MESSAGES.values()}


def schema_name(kind: type[Message]) -> str:
    """`response.v1`: the message's name and version."""
    name = next(name for name, known in MESSAGES.items() if known is kind)
    return f"{name}.v{codec.name_and_version(kind)[1]}"


def _message_schema(kind: type[Message]) -> Document:
    (root,), definitions = msgspec.json.schema_components([kind], ref_template="#/$defs/{name}")
    return {
        "$schema": DIALECT,
        "$id": f"urn:claimstream:{schema_name(kind)}",
        **root,
        "$defs": {name: definitions[name] for name in sorted(definitions)},
    }


def topic_sheets() -> dict[str, Document]:
    """What an operator and a reader need to know of each topic, by file name, as `bot.responses.yaml`."""
    return {f"{topic.name}.yaml": _topic_sheet(topic) for topic in TOPICS}


def _topic_sheet(topic: Topic) -> Document:
    message = codec.name_and_version(topic.message)[0] if topic.message else None
    return {
        "topic": topic.name,
        "meaning": topic.meaning,
        "owner": topic.owner,
        "direction": topic.direction,
        "key": topic.key,
        "message": message,
        "schema": f"messages/{schema_name(topic.message)}.schema.json" if topic.message else None,
        "partitions": topic.partitions,
        "cleanup": topic.cleanup,
        "retention_hours": topic.retention_hours,
        "max_message_bytes": topic.max_message_bytes,
    }


def asyncapi() -> Document:
    """The AsyncAPI 3.0 document: servers, channels with Kafka bindings, operations, messages, schemas."""
    return {
        "asyncapi": "3.0.0",
        "info": {
            "title": "claimstream",
            "version": __version__,
            "description": "Bot responses in, verdicts on their claims out. JSON values, the envelope in headers.",
            "license": {"name": "Apache-2.0"},
        },
        "defaultContentType": "application/json",
        "servers": {
            "kafka": {
                "host": "{bootstrap}",
                "protocol": "kafka",
                "description": "The cluster that bots and claimstream share.",
                "variables": {"bootstrap": {"default": "localhost:9092"}},
            }
        },
        "channels": {_identifier(topic): _channel(topic) for topic in TOPICS},
        "operations": {_operation_name(topic): _operation(topic) for topic in TOPICS},
        "components": {"messages": _messages(), "schemas": _schemas()},
    }


def _identifier(topic: Topic) -> str:
    """`bot.responses` as `botResponses`: code generators make names of it."""
    first, *rest = topic.name.split(".")
    return first + "".join(part.capitalize() for part in rest)


def _operation_name(topic: Topic) -> str:
    channel = _identifier(topic)
    return ("receive" if topic.direction == "in" else "send") + channel[0].upper() + channel[1:]


def _message_name(topic: Topic) -> str:
    return codec.name_and_version(topic.message)[0] if topic.message else "DeadLetter"


def _channel(topic: Topic) -> Document:
    name = _message_name(topic)
    return {
        "address": topic.name,
        "description": topic.meaning,
        "servers": [{"$ref": "#/servers/kafka"}],
        "messages": {name: {"$ref": f"#/components/messages/{name}"}},
        "bindings": {
            "kafka": {
                "topic": topic.name,
                "partitions": topic.partitions,
                "topicConfiguration": {
                    "cleanup.policy": topic.cleanup.split(","),
                    "retention.ms": topic.retention_hours * 3_600_000,
                    "max.message.bytes": topic.max_message_bytes,
                },
                "bindingVersion": KAFKA_BINDING,
            }
        },
    }


def _operation(topic: Topic) -> Document:
    channel = f"#/channels/{_identifier(topic)}"
    return {
        "action": "receive" if topic.direction == "in" else "send",
        "channel": {"$ref": channel},
        "messages": [{"$ref": f"{channel}/messages/{_message_name(topic)}"}],
    }


def _messages() -> Document:
    """One message a topic; whoever writes to an input may leave every header out."""
    return {_message_name(topic): _message(topic) for topic in TOPICS}


def _message(topic: Topic) -> Document:
    name = _message_name(topic)
    message: Document = {"name": name, "contentType": "application/json"}
    if topic.message is None:
        message |= {
            "title": "Dead letter",
            "summary": f"The raw bytes of a record of the topic without `{DLQ_SUFFIX}`; headers say why.",
            "contentType": "application/octet-stream",
            "headers": {"$ref": "#/components/schemas/DeadLetterHeaders"},
        }
    else:
        headers = "InputHeaders" if topic.direction == "in" else "OutputHeaders"
        message |= {
            "title": schema_name(topic.message),
            "summary": topic.meaning,
            "headers": {"$ref": f"#/components/schemas/{headers}"},
            "payload": {"$ref": f"#/components/schemas/{name}"},
        }
    message["bindings"] = {
        "kafka": {
            "key": {"type": "string", "description": topic.key},
            "bindingVersion": KAFKA_BINDING,
        }
    }
    return message


def _schemas() -> Document:
    """The messages' own schemas and their envelopes."""
    _, payloads = msgspec.json.schema_components(MESSAGES.values(), ref_template="#/components/schemas/{name}")
    return {name: payloads[name] for name in sorted(payloads)} | _header_schemas()


def _header_schemas() -> Document:
    envelope: Document = {
        codec.MESSAGE_TYPE: {"type": "string", "description": "The message's name, as ResponseV1."},
        codec.SCHEMA_VERSION: {"type": "string", "description": "The version alone, as 1."},
        codec.PRODUCED_BY: {"type": "string", "description": "Program and version that wrote the record."},
        codec.TRACEPARENT: {"type": "string", "description": "W3C Trace Context: the span to continue."},
    }
    origin: Document = {
        codec.REASON: {"type": "string", "description": "A short stable code, as schema or not_json."},
        codec.DETAIL: {"type": "string", "description": "What was wrong, in words."},
        codec.SOURCE_TOPIC: {"type": "string"},
        codec.SOURCE_PARTITION: {"type": "string", "pattern": "^[0-9]+$"},
        codec.SOURCE_OFFSET: {"type": "string", "pattern": "^[0-9]+$"},
    }
    always = [codec.MESSAGE_TYPE, codec.SCHEMA_VERSION, codec.PRODUCED_BY]
    return {
        "InputHeaders": {
            "description": "All may be missing: then the record is the topic's message in version 1.",
            "type": "object",
            "properties": envelope,
        },
        "OutputHeaders": {"type": "object", "properties": envelope, "required": always},
        "DeadLetterHeaders": {
            "description": "The record's own headers as they came, and these.",
            "type": "object",
            "properties": origin | {codec.TRACEPARENT: envelope[codec.TRACEPARENT]},
            "required": list(origin),
        },
    }
