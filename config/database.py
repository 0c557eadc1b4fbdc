"""How long the database waits for a process, and a process for the database: nobody stops the others for long."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from django.core.exceptions import ImproperlyConfigured
from environ import Env

from config.env import PASSWORDS, understood

_DATABASES = ("django.db.backends.postgresql", "django.db.backends.sqlite3")


class Process(StrEnum):
    """What a process is for; entry points say it in HELDOUT_PROCESS."""

    WEB = "web"
    WORKER = "worker"
    COMMAND = "command"


@dataclass(frozen=True, slots=True)
class Patience:
    """Seconds after which PostgreSQL breaks off: a statement, the wait for a row, a transaction that does nothing."""

    statement: int
    lock: int
    idle: int

    @property
    def options(self) -> str:
        """As a client says it when it connects."""
        return (
            f"-c statement_timeout={self.statement}s -c lock_timeout={self.lock}s "
            f"-c idle_in_transaction_session_timeout={self.idle}s"
        )


# A worker may draw the pages of a large release between two statements of a transaction; it keeps only others of the
# same benchmark waiting meanwhile. Commands, such as a migration, take the time that they need.
PATIENCE = {Process.WEB: Patience(statement=20, lock=5, idle=20), Process.WORKER: Patience(60, 10, 60)}

# A server that has vanished without a word is given up within half a minute, from either side.
_KEEPALIVE = {
    "connect_timeout": 5,
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 4,
    "tcp_user_timeout": 30_000,
}


def postgres_options(process: Process) -> dict[str, Any]:
    """What a process says to PostgreSQL when it connects."""
    options: dict[str, Any] = dict(_KEEPALIVE)
    if process in PATIENCE:
        options["options"] = PATIENCE[process].options
    return options


def database_of(url: str) -> dict[str, Any]:
    """What Django is told of a database. ImproperlyConfigured, without the address, where that names none."""
    form = f"postgres://user:password@host:5432/name{PASSWORDS}"
    found = understood("HELDOUT_DATABASE_URL", url, Env.db_url_config, form)
    if found.get("ENGINE") not in _DATABASES or not found.get("NAME"):
        raise ImproperlyConfigured(
            f"HELDOUT_DATABASE_URL names no database that Heldout knows. Expected {form}."
        )
    return dict(found)
