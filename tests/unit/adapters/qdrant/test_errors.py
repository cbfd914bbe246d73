"""What becomes of a Qdrant server's refusals and silences, and what is sent to it."""

import json

import pytest

from claimstream.adapters.qdrant.connection import connect
from claimstream.adapters.qdrant.dense import QdrantDense
from claimstream.domain.evidence.names import collection_of
from claimstream.errors import IndexUnavailable
from engines import EMBEDDER, embed, manifest
from http_stub import Stub, serving

NOTHING = {"result": [{"points": []}], "status": "ok", "time": 0.0}


@pytest.mark.parametrize(
    ("status", "complaint"),
    [
        (401, "check the API key"),
        (403, "check the API key"),
        (404, "build it with `claimstream index`"),
        (500, "500"),
    ],
)
def test_a_refusal_says_what_to_do(status: int, complaint: str) -> None:
    with serving(Stub([(status, {"status": {"error": "no"}})])) as stub:
        leg = QdrantDense(connect(stub.url))
        with pytest.raises(IndexUnavailable, match=complaint):
            leg.search(manifest(), embed(["refund"]), 5)
        leg.close()


def test_silence_ends_at_the_time_limit() -> None:
    with serving(Stub([(200, NOTHING)], hangs=True)) as stub:
        leg = QdrantDense(connect(stub.url, timeout_seconds=0.2))
        with pytest.raises(IndexUnavailable, match="did not answer"):
            leg.search(manifest(), embed(["refund"]), 5)
        leg.close()


def test_nobody_at_the_address_is_unavailable() -> None:
    leg = QdrantDense(connect("http://127.0.0.1:9"))
    with pytest.raises(IndexUnavailable, match="did not answer"):
        leg.count(manifest())
    leg.close()


@pytest.mark.filterwarnings("ignore:Api key is used with an insecure connection")
def test_one_batch_query_with_filters_key_and_time_limit() -> None:
    with serving(Stub([(200, NOTHING)])) as stub:
        leg = QdrantDense(connect(stub.url, api_key="s3cret"))
        leg.search(manifest(), embed(["refund"]), 5)
        leg.close()
        ((method, path, headers),) = stub.seen
    assert (method, path) == ("POST", f"/collections/{collection_of(manifest())}/points/query/batch?timeout=2")
    assert headers["api-key"] == "s3cret"
    (search,) = json.loads(stub.bodies[0])["searches"]
    assert search["filter"]["must"] == [
        {"key": "tenant", "match": {"value": "acme"}},
        {"key": "corpus", "match": {"value": "help"}},
    ]
    assert search["params"]["exact"] is True
    assert len(search["query"]["nearest"]) == EMBEDDER.dimension


@pytest.mark.parametrize(("passages", "exact"), [(49_999, True), (50_000, False)])
def test_exact_below_fifty_thousand_passages(passages: int, exact: bool) -> None:
    with serving(Stub([(200, NOTHING)])) as stub:
        leg = QdrantDense(connect(stub.url))
        leg.search(manifest(passages=passages), embed(["refund"]), 5)
        leg.close()
    assert json.loads(stub.bodies[0])["searches"][0]["params"]["exact"] is exact
