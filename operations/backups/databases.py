"""The database as files, and back: `pg_dump` and `pg_restore` on PostgreSQL, `VACUUM INTO` on SQLite."""

import os
import shutil
import sqlite3
import subprocess
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from secrets import token_hex
from typing import Any, ClassVar
from urllib.parse import quote

import psycopg
from django.conf import settings
from psycopg.conninfo import make_conninfo

from operations.backups.refusal import BackupRefused

FOLDER = "database"


@dataclass(frozen=True, slots=True)
class Database(ABC):
    """A database as `settings.DATABASES` describes it; it may be another than the one that Django is connected to."""

    described: Mapping[str, Any]

    vendor: ClassVar[str]

    @abstractmethod
    def dump(self, folder: Path) -> None:
        """Write all of it, as it is at one instant, into a new folder. BackupRefused where that cannot be done."""

    @abstractmethod
    def load(self, folder: Path) -> None:
        """Fill it, which is empty, with what `dump` wrote. BackupRefused where that cannot be done."""

    @abstractmethod
    def is_empty(self) -> bool:
        """Whether there is no table."""

    @abstractmethod
    def scratch(self) -> "Database":
        """Another one beside it, empty and new."""

    @abstractmethod
    def remove(self) -> None:
        """Remove it; to be used on a `scratch` alone."""

    @property
    @abstractmethod
    def url(self) -> str:
        """For HELDOUT_DATABASE_URL."""


class SQLite(Database):
    """One file."""

    vendor = "sqlite"

    @property
    def path(self) -> Path:
        return Path(str(self.described["NAME"]))

    @property
    def url(self) -> str:
        return f"sqlite:///{self.path}"

    def dump(self, folder: Path) -> None:
        folder.mkdir()
        with _told(folder), closing(sqlite3.connect(self.path, timeout=60)) as source:
            source.execute("VACUUM INTO ?", (str(folder / "heldout.sqlite3"),))

    def load(self, folder: Path) -> None:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        file = folder / "heldout.sqlite3"
        with (
            _told(self.path),
            closing(sqlite3.connect(f"file:{file}?mode=ro&immutable=1", uri=True)) as source,
            closing(sqlite3.connect(self.path)) as target,
        ):
            source.backup(target)
            told = target.execute("PRAGMA integrity_check").fetchone()[0]
        if told != "ok":
            raise BackupRefused(f"The database in {folder} is damaged: {told}. Use another backup.")

    def is_empty(self) -> bool:
        if not self.path.exists():
            return True
        with closing(sqlite3.connect(self.path)) as target:
            return not target.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]

    def scratch(self) -> Database:
        return SQLite({**self.described, "NAME": str(self.path.with_name(f"drill-{token_hex(4)}.sqlite3"))})

    def remove(self) -> None:
        for path in self.path.parent.glob(f"{self.path.name}*"):
            path.unlink()


@contextmanager
def _told(target: Path) -> Iterator[None]:
    """What SQLite cannot copy is refused in words, such as that the disk is full."""
    try:
        yield
    except sqlite3.Error as error:
        raise BackupRefused(f"The database cannot be copied to {target}: {error}.") from None


