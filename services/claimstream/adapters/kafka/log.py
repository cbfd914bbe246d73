"""The log that the Kafka clients write to; a broker that is away is said once in a while, not at each attempt."""

import logging

REPEAT_SECONDS = 10.0
MOST_KEPT = 256


class Seldom(logging.Filter):
    """Lets a line pass once in `REPEAT_SECONDS`; lines that differ only in their measured times are the same."""

    def __init__(self) -> None:
        super().__init__()
        self._said: dict[str, float] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether the line is to be written."""
        line = record.getMessage().partition(" (after ")[0]
        if record.created - self._said.get(line, float("-inf")) < REPEAT_SECONDS:
            return False
        if len(self._said) >= MOST_KEPT:
            self._said.clear()
        self._said[line] = record.created
        return True


logger = logging.getLogger("claimstream.kafka")
"""Where librdkafka's own log lines go as well."""
logger.addFilter(Seldom())
