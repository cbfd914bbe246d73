"""The loop's rules on the broker in memory: what is published, what is committed, what is read again."""

import threading
from collections.abc import Callable

import pytest

from claimstream.contracts.codec import TRACEPARENT, header
from claimstream.contracts.topics import RESPONSE_VERDICTS, RESPONSES, RESPONSES_DLQ
from claimstream.errors import (
    BrokerUnavailable,
    ConfigurationError,
    Fenced,
    IndexUnavailable,
    PublishAborted,
)
from claimstream.ports.broker import Partition
from claimstream.ports.metrics import ABORTS, CONSUMER_LAG, DEAD_LETTERS, DEADLINES_MISSED, QUEUE_AGE
from claimstream.streaming.assembler import BatchLimits
from claimstream.streaming.health import HealthState
from claimstream.streaming.runner import RunnerLimits
from claimstream.streaming.worker import ThreadWorker
from claimstream.testing.broker import MemoryBroker
from claimstream.testing.clock import FakeClock
from claimstream.testing.worker import ManualWorker
from loop import DEAD, DROP, Loop, ScriptedHandler, response_bytes

IDS = [f"r{number:03}" for number in range(150)]


def test_every_response_gets_one_verdict_and_every_offset_is_committed() -> None:
    loop = Loop(partitions=4)
    loop.send(*IDS)
    loop.settle()
    assert sorted(loop.verdicts) == IDS
    assert loop.committed == loop.broker.ends(RESPONSES.name)
    assert loop.runner.health.state is HealthState.HEALTHY


def test_batches_keep_to_the_count() -> None:
    loop = Loop(batches=BatchLimits(max_records=16))
    loop.send(*IDS)
    loop.settle()
    assert max(len(batch) for batch in loop.handler.seen) == 16


def test_a_verdict_and_a_dead_letter_carry_the_trace_of_their_record() -> None:
    loop = Loop()
    trace = "0af7651916cd43dd8448eb211c80319c"
    headers = ((TRACEPARENT, f"00-{trace}-b7ad6b7169203331-01".encode()),)
    loop.broker.produce(RESPONSES.name, response_bytes("good"), headers=headers)
    loop.broker.produce(RESPONSES.name, b"{", headers=headers)
    loop.settle()
    written = loop.broker.records(RESPONSE_VERDICTS.name) + loop.broker.records(RESPONSES_DLQ.name)
    carried = [header(record.headers, TRACEPARENT) or "" for record in written]
    assert len(carried) == 2
    assert all(one.split("-")[1] == trace for one in carried)
    roots = [span for span in loop.tracer.spans if span.kind == "CONSUMER"]
    assert {span.context.span_id for span in roots} == {one.split("-")[2] for one in carried}
    assert [span.error for span in roots if span.error] == ["not_json"]


def test_dead_letters_and_drops_move_the_offset_too() -> None:
    handler = ScriptedHandler({"b": DROP, "d": DEAD})
    loop = Loop(partitions=1, handler=handler)
    loop.send("a", "b")
    loop.broker.produce(RESPONSES.name, b"not json", key=b"c")
    loop.send("d", "e")
    loop.settle()
    assert sorted(loop.verdicts) == ["a", "e"]
    assert [letter["dead-letter-reason"] for letter in loop.dead] == ["not_json", "not_for_us"]
    assert [letter["source-offset"] for letter in loop.dead] == ["2", "3"]
    assert loop.committed == {0: 5}
    assert loop.handler.handled == ["a", "b", "d", "e"]
    assert loop.metrics.total(DEAD_LETTERS) == 2


@pytest.mark.parametrize(
    ("broken", "reason"),
    [
        (RuntimeError("boom"), "handler_error"),
        (RecursionError("deep"), "handler_error"),
    ],
)
def test_a_record_that_breaks_the_handler_goes_alone(broken: Exception, reason: str) -> None:
    loop = Loop(partitions=1, handler=ScriptedHandler({"r003": broken, "r011": broken}))
    loop.send(*IDS[:20])
    loop.settle()
    assert sorted(loop.verdicts) == [one for one in IDS[:20] if one not in ("r003", "r011")]
    assert [letter["dead-letter-reason"] for letter in loop.dead] == [reason, reason]
    assert [letter["source-offset"] for letter in loop.dead] == ["3", "11"]
    assert loop.committed == {0: 20}


