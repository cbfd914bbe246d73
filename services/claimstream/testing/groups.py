"""Consumer groups in memory: who is in one, who holds which partition, who should."""

from collections.abc import Collection, Sequence
from typing import Generic, Protocol, TypeVar

from claimstream.ports.broker import Partition


class Member(Protocol):
    """Somebody who reads topics."""

    topics: tuple[str, ...]


M = TypeVar("M", bound=Member)


class Group(Generic[M]):
    """Members in the order of joining. A partition has at most one owner."""

    def __init__(self) -> None:
        self._members: list[M] = []
        self._owners: dict[Partition, M] = {}

    def join(self, member: M) -> None:
        """Take a member in."""
        self._members.append(member)

    def leave(self, member: M) -> None:
        """Let a member go, with all it holds."""
        self._members = [one for one in self._members if one is not member]
        self.release(member, self.owned(member))

    def owned(self, member: M) -> set[Partition]:
        """What a member holds."""
        return {partition for partition, owner in self._owners.items() if owner is member}

    def wanted(self, member: M, partitions: Sequence[Partition]) -> set[Partition]:
        """What a member should hold: the partitions, dealt out in turn."""
        wanted = set()
        for at, partition in enumerate(partitions):
            takers = [one for one in self._members if partition.topic in one.topics]
            if takers and takers[at % len(takers)] is member:
                wanted.add(partition)
        return wanted

    def release(self, member: M, partitions: Collection[Partition]) -> None:
        """Give partitions back; those of others are left alone."""
        for partition in partitions:
            if self._owners.get(partition) is member:
                del self._owners[partition]

    def acquire(self, member: M, partitions: Collection[Partition]) -> set[Partition]:
        """Take those that nobody holds."""
        free = {partition for partition in partitions if partition not in self._owners}
        self._owners.update(dict.fromkeys(free, member))
        return free
