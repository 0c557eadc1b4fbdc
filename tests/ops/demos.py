"""A demo started for tests, and what can be seen of its processes (Linux)."""

import http.client
import os
import signal
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
READY_WITHIN = 300.0
ENDED_WITHIN = 30.0


def plain_environment() -> dict[str, str]:
    """This process's environment without what the test run has set for itself."""
    return {key: value for key, value in os.environ.items() if not key.startswith(("HELDOUT_", "DJANGO_"))}


class Demo:
    """A demo in a session of its own."""

    def __init__(self, data: Path, port: int, *, benchmarks: str = "raft") -> None:
        # Most tests are about processes, not about what they show: one benchmark is enough for them.
        self.data = data
        self.port = port
        self.output = data.parent / f"output-{time.monotonic_ns()}.txt"
        environment = plain_environment() | {
            "HELDOUT_DATA": str(data),
            "PORT": str(port),
            "HELDOUT_DEMO_BENCHMARKS": benchmarks,
        }
        with self.output.open("w") as output:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "demo"],
                cwd=ROOT,
                env=environment,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    def said(self) -> str:
        return self.output.read_text()

    def wait_until_ready(self, within: float = READY_WITHIN) -> None:
        deadline = time.monotonic() + within
        while "Ready after" not in self.said():
            assert self.process.poll() is None, self.said()
            assert time.monotonic() < deadline, self.said()
            time.sleep(0.1)

    def get(self, path: str) -> tuple[int, str]:
        with closing(http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)) as connection:
            connection.request("GET", path)
            response = connection.getresponse()
            return response.status, response.read().decode()

    def processes(self) -> list[int]:
        """Every living process of the session."""
        found = []
        for entry in Path("/proc").iterdir():
            if entry.name.isdigit():
                try:
                    state, _, _, session = (entry / "stat").read_text().rpartition(")")[2].split()[:4]
                except OSError:
                    continue  # it ended while we were looking
                if int(session) == self.process.pid and state != "Z":
                    found.append(int(entry.name))
        return found

    def running(self, name: str) -> int:
        """The main process of the session that was started with that word on its command line."""
        return next(
            pid for pid in sorted(self.processes()) if f"{name}\0" in Path(f"/proc/{pid}/cmdline").read_text()
        )

    def environment_of(self, name: str) -> str:
        return Path(f"/proc/{self.running(name)}/environ").read_text()

    def wait_until_gone(self) -> None:
        self.process.wait(ENDED_WITHIN)
        deadline = time.monotonic() + ENDED_WITHIN
        while self.processes():
            assert time.monotonic() < deadline, f"left behind: {self.processes()}"
            time.sleep(0.1)

    def end_for_sure(self) -> None:
        for pid in self.processes():
            os.kill(pid, signal.SIGKILL)
        self.process.wait()
