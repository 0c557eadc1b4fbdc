"""Runs web server, worker and beat as one program: `python -m demo`. Without Django.

Settings cannot be read before the data folder holds its keys, so this is no management command.
"""

import http.client
import os
import signal
import socket
import sys
import threading
import time
from argparse import ArgumentParser
from dataclasses import dataclass, field
from pathlib import Path

from demo.cast import ANNOTATOR_EMAIL, ORGANISER_EMAIL, PARTICIPANT_EMAILS
from demo.server.folder import DemoFolder, FolderInUse
from demo.server.processes import Child, Children
from demo.server.progress import DemoProgress, show

ROOT = Path(__file__).resolve().parents[2]
HOST = "127.0.0.1"
# Without an answer from the web server, and without it having worked for half a second meanwhile.
READY_WITHIN_SECONDS = 90.0
WORKED_SECONDS = 0.5
POLL_SECONDS = 0.1
LOG_TAIL_LINES = 15

PYTHON = sys.executable
TOOLS = Path(sys.executable).parent
PREPARE = [PYTHON, "manage.py", "make_demo_data"]
WORKER = [str(TOOLS / "celery"), "-A", "config", "worker", "-Q", "celery,sweep", "-l", "INFO"]


class DemoFailed(Exception):
    """The demo cannot go on; the message says why and what to do."""


class StopWanted(Exception):
    """Ctrl-C or SIGTERM came."""


@dataclass(slots=True)
class Supervisor:
    """One demo: a data folder, a port and the processes that serve them."""

    folder: DemoFolder
    port: int
    children: Children = field(default_factory=Children)
    stop_wanted: threading.Event = field(default_factory=threading.Event)

    def run(self) -> None:
        """Start everything, say so, and stay until something ends it.

        Raises
        ------
        DemoFailed, StopWanted
        """
        began = time.monotonic()
        print(f"Heldout demo. Its data are in {self.folder.path}", flush=True)
        self.folder.prepare()
        try:
            with self.folder.lock():
                self._refuse_taken_port()
                self.folder.keep_address(f"http://localhost:{self.port}")
                self._prepare_database()
                self._wait_for_answer(self._start_servers())
                print(self._welcome(time.monotonic() - began), flush=True)
                while True:
                    self._stay()
        except FolderInUse:
            raise DemoFailed(
                f"Another demo is running on {self.folder.path}. Stop it first, or give this one a folder "
                "of its own: make demo HELDOUT_DATA=/some/folder PORT=8001"
            ) from None
        finally:
            self.children.stop()

    def _refuse_taken_port(self) -> None:
        """Granian shares its port with whoever asks, so look before it starts."""
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind((HOST, self.port))
            except OSError as error:
                raise DemoFailed(
                    f"Port {self.port} cannot be used ({error.strerror}). "
                    f"Please choose another one: make demo PORT={self.port + 1}"
                ) from None

    def _prepare_database(self) -> None:
        is_new = not (self.folder.path / "heldout.sqlite3").exists()
        print(
            "Making the database and some weeks of demo data ..." if is_new else "Checking the database ...",
            flush=True,
        )
        progress = DemoProgress(self._log_file("prepare"))
        child = self._start("prepare", PREPARE, scores=True)
        while child.process.poll() is None:
            for news in progress.news():
                show(f"  {news}")
            self._pause()
        show("")
        if child.process.returncode:
            raise DemoFailed(_obituary(child))
        self.children.forget(child)

    def _start_servers(self) -> Child:
        """Start them; returns the web server."""
        print("Starting web server, worker and beat ...", flush=True)
        web = [str(TOOLS / "granian"), "--interface", "wsgi", "--host", HOST, "--port", str(self.port)]
        web += ["--workers", "2", "--blocking-threads", "128", "--no-ws", "config.wsgi:application"]
        web += ["--workers-kill-timeout", "3"]  # a worker that is told to end while it starts may hang
        schedule = str(self.folder.path / "beat-schedule")
        beat = [str(TOOLS / "celery"), "-A", "config", "beat", "--schedule", schedule, "--pidfile="]
        child = self._start("web", web, scores=False)
        self._start("worker", WORKER, scores=True)
        self._start("beat", beat, scores=False)
        return child

    def _log_file(self, name: str) -> Path:
        return self.folder.path / "log" / f"{name}.log"

    def _start(self, name: str, command: list[str], *, scores: bool) -> Child:
        """Start a process. One that scores is told where its keys are, any other where that of receipts is."""
        env = os.environ | self.folder.settings()
        env |= {
            "HELDOUT_DATA": str(self.folder.path),
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "PYTHONPATH": str(ROOT),
        }
        for variable in ("GOLD_PRIVATE_KEY_FILE", "LOG_KEY_FILE", "RECEIPT_KEY_FILE"):
            env.pop(f"HELDOUT_{variable}", None)
        if scores:
            env["HELDOUT_GOLD_PRIVATE_KEY_FILE"] = str(self.folder.private_key_file)
            env["HELDOUT_LOG_KEY_FILE"] = str(self.folder.log_key_file)
        else:
            env["HELDOUT_RECEIPT_KEY_FILE"] = str(self.folder.receipt_key_file)
        return self.children.start(name, command, env=env, log_file=self._log_file(name))

    def _answers(self) -> bool:
        connection = http.client.HTTPConnection(HOST, self.port, timeout=5)
        try:
            connection.request("GET", "/")
            return connection.getresponse().status == http.HTTPStatus.OK
        except OSError:
            return False
        finally:
            connection.close()

    def _wait_for_answer(self, web: Child) -> None:
        """Wait until the web server answers. As long as it works it may take its time: the machine may be slow."""
        since, worked = time.monotonic(), 0.0
        while not self._answers():
            self._stay()
            if (now_worked := web.cpu_seconds()) >= worked + WORKED_SECONDS:
                since, worked = time.monotonic(), now_worked
            elif time.monotonic() > since + READY_WITHIN_SECONDS:
                raise DemoFailed(
                    f"The web server has done nothing for {READY_WITHIN_SECONDS:.0f} s and does not answer; see "
                    f"{web.log_file}."
                )

    def _stay(self) -> None:
        if dead := self.children.dead():
            raise DemoFailed(_obituary(dead))
        self._pause()

    def _pause(self) -> None:
        if self.stop_wanted.wait(POLL_SECONDS):
            raise StopWanted

    def _welcome(self, seconds: float) -> str:
        password = self.folder.settings()["HELDOUT_DEMO_PASSWORD"]
        data = "" if self.folder.path == ROOT / "var" else f"HELDOUT_DATA={self.folder.path} "
        return f"""
Ready after {seconds:.0f} s:  http://localhost:{self.port}/

  Organiser     {ORGANISER_EMAIL}   (admin: http://localhost:{self.port}/admin/)
  Participants  {",  ".join(PARTICIPANT_EMAILS)}
  Annotator     {ANNOTATOR_EMAIL}   (campaigns: http://localhost:{self.port}/label/)
  Password      {password}   (of all four; made for this folder)

To close this week's batch by hand, in a second terminal:
  cd {ROOT}
  {data}.venv/bin/python manage.py run_due --close raft/main

Mail (nothing is sent; open the newest file for a link to confirm an address): {self.folder.path / "mail"}
Logs: {self.folder.path / "log"}.  Ctrl-C stops everything.
"""