def test_a_result_that_no_topic_takes_is_a_dead_letter() -> None:
    loop = Loop(partitions=1)
    loop.send("small")
    loop.send("big", text="x" * RESPONSE_VERDICTS.max_message_bytes)
    loop.settle()
    assert loop.verdicts == ["small"]
    assert [letter["dead-letter-reason"] for letter in loop.dead] == ["result_too_large"]
    assert loop.committed == {0: 2}


def test_polling_goes_on_while_a_batch_is_judged() -> None:
    gate, entered = threading.Event(), threading.Event()

    def work() -> None:
        entered.set()
        assert gate.wait(30)

    loop = Loop(worker=ThreadWorker(), handler=ScriptedHandler(before=work))
    loop.send(*IDS[:4])
    loop.steps(10)
    assert entered.wait(30)
    polls = loop.channel.polls
    loop.steps(30)
    assert loop.channel.polls == polls + 30
    assert loop.verdicts == []
    gate.set()
    loop.settle(100_000)
    assert sorted(loop.verdicts) == IDS[:4]
    loop.runner.close()


def test_a_full_buffer_pauses_the_partitions_and_an_emptier_one_resumes_them() -> None:
    clock = FakeClock()
    worker = ManualWorker(clock, immediate=False)
    broker = MemoryBroker(clock)
    limits = BatchLimits(max_records=4, buffer_records=8)
    loop = Loop(broker=broker, worker=worker, batches=limits, limits=RunnerLimits(poll_records=8))
    loop.send(*IDS[:60])
    loop.steps(8)
    assert loop.channel.paused() == loop.channel.assignment() != frozenset()
    loop.steps(20)
    assert loop.handler.seen == []
    for _ in range(200):
        worker.run()
        loop.steps()
    assert sorted(loop.verdicts) == IDS[:60]
    assert loop.channel.paused() == frozenset()


def test_an_aborted_publication_is_done_again_from_the_committed_offsets() -> None:
    loop = Loop(partitions=3, batches=BatchLimits(max_records=8))
    loop.broker.publish_faults += [PublishAborted("rebalance"), PublishAborted("again")]
    loop.send(*IDS[:60])
    loop.settle(1_000)
    assert sorted(loop.verdicts) == IDS[:60]
    assert loop.committed == loop.broker.ends(RESPONSES.name)
    assert loop.metrics.total(ABORTS) == 2
    assert loop.runner.health.state is HealthState.HEALTHY


def test_aborts_in_a_row_ask_for_a_person() -> None:
    loop = Loop()
    loop.broker.publish_faults += [PublishAborted("the topic takes no such record")] * 6
    loop.send("a")
    for _ in range(1_000):
        loop.steps()
        if loop.runner.health.state is HealthState.UNHEALTHY:
            break
    assert "the topic takes no such record" in loop.runner.health.reasons[0]
    loop.settle(1_000)
    assert loop.verdicts == ["a"]


def test_a_fenced_member_stops_and_publishes_nothing_more() -> None:
    loop = Loop()
    loop.send("a")
    loop.broker.publish_faults.append(Fenced("somebody else is verifier-0"))
    with pytest.raises(Fenced):
        loop.settle()
    loop.runner.abandon()
    assert loop.verdicts == []
    assert loop.worker.closed


class Flaky:
    """Raises for its first calls."""

    def __init__(self, failures: int, error: Exception) -> None:
        self.left = failures
        self.error = error

    def __call__(self) -> None:
        if self.left:
            self.left -= 1
            raise self.error


def test_a_dependency_that_is_down_costs_time_only() -> None:
    loop = Loop(handler=ScriptedHandler(before=Flaky(5, IndexUnavailable("opensearch does not answer"))))
    loop.send(*IDS[:10])
    loop.steps(4)
    assert loop.runner.health.state is HealthState.DEGRADED
    assert "opensearch does not answer" in loop.runner.health.reasons[0]
    loop.steps()
    assert loop.channel.paused() == loop.channel.assignment()
    before = loop.channel.polls
    loop.settle(5_000)
    assert sorted(loop.verdicts) == IDS[:10]
    assert loop.dead == []
    assert loop.channel.polls - before > 10, "polling went on"
    assert 3.0 < loop.clock.monotonic() < 20.0, "five waits, each longer than the one before, with a bound"


