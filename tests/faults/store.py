"""An S3 server as a process, and a way to it on which requests and answers get lost, late or changed."""

import http.client
import os
import signal
import subprocess
import sys
import threading
import time
from contextlib import closing
from enum import Enum, auto
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import boto3

from tests.ops.demos import plain_environment
from tests.ports import free_port

READY_WITHIN = 90.0
BUCKET = "uploads"
KEY, SECRET = "key", "secret/with+signs"
QUOTED = "secret%2Fwith%2Bsigns"


class Store:
    """moto's S3 server, which keeps everything in memory. It believes every signature and every digest it is told."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir()
        self.port = free_port()
        self._log = folder / "store.log"
        command = [
            str(Path(sys.executable).with_name("moto_server")),
            "-H",
            "127.0.0.1",
            "-p",
            str(self.port),
        ]
        with self._log.open("ab") as output:
            self._process = subprocess.Popen(
                command, env=plain_environment(), stdout=output, stderr=output, start_new_session=True
            )
        self.client = boto3.client(
            "s3",
            endpoint_url=f"http://127.0.0.1:{self.port}",
            region_name="us-east-1",
            aws_access_key_id=KEY,
            aws_secret_access_key=SECRET,
        )
        self._wait_until_ready()
        self.client.create_bucket(Bucket=BUCKET)

    def _wait_until_ready(self) -> None:
        deadline = time.monotonic() + READY_WITHIN
        while True:
            try:
                with closing(
                    http.client.HTTPConnection("127.0.0.1", self.port, timeout=READY_WITHIN)
                ) as asked:
                    asked.request("GET", "/")
                    asked.getresponse().read()
            except OSError:
                assert time.monotonic() < deadline, self._log.read_text()
                time.sleep(0.1)
            else:
                return

    def names(self) -> list[str]:
        """What the bucket holds."""
        return [one["Key"] for one in self.client.list_objects_v2(Bucket=BUCKET).get("Contents", [])]

    def read(self, name: str) -> bytes:
        return self.client.get_object(Bucket=BUCKET, Key=name)["Body"].read()

    def empty(self) -> None:
        for name in self.names():
            self.client.delete_object(Bucket=BUCKET, Key=name)

    def stop(self) -> None:
        self.client.close()
        os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()


def address(port: int) -> str:
    """For HELDOUT_UPLOADS_URL."""
    return f"s3+http://{KEY}:{QUOTED}@127.0.0.1:{port}/{BUCKET}?region=us-east-1"


class Fault(Enum):
    """What happens to a request."""

    SLOW = auto()  # the answer comes in pieces
    HANGS = auto()  # no answer comes
    UNAVAILABLE = auto()  # 503 is answered, and nothing done
    FORBIDDEN = auto()  # 403 is answered, as to a wrong key, and nothing done
    UNNAMED = auto()  # a proxy in front answers with a page, under a status that no standard names
    MOVED = auto()  # a proxy in front sends elsewhere, as from HTTP to HTTPS
    MISSING = auto()  # 404 is answered, as of a file that is not there
    PAGE = auto()  # 200 is answered with a page, as by a network that wants people to sign in
    CUT_BEFORE = auto()  # the connection ends before all was sent
    CUT_AFTER = auto()  # it is done, and the connection ends within the answer
    WRONG_SENT = auto()  # another byte arrives
    WRONG_ANSWERED = auto()  # another byte is answered


REFUSALS: dict[Fault | None, tuple[int, str]] = {
    Fault.UNAVAILABLE: (503, "SlowDown"),
    Fault.FORBIDDEN: (403, "InvalidAccessKeyId"),
    Fault.UNNAMED: (520, ""),
    Fault.MOVED: (301, ""),
    Fault.MISSING: (404, "NoSuchKey"),
    Fault.PAGE: (200, ""),
}


class Between(ThreadingHTTPServer):
    """Passes requests on to a store; those of a method have the faults that stand in line for it, one each."""

    daemon_threads = True

    def __init__(self, store_port: int) -> None:
        super().__init__(("127.0.0.1", 0), _Passing)
        self.store_port = store_port
        self.faults: dict[str, list[Fault]] = {}
        self.met: list[Fault] = []
        self.is_over = threading.Event()
        threading.Thread(target=self.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()

    def next_fault(self, method: str) -> Fault | None:
        waiting = self.faults.get(method)
        if not waiting:
            return None
        self.met.append(waiting[0])
        return waiting.pop(0)

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that went away is what this is for."""

    def stop(self) -> None:
        self.is_over.set()
        self.shutdown()
        self.server_close()


class _Passing(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Between

    def _pass(self) -> None:
        fault = self.server.next_fault(self.command)
        length = int(self.headers.get("Content-Length", 0))
        if fault is Fault.CUT_BEFORE:
            self.rfile.read(length // 2)
            self.close_connection = True
            return
        body = self.rfile.read(length)
        if fault is Fault.HANGS:
            self.server.is_over.wait(30)
            self.close_connection = True
            return
        if fault in REFUSALS:
            status, code = REFUSALS[fault]
            error = f"<Error><Code>{code}</Code><Message>No.</Message></Error>"
            said = (error if code else "<html><p>A page<br>of a proxy.</html>").encode()
            headers = [("Content-Type", "text/xml"), ("Content-Length", str(len(said)))]
            self._answer(status, headers, said)
            return
        self._forward(fault, _changed(body) if fault is Fault.WRONG_SENT else body)

    def _forward(self, fault: Fault | None, body: bytes) -> None:
        with closing(http.client.HTTPConnection("127.0.0.1", self.server.store_port, timeout=30)) as onward:
            named = {name: value for name, value in self.headers.items() if name.lower() != "expect"}
            onward.request(self.command, self.path, body, named)
            answer = onward.getresponse()
            said = answer.read()
        if fault is Fault.WRONG_ANSWERED:
            said = _changed(said)
        headers = [
            one for one in answer.getheaders() if one[0].lower() not in ("connection", "transfer-encoding")
        ]
        self._answer(answer.status, headers, said, fault)

    def _answer(
        self, status: int, headers: list[tuple[str, str]], said: bytes, fault: Fault | None = None
    ) -> None:
        if fault is Fault.CUT_AFTER and not said:
            self.close_connection = True
            return
        self.send_response_only(status)
        for name, value in headers:
            self.send_header(name, value)
        self.end_headers()
        if self.command == "HEAD":
            return
        if fault is Fault.CUT_AFTER:
            self.wfile.write(said[: len(said) // 2])
            self.close_connection = True
        elif fault is Fault.SLOW:
            for at in range(0, len(said), 64):
                self.wfile.write(said[at : at + 64])
                time.sleep(0.01)
        else:
            self.wfile.write(said)

    do_GET = do_PUT = do_HEAD = do_DELETE = do_POST = _pass  # noqa: N815  # named by the library


def _changed(body: bytes) -> bytes:
    at = len(body) // 2
    return body[:at] + bytes([body[at] ^ 1]) + body[at + 1 :] if body else body
