"""Apache Kafka in KRaft mode: one node that is broker and controller."""

import base64
import logging
import subprocess
import uuid
from collections.abc import Mapping, Sequence
from pathlib import Path
from string import Template

from confluent_kafka import KafkaException
from confluent_kafka.admin import AdminClient

from claimstream.adapters.stack import ports
from claimstream.adapters.stack.artifacts import Installation
from claimstream.adapters.stack.server import Server
from claimstream.errors import Unavailable

_HEAP_MEGABYTES = 384
_QUIET = logging.getLogger("claimstream.stack.probe")
_QUIET.addHandler(logging.NullHandler())
_QUIET.propagate = False  # a refused connection is what a probe is for


def answers(address: str) -> bool:
    """Whether a broker lists its topics at `host:port`."""
    if not ports.accepts(int(address.rpartition(":")[2])):
        return False
    try:
        admin = AdminClient({"bootstrap.servers": address}, logger=_QUIET)
        return bool(admin.list_topics(timeout=2.0).brokers)
    except KafkaException:
        return False


class KafkaServer(Server):
    """A broker that keeps its data over `stop` and `kill`.

    After `kill` the controller refuses the broker until its old session has timed out
    (`broker.session.timeout.ms`, 9 s by default); `start` waits for that.
    """

    name = "kafka"

    def __init__(
        self,
        installation: Installation,
        folder: Path,
        port: int,
        owner: str,
        properties: Mapping[str, str] | None = None,
    ) -> None:
        """`properties` go after those of the template, and win."""
        super().__init__(installation, folder, port, owner)
        self._properties = dict(properties or {})
        self._file = folder / "server.properties"

    @property
    def address(self) -> str:
        """Bootstrap servers."""
        return f"{ports.LOOPBACK}:{self.port}"

    def answers(self) -> bool:
        """Whether the broker lists its topics: only a registered one does."""
        return answers(self.address)

    def _prepare(self) -> None:
        data = self.folder / "data"
        template = Template(self.installation.recipe.files["server.properties"])
        text = template.substitute(port=self.port, controller_port=ports.choose(0), data=data)
        text += "".join(f"{name}={value}\n" for name, value in self._properties.items())
        self._file.write_text(text, encoding="utf-8")
        if not (data / "meta.properties").exists():
            self._format()

    def _format(self) -> None:
        cluster_id = base64.urlsafe_b64encode(uuid.uuid4().bytes).rstrip(b"=").decode()
        command = self._java(128, "kafka.tools.StorageTool", "format", "-t", cluster_id, "-c", str(self._file))
        done = subprocess.run(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False
        )
        if done.returncode != 0:
            said = done.stdout.decode(errors="replace").strip()
            raise Unavailable(f"kafka could not format its data folder {self.folder / 'data'}; it said:\n{said}")

    def _command(self) -> Sequence[str]:
        return self._java(_HEAP_MEGABYTES, "kafka.Kafka", str(self._file))
