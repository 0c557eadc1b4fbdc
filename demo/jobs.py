"""Celery's share of rehearsals: each is played in a process of its own, so that no sweep waits for it."""

import subprocess
import sys

from celery import shared_task
from django.conf import settings

from accounts.server.clock import database_now
from accounts.server.worker_rounds import note_round
from leaderboard.rehearsals.orders import begin_next, clear_old
from scoring.gold.keys import has_private_key

_PLAYING: list[subprocess.Popen[bytes]] = []
"""Processes begun here; looked at again so that those which have ended are let go."""


@shared_task(name="heldout.sweep.rehearse")
def rehearse() -> None:
    """Does a rehearsal wait while none is played, or was one kept for a day?"""
    now = database_now()
    _PLAYING[:] = [one for one in _PLAYING if one.poll() is None]
    clear_old(now)
    if has_private_key() and (order := begin_next(now)):
        command = [sys.executable, str(settings.BASE_DIR / "manage.py"), "play_rehearsal", str(order.pk)]
        _PLAYING.append(subprocess.Popen(command, stdin=subprocess.DEVNULL))  # noqa: S603  # our own program, no shell
    note_round("rehearsing")
