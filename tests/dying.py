"""A producer that dies with its process in the middle of a transaction."""

import os
import signal
from typing import Any

from confluent_kafka import Producer


class DyingProducer:
    """A producer that ends the process in its n-th transaction, before or after the offsets are sent."""

    def __init__(self, config: dict[str, Any], transaction: int, point: str) -> None:
        self._producer = Producer(config)
        self._left = transaction
        self._point = point

    def __getattr__(self, name: str) -> Any:
        return getattr(self._producer, name)

    def begin_transaction(self) -> None:
        self._left -= 1
        self._producer.begin_transaction()

    def send_offsets_to_transaction(self, *arguments: Any) -> None:
        if self._left == 0:
            self._producer.flush(10)
            if self._point == "offsets":
                self._producer.send_offsets_to_transaction(*arguments)
            os.kill(os.getpid(), signal.SIGKILL)
        self._producer.send_offsets_to_transaction(*arguments)
