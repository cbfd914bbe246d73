"""Exactly once, whatever dies: two members, eleven kills, one of the broker's as well."""

import json
import sys
import threading
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from brokers import CLASSIC, CONSUMER, committed, ends, read, real_cluster
from claimstream.adapters.stack.kafka import KafkaServer
from claimstream.contracts.topics import MEBIBYTE
from loop import response_bytes
from mortals import Member, plan, until

PROGRAM = Path(__file__).with_name("member_program.py")
RESPONSES = 500
PARTITIONS = 4


@pytest.mark.kafka
@pytest.mark.timeout(300)
@pytest.mark.parametrize("protocol", [CLASSIC, CONSUMER], ids=["classic", "consumer"])
def test_every_response_is_judged_once_whatever_dies(
    kafka_server: KafkaServer, unique: Callable[[str], str], tmp_path: Path, protocol: dict[str, object]
) -> None:
    cluster = real_cluster(kafka_server.address)
    source, sink, group = unique("responses"), unique("verdicts"), unique("verifiers")
    for name, partitions in ((source, PARTITIONS), (f"{source}.dlq", 1), (sink, PARTITIONS)):
        cluster.create(name, partitions, MEBIBYTE)
    ids = [f"r{number:04}" for number in range(RESPONSES)]
    for number, one in enumerate(ids):
        cluster.enqueue(source, response_bytes(one), one.encode(), number % PARTITIONS)
    cluster.flush()

    def command(instance: str) -> list[str]:
        settings = {
            "bootstrap": kafka_server.address,
            "group_id": group,
            "instance_id": instance,
            **protocol,
        }
        arguments = {
            "kafka": json.dumps(settings),
            "input": source,
            "output": sink,
            "state": str(tmp_path / "state"),
        }
        flags = [part for name, value in arguments.items() for part in (f"--{name}", value)]
        return [sys.executable, str(PROGRAM), *flags]

    logs = [(tmp_path / f"member-{number}.log").open("wb") for number in range(2)]
    members = [Member(command(f"m{number}"), plan(number), log) for number, log in enumerate(logs)]
    threads = [threading.Thread(target=member.run) for member in members]
    for thread in threads:
        thread.start()
    try:
        until(lambda: sum(len(member.killed) for member in members) >= 5, "five kills")
        kafka_server.kill()
        kafka_server.start()
        until(lambda: not any(member.incidents for member in members), "all kills")
        until(
            lambda: committed(kafka_server.address, group, source) == ends(kafka_server.address, source),
            "all offsets committed",
        )
    finally:
        for member in members:
            member.stop.set()
        for thread in threads:
            thread.join(60)
        for log in logs:
            log.close()

    incidents = [incident for member in members for incident in member.killed]
    seen = read(kafka_server.address, sink, "read_uncommitted")
    verdicts = Counter((message.key() or b"").decode() for message in read(kafka_server.address, sink))
    aborted = len(seen) - verdicts.total()
    assert [member.last_status for member in members] == [0, 0]
    assert len(incidents) >= 10
    assert sum(incident.inside_a_transaction for incident in incidents) >= 3
    assert aborted > 0
    assert verdicts == Counter(ids)
    assert committed(kafka_server.address, group, source) == ends(kafka_server.address, source)
    assert ends(kafka_server.address, f"{source}.dlq") == {0: 0}
