"""The data folder of the embedded engines: who owns it, and where in it a generation lives."""

import fcntl
import os
from pathlib import Path
from typing import IO

from claimstream.domain.evidence.generation import Manifest
from claimstream.domain.evidence.passage import CorpusRef
from claimstream.errors import ConfigurationError

LOCK_FILE = "owner.lock"


class DataFolder:
    """`{root}/{tenant}/{corpus}/{generation}/`, owned by one process from construction to `close`.

    Raises ConfigurationError where the folder cannot be written or another process owns it: an engine's files
    have one writer, so in embedded mode everything that reads or writes them runs in one process.
    """

    def __init__(self, root: Path) -> None:
        self.root = root
        self._lock: IO[str] | None = _own(root)

    def corpus(self, corpus: CorpusRef) -> Path:
        """The folder of a corpus."""
        return self.root / corpus.tenant / corpus.corpus

    def generation(self, manifest: Manifest) -> Path:
        """The folder of a generation."""
        return self.corpus(manifest.corpus) / manifest.generation

    def close(self) -> None:
        """Let another process own the folder. Idempotent."""
        if self._lock is not None:
            self._lock.close()
            self._lock = None


def _own(root: Path) -> IO[str]:
    """The open lock file, locked until it is closed or the process ends, however it ends."""
    try:
        root.mkdir(parents=True, exist_ok=True)
        lock = (root / LOCK_FILE).open("a+", encoding="utf-8")
    except OSError as error:
        raise ConfigurationError(
            f"the data folder {root} cannot be written ({error.strerror}): name another with the setting data_dir"
        ) from error
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        lock.seek(0)
        owner = lock.read().strip() or "unknown"
        lock.close()
        raise ConfigurationError(
            f"the data folder {root} is owned by process {owner}: stop that one first, name another folder with "
            "the setting data_dir, or use Qdrant and OpenSearch, which many processes can share"
        ) from error
    lock.truncate(0)
    lock.write(str(os.getpid()))
    lock.flush()
    return lock
