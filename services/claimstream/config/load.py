"""Reads a service's settings once, and says in one line what is wrong with them."""

from typing import Any, TypeVar

from pydantic import ValidationError
from pydantic_settings import BaseSettings, SettingsError

from claimstream.errors import ConfigurationError

S = TypeVar("S", bound=BaseSettings)


def load(settings: type[S], **given: Any) -> S:
    """The settings from the environment, with what is given on top. Raises ConfigurationError."""
    try:
        return settings(**given)
    except ValidationError as error:
        prefix = str(settings.model_config.get("env_prefix", ""))
        raise ConfigurationError("; ".join(_wrong(prefix, one) for one in error.errors())) from None
    except SettingsError as error:
        raise ConfigurationError(f"the environment cannot be read: {error}") from None


def _wrong(prefix: str, error: Any) -> str:
    """The variable, what was found, and what is wanted; the values of secrets are never shown."""
    path = [str(part).upper() for part in error["loc"]]
    return f"{prefix}{'__'.join(path)}: {error['msg']}"
