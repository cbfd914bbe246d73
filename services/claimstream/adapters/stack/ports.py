"""TCP ports on the loopback interface: which are free, and who wants one that is not."""

import random
import socket

from claimstream.errors import ConfigurationError

LOOPBACK = "127.0.0.1"
_CANDIDATES = range(20_000, 30_000)
"""Below the range that systems give to outgoing connections: a server that restarts finds its port free."""


def is_free(port: int) -> bool:
    """Whether a server could listen on this port now."""
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # closed connections that linger do no harm
        try:
            probe.bind((LOOPBACK, port))
        except OSError:
            return False
    return True


def accepts(port: int, timeout_seconds: float = 1.0) -> bool:
    """Whether something listens on this port."""
    try:
        with socket.create_connection((LOOPBACK, port), timeout=timeout_seconds):
            return True
    except OSError:
        return False


def choose(wanted: int) -> int:
    """The wanted port, or a free one for 0."""
    if wanted:
        return wanted
    for port in random.sample(_CANDIDATES, 200):
        if is_free(port):
            return port
    raise ConfigurationError(f"No free port between {_CANDIDATES.start} and {_CANDIDATES.stop}: name one yourself")


def require_free(port: int, owner: str) -> None:
    """Raise ConfigurationError where the port is taken; `owner` is the setting to change."""
    if not is_free(port):
        raise ConfigurationError(
            f"Port {port} on {LOOPBACK} is in use by another process: stop that process, or set {owner} to a free "
            "port (0 picks one)."
        )
