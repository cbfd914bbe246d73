"""How the loop is, as a value: a state and the reasons for it."""

from dataclasses import dataclass
from enum import StrEnum


class HealthState(StrEnum):
    """From not yet serving to needing a person."""

    STARTING = "starting"
    HEALTHY = "healthy"
    DEGRADED = "degraded"
    """It waits for a dependency and goes on by itself; nothing is lost."""
    UNHEALTHY = "unhealthy"
    """Somebody must act; the reasons say what to do."""


@dataclass(frozen=True, slots=True)
class Health:
    """A state with its reasons; a healthy one has none."""

    state: HealthState
    reasons: tuple[str, ...] = ()


STARTING = Health(HealthState.STARTING)


def health(*, unhealthy: tuple[str, ...], degraded: tuple[str, ...]) -> Health:
    """The worst state that has a reason, with all reasons, worst first."""
    if unhealthy:
        return Health(HealthState.UNHEALTHY, unhealthy + degraded)
    if degraded:
        return Health(HealthState.DEGRADED, degraded)
    return Health(HealthState.HEALTHY)
