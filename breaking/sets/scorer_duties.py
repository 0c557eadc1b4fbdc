"""What only the scorer can do for breakers and builders, because it opens what is sealed."""

import datetime as dt
import logging
from collections.abc import Callable

from breaking.contests.decisions import apply_decisions
from breaking.sets.gold_opening import open_what_is_over
from breaking.sets.phase_close import make_sets
from scoring.gold.keys import has_private_key
from scoring.gold.opening import open_ordered

logger = logging.getLogger(__name__)

Part = Callable[[dt.datetime], object]

PARTS: tuple[Part, ...] = (
    make_sets,
    apply_decisions,
    open_what_is_over,
    open_ordered,
)
"""In this order: sets, then what was decided about their labels, then what may be opened, then what an organiser has
ordered to be."""


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
