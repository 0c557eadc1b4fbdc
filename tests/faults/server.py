"""A server in a folder of its own, made of real processes that can be killed."""

import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

import psycopg

from submissions.intake.sealing import KeyPair
from tests.faults.nursery import ROOT, Nursery, Worker

PATIENCE = 240.0


class Server:
    """Database, uploads and broker under `data`; processes are started and killed by name."""

    def __init__(self, data: Path, keypair: KeyPair, **environment: str) -> None:
        data.mkdir(parents=True, exist_ok=True)
        self.data = data
        key_file = data.parent / "gold.private"
        key_file.write_text(keypair.private)
        self.environment = {
            **{name: value for name, value in os.environ.items() if not name.startswith("HELDOUT_")},
            "HELDOUT_DATA": str(data),
            "HELDOUT_MODE": "test",
            "HELDOUT_LEASE_SECONDS": "2",
            "HELDOUT_SCORING_SECONDS": "60",
            "HELDOUT_LOG_LEVEL": "WARNING",
            "HELDOUT_GOLD_PUBLIC_KEY": keypair.public,
            "HELDOUT_GOLD_PRIVATE_KEY_FILE": str(key_file),
            "DJANGO_SETTINGS_MODULE": "config.settings",
            **environment,
        }
        self.running: dict[str, Worker] = {}
        self._nursery: Nursery | None = None

    def run(self, *arguments: str, **environment: str) -> None:
        """Run a Python process to its end; it must succeed, and where it does not, what it said is told."""
        ended = subprocess.run(
            [sys.executable, *arguments],
            cwd=ROOT,
            env=self.environment | environment,
            check=False,
            timeout=PATIENCE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        assert ended.returncode == 0, f"{' '.join(arguments)}: {ended.stdout[-5000:]}"

    @contextmanager
    def cut_offs(self, count: int) -> Iterator[Callable[[], None]]:
        """What has the next cut-off of both benchmarks come, with so many new submissions each."""
        command = [sys.executable, "-m", "tests.faults.scene", "both", str(count)]
        with subprocess.Popen(
            command,
            cwd=ROOT,
            env=self.environment,
            text=True,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        ) as process:

            def come() -> None:
                assert process.stdin is not None
                assert process.stdout is not None
                process.stdin.write("\n")
                process.stdin.flush()
                assert process.stdout.readline() == "closed\n"

            yield come
            process.communicate()

    def start_worker(self, name: str, queues: str = "celery,sweep", processes: int = 2) -> None:
        """Start a worker of so many processes under the name; its log is in the folder."""
        self._start(name, "worker", "-Q", queues, "-c", str(processes), "-n", f"{name}@localhost", *_QUIET)

    def start_beat(self) -> None:
        """Start the one that keeps asking."""
        self._start("beat", "beat", "-s", str(self.data / "beat"), "--pidfile=")

    def _start(self, name: str, *arguments: str) -> None:
        if self._nursery is None:
            self._nursery = Nursery(self.environment)
        self.running[name] = self._nursery.make(self.data / f"{name}.log", *arguments)

    def children(self, name: str) -> list[int]:
        """The processes of a worker that score; none where it scores in its main process."""
        pid = self.running[name].pid
        with suppress(FileNotFoundError):
            return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
        return []

    def kill_parent(self, name: str) -> None:
        """Kill a worker's main process alone, as the kernel does when memory runs out."""
        self.running[name].kill()
        self.running[name].wait()

    def kill_group(self, name: str) -> None:
        """Kill a worker with all its processes at once, as a power cut does."""
        process = self.running[name]
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()

    def stop(self) -> None:
        """Leave no process behind, not even the children of killed parents."""
        for name in self.running:
            self.kill_group(name)
        self.running.clear()
        if self._nursery:
            self._nursery.end()
            self._nursery = None

    def rows(self, query: str, *parameters: Any) -> list[tuple[Any, ...]]:
        """Ask the database; the place of a parameter is a question mark on SQLite, %s on PostgreSQL."""
        if url := self.environment.get("HELDOUT_DATABASE_URL"):
            with psycopg.connect(url, autocommit=True) as asked:
                return asked.execute(query, parameters or None).fetchall()
        with closing(sqlite3.connect(self.data / "heldout.sqlite3", timeout=30)) as connection:
            return connection.execute(query, parameters).fetchall()

    def change(self, statement: str, *parameters: Any) -> None:
        """Change something in the database that would take too long to come about."""
        if url := self.environment.get("HELDOUT_DATABASE_URL"):
            with psycopg.connect(url, autocommit=True) as changed:
                changed.execute(statement, parameters or None)
            return
        with closing(sqlite3.connect(self.data / "heldout.sqlite3", timeout=30)) as connection, connection:
            connection.execute(statement, parameters)

    def count(self, table: str, where: str = "1 = 1") -> int:
        """How many rows of a table there are."""
        ((number,),) = self.rows(f"SELECT count(*) FROM {table} WHERE {where}")  # noqa: S608  # our own words
        return int(number)

    def wait_until(self, is_so: Callable[[], bool], what: str) -> None:
        """Wait for something that the processes do by themselves."""
        deadline = time.monotonic() + PATIENCE
        while not is_so():
            if time.monotonic() > deadline:
                logs = "\n".join(path.read_text()[-3000:] for path in sorted(self.data.glob("*.log")))
                raise AssertionError(f"not within {PATIENCE:.0f} s: {what}\n{logs}")
            time.sleep(0.05)


_QUIET = ("--without-gossip", "--without-mingle", "--without-heartbeat", "-l", "WARNING")
