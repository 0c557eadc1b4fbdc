"""The Celery application as it ships, with a slower scorer, more frequent questions, and faults that a test wants.

Only the pace differs: a scorer that takes milliseconds would have finished between two kills, and limits of a minute
would keep a test waiting for as long.

A file in the folder of the server says which fault: `stop_at` names a table, and the process that writes to it first is
stopped right there, within its transaction; `poison/ID` says what scoring of that submission does to its process.
"""

import os
import signal
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, NoReturn

import django

from config import database

QUICKER = os.environ.get("WORKER_PATIENCE")
if QUICKER:  # seconds of a statement, of the wait for a row, and of a transaction that does nothing
    database.PATIENCE[database.Process.WORKER] = database.Patience(*map(int, QUICKER.split()))

from config.celery import app  # noqa: E402  # it reads the limits

django.setup()

from django.conf import settings  # noqa: E402  # as above
from django.db.backends.signals import connection_created  # noqa: E402  # as above

from scoring.jobs import score_submissions  # noqa: E402  # models can be imported only now
from scoring.models import ScoringRun  # noqa: E402  # as above
from scoring.queue import runs  # noqa: E402  # as above
from scoring.run_scoring import Compared, score_run  # noqa: E402  # as above

PAUSE = float(os.environ.get("SCORER_PAUSE", "0"))
STOP_AT = settings.DATA_DIR / "stop_at"
MOST_ATTEMPTS = os.environ.get("MOST_ATTEMPTS")
POISON = settings.DATA_DIR / "poison"
ASKED = os.environ.get("SWEEPS_ASKED", "").split()
"""The questions that are asked; all where none is named. Many machines on two processors answer no more than a few."""

for name in app.conf.beat_schedule.keys() - (ASKED or app.conf.beat_schedule):
    del app.conf.beat_schedule[name]
for entry in app.conf.beat_schedule.values():
    entry["schedule"] = max(0.5, entry["schedule"] / 10)
score_submissions.time_limit = settings.SCORING_SECONDS + 1


def _slowly(run: ScoringRun) -> Compared:
    time.sleep(PAUSE)
    if (poison := POISON / str(run.submission_id)).exists():
        POISONS[poison.read_text()]()
    return score_run(run)


def _hang() -> NoReturn:
    """As compiled code does that listens to no signal but the last."""
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGUSR1})
    while True:
        time.sleep(60)


def _take_all_memory() -> None:
    taken = []
    while True:
        taken.append(bytearray(2**26))


def _crash() -> None:
    os.kill(os.getpid(), signal.SIGSEGV)


POISONS = {"hangs": _hang, "takes all memory": _take_all_memory, "crashes": _crash}


def _stop_where_wanted(execute: Callable[..., Any], sql: str, *details: Any) -> Any:
    result = execute(sql, *details)
    if STOP_AT.exists() and _writes_to(STOP_AT, sql):
        os.kill(os.getpid(), signal.SIGSTOP)
    return result


def _writes_to(wanted: Path, sql: str) -> bool:
    """Whether this is the first statement that writes to the wanted table, or locks a row of it."""
    try:
        table = wanted.read_text()
        if f'"{table}"' not in sql or (sql.startswith("SELECT") and "FOR UPDATE" not in sql):
            return False
        wanted.rename(wanted.with_name(f"stopped.{os.getpid()}"))
    except FileNotFoundError:  # another process was first
        return False
    return True


def _watch(connection: Any, **details: Any) -> None:
    if _stop_where_wanted not in connection.execute_wrappers:
        connection.execute_wrappers.append(_stop_where_wanted)


setattr(runs, "score_run", _slowly)  # noqa: B010  # patched for this process
if MOST_ATTEMPTS:
    runs.MAX_ATTEMPTS = int(MOST_ATTEMPTS)
connection_created.connect(_watch)

__all__ = ["app"]
