"""Kafka: where it is, how to log in, which group protocol, and how strict delivery is."""

from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, SecretStr, model_validator

from claimstream.config.block import Block
from claimstream.contracts.topics import MEBIBYTE


class PlainSecurity(Block):
    """No encryption, no login: for a broker on this machine."""

    kind: Literal["plaintext"] = "plaintext"


class TlsSecurity(Block):
    """Encryption, and with a certificate of our own a login as well."""

    kind: Literal["tls"] = "tls"
    ca_file: Path | None = None
    """None: the certificate authorities of the system."""
    certificate_file: Path | None = None
    key_file: Path | None = None
    key_password: SecretStr | None = None

    @model_validator(mode="after")
    def _certificate_with_key(self) -> "TlsSecurity":
        if (self.certificate_file is None) != (self.key_file is None):
            raise ValueError("certificate_file and key_file go together: set both or neither")
        return self


class SaslSecurity(Block):
    """A user name and a password, over TLS unless `encrypted` is off."""

    kind: Literal["sasl"] = "sasl"
    mechanism: Literal["PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512"] = "SCRAM-SHA-512"
    username: str
    password: SecretStr
    encrypted: bool = True
    ca_file: Path | None = None


Security = Annotated[PlainSecurity | TlsSecurity | SaslSecurity, Field(discriminator="kind")]


class ClassicGroup(Block):
    """The group protocol of all Kafka versions: the client states its session and how partitions are dealt."""

    protocol: Literal["classic"] = "classic"
    session_timeout_seconds: float = Field(default=45.0, ge=1)
    """A member that is silent for so long loses its partitions; a static one may restart within it unnoticed."""
    heartbeat_seconds: float = Field(default=3.0, gt=0)

    @model_validator(mode="after")
    def _heartbeats_fit(self) -> "ClassicGroup":
        if self.heartbeat_seconds * 3 > self.session_timeout_seconds:
            raise ValueError(
                f"three heartbeats of {self.heartbeat_seconds} s must fit into "
                f"session_timeout_seconds = {self.session_timeout_seconds}"
            )
        return self


class ConsumerGroup(Block):
    """The protocol of KIP-848 (Kafka 4): sessions and assignment are the broker's settings, so none are here."""

    protocol: Literal["consumer"] = "consumer"
    assignor: Literal["uniform", "range"] | None = None
    """None: the broker's choice."""


GroupProtocol = Annotated[ClassicGroup | ConsumerGroup, Field(discriminator="protocol")]


class KafkaSettings(Block):
    """One member of a consumer group with its producer."""

    bootstrap: str = Field(default="127.0.0.1:9092", min_length=1)
    """`host:port`, several with commas."""
    group_id: str = Field(default="claimstream-verifier", min_length=1)
    instance_id: str = Field(default="0", min_length=1, max_length=200)
    """This replica's name: unique among the replicas, the same after a restart (in Kubernetes the pod of a
    StatefulSet). Group membership and transactions hang on it."""
    group: GroupProtocol = ClassicGroup()
    delivery: Literal["exactly_once", "at_least_once"] = "exactly_once"
    """`at_least_once` writes without transactions: cheaper, and a crash may publish verdicts twice."""
    transaction_timeout_seconds: float = Field(default=10.0, ge=1, le=900)
    """How long a publication may take, and how long a crashed replica's open transaction hides what follows it."""
    request_timeout_seconds: float = Field(default=10.0, gt=0)
    """How long metadata, committed offsets and producer start-up may take."""
    max_poll_interval_seconds: float = Field(default=300.0, ge=1)
    max_input_bytes: int = Field(default=MEBIBYTE, ge=1024)
    """The input topics' `max.message.bytes`."""
    compression: Literal["none", "lz4", "zstd", "gzip"] = "lz4"
    security: Security = PlainSecurity()

    @property
    def transactional_id(self) -> str:
        """Unique a replica, stable over restarts."""
        return f"{self.group_id}.{self.instance_id}"
