"""The metrics port over an OpenTelemetry meter: one instrument for each metric of the list."""

import threading
from collections.abc import Callable, Iterable

from opentelemetry.metrics import CallbackOptions, Meter, MeterProvider, Observation

from claimstream import __version__
from claimstream.ports.metrics import METRICS, Instrument, Labels, Metric, check_call


class OtelMetrics:
    """All of `METRICS` on one provider.

    Buckets go to the SDK as each histogram's advice, so they hold for every provider and a view can still
    replace them. Gauges are observed, so that `clear` really ends a series. The SDK bounds the label sets of a
    metric (2,000 a stream) and adds up the rest under `otel.metric.overflow`.
    """

    def __init__(self, provider: MeterProvider) -> None:
        meter = provider.get_meter("claimstream", __version__)
        of_kind = {kind: [one for one in METRICS if one.instrument is kind] for kind in Instrument}
        self._counters = {
            one.name: meter.create_counter(one.name, one.unit, one.meaning) for one in of_kind[Instrument.COUNTER]
        }
        self._histograms = {
            one.name: meter.create_histogram(
                one.name, one.unit, one.meaning, explicit_bucket_boundaries_advisory=one.buckets or None
            )
            for one in of_kind[Instrument.HISTOGRAM]
        }
        self._gauges = {one.name: _Gauge(meter, one) for one in of_kind[Instrument.GAUGE]}

    def add(self, metric: Metric, amount: float = 1, labels: Labels | None = None) -> None:
        """Add to a counter."""
        check_call(metric, Instrument.COUNTER, labels)
        if amount < 0:
            raise ValueError(f"{metric.name} is a counter and cannot go down by {amount}")
        self._counters[metric.name].add(amount, labels)

    def observe(self, metric: Metric, value: float, labels: Labels | None = None) -> None:
        """Put a value into a histogram."""
        check_call(metric, Instrument.HISTOGRAM, labels)
        self._histograms[metric.name].record(value, labels)

    def set(self, metric: Metric, value: float, labels: Labels | None = None) -> None:
        """Set a gauge; its last value is exported until it is set again or cleared."""
        check_call(metric, Instrument.GAUGE, labels)
        self._gauges[metric.name].set(float(value), labels or {})

    def clear(self, metric: Metric) -> None:
        """Forget all values of a gauge."""
        check_call(metric, Instrument.GAUGE, dict.fromkeys(metric.labels, ""))
        self._gauges[metric.name].clear()


class _Gauge:
    """The last value of each label set, read by the SDK's collecting thread."""

    def __init__(self, meter: Meter, metric: Metric) -> None:
        self._lock = threading.Lock()
        self._values: dict[tuple[tuple[str, str], ...], float] = {}
        callback: Callable[[CallbackOptions], Iterable[Observation]] = self._observe
        meter.create_observable_gauge(metric.name, [callback], metric.unit, metric.meaning)

    def set(self, value: float, labels: Labels) -> None:
        with self._lock:
            self._values[tuple(sorted(labels.items()))] = value

    def clear(self) -> None:
        with self._lock:
            self._values.clear()

    def _observe(self, options: CallbackOptions) -> Iterable[Observation]:  # noqa: ARG002  the SDK's signature
        with self._lock:
            return [Observation(value, dict(labels)) for labels, value in self._values.items()]
