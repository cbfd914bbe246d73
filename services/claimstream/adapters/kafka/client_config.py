"""From settings to librdkafka's own configuration; nothing else knows its property names."""

from typing import Any

from claimstream.config.kafka import (
    ClassicGroup,
    ConsumerGroup,
    KafkaSettings,
    PlainSecurity,
    SaslSecurity,
    Security,
    TlsSecurity,
)
from claimstream.contracts.topics import DLQ_HEADROOM_BYTES, RESPONSE_VERDICTS

Config = dict[str, Any]

STATISTICS_MS = 2_000
"""How often a client tells which brokers it is connected to."""
PREFETCH_KILOBYTES = 16 * 1024
"""Read ahead by each consumer: pausing throws it away, so a little is better than librdkafka's 64 MiB."""

BATCH_BYTES = 256 * 1024


def _ms(seconds: float) -> int:
    return round(seconds * 1000)


def common(settings: KafkaSettings) -> Config:
    """What every client needs: address and login."""
    return {
        "bootstrap.servers": settings.bootstrap,
        "client.id": f"claimstream-{settings.instance_id}",
        # A broker that restarts is found again within a second or two instead of ten.
        "reconnect.backoff.max.ms": 2_000,
        **_security(settings.security),
    }


def consumer(settings: KafkaSettings) -> Config:
    """A static member of the group that commits by hand and sees only what is committed."""
    return {
        **common(settings),
        "group.id": settings.group_id,
        "group.instance.id": settings.instance_id,
        "enable.auto.commit": False,
        "enable.auto.offset.store": False,
        # Also makes the group's own offsets wait for a transaction that is still open over them.
        "isolation.level": "read_committed",
        # The only start that loses nothing; a committed offset wins over it.
        "auto.offset.reset": "earliest",
        "max.poll.interval.ms": _ms(settings.max_poll_interval_seconds),
        "queued.max.messages.kbytes": PREFETCH_KILOBYTES,
        "statistics.interval.ms": STATISTICS_MS,
        **_group(settings.group),
    }


def follower(settings: KafkaSettings) -> Config:
    """A reader without a group: the client wants a name for one all the same, and never uses it."""
    return {
        **common(settings),
        "group.id": f"{settings.group_id}-follower",
        "enable.auto.commit": False,
        "isolation.level": "read_committed",
        "auto.offset.reset": "earliest",
        "queued.max.messages.kbytes": PREFETCH_KILOBYTES,
    }


def producer(settings: KafkaSettings) -> Config:
    """An idempotent producer that can carry the largest dead letter and the largest verdict."""
    return {
        **common(settings),
        "enable.idempotence": True,
        "message.max.bytes": max(
            settings.max_input_bytes + DLQ_HEADROOM_BYTES, RESPONSE_VERDICTS.max_message_bytes
        ),
        "compression.type": settings.compression,
        # A topic's limit holds for a batch of records as well: stay well below it. A larger record goes alone.
        "batch.size": BATCH_BYTES,
        "delivery.timeout.ms": _ms(settings.transaction_timeout_seconds),
        "statistics.interval.ms": 0,
    }


def transactional_producer(settings: KafkaSettings) -> Config:
    """A producer whose transactions the broker ends after the timeout."""
    return {
        **producer(settings),
        "transactional.id": settings.transactional_id,
        "transaction.timeout.ms": _ms(settings.transaction_timeout_seconds),
    }


def _group(group: ClassicGroup | ConsumerGroup) -> Config:
    if isinstance(group, ConsumerGroup):
        assignor = {} if group.assignor is None else {"group.remote.assignor": group.assignor}
        return {"group.protocol": "consumer", **assignor}
    return {
        "group.protocol": "classic",
        "partition.assignment.strategy": "cooperative-sticky",
        "session.timeout.ms": _ms(group.session_timeout_seconds),
        "heartbeat.interval.ms": _ms(group.heartbeat_seconds),
    }


def _security(security: Security) -> Config:
    if isinstance(security, PlainSecurity):
        return {"security.protocol": "plaintext"}
    ca = {} if security.ca_file is None else {"ssl.ca.location": str(security.ca_file)}
    if isinstance(security, TlsSecurity):
        return {"security.protocol": "ssl", **ca, **_certificate(security)}
    return {"security.protocol": "sasl_ssl" if security.encrypted else "sasl_plaintext", **ca, **_login(security)}


def _certificate(security: TlsSecurity) -> Config:
    if security.certificate_file is None:
        return {}
    config = {
        "ssl.certificate.location": str(security.certificate_file),
        "ssl.key.location": str(security.key_file),
    }
    if security.key_password is not None:
        config["ssl.key.password"] = security.key_password.get_secret_value()
    return config


def _login(security: SaslSecurity) -> Config:
    return {
        "sasl.mechanism": security.mechanism,
        "sasl.username": security.username,
        "sasl.password": security.password.get_secret_value(),
    }
