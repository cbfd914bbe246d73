"""A client for an OpenSearch cluster, and its errors as ours."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from opensearchpy import OpenSearch
from opensearchpy.exceptions import OpenSearchException, TransportError

from claimstream.errors import IndexUnavailable

WRITE_TIMEOUT_SECONDS = 60
"""Making an index or writing a batch may wait for the disk; nobody waits for them with an answer in hand."""

_ADVICE = {
    401: ": check user name and password",
    403: ": check what this user may do",
    404: ": build it with `claimstream index`",
    429: ": the cluster is overloaded and asks to be left alone",
}


@dataclass(frozen=True, slots=True)
class Connection:
    """A client whose own time limit is that of a read."""

    client: OpenSearch
    timeout_seconds: float = 2.0

    @property
    def patient(self) -> dict[str, float]:
        """Request parameters of a write."""
        return {"request_timeout": WRITE_TIMEOUT_SECONDS}

    def close(self) -> None:
        """Close all connections."""
        self.client.close()


def connect(
    url: str,
    *,
    username: str | None = None,
    password: str | None = None,
    ca_file: Path | None = None,
    verify_certificates: bool = True,
    timeout_seconds: float = 2.0,
) -> Connection:
    """A client for the cluster at this URL; `https://` means TLS. Nothing is sent yet.

    It never retries by itself: a second try would double the time limit, and the breaker and the loop decide.
    """
    client = OpenSearch(
        hosts=[url],
        http_auth=None if username is None else (username, password or ""),
        ca_certs=None if ca_file is None else str(ca_file),
        verify_certs=verify_certificates,
        ssl_show_warn=verify_certificates,
        timeout=timeout_seconds,
        max_retries=0,
        retry_on_timeout=False,
    )
    return Connection(client, timeout_seconds)


@contextmanager
def answering(what: str) -> Iterator[None]:
    """Turn every error of the client into IndexUnavailable; `what` names the index or alias."""
    try:
        yield
    except TransportError as error:
        raise IndexUnavailable(refusal(what, error.status_code, error.error)) from error
    except OpenSearchException as error:
        raise IndexUnavailable(f"OpenSearch failed for {what}: {error}") from error


def refusal(what: str, status: int | str, reason: object) -> str:
    """Words for a failed request: what, why, and what to do."""
    if isinstance(status, int):
        return f"OpenSearch refused {what} ({status} {reason}){_ADVICE.get(status, '')}"
    return f"OpenSearch did not answer for {what} ({reason}): is it running and reachable?"
