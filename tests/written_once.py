"""What a builder writes into an empty SQLite database: by it the first time, then as the same statements.

Most tests begin with one of two benchmarks, and to work out their rows takes many times as long as to write them. What
was written is kept under all that decides what it is: the key that gold labels are sealed to, the salt that is drawn
next, where the numbers of rows stand, and the clock that the log reads. Where something stands that the builder might
read, it works anew. So it does on PostgreSQL, whose sequences are not rolled back with a test, and outside a
transaction, where what it asks for after the commit is done at once.
"""

import datetime as dt
from collections.abc import Callable
from typing import Any, Protocol

from django.conf import settings
from django.db import connection

from accounts.models import AuditEntry
from benchmarks.models import Benchmark
from transparency import services as log
from transparency.models import LogEntry

WRITING = ("INSERT", "UPDATE", "DELETE", "REPLACE")
KEEPS_FOR = dt.timedelta(minutes=15)
"""By the clock of the tests: rows say when they were written, and a test must find them neither ahead of it nor old."""

Statements = list[tuple[str, Any]]


class Salts(Protocol):
    """Salts that are the same in every run, by how many were drawn."""

    drawn: int


class WrittenOnce:
    def __init__(self, salts: Salts) -> None:
        self._salts = salts
        self._kept: dict[tuple[object, ...], tuple[dt.datetime, int, Statements]] = {}

    def write(self, build: Callable[[], object]) -> None:
        """Have in the database what `build`, a function of a module, writes there."""
        if connection.vendor != "sqlite" or not connection.in_atomic_block or _holds_something():
            build()
            return
        key = (build, settings.GOLD_PUBLIC_KEY, self._salts.drawn, *_row_numbers())
        now = vars(log)["database_now"]()  # as the log knows it: some tests set it there
        written_at, salts_drawn, statements = self._kept.get(key, (None, 0, []))
        if written_at is None or not dt.timedelta(0) <= now - written_at <= KEEPS_FOR:
            with connection.execute_wrapper(_noting(statements := [])):
                build()
            self._kept[key] = (now, self._salts.drawn, statements)
            return
        with connection.cursor() as cursor:
            for statement in statements:
                cursor.execute(*statement).fetchall()
        self._salts.drawn = salts_drawn


def _holds_something() -> bool:
    return any(model.objects.exists() for model in (Benchmark, LogEntry, AuditEntry))


def _row_numbers() -> list[tuple[str, int]]:
    """Of each table, the number of its last row: a test that is rolled back gives its numbers back."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT name, seq FROM sqlite_sequence WHERE seq > 0 ORDER BY name")
        return list(cursor.fetchall())


def _noting(statements: Statements) -> Callable[..., Any]:
    def execute(do: Callable[..., Any], sql: str, parameters: Any, many: bool, context: Any) -> Any:
        if sql.startswith(WRITING):
            statements.append((sql, parameters))
        return do(sql, parameters, many, context)

    return execute
