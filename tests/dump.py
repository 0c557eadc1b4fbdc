"""All that a copy of the database shows."""

from collections.abc import Iterator
from typing import Any

from django.db import connection


def database_values() -> Iterator[bytes]:
    """Every value of every column of every table; binary values as they are."""
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names(cursor):
            yield from _values(cursor, table)


def database_dump() -> bytes:
    """The same in one piece."""
    return b"\n".join(database_values())


def _values(cursor: Any, table: str) -> Iterator[bytes]:
    cursor.execute(f"SELECT * FROM {connection.ops.quote_name(table)}")  # noqa: S608  # the name comes from the database
    for row in cursor.fetchall():
        for value in row:
            yield bytes(value) if isinstance(value, (bytes, memoryview)) else str(value).encode()
