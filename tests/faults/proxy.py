"""nginx as it is installed, in a folder of its own, in front of web servers."""

import http.client
import os
import shutil
import socket
import ssl
import subprocess
import time
from contextlib import closing, suppress
from pathlib import Path
from string import Template

from tests.ops.demos import ROOT
from tests.ports import free_port

READY_WITHIN = 20.0
FOLDER = ROOT / "deploy/nginx"


def find_nginx() -> str | None:
    return shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")


class Proxy:
    """nginx with the configuration of the repository; clients may come from any address of 127.0.0.0/8."""

    def __init__(self, program: str, folder: Path, webs: tuple[int, int]) -> None:
        folder.mkdir()
        self.port, self.folder = free_port(), folder
        self._certify()
        for name in ("spool", "cache", "acme"):
            (folder / name).mkdir()
        placed = {
            "HELDOUT_HOST": "localhost",
            "PROXY_HTTP": str(free_port()),
            "PROXY_HTTPS": str(self.port),
            "PROXY_TLS": str(folder),
            "PROXY_ACME": str(folder / "acme"),
            "PROXY_SPOOL": str(folder / "spool"),
            "PROXY_CACHE": str(folder / "cache"),
            "PROXY_SAID": str(FOLDER),
            "WEB_1": f"127.0.0.1:{webs[0]}",
            "WEB_2": f"127.0.0.1:{webs[1]}",
        }
        text = Template((FOLDER / "nginx.conf.template").read_text("utf-8")).safe_substitute(placed)
        # As root its workers would be another user, who may not enter this folder.
        user = "user root;\n" if os.geteuid() == 0 else ""
        config = folder / "nginx.conf"
        config.write_text(user + text)
        self._command = [program, "-p", str(folder), "-c", str(config), "-e", str(folder / "error.log")]
        subprocess.run([*self._command, "-t", "-q"], check=True)
        self._process = subprocess.Popen([*self._command, "-g", "daemon off;"], start_new_session=True)
        self._clients: list[socket.socket] = []
        self._wait_until_ready()

    def _certify(self) -> None:
        """A certificate for localhost that this proxy's clients alone believe."""
        subprocess.run(
            [
                *("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost"),
                *("-addext", "subjectAltName=DNS:localhost", "-keyout", str(self.folder / "privkey.pem")),
                *("-out", str(self.folder / "fullchain.pem")),
            ],
            check=True,
            capture_output=True,
        )  # fmt: skip

    def _wait_until_ready(self) -> None:
        deadline = time.monotonic() + READY_WITHIN
        while True:
            with suppress(OSError), closing(self.connect()):
                return
            assert time.monotonic() < deadline, (self.folder / "error.log").read_text()
            time.sleep(0.05)

    def connect(self, client: str = "127.0.0.1", within: float = 20, over: str = "http/1.1") -> ssl.SSLSocket:
        """A connection from an address of this machine, over that protocol."""
        plain = socket.create_connection(("127.0.0.1", self.port), within, (client, 0))
        trust = ssl.create_default_context(cafile=str(self.folder / "fullchain.pem"))
        trust.set_alpn_protocols([over])
        return trust.wrap_socket(plain, server_hostname="localhost")

    def begin(self, head: str, body: bytes = b"", client: str = "127.0.0.1") -> ssl.SSLSocket:
        """A request that is sent as far as this, and its connection."""
        connection = self.connect(client)
        connection.sendall(head.replace("\n", "\r\n").encode() + b"\r\n\r\n" + body)
        self._clients.append(connection)
        return connection

    def ask(
        self,
        method: str,
        path: str,
        body: bytes | None = None,
        headers: dict[str, str] | None = None,
        client: str = "127.0.0.1",
        within: float = 20,
    ) -> tuple[int, http.client.HTTPMessage, bytes]:
        """Status, headers and body of an answer."""
        with closing(http.client.HTTPConnection("localhost", self.port)) as connection:
            connection.sock = self.connect(client, within)
            connection.request(method, path, body, headers or {})
            answer = connection.getresponse()
            return answer.status, answer.headers, answer.read()

    def copies(self) -> set[str]:
        """The files of the pages that it keeps."""
        return {path.name for path in (self.folder / "cache").rglob("*") if path.is_file()}

    def stop(self) -> None:
        for one in self._clients:
            one.close()
        self._process.terminate()
        self._process.wait()
