"""A web server as it ships, and clients that take their time."""

import http.client
import os
import signal
import socket
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

from config.http.gate import THREADS
from tests.ops.demos import ROOT, plain_environment
from tests.ports import free_port

READY_WITHIN = 60.0
ANSWER_WITHIN = 5.0


class Web:
    """A process of Granian with that application, and with the threads that it ships with."""

    code = ROOT

    def __init__(self, application: str, log: Path, **environment: str) -> None:
        self.port = free_port()
        self._environment = plain_environment() | environment
        command = [str(Path(sys.executable).with_name("granian")), "--interface", "wsgi", "--no-ws"]
        command += ["--port", str(self.port), "--workers", "1", "--blocking-threads", str(THREADS)]
        self._command = [*command, "--workers-kill-timeout", "2", application]
        self._log = log
        self._clients: list[socket.socket] = []
        self.start()

    def start(self) -> None:
        """Start it, again at the same port after it was killed."""
        with self._log.open("ab") as output:
            self._process = subprocess.Popen(
                self._command,
                cwd=self.code,
                env=self._environment,
                stdout=output,
                stderr=output,
                start_new_session=True,
            )

    def kill(self) -> None:
        """Kill all its processes at once, as a power cut does."""
        os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()

    def hang(self) -> None:
        """Have all its processes do nothing, with connections taken that nobody answers."""
        os.killpg(self._process.pid, signal.SIGSTOP)

    def go_on(self) -> None:
        os.killpg(self._process.pid, signal.SIGCONT)

    def stop_gracefully(self) -> None:
        """End it as an upgrade does: what it has begun to answer is answered."""
        self._process.terminate()
        self._process.wait()

    def wait_until_ready(self) -> None:
        deadline = time.monotonic() + READY_WITHIN
        while True:
            try:
                self.get("/", within=READY_WITHIN)
            except OSError:
                assert time.monotonic() < deadline, self._log.read_text()
                time.sleep(0.1)
            else:
                return

    def get(self, path: str, within: float = ANSWER_WITHIN) -> int:
        with closing(http.client.HTTPConnection("127.0.0.1", self.port, timeout=within)) as connection:
            connection.request("GET", path)
            answer = connection.getresponse()
            answer.read()
            return answer.status

    def begin(self, head: str, body: bytes = b"") -> socket.socket:
        """A request that is sent as far as this, and its connection."""
        client = socket.create_connection(("127.0.0.1", self.port), timeout=15)
        client.sendall(head.replace("\n", "\r\n").encode() + b"\r\n\r\n" + body)
        self._clients.append(client)
        return client

    def stop(self) -> None:
        for client in self._clients:
            client.close()
        self._process.terminate()
        self._process.wait()


def said(client: socket.socket) -> bytes:
    """What the server says until it ends the connection."""
    parts = []
    while part := client.recv(65536):
        parts.append(part)
    return b"".join(parts)


def post(path: str, *headers: str) -> str:
    return "\n".join([f"POST {path} HTTP/1.1", "Host: localhost", *headers])


HALF_SENT = "Content-Length: 5000000"
CHUNKED = "Transfer-Encoding: chunked"
MADE_UP = "Cookie: heldout_session=abcdefghijklmnopqrstuvwxyz012345"
