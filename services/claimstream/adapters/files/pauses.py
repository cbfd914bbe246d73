"""Marks of paused tenants, a file each, so that they outlive the process and can be looked at."""

import json
import os
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import quote, unquote

from claimstream.errors import ConfigurationError

SUFFIX = ".paused"


class FilePauseStore:
    """Marks under `directory`, which is made when it is missing.

    Raises ConfigurationError when the directory cannot be used. Several processes may share it.
    """

    def __init__(self, directory: Path) -> None:
        self._directory = directory
        try:
            directory.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise _unusable(directory, error) from error

    def paused(self) -> Mapping[str, str]:
        """The paused tenants with their reasons; a mark without a readable reason counts as well."""
        try:
            marks = sorted(self._directory.glob(f"*{SUFFIX}"))
        except OSError as error:
            raise _unusable(self._directory, error) from error
        return {unquote(mark.name.removesuffix(SUFFIX)): _reason(mark) for mark in marks}

    def pause(self, tenant: str, reason: str) -> None:
        """Write the mark, whole or not at all."""
        mark = self._mark(tenant)
        fresh = mark.with_suffix(f".{os.getpid()}.new")
        try:
            fresh.write_text(json.dumps({"tenant": tenant, "reason": reason}) + "\n", encoding="utf-8")
            fresh.replace(mark)
        except OSError as error:
            raise _unusable(self._directory, error) from error

    def resume(self, tenant: str) -> bool:
        """Remove the mark."""
        try:
            self._mark(tenant).unlink()
        except FileNotFoundError:
            return False
        return True

    def _mark(self, tenant: str) -> Path:
        return self._directory / (quote(tenant, safe="").replace(".", "%2E") + SUFFIX)


def _reason(mark: Path) -> str:
    try:
        return str(json.loads(mark.read_text(encoding="utf-8"))["reason"])
    except (OSError, ValueError, KeyError, TypeError):
        return f"the mark {mark} gives no reason"


def _unusable(directory: Path, error: OSError) -> ConfigurationError:
    return ConfigurationError(
        f"the state directory {directory} cannot be used ({error.strerror}): "
        "point CLAIMSTREAM_LOOP__STATE_DIR to a directory that this user may write"
    )
