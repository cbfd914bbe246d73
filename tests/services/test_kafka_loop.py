"""The loop on real Kafka: poison, long work, pausing, and a producer whose last word is unknown."""

import json
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from confluent_kafka import KafkaError, KafkaException, Producer

from brokers import CLASSIC, KafkaCluster, committed, ends, read, real_cluster
from claimstream.adapters.files.pauses import FilePauseStore
from claimstream.adapters.kafka.channel import KafkaChannel
from claimstream.adapters.kafka.transactions import TransactionalPublisher
from claimstream.adapters.system.clock import SystemClock
from claimstream.config.kafka import KafkaSettings
from claimstream.contracts.messages import ResponseV1
from claimstream.contracts.topics import MEBIBYTE
from claimstream.errors import Fenced
from claimstream.runtime.health_file import HealthFile
from claimstream.runtime.serve import serve
from claimstream.streaming.assembler import BatchLimits
from claimstream.streaming.deadletters import DeadLetterLimits
from claimstream.streaming.health import HealthState
from claimstream.streaming.outcomes import Outcome, Received
from claimstream.streaming.runner import Runner
from claimstream.streaming.worker import ThreadWorker
from loop import ScriptedHandler, make_runner, publish, response_bytes

pytestmark = pytest.mark.kafka
SECONDS = 60.0
Unique = Callable[[str], str]


@dataclass
class Place:
    """Topics of one test and a loop on them in a thread of its own."""

    cluster: KafkaCluster
    bootstrap: str
    source: str
    sink: str
    group: str
    state: Path

    def settings(self, **changes: Any) -> KafkaSettings:
        values = {"bootstrap": self.bootstrap, "group_id": self.group, **CLASSIC, **changes}
        return KafkaSettings.model_validate(values)

    def runner(self, handler: Any = None, publisher: Any = None, **options: Any) -> Runner[ResponseV1]:
        clock = SystemClock()
        settings = options.pop("settings", None) or self.settings()
        return make_runner(
            KafkaChannel(settings, clock, publisher=publisher),
            handler or ScriptedHandler(topic=self.sink),
            ThreadWorker(),
            clock,
            topic=self.source,
            pauses=FilePauseStore(self.state / "paused"),
            **options,
        )

    def run_until(self, runner: Runner[ResponseV1], condition: Callable[[], bool]) -> None:
        """Serve in a thread until the condition holds, then stop in order."""
        stop, errors = threading.Event(), []

        def run() -> None:
            try:
                serve(runner, stop, HealthFile(self.state / "health.json", SystemClock()))
            except BaseException as error:
                errors.append(error)

        thread = threading.Thread(target=run, daemon=True)
        thread.start()
        deadline = time.monotonic() + SECONDS
        try:
            while not condition():
                assert not errors, errors
                assert time.monotonic() < deadline, f"not within {SECONDS} s; health: {runner.health}"
                time.sleep(0.2)
        finally:
            stop.set()
            thread.join(30)
        assert not errors, errors

    def all_committed(self) -> bool:
        return committed(self.bootstrap, self.group, self.source) == ends(self.bootstrap, self.source)

    def verdict_ids(self) -> list[str]:
        return [(message.key() or b"").decode() for message in read(self.bootstrap, self.sink)]

    def dead_letters(self) -> list[tuple[bytes | None, bytes | None, dict[str, str]]]:
        return [
            (message.key(), message.value(), {name: bytes(value).decode() for name, value in message.headers()})
            for message in read(self.bootstrap, f"{self.source}.dlq")
        ]


@pytest.fixture
def place(kafka_bootstrap: str, unique: Unique, tmp_path: Path) -> Place:
    cluster = real_cluster(kafka_bootstrap)
    source, sink, group = unique("responses"), unique("verdicts"), unique("group")
    cluster.create(source, 4, MEBIBYTE)
    cluster.create(sink, 1, MEBIBYTE)
    cluster.create(f"{source}.dlq", 1, MEBIBYTE + 64 * 1024)
    return Place(cluster, kafka_bootstrap, source, sink, group, tmp_path)


