"""When workers were last seen at their regular rounds."""

import datetime as dt

from accounts.models import Sweep
from accounts.server.clock import database_now

LATE = dt.timedelta(minutes=5)


KEEPING = ("backup", "drill", "scrub")
"""Rounds that keep what there is. Without them everything goes on, until it is lost."""


def note_round(
    name: str, *, late_after: dt.timedelta = LATE, took: float | None = None, at: dt.datetime | None = None
) -> None:
    """Note that a round was done; called at its end, so that one which breaks off is not taken for one.

    `late_after` is how long until the next one, before it counts as late; `took` are its seconds; `at` is as of when
    it was done, by default now.
    """
    values = {
        "seen_at": at or database_now(),
        "late_after_seconds": int(late_after.total_seconds()),
        "took_seconds": took,
    }
    Sweep.objects.update_or_create(name=name, defaults=values)


def last_rounds() -> dict[str, dt.datetime]:
    """When each round was last done, by name."""
    return dict(Sweep.objects.values_list("name", "seen_at"))


def is_due(name: str, every: dt.timedelta, now: dt.datetime) -> bool:
    """Whether a round was never done, or that long ago, or at an instant that is still to come: the clock was ahead."""
    seen_at = last_rounds().get(name)
    return seen_at is None or seen_at <= now - every or seen_at > now + LATE


def late_rounds(now: dt.datetime) -> dict[str, dt.datetime]:
    """When each round of workers that should have been done again was last done, by name; not those of `KEEPING`."""
    rounds = Sweep.objects.exclude(name__in=KEEPING).values_list("name", "seen_at", "late_after_seconds")
    return {
        name: seen_at for name, seen_at, seconds in rounds if now - seen_at > dt.timedelta(seconds=seconds)
    }
