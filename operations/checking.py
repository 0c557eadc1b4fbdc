"""Go through the invariants, and tell what does not hold."""

import datetime as dt
import logging
from collections.abc import Collection, Iterator
from itertools import islice

from django.db import DatabaseError

from operations import alerts
from operations.alerts import Trouble
from operations.invariants import INVARIANTS
from operations.violation import Invariant, Violation

logger = logging.getLogger(__name__)

KIND = "invariant"
MOST_FOUND = 1000  # cases of one invariant; more would say nothing new
MOST_TOLD = 5  # of one invariant, in a mail


def violations(invariant: Invariant, now: dt.datetime, *, thoroughly: bool) -> list[Violation]:
    """Every case of an invariant that does not hold, up to `MOST_FOUND`. One that cannot be checked is a case too.

    What is found is looked for once more: a case that is gone then was something that was being written.
    """
    found = _found(invariant, now, thoroughly=thoroughly)
    again = set(_found(invariant, now, thoroughly=thoroughly)) if found else set()
    return [violation for violation in found if violation in again]


def _found(invariant: Invariant, now: dt.datetime, *, thoroughly: bool) -> list[Violation]:
    found: list[Violation] = []
    try:
        found.extend(islice(invariant.violations(now, thoroughly=thoroughly), MOST_FOUND))
    except DatabaseError:
        raise
    except (
        Exception
    ) as error:  # such as a board that cannot be read any more; the others are checked all the same
        logger.exception("%s could not be checked to its end", invariant.key)
        found.append(
            Violation(
                invariant.key,
                f"it could not be checked to its end: {type(error).__name__}.",
                "The log of this process says where; most often a stored row is damaged.",
            )
        )
    return found


def check(
    now: dt.datetime, *, thoroughly: bool = False, keys: Collection[str] = ()
) -> Iterator[tuple[Invariant, list[Violation]]]:
    """Each invariant, or those with these keys, with the cases in which it does not hold."""
    for invariant in INVARIANTS:
        if not keys or invariant.key in keys:
            yield invariant, violations(invariant, now, thoroughly=thoroughly)


def check_and_tell(now: dt.datetime) -> int:
    """Check all invariants and tell operators what has changed; returns how many cases were found."""
    broken = {invariant.key: _trouble(invariant, found) for invariant, found in check(now) if found}
    alerts.settle(KIND, broken, now=now)
    return sum(trouble.count for trouble in broken.values())


def _trouble(invariant: Invariant, found: list[Violation]) -> Trouble:
    more = len(found) - MOST_TOLD
    lines = [f"{invariant.key} does not hold: {invariant.title}.", *map(str, found[:MOST_TOLD])]
    if more > 0:
        lines.append(f"There are {more} more; `manage.py check_invariants` lists them.")
    return Trouble("\n\n".join(lines), len(found), "\n".join(f"{one.where}: {one.what}" for one in found))
