"""Celery's share: is a break phase over, or a decision to be put into the gold labels? The database knows."""

import datetime as dt
import logging
from collections.abc import Callable

from celery import shared_task

from accounts.server.clock import database_now
from accounts.server.worker_rounds import note_round
from breaking.contests.campaign_votes import take_labels
from breaking.contests.decisions import apply_decisions
from breaking.pairs.minimality import take_minimality
from breaking.sets.phase_close import make_sets, open_what_is_over
from breaking.sets.removed_names import rename_sets
from scoring.gold.keys import has_private_key
from scoring.gold.opening import open_ordered

logger = logging.getLogger(__name__)

PARTS: tuple[Callable[[dt.datetime], object], ...] = (
    take_minimality,
    make_sets,
    rename_sets,
    take_labels,
    apply_decisions,
    open_what_is_over,
    open_ordered,
)
"""In this order: which pairs people find not minimal, sets and what they are called, what people say of labels, then
what was decided about these, what may be opened, and what an organiser has ordered to be."""


@shared_task(name="heldout.sweep.breaking")
def sweep() -> None:
    """A worker without the private key leaves it to the others."""
    do_what_is_due(database_now())
    note_round("preparing pairs")


def do_what_is_due(now: dt.datetime) -> None:
    """Make sets of the pairs of phases that are over, apply decisions, open gold labels. Again, it changes nothing.

    Each part sees to itself: one that fails is logged, and the others are done.
    """
    if not has_private_key():
        return
    for part in PARTS:
        try:
            part(now)
        except Exception as error:  # noqa: BLE001  # its message or traceback could hold labels
            logger.error("%s met an unforeseen %s", part.__name__, type(error).__name__)  # noqa: TRY400  # no traceback
