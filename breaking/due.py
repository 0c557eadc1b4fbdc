"""What only the scorer can do for breakers and builders, because it opens what is sealed."""

from __future__ import annotations

import datetime as dt

from scoring.keys import has_private_key


def do_what_is_due(now: dt.datetime) -> None:
    """Make sets of the pairs of phases that are over, apply decisions, open gold labels. Again, it changes nothing.

    Each part sees to itself: one that fails is logged, and the others are done.
    """
    if not has_private_key():
        return