POISON = {
    b"broken": (b'{"response_id": "x"', "not_json"),
    b"empty": (b"", "empty_value"),
    b"wrong": (json.dumps({"tenant": "acme", "text": 7}).encode(), "schema"),
    b"latin": (b'{"text": "caf\xe9"}', "not_unicode"),
    b"null": (b"\x00\x01\x02", "not_json"),
}


def test_five_poison_records_among_two_hundred(place: Place) -> None:
    """The five go to the dead-letter topic with their bytes and where they came from; 195 get a verdict."""
    poison = list(POISON.items())
    ids = []
    for number in range(200):
        if number % 40 == 7:
            key, (value, _) = poison[number // 40]
            place.cluster.enqueue(place.source, value, key, number % 4, (("origin", b"a test"),))
        else:
            ids.append(f"r{number:03}")
            place.cluster.enqueue(place.source, response_bytes(ids[-1]), ids[-1].encode(), number % 4)
    place.cluster.flush()
    place.run_until(place.runner(), place.all_committed)
    assert sorted(place.verdict_ids()) == ids
    assert len(ids) == 195
    letters = {key: (value, headers) for key, value, headers in place.dead_letters()}
    assert letters.keys() == POISON.keys()
    for number, (key, (value, reason)) in enumerate(poison):
        got, headers = letters[key]
        assert (got or b"") == value
        assert headers["dead-letter-reason"] == reason
        assert headers["origin"] == "a test"
        assert headers["source-topic"] == place.source
        assert headers["source-partition"] == str((number * 40 + 7) % 4)
        assert headers["source-offset"] == str((number * 40 + 7) // 4)


ENVELOPE_BYTES = 72
"""A batch of one record without key and headers: what Kafka adds to its value."""


def test_records_at_the_limits_of_the_broker(place: Place) -> None:
    """The largest record that the broker takes, one with a NUL, one with 10,000 sentences, the largest poison."""
    most = MEBIBYTE - ENVELOPE_BYTES
    largest = response_bytes("largest", text="x" * (most - len(response_bytes("largest", text=""))))
    values = [
        largest,
        response_bytes("nul", text="a\x00b"),
        response_bytes("many", text="One is one. " * 10_000),
        b"{" * most,
        response_bytes("after"),
    ]
    for value in values:
        place.cluster.produce(place.source, value, partition=0)
    with pytest.raises(AssertionError, match="MSG_SIZE_TOO_LARGE"):
        place.cluster.produce(place.source, largest + b" ", partition=0)
    place.run_until(place.runner(), lambda: committed(place.bootstrap, place.group, place.source) == {0: 5})
    assert sorted(place.verdict_ids()) == ["after", "many", "nul"]
    letters = {headers["source-offset"]: (value, headers) for _, value, headers in place.dead_letters()}
    assert {offset: headers["dead-letter-reason"] for offset, (_, headers) in letters.items()} == {
        "0": "result_too_large",
        "3": "not_json",
    }
    assert (letters["0"][0], letters["3"][0]) == (values[0], values[3])


def test_long_work_costs_no_membership(place: Place) -> None:
    """A batch that takes three times the poll interval: the loop goes on polling, so nothing is taken away."""
    settings = place.settings(max_poll_interval_seconds=6)
    calls: list[int] = []

    def handler(batch: Sequence[Received[ResponseV1]]) -> Sequence[Outcome]:
        calls.append(len(batch))
        time.sleep(18 if len(calls) == 1 else 0)
        return [publish(one, place.sink) for one in batch]

    for number in range(20):
        place.cluster.produce(place.source, response_bytes(f"r{number:02}"), partition=number % 4)
    place.run_until(place.runner(handler, settings=settings), place.all_committed)
    assert sum(calls) == 20, "judged once: no partition was lost and read again"
    assert len(read(place.bootstrap, place.sink, "read_uncommitted")) == 20


def test_a_tenant_is_paused_and_resumed(place: Place) -> None:
    bad = json.dumps({"tenant": "acme"}).encode()
    for _ in range(10):
        place.cluster.produce(place.source, bad, partition=0)
    place.cluster.produce(place.source, response_bytes("behind"), partition=0)
    for number in range(8):
        value = response_bytes(f"other{number}", tenant="umbrella")
        place.cluster.produce(place.source, value, partition=1 + number % 3)
    options = {"dead_letters": DeadLetterLimits(max_run=4), "batches": BatchLimits(max_records=2)}

    runner = place.runner(**options)
    place.run_until(runner, lambda: runner.health.state is HealthState.UNHEALTHY and len(place.verdict_ids()) == 8)
    assert committed(place.bootstrap, place.group, place.source)[0] == 4
    assert len(place.dead_letters()) == 4
    assert "claimstream resume acme" in (place.state / "health.json").read_text()

    again = place.runner(**{**options, "dead_letters": DeadLetterLimits(max_run=20)})
    resumed = threading.Timer(3.0, lambda: FilePauseStore(place.state / "paused").resume("acme"))
    resumed.start()
    place.run_until(again, place.all_committed)
    assert len(place.dead_letters()) == 10
    assert sorted(place.verdict_ids()) == ["behind", *(f"other{number}" for number in range(8))]


class Doubtful:
    """A producer whose chosen commits are carried out, or not, and then say that they timed out."""

    made = 0

    def __init__(self, config: dict[str, Any], doubts: dict[int, bool]) -> None:
        type(self).made += 1
        self._producer = Producer(config)
        self._doubts = doubts

    def __getattr__(self, name: str) -> Any:
        return getattr(self._producer, name)

    def commit_transaction(self, timeout: float) -> None:
        number = len(self._doubts)
        carried_out = self._doubts.setdefault(number, number % 2 == 0)
        if number >= 4:
            self._producer.commit_transaction(timeout)
            return
        if carried_out:
            self._producer.commit_transaction(timeout)
        else:
            self._producer.flush(10)
        raise KafkaException(KafkaError(KafkaError._TIMED_OUT, "lost on the wire", retriable=True))


def test_a_producer_in_doubt_is_replaced_and_nothing_is_lost_or_doubled(place: Place) -> None:
    """Four commits with an unknown outcome: two were carried out, two were not."""
    ids = [f"r{number:03}" for number in range(60)]
    for number, one in enumerate(ids):
        place.cluster.enqueue(place.source, response_bytes(one), one.encode(), number % 4)
    place.cluster.flush()
    doubts: dict[int, bool] = {}
    publisher = TransactionalPublisher(place.settings(), SystemClock(), lambda config: Doubtful(config, doubts))
    place.run_until(place.runner(publisher=publisher, batches=BatchLimits(max_records=8)), place.all_committed)
    assert Doubtful.made == 5
    assert sorted(place.verdict_ids()) == ids
    seen = read(place.bootstrap, place.sink, "read_uncommitted")
    assert len(seen) == len(ids) + 16, "two batches of eight were aborted"


def test_a_second_process_of_the_same_name_stops_the_first(place: Place) -> None:
    """Also without transactions: the group itself tells the older member."""
    settings = place.settings(delivery="at_least_once")
    first, second, stop = place.runner(settings=settings), place.runner(settings=settings), threading.Event()
    raised: list[BaseException] = []

    def run() -> None:
        try:
            serve(first, stop, HealthFile(None, SystemClock()))
        except Fenced as error:
            raised.append(error)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    try:
        place.cluster.produce(place.source, response_bytes("one"), partition=0)
        deadline = time.monotonic() + SECONDS
        while committed(place.bootstrap, place.group, place.source) != {0: 1}:
            assert time.monotonic() < deadline, f"not committed; health: {first.health}"
            time.sleep(0.2)
        place.run_until(second, lambda: bool(raised))
    finally:
        stop.set()
        thread.join(30)
    assert "kafka.instance_id" in str(raised[0])
