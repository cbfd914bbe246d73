"""What the verifier decides by: thresholds, layers, bounds and policy, as plain values."""

from dataclasses import dataclass, field

from claimstream import __version__
from claimstream.contracts.messages import Versions
from claimstream.domain.claims.blocks import Limits
from claimstream.domain.evidence.generation import Manifest
from claimstream.domain.judging.thresholds import Thresholds
from claimstream.domain.policy import OBSERVE, Policy


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """One configuration of the judgement; equal rules and models give equal verdicts."""

    thresholds: Thresholds = field(default_factory=Thresholds)
    strict: bool = False
    check_conditions: bool = True
    limits: Limits = field(default_factory=Limits)
    policy: Policy = OBSERVE

    def versions(self, *, model: str, embedder: str, manifest: Manifest | None) -> Versions:
        """What goes into a verdict; without a manifest there was no corpus to judge by."""
        switches = (" strict" if self.strict else "") + ("" if self.check_conditions else " conditions-off")
        return Versions(
            model=model,
            embedder=embedder,
            generation=f"{manifest.corpus}@{manifest.generation}" if manifest else "",
            thresholds=f"{self.thresholds}{switches}",
            policy=self.policy.version,
            code=__version__,
        )