def _obituary(child: Child) -> str:
    lines = child.log_file.read_text(encoding="utf-8", errors="replace").splitlines()[-LOG_TAIL_LINES:]
    tail = "\n".join(f"  {line}" for line in lines)
    return (
        f"The process “{child.name}” ended by itself (exit code {child.process.returncode}), so the demo stops. "
        f"The end of {child.log_file}:\n{tail}"
    )


def _parser() -> ArgumentParser:
    parser = ArgumentParser(
        prog="python -m demo",
        description="A server with made-up benchmarks, teams and weeks, until Ctrl-C stops it.",
        epilog="The first start makes the data, which takes a minute or two; later ones go on with them.",
    )
    parser.add_argument(
        "--port",
        default=os.environ.get("PORT") or "8000",
        help="where it answers on this machine; without it that of the variable PORT, or 8000",
    )
    parser.add_argument(
        "--data",
        type=Path,
        default=os.environ.get("HELDOUT_DATA") or ROOT / "var",
        help="the folder of its database, keys and logs; without it that of the variable HELDOUT_DATA, or var",
    )
    return parser


def main() -> int:
    """Run the demo that the command line asks for until it is stopped; returns the exit status."""
    asked = _parser().parse_args()
    port = asked.port
    if not (port.isascii() and port.isdigit() and 0 < int(port) < 65536):
        print(f"PORT={port} is no port. Please give a number from 1 to 65535.", file=sys.stderr)
        return 2
    supervisor = Supervisor(DemoFolder(asked.data.resolve()), int(port))

    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda *_: supervisor.stop_wanted.set())
    os.chdir(ROOT)
    try:
        supervisor.run()
    except StopWanted:
        print("\nStopped. Nothing is left running; the data stay for the next start.", flush=True)
    except DemoFailed as error:
        print(f"\n{error}", file=sys.stderr)
        return 1
    return 0
