"""What is exported of each metric: name, unit, description, buckets; over OTLP's data model and for Prometheus."""

import pytest
from opentelemetry.exporter.prometheus import PrometheusMetricReader
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import HistogramDataPoint
from prometheus_client import CollectorRegistry, generate_latest

from claimstream.adapters.otel import OtelMetrics
from claimstream.ports.metrics import METRICS, STAGE_SECONDS, VERDICTS, Instrument, Metric, Metrics
from otel_capture import MetricsCapture, capture_metrics


def record_each(metrics: Metrics) -> None:
    calls = {
        Instrument.COUNTER: metrics.add,
        Instrument.HISTOGRAM: metrics.observe,
        Instrument.GAUGE: metrics.set,
    }
    for metric in METRICS:
        calls[metric.instrument](metric, 0.5, dict.fromkeys(metric.labels, "x"))


@pytest.fixture
def otel() -> MetricsCapture:
    return capture_metrics()


@pytest.mark.parametrize("metric", METRICS, ids=lambda metric: metric.name)
def test_each_metric_is_exported_with_unit_and_meaning(otel: MetricsCapture, metric: Metric) -> None:
    record_each(otel.metrics)

    exported = otel.exported()[metric.name]
    assert (exported.unit, exported.description) == (metric.unit, metric.meaning)
    (point,) = exported.data.data_points
    assert dict(point.attributes or {}) == dict.fromkeys(metric.labels, "x")


@pytest.mark.parametrize(
    "metric", [one for one in METRICS if one.instrument is Instrument.HISTOGRAM], ids=lambda metric: metric.name
)
def test_a_histogram_has_the_buckets_of_the_list(otel: MetricsCapture, metric: Metric) -> None:
    record_each(otel.metrics)

    (point,) = otel.points(metric.name, {})
    assert isinstance(point, HistogramDataPoint)
    assert tuple(point.explicit_bounds) == metric.buckets


def test_nothing_is_exported_before_it_is_measured(otel: MetricsCapture) -> None:
    assert otel.exported() == {}


def test_label_sets_beyond_the_bound_are_added_up_not_lost(otel: MetricsCapture) -> None:
    for number in range(2_500):
        labels = {"tenant": "acme", "bot": f"bot-{number}", "model": "m", "label": "SUPPORTED"}
        otel.metrics.add(VERDICTS, 1, labels)

    points = otel.points(VERDICTS.name, {})
    assert len(points) <= 2_001
    assert sum(point.value for point in points if not isinstance(point, HistogramDataPoint)) == 2_500


def prometheus_page() -> str:
    registry = CollectorRegistry()
    reader = PrometheusMetricReader(scope_info_enabled=False, registry=registry)
    provider = MeterProvider([reader], shutdown_on_exit=False)
    metrics = OtelMetrics(provider)
    record_each(metrics)
    page = generate_latest(registry).decode()
    provider.shutdown()
    return page


@pytest.mark.parametrize(
    "line",
    [
        'claimstream_verdicts_total{bot="x",label="x",model="x",tenant="x"} 0.5',
        'claimstream_responses_total{bot="x",model="x",state="x",tenant="x"} 0.5',
        'claimstream_stage_duration_seconds_bucket{le="0.3",stage="x"} 0.0',
        'claimstream_stage_duration_seconds_bucket{le="1.0",stage="x"} 1.0',
        'claimstream_stage_duration_seconds_sum{stage="x"} 0.5',
        'claimstream_consumer_lag{partition="x",topic="x"} 0.5',
        "claimstream_queue_age_seconds 0.5",
        'claimstream_batch_fill_bucket{le="0.5"} 1.0',
        'claimstream_cache_lookups_total{cache="x",hit="x"} 0.5',
        'claimstream_degraded_total{leg="x",tenant="x"} 0.5',
        'claimstream_dead_letters_total{reason="x",tenant="x"} 0.5',
        "claimstream_transactions_aborted_total 0.5",
        'claimstream_deadlines_missed_total{deadline="x"} 0.5',
        "claimstream_tenants_paused 0.5",
    ],
)
def test_prometheus_knows_the_metrics_by_these_names(line: str) -> None:
    assert line in prometheus_page().splitlines()


def test_no_metric_is_labelled_by_an_id_or_a_release() -> None:
    labels = {label for metric in METRICS for label in metric.labels}

    assert not [label for label in labels if label.endswith("_id") or label == "id"]
    assert "otel_scope" not in prometheus_page()


@pytest.mark.parametrize("metric", METRICS, ids=lambda metric: metric.name)
def test_the_list_says_what_to_do(metric: Metric) -> None:
    assert metric.name.startswith("claimstream.")
    assert metric.unit
    assert metric.meaning.endswith(".")
    assert metric.when_it_moves.endswith(".")
    assert (metric.instrument is Instrument.HISTOGRAM) == bool(metric.buckets)
    assert list(metric.buckets) == sorted(set(metric.buckets))


def test_stages_are_the_labels_that_the_pipeline_uses(otel: MetricsCapture) -> None:
    with pytest.raises(ValueError, match="takes the labels"):
        otel.metrics.observe(STAGE_SECONDS, 1.0, {"leg": "dense"})
