"""Exactly once, whatever dies: two members, eleven kills, one of the broker's as well."""

import json
import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

import pytest

from brokers import CLASSIC, CONSUMER, committed, ends, read, real_cluster
from claimstream.adapters.stack.kafka import KafkaServer
from claimstream.contracts.topics import MEBIBYTE
from loop import response_bytes

PROGRAM = Path(__file__).with_name("member_program.py")
RESPONSES = 500
PARTITIONS = 4
PATIENCE_SECONDS = 150.0


@dataclass(frozen=True)
class Incident:
    """How one run of a member ends: by its own hand inside a transaction, or `after` seconds of work."""

    transaction: int = 0
    point: str = ""
    after: float = 0.0

    @property
    def inside_a_transaction(self) -> bool:
        return self.transaction > 0


def plan(seed: int) -> list[Incident]:
    """Six incidents, two of them between the first produce and the commit."""
    dice = random.Random(seed)
    inside = [Incident(dice.randint(1, 3), point) for point in ("produce", "offsets")]
    outside = [Incident(after=dice.uniform(0.1, 1.2)) for _ in range(4)]
    incidents = inside + outside
    dice.shuffle(incidents)
    return incidents


@dataclass
class Member:
    """A process that is started again whenever it ends, with one incident after the other."""

    command: list[str]
    incidents: list[Incident]
    log: IO[bytes]
    stop: threading.Event = field(default_factory=threading.Event)
    killed: list[Incident] = field(default_factory=list)
    last_status: int | None = None

    def run(self) -> None:
        while not self.stop.is_set():
            incident = self.incidents[0] if self.incidents else None
            with self._process(incident) as process:
                if incident is not None and not incident.inside_a_transaction:
                    self._kill_while_working(process, incident.after)
                self._until_end(process)
            self.last_status = process.returncode
            if incident is not None and process.returncode == -signal.SIGKILL:
                self.killed.append(self.incidents.pop(0))

    @contextmanager
    def _process(self, incident: Incident | None) -> Iterator["subprocess.Popen[bytes]"]:
        extra = ["--die-in", str(incident.transaction), "--die-after", incident.point] if incident else []
        environment = {**os.environ, "PYTHONPATH": str(PROGRAM.parent.parent)}
        with subprocess.Popen(
            [*self.command, *extra], stdout=subprocess.PIPE, stderr=self.log, env=environment
        ) as process:
            try:
                yield process
            finally:
                process.kill()

    def _kill_while_working(self, process: "subprocess.Popen[bytes]", after: float) -> None:
        assert process.stdout is not None
        if process.stdout.readline():
            self.stop.wait(after)
            process.kill()

    def _until_end(self, process: "subprocess.Popen[bytes]") -> None:
        assert process.stdout is not None
        drain = threading.Thread(target=process.stdout.read, daemon=True)
        drain.start()
        while process.poll() is None:
            if self.stop.wait(0.1):
                process.terminate()
                process.wait(30)
        drain.join(5)


def _until(condition: Callable[[], bool], what: str) -> None:
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not condition():
        assert time.monotonic() < deadline, f"not within {PATIENCE_SECONDS} s: {what}"
        time.sleep(0.5)


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
        _until(lambda: sum(len(member.killed) for member in members) >= 5, "five kills")
        kafka_server.kill()
        kafka_server.start()
        _until(lambda: not any(member.incidents for member in members), "all kills")
        _until(
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
