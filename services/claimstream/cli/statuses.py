"""What the exit status of a verification says."""

from collections.abc import Iterable

from claimstream.contracts.messages import Label, ResponseState, ResponseVerdictV1

SUPPORTED = 0
CONTRADICTED = 1
COULD_NOT_DO_ITS_JOB = 2
NOT_ENOUGH_INFO = 3


def status_of(verdict: ResponseVerdictV1) -> int:
    """The status of one response: contradiction before lack of information, both before support."""
    if verdict.state is ResponseState.UNKNOWN_CORPUS:
        return COULD_NOT_DO_ITS_JOB
    if verdict.labels.get(Label.CONTRADICTED) or verdict.labels.get(Label.DISPUTED):
        return CONTRADICTED
    unjudged = verdict.state is ResponseState.TOO_LARGE or verdict.labels.get(Label.NOT_ENOUGH_INFO)
    return NOT_ENOUGH_INFO if unjudged else SUPPORTED


def gravest(statuses: Iterable[int]) -> int:
    """The one status of many responses: could not, contradicted, not enough information, supported."""
    order = (SUPPORTED, NOT_ENOUGH_INFO, CONTRADICTED, COULD_NOT_DO_ITS_JOB)
    return max(statuses, key=order.index, default=SUPPORTED)
