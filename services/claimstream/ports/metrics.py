"""The metrics as one typed list: unit, labels, meaning, and what to do when each moves."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Protocol


class Instrument(Enum):
    """How a metric adds up."""

    COUNTER = "counter"
    GAUGE = "gauge"
    HISTOGRAM = "histogram"


@dataclass(frozen=True, slots=True, kw_only=True)
class Metric:
    """One metric. Labels are bounded sets (tenant, bot, model, label, leg, stage), never ids."""

    name: str
    instrument: Instrument
    unit: str
    meaning: str
    when_it_moves: str
    labels: tuple[str, ...] = ()
    buckets: tuple[float, ...] = ()


STAGE_BUCKETS = (0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0)

VERDICTS = Metric(
    name="claimstream.verdicts",
    instrument=Instrument.COUNTER,
    unit="{claim}",
    labels=("tenant", "bot", "model", "label"),
    meaning="Claim verdicts published, by label.",
    when_it_moves="More CONTRADICTED points at the generator, more NOT_ENOUGH_INFO at retrieval or the corpus.",
)
RESPONSES = Metric(
    name="claimstream.responses",
    instrument=Instrument.COUNTER,
    unit="{response}",
    labels=("tenant", "bot", "model", "state"),
    meaning="Response verdicts published, by state.",
    when_it_moves="`unknown_corpus` is a missing index, `too_large` a bot that talks too much.",
)
STAGE_SECONDS = Metric(
    name="claimstream.stage.duration",
    instrument=Instrument.HISTOGRAM,
    unit="s",
    labels=("stage",),
    buckets=STAGE_BUCKETS,
    meaning="Time of each stage for one micro-batch.",
    when_it_moves="`nli` is the cost of judging; a slow `dense` or `sparse` is that engine.",
)
CONSUMER_LAG = Metric(
    name="claimstream.consumer.lag",
    instrument=Instrument.GAUGE,
    unit="{record}",
    labels=("topic", "partition"),
    meaning="Records behind the end of each assigned partition.",
    when_it_moves="Rising: add replicas up to the number of partitions, or a GPU.",
)
QUEUE_AGE = Metric(
    name="claimstream.queue.age",
    instrument=Instrument.GAUGE,
    unit="s",
    meaning="Age of the oldest record that was read and is not committed.",
    when_it_moves="Beyond the tenants' deadlines, verdicts come too late to act on.",
)
BATCH_FILL = Metric(
    name="claimstream.batch.fill",
    instrument=Instrument.HISTOGRAM,
    unit="1",
    buckets=(0.1, 0.25, 0.5, 0.75, 0.9, 1.0),
    meaning="Micro-batch size as a share of its limit.",
    when_it_moves="Always full: the verifier is the bottleneck. Nearly empty: traffic is low.",
)
CACHE_LOOKUPS = Metric(
    name="claimstream.cache.lookups",
    instrument=Instrument.COUNTER,
    unit="{lookup}",
    labels=("cache", "hit"),
    meaning="Look-ups of a cache.",
    when_it_moves="Fewer hits cost time, never correctness.",
)
DEGRADED = Metric(
    name="claimstream.degraded",
    instrument=Instrument.COUNTER,
    unit="{claim}",
    labels=("tenant", "leg"),
    meaning="Claims judged with one retrieval leg missing.",
    when_it_moves="That engine is down or slow; these claims stand apart from faithfulness.",
)
DEAD_LETTERS = Metric(
    name="claimstream.dead_letters",
    instrument=Instrument.COUNTER,
    unit="{record}",
    labels=("tenant", "reason"),
    meaning="Records sent to the dead-letter topic.",
    when_it_moves="A producer changed its format: read the reasons in the topic's headers.",
)
ABORTS = Metric(
    name="claimstream.transactions.aborted",
    instrument=Instrument.COUNTER,
    unit="{transaction}",
    meaning="Transactions rolled back; their work was done again.",
    when_it_moves="Rebalances or a sick broker.",
)
DEADLINES_MISSED = Metric(
    name="claimstream.deadlines.missed",
    instrument=Instrument.COUNTER,
    unit="{deadline}",
    labels=("deadline",),
    meaning="Deadlines that passed before the work was done: `revoke`, `shutdown`.",
    when_it_moves="Work was dropped and is done again: make batches smaller or the deadline longer.",
)
PAUSED_TENANTS = Metric(
    name="claimstream.tenants.paused",
    instrument=Instrument.GAUGE,
    unit="{tenant}",
    meaning="Tenants whose input is paused by the dead-letter limits.",
    when_it_moves="Above 0: repair the producer, then `claimstream resume TENANT`.",
)
METRICS = (
    VERDICTS,
    RESPONSES,
    STAGE_SECONDS,
    CONSUMER_LAG,
    QUEUE_AGE,
    BATCH_FILL,
    CACHE_LOOKUPS,
    DEGRADED,
    DEAD_LETTERS,
    ABORTS,
    DEADLINES_MISSED,
    PAUSED_TENANTS,
)

Labels = Mapping[str, str]


def check_call(metric: Metric, instrument: Instrument, labels: Labels | None) -> None:
    """Refuse a call that does not fit the metric. Raises ValueError; it is a bug of the caller."""
    if metric.instrument is not instrument:
        raise ValueError(f"{metric.name} is a {metric.instrument.value}, not a {instrument.value}")
    given = sorted(labels or ())
    if given != sorted(metric.labels):
        raise ValueError(f"{metric.name} takes the labels {sorted(metric.labels)}, got {given}")


class Metrics(Protocol):
    """Where measurements go. Every call names a metric of the list with exactly its labels.

    Anything else raises ValueError, except where metrics are off. Safe to use from several threads.
    """

    def add(self, metric: Metric, amount: float = 1, labels: Labels | None = None) -> None:
        """Add to a counter; a negative amount raises ValueError."""

    def observe(self, metric: Metric, value: float, labels: Labels | None = None) -> None:
        """Put a value into a histogram."""

    def set(self, metric: Metric, value: float, labels: Labels | None = None) -> None:
        """Set a gauge."""

    def clear(self, metric: Metric) -> None:
        """Forget all values of a gauge: label sets that are gone (a partition revoked) are exported no more."""
