"""The stack as a whole: up, down and status, from any shell, by what its folder says."""

import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from claimstream.adapters.stack import kafka, opensearch, ports
from claimstream.adapters.stack.artifacts import install, recipe
from claimstream.adapters.stack.daemon import Daemon
from claimstream.adapters.stack.kafka import KafkaServer
from claimstream.adapters.stack.opensearch import OpenSearchServer
from claimstream.adapters.stack.server import ADDRESS_FILE, Server
from claimstream.config.stack import StackSettings
from claimstream.errors import ConfigurationError

SERVERS = ("kafka", "opensearch")
_PROBES: Mapping[str, Callable[[str], bool]] = {"kafka": kafka.answers, "opensearch": opensearch.answers}


@dataclass(frozen=True, slots=True)
class ServerStatus:
    """One server as it is now; `address` is the last one it had, None where it never ran."""

    name: str
    state: str
    """`running`, `not answering` or `stopped`."""
    address: str | None
    pid: int | None
    log: Path


class Stack:
    """The servers of one data folder. Nothing is started or read before a method is called."""

    def __init__(self, settings: StackSettings, environ: Mapping[str, str]) -> None:
        self._settings = settings
        self._environ = environ
        self._folder = settings.data_dir.expanduser().absolute()

    def fetch(self, names: Sequence[str] = SERVERS) -> list[Path]:
        """Fetch the servers' jars without starting anything; returns their folders."""
        cache = self._settings.cache_dir
        return [install(recipe(name), cache, self._environ).folder for name in _known(names)]

    def kafka(self) -> KafkaServer:
        """A handle of the broker, fetched where needed, not started."""
        return KafkaServer(
            install(recipe("kafka"), self._settings.cache_dir, self._environ),
            self._folder / "kafka",
            self._port("kafka", self._settings.kafka_port),
            "CLAIMSTREAM_STACK_KAFKA_PORT (--kafka-port)",
            self._settings.kafka_properties,
        )

    def opensearch(self) -> OpenSearchServer:
        """A handle of the node, fetched where needed, not started."""
        return OpenSearchServer(
            install(recipe("opensearch"), self._settings.cache_dir, self._environ),
            self._folder / "opensearch",
            self._port("opensearch", self._settings.opensearch_port),
            "CLAIMSTREAM_STACK_OPENSEARCH_PORT (--opensearch-port)",
        )

    def up(self, names: Sequence[str] = SERVERS) -> list[ServerStatus]:
        """Start the servers that do not run and wait for each; those that run stay as they are."""
        for name in _known(names):
            server: Server = self.kafka() if name == "kafka" else self.opensearch()
            server.start(self._settings.start_timeout_seconds)
        return self.status(names)

    def down(self, names: Sequence[str] = SERVERS, *, wipe: bool = False) -> list[ServerStatus]:
        """Stop the servers, the last started first; `wipe` deletes their data and logs too."""
        for name in reversed(_known(names)):
            self._daemon(name).stop(self._settings.stop_grace_seconds)
            if wipe:
                shutil.rmtree(self._folder / name, ignore_errors=True)
        return self.status(names)

    def status(self, names: Sequence[str] = SERVERS) -> list[ServerStatus]:
        """What runs, asked of the processes and the servers themselves."""
        return [self._status(name) for name in _known(names)]

    def _status(self, name: str) -> ServerStatus:
        daemon, address = self._daemon(name), self._address(name)
        state = "stopped"
        if daemon.pid is not None:
            state = "running" if address and _PROBES[name](address) else "not answering"
        return ServerStatus(name, state, address, daemon.pid, daemon.log)

    def _port(self, name: str, wanted: int) -> int:
        """The port it listens on while it runs, so that a second `up` finds it; else the wanted one."""
        address = self._address(name)
        if self._daemon(name).pid is not None and address:
            return int(address.rpartition(":")[2])
        return ports.choose(wanted)

    def _daemon(self, name: str) -> Daemon:
        return Daemon(self._folder / name)

    def _address(self, name: str) -> str | None:
        file = self._folder / name / ADDRESS_FILE
        return file.read_text(encoding="ascii") if file.exists() else None


def _known(names: Sequence[str]) -> list[str]:
    """The servers in starting order. Raises ConfigurationError for a name that is none."""
    for name in names:
        if name not in SERVERS:
            raise ConfigurationError(f"No server is named {name!r}: the stack has {' and '.join(SERVERS)}")
    return [name for name in SERVERS if name in names]
