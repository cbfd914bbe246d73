"""Puts together what belongs together of the records that come out of the verifier, and counts it."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from claimstream.contracts import codec
from claimstream.contracts.messages import ClaimVerdictV1, Label, ResponseVerdictV1
from claimstream.contracts.topics import CLAIM_VERDICTS, RESPONSES_DLQ
from claimstream.ports.broker import Record


@dataclass(frozen=True, slots=True)
class Judged:
    """A response verdict with all its claim verdicts, by index."""

    verdict: ResponseVerdictV1
    claims: tuple[ClaimVerdictV1, ...]


@dataclass(frozen=True, slots=True)
class Dead:
    """A dead letter: where it came from and why it is one."""

    source: str
    reason: str
    detail: str


@dataclass(slots=True)
class Tally:
    """What came out so far."""

    states: Counter[str] = field(default_factory=Counter)
    labels: Counter[Label] = field(default_factory=Counter)
    dead: Counter[str] = field(default_factory=Counter)

    @property
    def finished(self) -> int:
        """Records that have their end: responses with a verdict, and dead letters."""
        return self.states.total() + self.dead.total()

    @property
    def checked(self) -> int:
        """Claims that have a verdict on their truth: the denominator of faithfulness."""
        return self.labels.total() - self.labels[Label.NOT_CHECKED]

    def count(self, one: Judged | Dead) -> None:
        """Add one."""
        if isinstance(one, Dead):
            self.dead[one.reason] += 1
            return
        self.states[one.verdict.state.value] += 1
        self.labels.update(claim.label for claim in one.claims)


class Gathering:
    """Claim verdicts and response verdicts lie in different topics and come in any order."""

    def __init__(self) -> None:
        self._claims: dict[str, dict[int, ClaimVerdictV1]] = {}
        self._verdicts: dict[str, ResponseVerdictV1] = {}
        self._done: set[str] = set()

    def add(self, records: Iterable[Record]) -> Iterator[Judged | Dead]:
        """Those that are complete now, each once however often its records came."""
        for record in records:
            if record.partition.topic == RESPONSES_DLQ.name:
                yield _dead(record)
            elif (judged := self._complete(self._put_down(record))) is not None:
                self._done.add(judged.verdict.response_id)
                yield judged

    def _put_down(self, record: Record) -> str:
        if record.partition.topic == CLAIM_VERDICTS.name:
            claim = codec.decode(ClaimVerdictV1, record.value, record.headers)
            self._claims.setdefault(claim.response_id, {})[claim.claim_index] = claim
            return claim.response_id
        verdict = codec.decode(ResponseVerdictV1, record.value, record.headers)
        self._verdicts[verdict.response_id] = verdict
        return verdict.response_id

    def _complete(self, response_id: str) -> Judged | None:
        verdict, claims = self._verdicts.get(response_id), self._claims.get(response_id, {})
        if verdict is None or response_id in self._done or len(claims) < len(verdict.claims):
            return None
        return Judged(verdict, tuple(claims[index] for index in sorted(claims)))


def _dead(record: Record) -> Dead:
    def said(name: str) -> str:
        return codec.header(record.headers, name) or "unknown"

    source = f"{said(codec.SOURCE_TOPIC)}[{said(codec.SOURCE_PARTITION)}]@{said(codec.SOURCE_OFFSET)}"
    return Dead(source, said(codec.REASON), said(codec.DETAIL))
