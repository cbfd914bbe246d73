"""The verifier as a process: settings from the environment, warm models, telemetry, the loop until a signal."""

import logging

from claimstream.adapters.otel import telemetry_from_environment
from claimstream.adapters.spacy.parser import SpacyParser
from claimstream.adapters.system.clock import SystemClock
from claimstream.config.load import load
from claimstream.config.masked import masked
from claimstream.runtime.engines import open_engines
from claimstream.runtime.health_file import HealthFile
from claimstream.runtime.logs import configure_logging
from claimstream.runtime.models import open_embedder, open_scorer
from claimstream.runtime.serve import serve, stop_on_signals
from claimstream.verifier.app import compose, open_runner
from claimstream.verifier.settings import VerifierSettings

logger = logging.getLogger(__name__)
SERVICE = "claimstream-verifier"


def run_verifier() -> None:
    """Run until SIGTERM or SIGINT. Raises ConfigurationError, Unavailable at the start, Fenced."""
    configure_logging()
    settings, clock = load(VerifierSettings), SystemClock()
    logger.info("settings: %s", masked(settings))
    telemetry = telemetry_from_environment(service=SERVICE, group=settings.kafka.group_id)
    engines = open_engines(settings.retrieval)
    try:
        scorer = open_scorer(settings.models)
        scorer.warm_up()
        logger.info(
            "judging with %s on %s (%s)", scorer.identity, scorer.identity.provider, scorer.identity.precision
        )
        verifier = compose(
            settings,
            engines,
            clock,
            telemetry.metrics,
            parser=SpacyParser(),
            embedder=open_embedder(settings.models),
            scorer=scorer,
        )
        runner = open_runner(settings, verifier, clock=clock, metrics=telemetry.metrics, tracer=telemetry.tracer)
        with stop_on_signals() as stop:
            serve(runner, stop, HealthFile(settings.loop.state_dir / "health.json", clock))
    finally:
        engines.close()
        telemetry.shutdown()
