"""Every error that claimstream raises, named for what the caller does next.

::

    ClaimstreamError
    ├── InvalidMessage          this record can never be judged: dead-letter it, go on
    ├── Unavailable             a dependency is down: pause, retry, lose nothing
    │   ├── BrokerUnavailable
    │   ├── IndexUnavailable
    │   └── ModelUnavailable
    ├── PublishAborted          a transaction was rolled back: rewind, do the work again
    ├── Fenced                  another instance took this identity: stop at once
    └── ConfigurationError      refuse to start and say what to change
        ├── UnknownCorpus
        ├── EmptyCorpus
        └── ModelRefused

A message says what was wrong, where, and what to do.
"""


class ClaimstreamError(Exception):
    """Base of all errors raised on purpose."""


class InvalidMessage(ClaimstreamError):
    """A record that can never be judged; `reason` is a short stable code, the text says more."""

    def __init__(self, reason: str, detail: str) -> None:
        super().__init__(f"{reason}: {detail}")
        self.reason = reason
        self.detail = detail


class Unavailable(ClaimstreamError):
    """A dependency did not answer; nothing is lost by trying again later."""


class BrokerUnavailable(Unavailable):
    """The Kafka cluster did not answer."""


class IndexUnavailable(Unavailable):
    """A retrieval engine did not answer."""


class ModelUnavailable(Unavailable):
    """A model's session failed while scoring."""


class PublishAborted(ClaimstreamError):
    """The transaction was rolled back: the work is dropped and read again from the committed offsets."""


class Fenced(ClaimstreamError):
    """Another instance with the same transactional identity is alive: this one must stop."""


class ConfigurationError(ClaimstreamError):
    """The settings cannot work; the text says which and what to change."""


class UnknownCorpus(ConfigurationError):
    """No generation of this tenant's corpus is in service."""


class EmptyCorpus(ConfigurationError):
    """The documents hold no text to index."""


class ModelRefused(ConfigurationError):
    """A model folder lacks what judging needs: labels, files, floor or thresholds."""
