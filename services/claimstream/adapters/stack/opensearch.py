"""OpenSearch: one node with the English analyser, without security, k-NN or scripts."""

import http.client
from collections.abc import Sequence
from urllib.parse import urlsplit

from claimstream.adapters.stack import ports
from claimstream.adapters.stack.server import Server

_HEAP_MEGABYTES = 512


def answers(address: str) -> bool:
    """Whether the node at this URL has every primary shard at work."""
    connection = http.client.HTTPConnection(urlsplit(address).netloc, timeout=5.0)
    try:
        connection.request("GET", "/_cluster/health?wait_for_status=yellow&timeout=1s")
        return connection.getresponse().status == http.client.OK
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


class OpenSearchServer(Server):
    """A node that keeps its data over `stop` and `kill`."""

    name = "opensearch"

    @property
    def address(self) -> str:
        """The URL of the HTTP interface."""
        return f"http://{ports.LOOPBACK}:{self.port}"

    def answers(self) -> bool:
        """Whether the cluster's health is yellow or better."""
        return answers(self.address)

    def _prepare(self) -> None:
        (self.folder / "config").mkdir(exist_ok=True)

    def _command(self) -> Sequence[str]:
        settings = {
            "path.home": self.folder,
            "cluster.name": "claimstream",
            "node.name": "claimstream-1",
            "discovery.type": "single-node",
            "network.host": ports.LOOPBACK,
            "http.port": self.port,
            "transport.port": ports.choose(0),
            # A developer's full disk must not make the indices read-only.
            "cluster.routing.allocation.disk.threshold_enabled": "false",
        }
        return self._java(
            _HEAP_MEGABYTES, "OpenSearchNode", *(f"{name}={value}" for name, value in settings.items())
        )
