"""Partitions that stand still before a record of a paused tenant, until somebody resumes the tenant."""

import logging
from collections.abc import Collection, Mapping

from claimstream.ports.broker import Partition
from claimstream.ports.clock import Clock
from claimstream.ports.pauses import PauseStore

logger = logging.getLogger(__name__)


class Holds:
    """The held partitions with their tenants, and a look at the store now and then."""

    def __init__(self, store: PauseStore, clock: Clock, watch_seconds: float) -> None:
        self._store = store
        self._clock = clock
        self._watch_seconds = watch_seconds
        self._tenants: Mapping[str, str] = dict(store.paused())
        self._looked = clock.monotonic()
        self._held: dict[Partition, str] = {}

    def __contains__(self, partition: Partition) -> bool:
        return partition in self._held

    def tenants(self) -> Mapping[str, str]:
        """The paused tenants with their reasons, as last seen."""
        return self._tenants

    def partitions(self) -> Collection[Partition]:
        """The partitions that stand still."""
        return self._held.keys()

    def reasons(self) -> list[str]:
        """A line for each paused tenant, with what to do."""
        return [
            f"tenant {tenant} is paused: {reason}; repair its producer, then `claimstream resume {tenant}`"
            for tenant, reason in sorted(self._tenants.items())
        ]

    def hold(self, partition: Partition, tenant: str) -> None:
        """Let a partition stand before a record of this tenant."""
        logger.error("partition %s %d is held: tenant %s is paused", *partition, tenant)
        self._held[partition] = tenant

    def trip(self, tenant: str, reason: str) -> None:
        """Pause a tenant; the mark is set before anything else of it can happen."""
        logger.error("tenant %s is paused: %s", tenant, reason)
        self._store.pause(tenant, reason)
        self._tenants = {**self._tenants, tenant: reason}

    def watch(self) -> set[str]:
        """Look at the store when it is time; returns the tenants that were resumed."""
        now = self._clock.monotonic()
        if now - self._looked < self._watch_seconds:
            return set()
        self._looked = now
        before, self._tenants = self._tenants, dict(self._store.paused())
        return set(before) - set(self._tenants)

    def release(self, pending: Collection[Partition]) -> set[Partition]:
        """Let go of the partitions whose tenant was resumed and that have nothing in flight."""
        free = {
            partition
            for partition, tenant in self._held.items()
            if tenant not in self._tenants and partition not in pending
        }
        self.forget(free)
        return free

    def forget(self, partitions: Collection[Partition]) -> None:
        """These are read by somebody else, or from the start again."""
        for partition in partitions:
            self._held.pop(partition, None)
