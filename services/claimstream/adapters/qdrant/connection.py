"""Clients for a Qdrant server, and its errors as ours."""

import math
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from qdrant_client import QdrantClient, models
from qdrant_client.common.client_exceptions import QdrantException
from qdrant_client.http.exceptions import ApiException, UnexpectedResponse

from claimstream.domain.evidence.passage import CorpusRef, point_id
from claimstream.errors import IndexUnavailable

WRITE_TIMEOUT_SECONDS = 60
"""Making a collection or writing a batch may wait for the disk; nobody waits for them with an answer in hand."""

_ADVICE = {401: ": check the API key", 403: ": check the API key", 404: ": build it with `claimstream index`"}


@dataclass(frozen=True, slots=True)
class Connection:
    """One client a purpose, since a client has one time limit; both may be the same."""

    reads: QdrantClient
    writes: QdrantClient
    timeout_seconds: float = 2.0

    @property
    def server_timeout(self) -> int:
        """The time limit of a read in whole seconds, as the server takes it."""
        return math.ceil(self.timeout_seconds)

    def close(self) -> None:
        """Close both clients."""
        self.reads.close()
        if self.writes is not self.reads:
            self.writes.close()


def connect(
    url: str, *, api_key: str | None = None, timeout_seconds: float = 2.0, ca_file: Path | None = None
) -> Connection:
    """Clients for the server at this URL; `https://` means TLS. Nothing is sent yet."""

    def client(timeout: float) -> QdrantClient:
        trust: dict[str, Any] = {} if ca_file is None else {"verify": str(ca_file)}
        return QdrantClient(
            url=url, api_key=api_key, timeout=math.ceil(timeout), check_compatibility=False, **trust
        )

    return Connection(client(timeout_seconds), client(WRITE_TIMEOUT_SECONDS), timeout_seconds)


def over(client: QdrantClient) -> Connection:
    """A connection over a ready client, as `QdrantClient(":memory:")`."""
    return Connection(client, client)


@contextmanager
def answering(what: str) -> Iterator[None]:
    """Turn every error of the client into IndexUnavailable; `what` names the collection or alias."""
    try:
        yield
    except UnexpectedResponse as error:
        said = f"{error.status_code} {error.reason_phrase}"
        raise IndexUnavailable(
            f"Qdrant refused {what} ({said}){_ADVICE.get(error.status_code or 0, '')}"
        ) from error
    except (ApiException, QdrantException) as error:
        raise IndexUnavailable(f"Qdrant did not answer for {what} ({error}): is it reachable?") from error
    except (ValueError, RuntimeError) as error:  # what the client raises in local mode, and for a closed connection
        raise IndexUnavailable(f"Qdrant failed for {what}: {error}") from error


def of_corpus(corpus: CorpusRef, evidence_ids: list[str] | None = None) -> models.Filter:
    """The filter of every call: this tenant's corpus, and these passages of it where some are named."""
    conditions: list[models.Condition] = [
        models.FieldCondition(key="tenant", match=models.MatchValue(value=corpus.tenant)),
        models.FieldCondition(key="corpus", match=models.MatchValue(value=corpus.corpus)),
    ]
    if evidence_ids is not None:
        conditions.append(models.HasIdCondition(has_id=[point_id(name) for name in evidence_ids]))
    return models.Filter(must=conditions)
