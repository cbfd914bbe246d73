"""The real servers keep what they were given over a kill and a stop, and end when they are told to."""

import http.client
import json
from collections.abc import Callable
from urllib.parse import urlsplit

import pytest
from confluent_kafka import Consumer, Producer, TopicPartition
from confluent_kafka.admin import AdminClient, NewTopic

from claimstream.adapters.stack.kafka import KafkaServer
from claimstream.adapters.stack.opensearch import OpenSearchServer


def _create_topic(bootstrap: str, name: str) -> None:
    admin = AdminClient({"bootstrap.servers": bootstrap})
    admin.create_topics([NewTopic(name, num_partitions=1)])[name].result(timeout=20)


def _produce(bootstrap: str, topic: str, value: bytes) -> None:
    producer = Producer({"bootstrap.servers": bootstrap})
    producer.produce(topic, value)
    assert producer.flush(20) == 0


def _end_offset(bootstrap: str, topic: str) -> int:
    consumer = Consumer({"bootstrap.servers": bootstrap, "group.id": "offsets"})
    try:
        return int(consumer.get_watermark_offsets(TopicPartition(topic, 0), timeout=20)[1])
    finally:
        consumer.close()


def _request(url: str, method: str, path: str, body: object = None) -> dict[str, object]:
    connection = http.client.HTTPConnection(urlsplit(url).netloc, timeout=20)
    payload = None if body is None else json.dumps(body)
    connection.request(method, path, payload, {"Content-Type": "application/json"})
    response = connection.getresponse()
    answer = json.loads(response.read())
    connection.close()
    assert response.status in {200, 201}, answer
    assert isinstance(answer, dict)
    return answer


@pytest.mark.kafka
@pytest.mark.parametrize("end", [KafkaServer.kill, KafkaServer.stop], ids=["kill", "stop"])
def test_kafka_comes_back_with_its_records(
    kafka_server: KafkaServer, unique: Callable[[str], str], end: Callable[[KafkaServer], None]
) -> None:
    topic = unique("restart")
    _create_topic(kafka_server.address, topic)
    _produce(kafka_server.address, topic, b"before")
    end(kafka_server)
    assert not kafka_server.running
    assert not kafka_server.answers()
    kafka_server.start()
    _produce(kafka_server.address, topic, b"after")
    assert _end_offset(kafka_server.address, topic) == 2


@pytest.mark.opensearch
@pytest.mark.parametrize("end", [OpenSearchServer.kill, OpenSearchServer.stop], ids=["kill", "stop"])
def test_opensearch_comes_back_with_its_documents(
    opensearch_server: OpenSearchServer, unique: Callable[[str], str], end: Callable[[OpenSearchServer], None]
) -> None:
    index = unique("restart")
    _request(opensearch_server.address, "PUT", f"/{index}/_doc/1?refresh=true", {"text": "refunds within 30 days"})
    end(opensearch_server)
    assert not opensearch_server.running
    assert not opensearch_server.answers()
    opensearch_server.start()
    assert _request(opensearch_server.address, "GET", f"/{index}/_count")["count"] == 1


@pytest.mark.opensearch
def test_opensearch_has_the_english_analyser(opensearch_url: str) -> None:
    answer = _request(opensearch_url, "POST", "/_analyze", {"analyzer": "english", "text": "the refunds"})
    assert [token["token"] for token in answer["tokens"]] == ["refund"]  # type: ignore[attr-defined]
