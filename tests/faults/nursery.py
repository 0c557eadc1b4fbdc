"""Run as a process: import the application once, then make a worker of it by a fork for each line that is read.

A worker spends seconds of a processor on importing; a test that starts thirty of them would do little else.
Each line is JSON: the arguments of Celery, and the file that the worker writes to. The answer is its process id.

Run: python -m tests.faults.nursery
"""

import json
import os
import select
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import NoReturn

ROOT = Path(__file__).resolve().parents[2]


class Worker:
    """A process that another one has made; looks like `subprocess.Popen` where it is killed and waited for."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self._handle = os.pidfd_open(pid)

    def kill(self) -> None:
        """End it at once."""
        with suppress(ProcessLookupError):
            signal.pidfd_send_signal(self._handle, signal.SIGKILL)

    def wait(self, timeout: float | None = None) -> None:
        """Wait until it has ended."""
        if not select.select([self._handle], [], [], timeout)[0]:
            raise subprocess.TimeoutExpired(f"worker {self.pid}", timeout or 0)


class Nursery:
    """The process that has everything imported; it and what it has made end with the test."""

    def __init__(self, environment: dict[str, str]) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.faults.nursery"],
            cwd=ROOT,
            env=environment | {"HELDOUT_PROCESS": "worker"},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def make(self, log: Path, *arguments: str) -> Worker:
        """Start `celery` with these arguments in a process group of its own."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps([str(log), *arguments]) + "\n")
        self._process.stdin.flush()
        return Worker(int(self._process.stdout.readline()))

    def end(self) -> None:
        """Make no more."""
        self._process.kill()
        self._process.communicate()


def serve() -> None:
    from tests.faults.app import app

    app.loader.import_default_modules()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody here waits for what has ended
    for line in sys.stdin:
        log, *arguments = json.loads(line)
        if pid := os.fork():
            print(pid, flush=True)
        else:
            _become(Path(log), arguments)


def _become(log: Path, arguments: list[str]) -> NoReturn:
    """The worker; a new session, so that it can be killed as a group."""
    os.setsid()
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    nothing, written = os.open(os.devnull, os.O_RDONLY), os.open(log, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    for handle, number in ((nothing, 0), (written, 1), (written, 2)):
        os.dup2(handle, number)
    from celery.bin.celery import main

    from config.celery import app, create_broker_folders

    create_broker_folders(app)  # which a worker does as it configures itself; they may be gone since
    sys.argv = ["celery", "-A", "tests.faults.app", *arguments]
    sys.exit(main())


if __name__ == "__main__":
    serve()
