"""What becomes of a cluster's refusals, silences and half answers."""

import base64

import pytest

from claimstream.adapters.opensearch.connection import connect
from claimstream.adapters.opensearch.sparse import OpenSearchSparse
from claimstream.errors import IndexUnavailable
from engines import manifest, passage
from http_stub import Stub, serving

WHOLE = {"timed_out": False, "_shards": {"failed": 0}, "hits": {"hits": []}}
REFUSED = {"error": {"type": "some_exception", "reason": "the reason"}}


def search(stub: Stub, **settings: object) -> list[object]:
    connection = connect(stub.url, **settings)  # type: ignore[arg-type]  # a table of keyword arguments
    try:
        return list(OpenSearchSparse(connection).search(manifest(), ["refund"], 5))
    finally:
        connection.close()


@pytest.mark.parametrize(
    ("status", "body", "complaint"),
    [
        (401, {}, "check user name and password"),
        (403, REFUSED, "check what this user may do"),
        (404, REFUSED, "build it with `claimstream index`"),
        (429, REFUSED, "overloaded"),
        (503, REFUSED, "503"),
        (200, {"responses": [REFUSED | {"status": 404}]}, r"404 the reason\): build it"),
        (200, {"responses": [REFUSED | {"status": 429}]}, "overloaded"),
        (200, {"responses": [WHOLE | {"timed_out": True}]}, "in part only"),
        (200, {"responses": [WHOLE | {"_shards": {"failed": 1}}]}, "in part only"),
    ],
)
def test_a_refusal_says_what_to_do(status: int, body: object, complaint: str) -> None:
    with serving(Stub([(status, body)])) as stub:
        with pytest.raises(IndexUnavailable, match=complaint):
            search(stub)
        assert len(stub.seen) == 1


def test_silence_ends_at_the_time_limit() -> None:
    with (
        serving(Stub([(200, {"responses": [WHOLE]})], hangs=True)) as stub,
        pytest.raises(IndexUnavailable, match="did not answer"),
    ):
        search(stub, timeout_seconds=0.2)


def test_the_credentials_are_sent() -> None:
    with serving(Stub([(200, {"responses": [WHOLE]})])) as stub:
        assert search(stub, username="reader", password="s3cret") == [[]]
        expected = base64.b64encode(b"reader:s3cret").decode()
        assert stub.seen[0][2]["authorization"] == f"Basic {expected}"


def test_a_write_waits_for_a_busy_cluster() -> None:
    of, name = manifest(), passage(manifest(), "Refunds.").point_id
    busy = {"errors": True, "items": [{"index": {"_id": name, "status": 429, "error": {"type": "busy"}}}]}
    done = {"errors": False, "items": [{"index": {"_id": name, "status": 201}}]}
    with serving(Stub([(200, {}), (200, busy), (200, done)])) as stub:
        connection = connect(stub.url)
        OpenSearchSparse(connection).upsert(of, [passage(of, "Refunds.")])
        connection.close()
        calls = [path.split("?")[0].split("/")[-1] for _, path, _ in stub.seen]
        assert calls[1:] == ["_bulk", "_bulk", "_refresh"]


def test_a_write_that_is_refused_is_unavailable() -> None:
    of, name = manifest(), passage(manifest(), "Refunds.").point_id
    full = {"errors": True, "items": [{"index": {"_id": name, "status": 403, "error": {"type": "read_only"}}}]}
    with serving(Stub([(200, {}), (200, full)])) as stub:
        connection = connect(stub.url)
        with pytest.raises(IndexUnavailable, match=r"1 writes to .* read_only") as caught:
            OpenSearchSparse(connection).upsert(of, [passage(of, "Refunds.")])
        assert "Refunds" not in str(caught.value)
        connection.close()
