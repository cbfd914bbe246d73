"""The real verifier as a process: real Kafka, sparse leg on OpenSearch, dense leg embedded in a folder of its own.

Told so, it kills itself at one point of one transaction, with the records of that transaction in the log.
"""

import argparse
import logging
import sys
from collections.abc import Sequence
from typing import Any

from claimstream.adapters.kafka.channel import KafkaChannel
from claimstream.adapters.kafka.transactions import TransactionalPublisher
from claimstream.adapters.system.clock import SystemClock
from claimstream.contracts.messages import ResponseV1
from claimstream.ports.off import NullMetrics, NullTracer
from claimstream.runtime.engines import open_engines
from claimstream.runtime.health_file import HealthFile
from claimstream.runtime.serve import serve, stop_on_signals
from claimstream.verifier.app import open_runner, open_verifier
from claimstream.verifier.pipeline import Verification, Verifier
from claimstream.verifier.settings import VerifierSettings
from dying import DyingProducer


class Announcing:
    """A verifier that says when it starts to work, so that it can be killed in the middle of it."""

    def __init__(self, verifier: Verifier) -> None:
        self._verifier = verifier

    def verify(self, responses: Sequence[ResponseV1]) -> Verification:
        print("working", flush=True)
        return self._verifier.verify(responses)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--settings", required=True)
    parser.add_argument("--die-in", type=int, default=0)
    parser.add_argument("--die-after", default="")
    given = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s", stream=sys.stderr)
    settings, clock, metrics = VerifierSettings.model_validate_json(given.settings), SystemClock(), NullMetrics()

    def make(config: dict[str, Any]) -> Any:
        return DyingProducer(config, given.die_in, given.die_after)

    engines = open_engines(settings.retrieval)
    runner = open_runner(
        settings,
        Announcing(open_verifier(settings, engines, clock, metrics)),  # type: ignore[arg-type]  # all that is called
        clock=clock,
        metrics=metrics,
        tracer=NullTracer(),
        channel=KafkaChannel(settings.kafka, clock, publisher=TransactionalPublisher(settings.kafka, clock, make)),
    )
    with stop_on_signals() as stop:
        serve(runner, stop, HealthFile(settings.loop.state_dir / "health.json", clock))
    engines.close()


if __name__ == "__main__":
    main()
