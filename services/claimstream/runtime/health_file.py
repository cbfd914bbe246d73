"""The health of a service in a file, for probes that can look at nothing else."""

import json
from datetime import UTC, datetime
from pathlib import Path

from claimstream.ports.clock import Clock
from claimstream.streaming.health import Health

REFRESH_SECONDS = 5.0
"""A file older than a few of these belongs to a process that hangs or is gone."""


class HealthFile:
    """Writes `{"state": …, "reasons": […], "written_at": …}` when it changes and every few seconds.

    Each write replaces the file as a whole. Without a path nothing is written.
    """

    def __init__(self, path: Path | None, clock: Clock) -> None:
        self._path = path
        self._clock = clock
        self._last: Health | None = None
        self._written_at = 0.0

    def write(self, health: Health) -> None:
        """Write if there is something new to say or the file grows old."""
        now = self._clock.monotonic()
        if self._path is None or (health == self._last and now - self._written_at < REFRESH_SECONDS):
            return
        moment = datetime.fromtimestamp(self._clock.time_ns() / 1e9, UTC)
        content = {"state": health.state, "reasons": health.reasons, "written_at": moment.isoformat()}
        fresh = self._path.with_name(self._path.name + ".new")
        fresh.write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8")
        fresh.replace(self._path)
        self._last, self._written_at = health, now
