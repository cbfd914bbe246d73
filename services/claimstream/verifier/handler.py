"""What the loop calls: a micro-batch of received responses in, the records to publish out."""

from collections import Counter
from collections.abc import Sequence

from claimstream.contracts.messages import Label, ResponseV1
from claimstream.contracts.topics import CLAIM_VERDICTS, RESPONSE_VERDICTS
from claimstream.ports.clock import Clock
from claimstream.ports.metrics import DEGRADED, RESPONSES, VERDICTS, Metrics
from claimstream.ports.tracing import Evaluation, Tracer
from claimstream.streaming.outcomes import Addressed, Outcome, Publish, Received
from claimstream.verifier.pipeline import Judged, Verifier
from claimstream.verifier.stages import Stretch

GRAVEST_FIRST = (Label.CONTRADICTED, Label.DISPUTED, Label.NOT_ENOUGH_INFO, Label.SUPPORTED)


class VerifyHandler:
    """Judges a micro-batch, writes down its spans and counts, and addresses the verdicts."""

    def __init__(self, verifier: Verifier, *, clock: Clock, metrics: Metrics, tracer: Tracer) -> None:
        self._verifier = verifier
        self._clock = clock
        self._metrics = metrics
        self._tracer = tracer

    def __call__(self, batch: Sequence[Received[ResponseV1]]) -> Sequence[Outcome]:
        """One `Publish` a response, in order. Raises Unavailable when a dependency is down."""
        verification = self._verifier.verify([received.message for received in batch])
        for received, judged in zip(batch, verification.judged, strict=True):
            self._trace(received, judged, verification.stretches)
            self._count(received.message, judged)
        return [publication(judged) for judged in verification.judged]

    def _trace(self, received: Received[ResponseV1], judged: Judged, stretches: Sequence[Stretch]) -> None:
        for stretch in stretches:
            received.span.child(stretch.stage.span_name, stretch.start_ns, stretch.end_ns)
        self._tracer.evaluation(received.span, evaluation(received.message, judged), self._clock.time_ns())

    def _count(self, response: ResponseV1, judged: Judged) -> None:
        who = {"tenant": response.tenant, "bot": response.bot, "model": response.model}
        self._metrics.add(RESPONSES, 1, who | {"state": judged.response.state.value})
        for label, count in Counter(claim.label for claim in judged.claims).items():
            self._metrics.add(VERDICTS, count, who | {"label": label.value})
        checked = sum(claim.label is not Label.NOT_CHECKED for claim in judged.claims)
        for leg in judged.degraded:
            self._metrics.add(DEGRADED, checked, {"tenant": response.tenant, "leg": leg})


def publication(judged: Judged) -> Publish:
    """The claim verdicts in order, then the response verdict, all under the response's id."""
    key = judged.response.response_id
    claims = tuple(Addressed(CLAIM_VERDICTS.name, key, claim) for claim in judged.claims)
    return Publish((*claims, Addressed(RESPONSE_VERDICTS.name, key, judged.response)))


def evaluation(response: ResponseV1, judged: Judged) -> Evaluation:
    """The faithfulness of one response: supported / checked, or no value where nothing was checked."""
    labels: Counter[Label] = Counter(c.label for c in judged.claims if c.label is not Label.NOT_CHECKED)
    worst = next((label.value for label in GRAVEST_FIRST if labels[label]), judged.response.state.value)
    return Evaluation(
        response_id=response.response_id,
        score_value=labels[Label.SUPPORTED] / labels.total() if labels else None,
        score_label=worst,
        explanation=explanation(judged),
        parent=response.genai_traceparent,
    )


def explanation(judged: Judged) -> str:
    """Reasons and evidence ids of the claims that are not supported; never any text of the response."""
    parts = []
    for claim in judged.claims:
        if claim.label not in (Label.SUPPORTED, Label.NOT_CHECKED):
            decisive = [e.id for e in claim.evidence if e.role.value != "considered"]
            parts.append(" ".join([claim.label.value, *(reason.value for reason in claim.reasons), *decisive]))
    return "; ".join(parts)
