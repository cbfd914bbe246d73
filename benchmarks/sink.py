"""An OTLP collector that takes everything and keeps nothing; prints its port, and at the end what it took.

Ends when its standard input is closed.
"""

import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

taken = {"posts": 0, "bytes": 0}


class _Taker(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        """Read the body and say yes."""
        size = int(self.headers.get("Content-Length", 0))
        self.rfile.read(size)
        taken["posts"] += 1
        taken["bytes"] += size
        self.send_response(200)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_: object) -> None:
        """Say nothing."""


def main() -> None:
    """Serve until standard input ends."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Taker)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    print(server.server_port, flush=True)
    sys.stdin.read()
    print(taken["posts"], taken["bytes"], flush=True)


if __name__ == "__main__":
    main()
