"""A tenant that sends only poison is paused instead of draining its topic, until a person resumes it."""

import json

import pytest

from claimstream.errors import PublishAborted
from claimstream.ports.broker import Partition, Record
from claimstream.ports.metrics import PAUSED_TENANTS
from claimstream.streaming.deadletters import (
    DeadLetterLimits,
    TenantHistory,
    dead_letter,
    tenant_of_record,
)
from claimstream.streaming.health import HealthState
from claimstream.streaming.outcomes import DeadLetter
from loop import DEAD, Loop, ScriptedHandler

IDS = [f"r{number:03}" for number in range(60)]


def history(pattern: str, window: int = 200) -> TenantHistory:
    made = TenantHistory()
    for letter in pattern:
        made = made.after(letter == "x", window)
    return made


@pytest.mark.parametrize(
    ("pattern", "trips"),
    [
        ("x" * 25, False),
        ("x" * 26, True),
        ("x" * 25 + "." + "x" * 20, False),
        ("x." * 25, False),
        ("x." * 24 + "x" * 3, True),
        ("x" * 20 + "." * 20 + "x" * 9, False),
        ("." * 200 + "x." * 100, False),
        ("." * 200 + "xx." * 67, True),
    ],
)
def test_limits(pattern: str, trips: bool) -> None:
    assert (DeadLetterLimits().trip(history(pattern)) is not None) is trips


def test_a_history_remembers_its_window_only() -> None:
    assert len(history("x." * 500, window=200).recent) == 200


def record(value: bytes | None, **headers: bytes) -> Record:
    partition = Partition("bot.responses", 3)
    return Record(partition=partition, offset=7, key=b"k", value=value, headers=tuple(headers.items()))


@pytest.mark.parametrize(
    ("value", "headers", "tenant"),
    [
        (b'{"tenant": "acme"', {"tenant": b"umbrella"}, "umbrella"),
        (b'{"tenant": "acme", "text": 1}', {}, "acme"),
        (b'{"tenant": "acme"', {}, "unknown"),
        (b'{"tenant": 7}', {}, "unknown"),
        (b'{"tenant": "../../etc"}', {}, "unknown"),
        (b'{"inner": {"tenant": "acme"}}', {}, "unknown"),
        (b'["tenant", "acme"]', {}, "unknown"),
        (b"\xff\xfe", {}, "unknown"),
        (b"[" * 100_000, {}, "unknown"),
        (b"", {}, "unknown"),
        (None, {"tenant": b"\xff"}, "unknown"),
    ],
)
def test_whose_record_it_is(value: bytes | None, headers: dict[str, bytes], tenant: str) -> None:
    assert tenant_of_record(record(value, **headers)) == tenant


def test_a_dead_letter_is_the_record_with_its_origin() -> None:
    letter = dead_letter(record(b"\x00raw", mine=b"yes"), DeadLetter("schema", "x\ud800" * 5_000), "00-1-2-01")
    assert (letter.topic, letter.key, letter.value) == ("bot.responses.dlq", b"k", b"\x00raw")
    headers = {name: value.decode() for name, value in letter.headers}
    assert headers.pop("dead-letter-detail").startswith("x\\ud800")
    assert headers == {
        "mine": "yes",
        "dead-letter-reason": "schema",
        "source-topic": "bot.responses",
        "source-partition": "3",
        "source-offset": "7",
        "traceparent": "00-1-2-01",
    }
    assert sum(len(name) + len(value) for name, value in letter.headers) < 8_000


def test_a_run_of_poison_holds_the_partition_and_lets_the_others_go_on() -> None:
    loop = Loop(partitions=2)
    loop.send_poison(60, partition=0)
    loop.send(*IDS[:10], partition=0)
    loop.send(*IDS[10:30], partition=1, tenant="umbrella")
    loop.settle(100)
    assert len(loop.dead) == 25, "the record that trips the limit stays where it is"
    assert loop.committed == {0: 25, 1: 20}
    assert sorted(loop.verdicts) == IDS[10:30]
    assert loop.runner.health.state is HealthState.UNHEALTHY
    assert "claimstream resume acme" in loop.runner.health.reasons[0]
    assert loop.metrics.last(PAUSED_TENANTS) == 1


def test_the_mark_survives_a_restart_and_a_resume_goes_on() -> None:
    loop = Loop(partitions=1)
    loop.send_poison(26)
    loop.send(*IDS[:5], partition=0)
    loop.settle(50)
    loop.runner.close()
    again = Loop(partitions=1, broker=loop.broker, pauses=loop.pauses, identity="verifier-0")
    again.settle(50)
    assert again.runner.health.state is HealthState.UNHEALTHY
    assert again.committed == {0: 25}
    assert again.pauses.resume("acme")
    again.settle()
    assert len(again.dead) == 26
    assert sorted(again.verdicts) == IDS[:5]
    assert again.runner.health.state is HealthState.HEALTHY


def test_after_a_resume_the_count_starts_anew() -> None:
    loop = Loop(partitions=1)
    loop.send_poison(60)
    loop.settle(50)
    loop.pauses.resume("acme")
    loop.settle(50)
    assert loop.committed == {0: 50}
    loop.pauses.resume("acme")
    loop.settle(50)
    assert loop.committed == {0: 60}


def test_dead_letters_of_the_handler_count_as_well() -> None:
    loop = Loop(partitions=1, handler=ScriptedHandler(dict.fromkeys(IDS, DEAD)))
    loop.send(*IDS)
    loop.settle(50)
    assert len(loop.dead) == 25
    assert loop.committed == {0: 25}


def test_an_aborted_publication_is_not_counted_twice() -> None:
    loop = Loop(partitions=1)
    loop.broker.publish_faults += [PublishAborted("once"), PublishAborted("twice")]
    loop.send_poison(20)
    loop.send("good", partition=0)
    loop.settle(500)
    assert len(loop.dead) == 20
    assert loop.pauses.paused() == {}


def test_one_tenant_does_not_count_for_another() -> None:
    loop = Loop(partitions=1)
    for number in range(40):
        loop.send_poison(1, tenant=f"tenant{number % 2}")
    loop.settle(50)
    assert len(loop.dead) == 40
    assert loop.pauses.paused() == {}


def test_a_paused_tenant_holds_its_partition_in_every_batch() -> None:
    loop = Loop(partitions=3)
    value = json.dumps({"tenant": "acme"}).encode()
    for number in range(90):
        loop.broker.produce("bot.responses", value, partition=number % 3)
    loop.settle(50)
    assert len(loop.dead) == sum(loop.committed.values()) == 25
