"""Settings as text that may be printed: secrets are masked by their type."""

from pydantic_settings import BaseSettings


def masked(settings: BaseSettings) -> str:
    """One line of JSON with every resolved value, secrets as asterisks."""
    return settings.model_dump_json()


def pretty(settings: BaseSettings) -> str:
    """The same over several lines."""
    return settings.model_dump_json(indent=2)
