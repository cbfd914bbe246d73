"""Every distinct pair is scored once: de-duplication over the micro-batch, and a cache beyond it."""

import hashlib
from collections import OrderedDict
from collections.abc import Sequence

from claimstream.domain.judging.scores import Scores
from claimstream.ports.metrics import CACHE_LOOKUPS, Metrics
from claimstream.ports.models import EntailmentScorer, ModelIdentity, Pair

Key = tuple[str, bytes]
"""Claim text and premise hash; the model, provider and precision are those of the cache's one scorer."""


class CachedScorer:
    """An `EntailmentScorer` that remembers the last `size` distinct pairs of another one.

    One cache belongs to one scorer, hence to one (model hash, provider, precision): scores never cross models.
    """

    def __init__(self, scorer: EntailmentScorer, size: int, metrics: Metrics) -> None:
        self._scorer = scorer
        self._size = size
        self._metrics = metrics
        self._known: OrderedDict[Key, Scores] = OrderedDict()

    @property
    def identity(self) -> ModelIdentity:
        """The identity of the scorer behind."""
        return self._scorer.identity

    def score(self, pairs: Sequence[Pair]) -> list[Scores]:
        """One distribution a pair, in order; only unknown distinct pairs reach the model."""
        keys = [_key(pair) for pair in pairs]
        unknown = {key: pair for key, pair in zip(keys, pairs, strict=True) if key not in self._known}
        scores = self._scorer.score(list(unknown.values())) if unknown else []
        fresh = dict(zip(unknown, scores, strict=True))
        self._count(hits=len(pairs) - len(unknown), misses=len(unknown))
        result = [fresh[key] if key in fresh else self._known[key] for key in keys]
        self._remember(keys, result)
        return result

    def _remember(self, keys: Sequence[Key], scores: Sequence[Scores]) -> None:
        for key, value in zip(keys, scores, strict=True):
            self._known[key] = value
            self._known.move_to_end(key)
        while len(self._known) > self._size:
            self._known.popitem(last=False)

    def _count(self, *, hits: int, misses: int) -> None:
        for hit, amount in (("true", hits), ("false", misses)):
            if amount:
                self._metrics.add(CACHE_LOOKUPS, amount, {"cache": "scores", "hit": hit})


def _key(pair: Pair) -> Key:
    premise = pair.premise.encode("utf-8", "surrogatepass")
    return pair.hypothesis, hashlib.sha256(premise).digest()
