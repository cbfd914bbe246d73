"""A member of the group as a process of its own: the real loop on real Kafka with a slow, simple handler.

Told so, it kills itself at one point of one transaction, with the records of that transaction in the log.
"""

import argparse
import logging
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from claimstream.adapters.files.pauses import FilePauseStore
from claimstream.adapters.kafka.channel import KafkaChannel
from claimstream.adapters.kafka.transactions import TransactionalPublisher
from claimstream.adapters.system.clock import SystemClock
from claimstream.config.kafka import KafkaSettings
from claimstream.contracts.messages import ResponseV1
from claimstream.runtime.health_file import HealthFile
from claimstream.runtime.serve import serve, stop_on_signals
from claimstream.streaming.assembler import BatchLimits
from claimstream.streaming.outcomes import Outcome, Received
from claimstream.streaming.runner import RunnerLimits
from claimstream.streaming.worker import ThreadWorker
from dying import DyingProducer
from loop import make_runner, publish

SECONDS_A_RESPONSE = 0.05


def handle(output: str, batch: Sequence[Received[ResponseV1]]) -> Sequence[Outcome]:
    print("working", flush=True)
    time.sleep(SECONDS_A_RESPONSE * len(batch))
    return [publish(received, output) for received in batch]


def main() -> None:
    parser = argparse.ArgumentParser()
    for name in ("kafka", "input", "output", "state"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--die-in", type=int, default=0)
    parser.add_argument("--die-after", default="")
    given = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s", stream=sys.stderr)
    settings = KafkaSettings.model_validate_json(given.kafka)
    clock = SystemClock()

    def make(config: dict[str, Any]) -> Any:
        return DyingProducer(config, given.die_in, given.die_after)

    runner = make_runner(
        KafkaChannel(settings, clock, publisher=TransactionalPublisher(settings, clock, make)),
        lambda batch: handle(given.output, batch),
        ThreadWorker(),
        clock,
        topic=given.input,
        pauses=FilePauseStore(Path(given.state)),
        limits=RunnerLimits(drain_seconds=3.0),
        batches=BatchLimits(max_records=8, max_age_seconds=0.05),
    )
    with stop_on_signals() as stop:
        serve(runner, stop, HealthFile(None, clock))


if __name__ == "__main__":
    main()
