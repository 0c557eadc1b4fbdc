"""Mail servers that do what real ones do at bad moments."""

import contextlib
import socket
import threading
from collections.abc import Iterator, Mapping
from typing import Any

_ANSWERS = {b"EHLO": "250 localhost", b"DATA": "354 go on", b"QUIT": "221 bye"}


class MailServer:
    """Speaks SMTP on a port of 127.0.0.1, keeps what it was sent in `received`, and falls silent where it is told to.

    `silent_at` is a word of SMTP such as `RCPT`, or `.` for the moment at which it has a whole mail. `says` has its
    answers to some of them, such as `{"RCPT": "550 5.1.1 no such mailbox"}`; it can be changed while it runs.
    """

    def __init__(self, silent_at: str = "", says: Mapping[str, str] | None = None) -> None:
        self.received: list[bytes] = []
        self.says = dict(says or {})
        self._silent_at = silent_at.encode()
        self._over = threading.Event()
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._socket.getsockname()[1]
        threading.Thread(target=self._serve, daemon=True).start()

    def close(self) -> None:
        self._over.set()
        self._socket.close()

    def _serve(self) -> None:
        with contextlib.suppress(OSError):  # it is closed
            while True:
                threading.Thread(target=self._talk, args=(self._socket.accept()[0],), daemon=True).start()

    def _talk(self, connection: socket.socket) -> None:
        with contextlib.suppress(OSError), connection, connection.makefile("rwb", buffering=0) as file:
            file.write(b"220 localhost\r\n")
            while line := file.readline():
                word = line[:4].strip().upper()
                if word == self._silent_at:
                    self._over.wait()
                file.write(self._answer(word, _ANSWERS.get(word, "250 fine")))
                if word == b"DATA":
                    self.received.append(b"".join(iter(file.readline, b".\r\n")))
                    if self._silent_at == b".":
                        self._over.wait()
                    file.write(self._answer(b".", "250 taken"))

    def _answer(self, word: bytes, usual: str) -> bytes:
        return self.says.get(word.decode(), usual).encode() + b"\r\n"


@contextlib.contextmanager
def mail_server(
    settings: Any, silent_at: str = "", says: Mapping[str, str] | None = None
) -> Iterator[MailServer]:
    """Have mail go to such a server, which may take a tenth of a second for each answer."""
    server = MailServer(silent_at, says)
    settings.EMAIL_BACKEND = "accounts.mail.smtp.SmtpBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT, settings.EMAIL_TIMEOUT = "127.0.0.1", server.port, 0.1
    try:
        yield server
    finally:
        server.close()
