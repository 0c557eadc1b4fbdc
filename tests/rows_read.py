"""How many rows are read from the database, by the table that is asked first."""

import re
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

from django.db.backends.utils import CursorWrapper

_FIRST_TABLE = re.compile(r'\bFROM\s*(?:\(\s*SELECT.*?\bFROM\s*)*"(\w+)"', re.DOTALL)


@contextmanager
def rows_read() -> Iterator[Counter[str]]:
    """A context that counts the rows of every statement that is asked in it by Django."""
    read: Counter[str] = Counter()
    asked: dict[int, str] = {}
    execute = CursorWrapper.execute

    def remember(self: Any, sql: str, params: Any = None) -> Any:
        found = _FIRST_TABLE.search(sql)
        asked[id(self)] = found[1] if found else ""
        return execute(self, sql, params)

    def counting(name: str) -> Any:
        def fetch(self: Any, *arguments: Any) -> Any:
            rows = getattr(self.cursor, name)(*arguments)
            read[asked.get(id(self), "")] += int(rows is not None) if name == "fetchone" else len(rows)
            return rows

        return fetch

    fetches = {name: counting(name) for name in ("fetchone", "fetchmany", "fetchall")}
    with patch.multiple(CursorWrapper, create=True, execute=remember, **fetches):
        yield read
