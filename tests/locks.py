"""In which order a transaction takes the rows that others wait for."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection
from django.test.utils import CaptureQueriesContext

ORDER = ("leaderboard_printing", "benchmarks_benchmark", "transparency_loghead")
"""Tables whose rows are taken one after the other; the log's head is the last lock of all."""


@contextmanager
def taken_in_order() -> Iterator[None]:
    """A context of one transaction that changes rows of benchmarks and the log, and never goes back in ORDER."""
    with CaptureQueriesContext(connection) as queries:
        yield
    changes = [query["sql"] for query in queries if query["sql"].startswith("UPDATE")]
    taken = [place for sql in changes for place, table in enumerate(ORDER) if f'UPDATE "{table}"' in sql]
    assert {1, 2} <= set(taken)
    assert taken == sorted(taken)