class PostgreSQL(Database):
    """A database of a server; its programs come from HELDOUT_POSTGRES_PROGRAMS, or from where shells find them."""

    vendor = "postgresql"

    @property
    def url(self) -> str:
        named = self._named
        password = f":{quote(named['password'], safe='')}" if "password" in named else ""
        query = "&".join(
            f"{name}={quote(named[name], safe='/')}" for name in ("host", "port", "sslmode") if name in named
        )
        return f"postgres://{quote(named.get('user', ''), safe='')}{password}@/{named['dbname']}?{query}"

    @property
    def _named(self) -> dict[str, str]:
        """How to connect, as libpq calls it. A folder of a socket stands among the options, as all in a URL's query."""
        one, options = self.described, self.described.get("OPTIONS") or {}
        values = {
            "dbname": one["NAME"],
            "user": one.get("USER"),
            "password": one.get("PASSWORD"),
            "host": options.get("host") or one.get("HOST"),
            "port": options.get("port") or one.get("PORT"),
            "sslmode": options.get("sslmode"),
        }
        return {name: str(value) for name, value in values.items() if value}

    def dump(self, folder: Path) -> None:
        self._run(
            "pg_dump",
            "-Fd",
            "-j2",
            "--no-owner",
            "--no-privileges",
            "--file",
            str(folder),
            str(self.described["NAME"]),
        )

    def load(self, folder: Path) -> None:
        name = str(self.described["NAME"])
        self._run(
            "pg_restore",
            "-Fd",
            "-j2",
            "--no-owner",
            "--no-privileges",
            "--exit-on-error",
            "--dbname",
            name,
            str(folder),
        )

    def is_empty(self) -> bool:
        query = (
            "SELECT count(*) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace "
            "WHERE c.relkind = 'r' AND n.nspname NOT IN ('pg_catalog', 'information_schema')"
        )
        with self._connected() as connection:
            found = connection.execute(query).fetchone()
        return found is None or not found[0]

    def scratch(self) -> Database:
        name = f"heldout_drill_{token_hex(4)}"
        try:
            with self._connected() as connection:
                connection.execute(f'CREATE DATABASE "{name}" TEMPLATE template0')
        except psycopg.errors.InsufficientPrivilege:
            raise BackupRefused(
                f"The role {self.described['USER']} may not make a database for the drill. Allow it with ALTER ROLE … "
                "CREATEDB, or name an empty database with --database-url."
            ) from None
        return PostgreSQL({**self.described, "NAME": name})

    def remove(self) -> None:
        name = self.described["NAME"]
        with PostgreSQL({**self.described, "NAME": "postgres"})._connected() as connection:  # noqa: SLF001  # of its own class
            connection.execute(f'DROP DATABASE "{name}" WITH (FORCE)')

    @contextmanager
    def _connected(self) -> Iterator[psycopg.Connection[Any]]:
        with psycopg.connect(make_conninfo("", **self._named), autocommit=True) as opened:
            yield opened

    def _run(self, program: str, *arguments: str) -> None:
        command = [_program(program), *arguments]
        try:
            done = subprocess.run(  # noqa: S603  # PostgreSQL's own programs
                command, env=self._environment(), capture_output=True, text=True, check=False
            )
        except OSError as error:
            raise BackupRefused(f"{program} could not be started: {error.strerror}.") from None
        if done.returncode:
            told = " ".join(done.stderr.split())[-500:]
            hint = (
                " Install PostgreSQL's programs of the server's version, or newer."
                if "version mismatch" in told
                else ""
            )
            raise BackupRefused(f"{program} failed: {told}.{hint}")

    def _environment(self) -> dict[str, str]:
        """The password goes by the environment: arguments can be read by every user of the machine."""
        kept = {name: value for name, value in os.environ.items() if not name.startswith("PG")}
        variables = {"user": "PGUSER", "password": "PGPASSWORD", "host": "PGHOST", "port": "PGPORT"}
        variables |= {"sslmode": "PGSSLMODE"}
        named = self._named
        return kept | {variables[name]: named[name] for name in variables if name in named}


def _program(name: str) -> str:
    folder = settings.POSTGRES_PROGRAMS
    found = shutil.which(name, path=folder or None)
    if found is None:
        where = f"in {folder}" if folder else "on this machine"
        raise BackupRefused(
            f"{name} is not {where}. Install PostgreSQL's programs (Debian: postgresql-client), or name their "
            "folder in HELDOUT_POSTGRES_PROGRAMS."
        )
    return found


def database(described: Mapping[str, Any] | None = None) -> Database:
    """The database that settings name, or another one described like it."""
    described = described or settings.DATABASES["default"]
    kinds = {"sqlite3": SQLite, "postgresql": PostgreSQL}
    return kinds[str(described["ENGINE"]).rpartition(".")[2]](described)
