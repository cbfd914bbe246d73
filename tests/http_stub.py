"""A server that answers every request in one way, for clients whose errors we map."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass
class Stub:
    """`answers` are given one after the other, the last one for ever; `released` lets a hanging answer go."""

    answers: list[tuple[int, Any]]
    hangs: bool = False
    released: threading.Event = field(default_factory=threading.Event)
    seen: list[tuple[str, str, dict[str, str]]] = field(default_factory=list)
    bodies: list[bytes] = field(default_factory=list)
    url: str = ""


@contextmanager
def serving(stub: Stub) -> Iterator[Stub]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def answer(self) -> None:
            stub.bodies.append(self.rfile.read(int(self.headers.get("Content-Length") or 0)))
            stub.seen.append((self.command, self.path, {key.lower(): value for key, value in self.headers.items()}))
            if stub.hangs:
                stub.released.wait(timeout=60)
            status, body = stub.answers.pop(0) if len(stub.answers) > 1 else stub.answers[0]
            payload = json.dumps(body).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(payload)))
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(payload)

        do_GET = do_POST = do_PUT = do_DELETE = do_HEAD = answer

        def log_message(self, format: str, *args: Any) -> None:
            """Stay quiet."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    stub.url = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield stub
    finally:
        stub.released.set()
        server.shutdown()
        thread.join()
        server.server_close()
