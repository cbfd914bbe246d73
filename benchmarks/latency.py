"""Small figures: taking responses apart, one query of each leg, one response alone."""

import time
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from corpus import CORPUS
from throughput import Parts

from claimstream.adapters.system.clock import SystemClock
from claimstream.contracts.messages import ResponseV1
from claimstream.domain.claims.blocks import Limits, blocks
from claimstream.domain.claims.decompose import decompose
from claimstream.ports.off import NullMetrics
from claimstream.runtime.engines import Engines
from claimstream.verifier.app import compose
from claimstream.verifier.settings import VerifierSettings


@dataclass(frozen=True, slots=True)
class Milliseconds:
    """Of many calls."""

    p50: float
    p99: float
    calls: int

    @classmethod
    def of(cls, seconds: Sequence[float]) -> "Milliseconds":
        """Percentiles of these."""
        p50, p99 = np.percentile(np.asarray(seconds) * 1000, [50, 99])
        return cls(float(p50), float(p99), len(seconds))


@dataclass(frozen=True, slots=True)
class Latencies:
    """`parse` and `decompose` are milliseconds a claim; the others are calls."""

    parse: float
    decompose: float
    legs: dict[str, Milliseconds]
    alone: Milliseconds


def measure(
    responses: Sequence[ResponseV1], alone: int, settings: VerifierSettings, engines: Engines, parts: Parts
) -> Latencies:
    """`alone`: how many responses are judged one at a time, each by the model anew."""
    parse, cut, queries = _claims(responses, parts)
    return Latencies(
        parse / len(queries) * 1000,
        cut / len(queries) * 1000,
        _legs(queries, settings, engines, parts),
        _alone(responses[:: max(1, len(responses) // alone)][:alone], settings, engines, parts),
    )


def _claims(responses: Sequence[ResponseV1], parts: Parts) -> tuple[float, float, list[str]]:
    """Seconds of parsing, seconds of the rest, and the queries of the claims."""
    limits = Limits()
    started = time.perf_counter()
    plans = [blocks(response.text, limits) for response in responses]
    planned = time.perf_counter()
    parses = iter(parts.parser.parse([text for plan in plans for block in plan for text in block.texts]))
    parsed = time.perf_counter()
    queries = []
    for response, plan in zip(responses, plans, strict=True):
        own = [next(parses) for block in plan for _ in block.texts]
        queries += [c.query for c in decompose(response.text, plan, own, limits).claims if c.checkable]
    return parsed - planned, time.perf_counter() - parsed + planned - started, queries


def _legs(
    queries: Sequence[str], settings: VerifierSettings, engines: Engines, parts: Parts
) -> dict[str, Milliseconds]:
    """One query a call; the embedder, which feeds the dense leg, apart."""
    manifest, candidates = engines.catalogue.in_service(CORPUS), settings.retrieval.candidates
    assert manifest is not None
    seconds: dict[str, list[float]] = {"embedder": [], "dense": [], "sparse": []}
    for query in queries:
        times = [time.perf_counter()]
        vectors = parts.embedder.embed([query])
        times.append(time.perf_counter())
        engines.dense.search(manifest, vectors, candidates)
        times.append(time.perf_counter())
        engines.sparse.search(manifest, [query], candidates)
        times.append(time.perf_counter())
        for of_one, one in zip(seconds.values(), np.diff(times), strict=True):
            of_one.append(float(one))
    return {name: Milliseconds.of(found) for name, found in seconds.items()}


def _alone(
    responses: Sequence[ResponseV1], settings: VerifierSettings, engines: Engines, parts: Parts
) -> Milliseconds:
    verifier = compose(
        settings,
        engines,
        SystemClock(),
        NullMetrics(),
        parser=parts.parser,
        embedder=parts.embedder,
        scorer=parts.scorer,
    )
    seconds = []
    for response in responses:
        started = time.perf_counter()
        verifier.verify([response])
        seconds.append(time.perf_counter() - started)
    return Milliseconds.of(seconds)
