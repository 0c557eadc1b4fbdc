"""Rows that tests begin with: what is written as statements is what the builder writes."""

import pytest
from django.db import connection

from benchmarks.models import Benchmark
from tests.conftest import NOW, SALTS, the_games, the_toy
from tests.stage import taken_back
from transparency import services as log
from transparency.models import LogEntry

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]  # on PostgreSQL all is built

# What a secret number is part of, which is drawn anew each time it is built.
DRAWN = {"ciphertext", "opening", "leaf_hash"}


def rows():
    """Every row of every table by its columns."""
    found = set()
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names(cursor):
            cursor.execute(f"SELECT * FROM {connection.ops.quote_name(table)}")  # noqa: S608  # the name comes from the database
            names = [column[0] for column in cursor.description]
            found |= {
                (
                    table,
                    *(
                        (name, str(value))
                        for name, value in zip(names, row, strict=True)
                        if name not in DRAWN
                    ),
                )
                for row in cursor.fetchall()
            }
    return found


@pytest.fixture
def clock(monkeypatch):
    """Sets the clock that the log reads."""

    def _set(now):
        monkeypatch.setattr(log, "database_now", lambda: now)

    _set(NOW)
    return _set


@pytest.mark.parametrize("benchmark", [the_toy, the_games], ids=["toy", "games"])
def test_a_benchmark_stands_there_as_it_was_built(benchmark, gold_keys, clock, monkeypatch):
    with monkeypatch.context() as built_anew:
        built_anew.setattr("tests.written_once._holds_something", lambda: True)
        with taken_back():
            benchmark()
            built, salts = rows(), SALTS.drawn
    for _ in range(2):
        SALTS.drawn = 0
        with taken_back():
            assert benchmark().tasks.count() == 2
            assert rows() == built
            assert SALTS.drawn == salts


def test_its_rows_are_never_of_another_time(gold_keys, clock):
    for hours in (0, 1, -1):
        now = NOW.replace(hour=NOW.hour + hours)
        clock(now)
        SALTS.drawn = 0
        with taken_back():
            the_toy()
            assert set(LogEntry.objects.values_list("created_at", flat=True)) == {now}


def test_beside_another_benchmark_it_is_built(gold_keys, clock):
    the_games()

    the_toy()

    assert Benchmark.objects.count() == 2
    assert len({entry.index for entry in LogEntry.objects.all()}) == 6
