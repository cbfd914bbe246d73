"""What every implementation of the metrics port must do: the fake and OpenTelemetry with an in-memory reader."""

import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import pytest
from opentelemetry.sdk.metrics.export import HistogramDataPoint

from claimstream.ports.metrics import (
    BATCH_FILL,
    CONSUMER_LAG,
    DEAD_LETTERS,
    METRICS,
    QUEUE_AGE,
    Instrument,
    Metric,
    Metrics,
)
from claimstream.testing.telemetry import MemoryMetrics
from otel_capture import capture_metrics


@dataclass
class Subject:
    """Metrics and how to read them back: the sum of a counter or histogram, the value of a gauge."""

    metrics: Metrics
    read: Callable[[Metric, dict[str, str]], float | None]


@pytest.fixture(params=["memory", "otel"])
def subject(request: pytest.FixtureRequest) -> Iterator[Subject]:
    if request.param == "memory":
        memory = MemoryMetrics()

        def recall(metric: Metric, labels: dict[str, str]) -> float | None:
            gauge = metric.instrument is Instrument.GAUGE
            return memory.last(metric, **labels) if gauge else memory.total(metric, **labels)

        yield Subject(memory, recall)
        return
    otel = capture_metrics()

    def collect(metric: Metric, labels: dict[str, str]) -> float | None:
        points = otel.points(metric.name, labels)
        values = [point.sum if isinstance(point, HistogramDataPoint) else point.value for point in points]
        return sum(values) if values else None

    yield Subject(otel.metrics, collect)
    otel.provider.shutdown()


def labels_of(metric: Metric) -> dict[str, str]:
    return dict.fromkeys(metric.labels, "x")


def record(metrics: Metrics, metric: Metric, value: float, labels: dict[str, str] | None) -> None:
    call = {
        Instrument.COUNTER: metrics.add,
        Instrument.HISTOGRAM: metrics.observe,
        Instrument.GAUGE: metrics.set,
    }[metric.instrument]
    call(metric, value, labels)


@pytest.mark.parametrize("metric", METRICS, ids=lambda metric: metric.name)
def test_every_metric_of_the_list_takes_a_value(subject: Subject, metric: Metric) -> None:
    record(subject.metrics, metric, 3, labels_of(metric))

    assert subject.read(metric, labels_of(metric)) == 3


@pytest.mark.parametrize("metric", METRICS, ids=lambda metric: metric.name)
def test_other_labels_are_refused(subject: Subject, metric: Metric) -> None:
    with pytest.raises(ValueError, match=r"takes the labels .*response_id"):
        record(subject.metrics, metric, 1, labels_of(metric) | {"response_id": "r-1"})


@pytest.mark.parametrize("labels", [None, {}, {"tenant": "acme"}])
def test_missing_labels_are_refused(subject: Subject, labels: dict[str, str] | None) -> None:
    with pytest.raises(ValueError, match="takes the labels"):
        subject.metrics.add(DEAD_LETTERS, 1, labels)


@pytest.mark.parametrize("metric", METRICS, ids=lambda metric: metric.name)
def test_the_wrong_instrument_is_refused(subject: Subject, metric: Metric) -> None:
    calls = {
        Instrument.COUNTER: subject.metrics.add,
        Instrument.HISTOGRAM: subject.metrics.observe,
        Instrument.GAUGE: subject.metrics.set,
    }
    del calls[metric.instrument]
    for call in calls.values():
        with pytest.raises(ValueError, match=f"is a {metric.instrument.value}"):
            call(metric, 1, labels_of(metric))


def test_counters_add_up_for_each_label_set(subject: Subject) -> None:
    schema, size = {"tenant": "acme", "reason": "schema"}, {"tenant": "acme", "reason": "too_large"}
    subject.metrics.add(DEAD_LETTERS, labels=schema)
    subject.metrics.add(DEAD_LETTERS, 2, schema)
    subject.metrics.add(DEAD_LETTERS, labels=size)

    assert subject.read(DEAD_LETTERS, schema) == 3
    assert subject.read(DEAD_LETTERS, size) == 1


def test_a_counter_never_goes_down(subject: Subject) -> None:
    with pytest.raises(ValueError, match="cannot go down"):
        subject.metrics.add(DEAD_LETTERS, -1, labels_of(DEAD_LETTERS))


def test_a_histogram_keeps_the_sum(subject: Subject) -> None:
    subject.metrics.observe(BATCH_FILL, 0.25)
    subject.metrics.observe(BATCH_FILL, 0.5)

    assert subject.read(BATCH_FILL, {}) == 0.75


def test_a_gauge_keeps_its_last_value_over_collections(subject: Subject) -> None:
    subject.metrics.set(QUEUE_AGE, 4)
    subject.metrics.set(QUEUE_AGE, 2)

    assert [subject.read(QUEUE_AGE, {}) for _ in range(3)] == [2, 2, 2]


def test_a_cleared_gauge_forgets_partitions_that_are_gone(subject: Subject) -> None:
    gone, kept = {"topic": "bot.responses", "partition": "0"}, {"topic": "bot.responses", "partition": "1"}
    subject.metrics.set(CONSUMER_LAG, 10, gone)
    subject.metrics.set(CONSUMER_LAG, 20, kept)
    assert subject.read(CONSUMER_LAG, gone) == 10
    subject.metrics.clear(CONSUMER_LAG)
    subject.metrics.set(CONSUMER_LAG, 21, kept)

    assert subject.read(CONSUMER_LAG, gone) is None
    assert subject.read(CONSUMER_LAG, kept) == 21


def test_only_gauges_are_cleared(subject: Subject) -> None:
    with pytest.raises(ValueError, match="is a counter"):
        subject.metrics.clear(DEAD_LETTERS)


def test_calls_from_several_threads_are_all_counted(subject: Subject) -> None:
    def count() -> None:
        for _ in range(200):
            subject.metrics.add(DEAD_LETTERS, 1, labels_of(DEAD_LETTERS))

    threads = [threading.Thread(target=count) for _ in range(4)]
    for thread in threads:
        thread.start()
    for _ in range(200):
        subject.metrics.set(QUEUE_AGE, 1)
        subject.metrics.clear(QUEUE_AGE)
    for thread in threads:
        thread.join()

    assert subject.read(DEAD_LETTERS, labels_of(DEAD_LETTERS)) == 800
