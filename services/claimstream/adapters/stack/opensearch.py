"""OpenSearch: one node with the English analyser, without security, k-NN or scripts."""

import http.client
from collections.abc import Sequence
from urllib.parse import urlsplit

from claimstream.adapters.stack import ports
from claimstream.adapters.stack.server import Server

_HEAP_MEGABYTES = 512


def answers(address: str) -> bool:
    """Whether the node at this URL has every primary shard at work.

    A node that has not read its indices back yet calls itself green: it has none. Its global block tells.
    """
    connection = http.client.HTTPConnection(urlsplit(address).netloc, timeout=5.0)
    try:
        blocks = _get(connection, "/_cluster/state/blocks?filter_path=blocks.global")
        return blocks == b"{}" and _get(connection, "/_cluster/health?wait_for_status=yellow&timeout=1s") is not None
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


def _get(connection: http.client.HTTPConnection, path: str) -> bytes | None:
    """The body of a 200, else None."""
    connection.request("GET", path)
    response = connection.getresponse()
    body = response.read()
    return body if response.status == http.client.OK else None


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
