"""Small servers on this machine that behave as servers of other people may: well, slowly, endlessly or badly."""

import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


class Caller(BaseHTTPRequestHandler):
    """One request, as a server's function is given it: `body` is what was sent."""

    body: bytes
    protocol_version = "HTTP/1.1"
    server: "Quiet"

    def do_POST(self) -> None:
        self.body = self.rfile.read(int(self.headers["Content-Length"]))
        self.close_connection = True
        with suppress(OSError):  # the other side has hung up, as some tests want it to
            self.server.answer(self)

    def give(self, content: bytes, status: int = 200, **headers: str) -> None:
        self.send_response(status)
        for name, value in {"Content-Length": str(len(content)), **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *args: Any) -> None:
        pass


class Quiet(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False

    def __init__(self, port: int, answer: Callable[[Caller], None]) -> None:
        self.answer, self.over = answer, threading.Event()
        super().__init__(("127.0.0.1", port), Caller)

    def handle_error(self, *request: Any) -> None:
        """Say nothing of a caller that did not want the certificate."""


@contextmanager
def serving(
    answer: Callable[[Caller], None], port: int = 0, context: ssl.SSLContext | None = None
) -> Iterator[str]:
    """The address of a server that answers every POST by `answer`, until it is left; under TLS with a context."""
    server = Quiet(port, answer)
    if context:
        server.socket = context.wrap_socket(server.socket, server_side=True)
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/"
    finally:
        server.over.set()
        server.shutdown()
        server.server_close()


def drip(caller: Caller, content: bytes = b'{"label":' + b" " * 10_000) -> None:
    """Answer a byte every 50 ms, so that no single one is late."""
    caller.send_response(200)
    caller.send_header("Content-Length", str(len(content)))
    caller.end_headers()
    for byte in content:
        if caller.server.over.wait(0.05):
            return
        caller.wfile.write(bytes([byte]))


def drip_headers(caller: Caller) -> None:
    """Begin to answer, and never come to the end of a header."""
    caller.wfile.write(b"HTTP/1.1 200 OK\r\nX-Slow: ")
    while not caller.server.over.wait(0.05):
        caller.wfile.write(b"x")


def never_end(caller: Caller) -> None:
    """Answer without a length and without an end."""
    caller.send_response(200)
    caller.end_headers()
    while not caller.server.over.is_set():
        caller.wfile.write(b" " * 65_536)
