"""Child processes that never outlive their parent. Without Django."""

import ctypes
import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

_PR_SET_PDEATHSIG = 1
_LIBC = ctypes.CDLL(None) if sys.platform == "linux" else None

GRACE_SECONDS = 10.0


class Child(NamedTuple):
    """A running process; its output goes to the log file."""

    name: str
    process: subprocess.Popen[bytes]
    log_file: Path

    def cpu_seconds(self) -> float:
        """What its process group has used so far; 0 where the system does not say (it is Linux's)."""
        ticks = 0
        for stat in Path("/proc").glob("[0-9]*/stat"):
            with suppress(OSError):  # of one that has ended
                # The name, in parentheses, may hold anything.
                told = stat.read_text(errors="replace").rpartition(")")[2].split()
                ticks += sum(map(int, told[11:13])) if int(told[2]) == self.process.pid else 0
        return ticks / os.sysconf("SC_CLK_TCK")


class Children:
    """The processes of one demo, started and stopped together."""

    def __init__(self) -> None:
        self._children: list[Child] = []

    def start(self, name: str, command: Sequence[str], *, env: Mapping[str, str], log_file: Path) -> Child:
        """Start one in a process group of its own, so that Ctrl-C in the terminal reaches the parent alone."""
        parent = os.getpid()
        with log_file.open("ab") as log:
            process = subprocess.Popen(  # noqa: S603  # the commands are the project's own
                command,
                env=dict(env),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                process_group=0,
                preexec_fn=lambda: _die_with(parent),  # safe: the parent has one thread
            )
        child = Child(name, process, log_file)
        self._children.append(child)
        return child

    def forget(self, child: Child) -> None:
        """Take one that has ended as it should off the list."""
        self._children.remove(child)

    def dead(self) -> Child | None:
        return next((child for child in self._children if child.process.poll() is not None), None)

    def stop(self) -> None:
        """Ask each main process to end, wait, and kill what is left of the groups.

        Only the main processes are asked: a Celery worker whose pool gets SIGTERM as well does not end.
        """
        for child in self._children:
            if child.process.poll() is None:
                child.process.terminate()
        deadline = time.monotonic() + GRACE_SECONDS
        while time.monotonic() < deadline and any(child.process.poll() is None for child in self._children):
            time.sleep(0.05)
        self.kill()

    def kill(self) -> None:
        for child in self._children:
            with suppress(ProcessLookupError):  # all of the group may have ended
                os.killpg(child.process.pid, signal.SIGKILL)
            child.process.wait()
        self._children.clear()


def _die_with(parent: int) -> None:
    """Have the kernel end this process when its parent dies, even by kill -9 (Linux only)."""
    if _LIBC is not None:
        _LIBC.prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)
        if os.getppid() != parent:
            os._exit(1)
