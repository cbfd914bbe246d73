"""From librdkafka's error codes to what the loop does next."""

from confluent_kafka import KafkaError, KafkaException

from claimstream.errors import BrokerUnavailable, ClaimstreamError, ConfigurationError, Fenced

FENCED_CODES = frozenset(
    {
        KafkaError._FENCED,
        KafkaError.PRODUCER_FENCED,
        KafkaError.INVALID_PRODUCER_EPOCH,
        KafkaError.FENCED_INSTANCE_ID,
    }
)
REFUSED_CODES = frozenset(
    {
        KafkaError._AUTHENTICATION,
        KafkaError.SASL_AUTHENTICATION_FAILED,
        KafkaError.TOPIC_AUTHORIZATION_FAILED,
        KafkaError.GROUP_AUTHORIZATION_FAILED,
        KafkaError.CLUSTER_AUTHORIZATION_FAILED,
        KafkaError.TRANSACTIONAL_ID_AUTHORIZATION_FAILED,
        KafkaError.UNSUPPORTED_SASL_MECHANISM,
        KafkaError.INVALID_TRANSACTION_TIMEOUT,
        KafkaError.INVALID_SESSION_TIMEOUT,
        KafkaError.INCONSISTENT_GROUP_PROTOCOL,
        KafkaError.UNSUPPORTED_ASSIGNOR,
    }
)
"""Nothing that waiting repairs."""


def error_of(exception: KafkaException) -> KafkaError:
    """The error inside an exception."""
    error = exception.args[0]
    return error if isinstance(error, KafkaError) else KafkaError(KafkaError.UNKNOWN, str(exception))


def is_fatal(error: KafkaError) -> bool:
    """Whether the client that said so is of no more use."""
    return error.fatal() or error.code() == KafkaError._FATAL


def is_fenced(error: KafkaError) -> bool:
    """Whether somebody else runs under our name; a consumer hides that inside `_FATAL`, in the text alone."""
    inner = KafkaError(KafkaError.FENCED_INSTANCE_ID).str()
    return error.code() in FENCED_CODES or (error.code() == KafkaError._FATAL and inner in error.str())


def describe(error: KafkaError) -> str:
    """The text with the code's name, which is what one searches for."""
    return f"{error.str()} ({error.name()})"


def translated(error: KafkaError, doing: str, bootstrap: str) -> ClaimstreamError:
    """The error as ours: Fenced, ConfigurationError, or else BrokerUnavailable."""
    if is_fenced(error):
        return fenced(error, doing)
    if error.code() in REFUSED_CODES:
        return ConfigurationError(
            f"Kafka at {bootstrap} refused {doing}: {describe(error)}; "
            "check the login, the rights and the group's settings"
        )
    return BrokerUnavailable(f"Kafka at {bootstrap} did not answer while {doing}: {describe(error)}")


def fenced(error: KafkaError, doing: str) -> Fenced:
    """Somebody else runs under our name."""
    return Fenced(
        f"another process took this replica's identity while {doing}: {describe(error)}; "
        "stop it, or give each replica its own kafka.instance_id"
    )


def no_broker(bootstrap: str, error: KafkaError) -> BrokerUnavailable:
    """The first thing that goes wrong on a new machine."""
    return BrokerUnavailable(
        f"No broker answers at {bootstrap} ({error.name()}): start one with `claimstream stack up`, "
        "or set CLAIMSTREAM_KAFKA__BOOTSTRAP to yours"
    )
