"""How scores become labels, and how much of a response is judged."""

from typing import Literal

from pydantic import Field

from claimstream.config.block import Block
from claimstream.domain.judging.thresholds import PRESETS, Thresholds


class JudgingSettings(Block):
    """A preset sets the entailment threshold by where a false SUPPORTED would land; a number overrides it."""

    preset: Literal["customer", "default", "dashboard"] = "default"
    entailment: float | None = Field(default=None, gt=0, lt=1)
    contradiction: float = Field(default=0.70, gt=0, lt=1)
    calibrated_on: str | None = None
    """Hash of the model that the thresholds were calibrated on; another model refuses them."""
    strict: bool = False
    """Entailed and contradicted at once: the larger wins instead of DISPUTED."""
    check_conditions: bool = True
    """Whether a condition that the passage has and the claim leaves out takes its support away."""
    max_text_bytes: int = Field(default=64 * 1024, ge=1)
    max_claims: int = Field(default=200, ge=1)

    def thresholds(self) -> Thresholds:
        """As the decision takes them."""
        return Thresholds(
            entailment=self.entailment if self.entailment is not None else PRESETS[self.preset],
            contradiction=self.contradiction,
            model_hash=self.calibrated_on,
        )