def test_a_broker_that_does_not_take_a_publication_gets_it_again_later() -> None:
    loop = Loop()
    loop.broker.publish_faults += [BrokerUnavailable("no coordinator")] * 3
    loop.send(*IDS[:10])
    loop.settle(1_000)
    assert sorted(loop.verdicts) == IDS[:10]
    assert sorted(loop.handler.handled) == IDS[:10], "nothing is judged again"


def test_a_broker_that_is_away_is_waited_for() -> None:
    loop = Loop()
    loop.steps()
    loop.broker.down = True
    loop.steps(3)
    assert loop.runner.health.state is HealthState.DEGRADED
    loop.broker.down = False
    loop.send("a")
    loop.settle()
    assert loop.verdicts == ["a"]
    assert loop.runner.health.state is HealthState.HEALTHY


def test_a_wrong_configuration_stops_the_loop() -> None:
    loop = Loop(handler=ScriptedHandler({"a": ConfigurationError("no floor")}))
    loop.send("a")
    with pytest.raises(ConfigurationError, match="no floor"):
        loop.settle()
    loop.runner.abandon()
    assert loop.committed == {}


def two_members(**options: object) -> tuple[Loop, Callable[[], Loop]]:
    first = Loop(partitions=4, identity="verifier-0", **options)
    return first, lambda: Loop(partitions=4, broker=first.broker, identity="verifier-1")


def test_a_revoke_publishes_the_batch_in_flight_when_there_is_time() -> None:
    clock = FakeClock()
    worker = ManualWorker(clock, immediate=False, work_seconds=2.0)
    first, join = two_members(broker=MemoryBroker(clock), worker=worker)
    first.send(*IDS[:40])
    first.steps(5)
    second = join()
    first.steps()
    assert first.committed == first.broker.ends(RESPONSES.name)
    assert first.metrics.total(DEADLINES_MISSED) == 0
    second.steps(20)
    assert second.handler.seen == []
    assert sorted(first.verdicts) == IDS[:40]


def test_a_revoke_drops_what_takes_too_long_and_the_new_owner_does_it() -> None:
    clock = FakeClock()
    worker = ManualWorker(clock, immediate=False, work_seconds=60.0)
    first, join = two_members(broker=MemoryBroker(clock), worker=worker)
    first.send(*IDS[:40])
    first.steps(5)
    second = join()
    before = clock.monotonic()
    first.steps()
    assert clock.monotonic() - before < 15.0
    assert first.metrics.total(DEADLINES_MISSED, deadline="revoke") == 1
    assert first.committed == {}
    worker.run()
    for _ in range(100):
        first.steps()
        second.steps()
        worker.run()
    assert sorted(first.verdicts) == IDS[:40], "each once, whoever judged it"
    assert first.committed == first.broker.ends(RESPONSES.name)


def test_lost_partitions_are_not_published() -> None:
    clock = FakeClock()
    worker = ManualWorker(clock, immediate=False)
    first, join = two_members(broker=MemoryBroker(clock), worker=worker)
    first.send(*IDS[:40])
    first.steps(5)
    second = join()
    first.channel.lose()
    second.settle()
    worker.run()
    for _ in range(50):
        first.steps()
        second.steps()
        worker.run()
    assert sorted(first.verdicts) == IDS[:40]


@pytest.mark.parametrize(("work_seconds", "published"), [(2.0, 10), (60.0, 0)])
def test_shutdown_waits_until_its_deadline_and_no_longer(work_seconds: float, published: int) -> None:
    clock = FakeClock()
    worker = ManualWorker(clock, immediate=False, work_seconds=work_seconds)
    loop = Loop(broker=MemoryBroker(clock), worker=worker)
    loop.send(*IDS[:10])
    loop.steps(5)
    before = clock.monotonic()
    loop.runner.close()
    assert clock.monotonic() - before <= 10.0
    assert len(loop.verdicts) == sum(loop.committed.values()) == published
    assert loop.channel.assignment() == frozenset()
    assert worker.closed
    loop.runner.close()


