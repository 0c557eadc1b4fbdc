"""What is done to keep a server, and when it was last done well: rounds as workers note theirs."""

import datetime as dt
import time
from collections.abc import Iterator
from contextlib import contextmanager

from accounts.server.clock import database_now, has_come
from accounts.server.worker_rounds import is_due, note_round
from operations import alerts
from operations.alerts import Trouble
from operations.models import Begun

BACKUP, DRILL, SCRUB, INVARIANTS = "backup", "drill", "scrub", "checking invariants"
EVERY = {
    BACKUP: dt.timedelta(days=1),
    DRILL: dt.timedelta(days=7),
    SCRUB: dt.timedelta(days=1),
    INVARIANTS: dt.timedelta(hours=1),
}
LATE_AFTER = {
    BACKUP: dt.timedelta(hours=26),
    DRILL: dt.timedelta(days=8),
    SCRUB: dt.timedelta(days=3),
    INVARIANTS: dt.timedelta(hours=5),
}


PATIENCE = {
    BACKUP: dt.timedelta(hours=6),
    DRILL: dt.timedelta(hours=6),
    SCRUB: dt.timedelta(hours=2),
    INVARIANTS: dt.timedelta(minutes=30),
}
"""How long one that was begun may take before another is begun; the tasks of the last two are ended before."""


def begin(name: str, now: dt.datetime) -> bool:
    """Whether a round is due and this process is the one that does it.

    One that fails is begun again after `PATIENCE`. However long one takes, it takes one process: a second one of it
    would keep those that close and publish from their rounds.
    """
    if not is_due(name, EVERY[name], now):
        return False
    row, is_new = Begun.objects.get_or_create(name=name, defaults={"at": now})
    is_over = has_come("at", now - PATIENCE[name], longest=2 * PATIENCE[name])
    return is_new or bool(Begun.objects.filter(is_over, pk=row.pk).update(at=now))


@contextmanager
def noted(name: str) -> Iterator[None]:
    """Note a round and how long it took at its end, if nothing was raised."""
    began = time.monotonic()
    yield
    note_round(name, late_after=LATE_AFTER[name], took=time.monotonic() - began)


@contextmanager
def told(name: str, *, by_worker: bool) -> Iterator[None]:
    """Note a round; where a worker has begun it, tell operators why it failed, and that it works again."""
    try:
        with noted(name):
            yield
    except Exception as error:
        if by_worker:
            said = f"A {name} failed, and is tried again after {PATIENCE[name].seconds // 3600} hours.\n\n{error}"
            alerts.settle(name, {"failed": Trouble(said)}, now=database_now())
        raise
    alerts.settle(name, {}, now=database_now())
