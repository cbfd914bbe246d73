"""The two thresholds of a decision, bound to the model whose scores they were set on."""

from dataclasses import dataclass

from claimstream.errors import ModelRefused

PRESETS = {"customer": 0.85, "default": 0.75, "dashboard": 0.65}
"""Entailment thresholds by where a false SUPPORTED would land (first seed, threshold table)."""

WIDEN_MARGIN = 0.10
"""An entailment this close below its threshold is worth one look at the parent passage."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Thresholds:
    """A claim is supported from `entailment` on and contradicted from `contradiction` on."""

    entailment: float = PRESETS["default"]
    contradiction: float = 0.70
    model_hash: str | None = None
    """The model they were calibrated on; None: uncalibrated, good for any."""

    def __str__(self) -> str:
        """As in a verdict's versions, unrounded: `0.75/0.7 uncalibrated`."""
        origin = f"calibrated@{self.model_hash}" if self.model_hash else "uncalibrated"
        return f"{self.entailment!r}/{self.contradiction!r} {origin}"

    def nearly_entailed(self, entailment: float) -> bool:
        """Whether a passage falls short by so little that its parent may decide."""
        return self.entailment - WIDEN_MARGIN <= entailment < self.entailment


def for_model(thresholds: Thresholds, model_hash: str) -> Thresholds:
    """The thresholds unchanged. Raises ModelRefused where they were set on another model's scores."""
    if thresholds.model_hash not in (None, model_hash):
        raise ModelRefused(
            f"thresholds were calibrated on model {thresholds.model_hash}, the one in use is {model_hash}: "
            "scores of two models are not comparable; calibrate again or name the old model"
        )
    return thresholds
