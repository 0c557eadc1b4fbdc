"""Celery's share of rehearsals: each is played in a process of its own, so that no sweep waits for it."""

from celery import shared_task

from accounts.server.begun_processes import begin_command, let_go_of_ended
from accounts.server.clock import database_now
from accounts.server.worker_rounds import note_round
from leaderboard.rehearsals.orders import begin_next, clear_old
from scoring.gold.keys import has_private_key


@shared_task(name="heldout.sweep.rehearse")
def rehearse() -> None:
    """Does a rehearsal wait while none is played, or was one kept for a day?"""
    now = database_now()
    let_go_of_ended()
    clear_old(now)
    if has_private_key() and (order := begin_next(now)):
        begin_command("play_rehearsal", str(order.pk))
    note_round("rehearsing")
