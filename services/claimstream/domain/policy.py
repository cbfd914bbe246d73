"""From the labels of a response's claims to one action: the strongest wins."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from claimstream.contracts.messages import Action, Label

STRENGTH = {action: rank for rank, action in enumerate(Action)}
"""`Action` lists its members weakest first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """A tenant's rule; `version` goes into every verdict. A label without a rule passes."""

    version: str
    actions: Mapping[Label, Action] = field(default_factory=dict)

    def action(self, labels: Iterable[Label]) -> Action:
        """The strongest action that any of the labels calls for."""
        return max(
            (self.actions.get(label, Action.PASS) for label in labels),
            key=STRENGTH.__getitem__,
            default=Action.PASS,
        )


OBSERVE = Policy(version="observe@1")
"""Judge everything, change nothing: what a new tenant starts with."""


def text_after(action: Action, text: str) -> str:
    """What may reach the customer now: the text as it is, or nothing while a person or the gate holds it."""
    return "" if action in (Action.BLOCK, Action.REVIEW) else text
