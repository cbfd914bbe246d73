"""The base of all settings blocks: frozen, and a misspelt name is an error."""

from pydantic import BaseModel, ConfigDict


class Block(BaseModel):
    """One dependency's settings."""

    model_config = ConfigDict(frozen=True, extra="forbid", validate_default=True)
