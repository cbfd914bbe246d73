"""What becomes of one message: values, not exceptions."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from claimstream.contracts.messages import Message
from claimstream.ports.broker import Record
from claimstream.ports.tracing import Span

T = TypeVar("T", covariant=False)


@dataclass(frozen=True, slots=True)
class Received(Generic[T]):
    """A decoded message with the record it came from and its open span."""

    message: T
    record: Record
    span: Span
    size_bytes: int


@dataclass(frozen=True, slots=True)
class Addressed:
    """A message on its way to a topic under a key."""

    topic: str
    key: str
    message: Message


@dataclass(frozen=True, slots=True)
class Publish:
    """The message was handled: write these."""

    messages: tuple[Addressed, ...]


@dataclass(frozen=True, slots=True)
class DeadLetter:
    """The message can never be handled: write its raw bytes aside with the reason."""

    reason: str
    detail: str


@dataclass(frozen=True, slots=True)
class Drop:
    """The message needs nothing."""

    reason: str


Outcome = Publish | DeadLetter | Drop


class Handler(Protocol[T]):
    """The work on one micro-batch. Runs in a worker thread; called for one batch at a time."""

    def __call__(self, batch: Sequence[Received[T]]) -> Sequence[Outcome]:
        """One outcome a message, in order. Raises Unavailable when a dependency is down: the batch is retried."""