def test_lag_and_age_are_measured() -> None:
    loop = Loop(partitions=1, worker=None)
    loop.send(*IDS[:10])
    loop.settle()
    loop.clock.sleep(10)
    loop.steps()
    assert loop.metrics.last(CONSUMER_LAG, topic=RESPONSES.name, partition="0") == 0
    assert loop.metrics.last(QUEUE_AGE) == 0


def test_every_span_is_closed_once() -> None:
    loop = Loop(partitions=2)
    loop.broker.publish_faults.append(PublishAborted("once"))
    loop.send(*IDS[:10])
    loop.settle(1_000)
    roots = [span for span in loop.tracer.spans if span.kind == "CONSUMER"]
    outcomes = [span.attributes["claimstream.outcome"] for span in roots]
    assert outcomes.count("published") == 10
    assert outcomes.count("dropped") == 10
    batches = [span for span in loop.tracer.spans if span.links]
    assert sum(len(span.links) for span in batches) == 20


def test_a_held_partition_starts_again_exactly_where_it_stopped() -> None:
    """After a hold the partition goes back to the committed offset, also with records of it in flight."""
    loop = Loop(partitions=2, batches=BatchLimits(max_records=4))
    loop.pauses.pause("other", "a person said so")
    loop.clock.sleep(2)
    loop.send(*IDS[:6], partition=0)
    loop.send("held", partition=0, tenant="other")
    loop.send(*IDS[6:12], partition=0)
    loop.send(*IDS[12:20], partition=1)
    loop.steps(40)
    assert loop.committed == {0: 6, 1: 8}
    assert "tenant other is paused: a person said so" in loop.runner.health.reasons[0]
    assert loop.channel.paused() == {Partition(RESPONSES.name, 0)}
    loop.pauses.resume("other")
    loop.settle()
    assert sorted(loop.verdicts) == sorted([*IDS[:20], "held"])
    assert loop.runner.health.state is HealthState.HEALTHY


@pytest.mark.parametrize("again", [True, False], ids=["judged again", "waiting to be judged again"])
def test_a_batch_that_is_taken_away_while_its_dependency_is_down_leaves_no_pause_behind(again: bool) -> None:
    """The back-off of a dropped batch must not keep the partitions that stay paused for ever."""
    clock = FakeClock()
    worker = ManualWorker(clock, immediate=False)
    down = Flaky(1, IndexUnavailable("qdrant does not answer"))
    first, join = two_members(broker=MemoryBroker(clock), worker=worker, handler=ScriptedHandler(before=down))
    first.send(*IDS[:4], partition=1)
    first.steps(4)
    worker.run()
    first.steps()
    assert first.runner.health.state is HealthState.DEGRADED
    if again:
        clock.sleep(1)
        first.steps()
    second = join()
    first.channel.lose()
    second.steps(10)
    first.steps(10)
    worker.run()
    first.steps(10)
    first.send(*IDS[4:8], partition=0)
    for _ in range(20):
        first.steps()
        worker.run()
    assert sorted(first.verdicts) == IDS[:8]
    assert first.channel.paused() == frozenset()


def test_an_abort_after_an_unavailable_broker_leaves_no_pause_behind() -> None:
    loop = Loop()
    loop.broker.publish_faults += [BrokerUnavailable("no coordinator"), PublishAborted("rebalance")]
    loop.send(*IDS[:4])
    loop.settle(500)
    assert sorted(loop.verdicts) == IDS[:4]
    assert loop.channel.paused() == frozenset()


def test_a_rewind_that_fails_is_forgotten_with_its_partitions() -> None:
    first, join = two_members()
    first.broker.publish_faults.append(PublishAborted("once"))
    first.send(*IDS[:4], partition=1)
    while not first.metrics.total(ABORTS):
        first.steps()
    first.broker.down = True
    first.steps()
    assert any("rewind" in reason for reason in first.runner.health.reasons)
    first.broker.down = False
    second = join()
    first.channel.lose()
    second.channel.poll(0.0, 0)
    first.steps()  # finds the partitions gone before the next try is due
    second.steps(20)
    first.send(*IDS[4:8], partition=0)
    first.steps(20)
    assert sorted(first.verdicts) == IDS[:8]
    assert first.channel.paused() == frozenset()
