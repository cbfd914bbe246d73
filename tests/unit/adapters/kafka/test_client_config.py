"""Settings become librdkafka's configuration; each shape is accepted by the real client."""

from typing import Any

import pytest
from confluent_kafka import Consumer, Producer
from pydantic import ValidationError

from claimstream.adapters.kafka import client_config
from claimstream.config.kafka import KafkaSettings
from claimstream.contracts.topics import RESPONSE_VERDICTS

SASL = {"kind": "sasl", "username": "svc", "password": "hunter2"}


def settings(**changes: Any) -> KafkaSettings:
    return KafkaSettings.model_validate(changes)


@pytest.mark.parametrize("group", [{"protocol": "classic"}, {"protocol": "consumer"}])
def test_the_client_takes_both_group_shapes(group: dict[str, object]) -> None:
    Consumer(client_config.consumer(settings(group=group))).close()


def test_the_consumer_protocol_names_nothing_that_belongs_to_the_broker() -> None:
    config = client_config.consumer(settings(group={"protocol": "consumer"}))
    assert config["group.protocol"] == "consumer"
    assert not config.keys() & {"partition.assignment.strategy", "session.timeout.ms", "heartbeat.interval.ms"}


def test_the_client_takes_the_producers() -> None:
    for config in (client_config.producer(settings()), client_config.transactional_producer(settings())):
        Producer(config).close()


def test_what_exactly_once_rests_on() -> None:
    member = settings(group_id="g", instance_id="verifier-3")
    consumer, producer = client_config.consumer(member), client_config.transactional_producer(member)
    assert consumer["isolation.level"] == "read_committed"
    assert consumer["enable.auto.commit"] is False
    assert consumer["group.instance.id"] == "verifier-3"
    assert producer["transactional.id"] == "g.verifier-3"
    assert producer["transaction.timeout.ms"] == 10_000
    assert producer["message.max.bytes"] == RESPONSE_VERDICTS.max_message_bytes


def test_a_password_reaches_the_client_and_nothing_else() -> None:
    member = settings(security=SASL)
    config = client_config.common(member)
    assert (config["security.protocol"], config["sasl.password"]) == ("sasl_ssl", "hunter2")
    assert "hunter2" not in repr(member)
    assert "hunter2" not in member.model_dump_json()


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"group": {"protocol": "consumer", "session_timeout_seconds": 6}}, "session_timeout_seconds"),
        ({"group": {"protocol": "classic", "assignor": "range"}}, "assignor"),
        ({"group": {"protocol": "eager"}}, "protocol"),
        ({"group": {"protocol": "classic", "session_timeout_seconds": 6, "heartbeat_seconds": 3}}, "heartbeats"),
        ({"security": {"kind": "tls", "key_file": "k.pem"}}, "set both or neither"),
        ({"security": {"kind": "sasl"}}, "password"),
        ({"delivery": "at_most_once"}, "delivery"),
        ({"bootstrap_servers": "b:9092"}, "bootstrap_servers"),
        ({"instance_id": ""}, "instance_id"),
    ],
)
def test_settings_that_cannot_work_are_refused(changes: dict[str, Any], words: str) -> None:
    with pytest.raises(ValidationError, match=words):
        settings(**changes)
