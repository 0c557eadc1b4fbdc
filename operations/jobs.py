"""Celery's share of keeping. What is due once an hour is asked for more often, so that a restart skips none."""

import datetime as dt
from pathlib import Path

from celery import shared_task
from django.conf import settings

from accounts.server.begun_processes import begin_command, let_go_of_ended
from accounts.server.clock import database_now
from accounts.server.worker_rounds import is_due, note_round
from operations.backups.erasures import note_erasures
from operations.checking import check_and_tell
from operations.rounds import BACKUP, DRILL, EVERY, INVARIANTS, SCRUB, begin, noted
from operations.scrubbing import scrub_and_tell
from operations.watching import readings
from operations.watching.ping import ping
from operations.watching.troubles import watch_and_tell
from scoring.gold.keys import has_private_key


@shared_task(name="heldout.sweep.check_invariants", soft_time_limit=900, time_limit=960)
def check_invariants() -> None:
    """Was it an hour ago that what always holds was checked?"""
    now = database_now()
    if begin(INVARIANTS, now):
        with noted(INVARIANTS):
            check_and_tell(now)


@shared_task(name="heldout.sweep.scrub", soft_time_limit=3600, time_limit=3660)
def scrub() -> None:
    """Was it a day ago that a part of the stored files was read?"""
    now = database_now()
    if begin(SCRUB, now):
        with noted(SCRUB):
            scrub_and_tell(now)


@shared_task(name="heldout.sweep.watch_server")
def watch_server() -> None:
    """Is something wrong that operators have to see to?"""
    now = database_now()
    readings.take(now)
    watch_and_tell(now)
    note_round("watching the server")
    ping(now)


@shared_task(name="heldout.sweep.back_up")
def back_up() -> None:
    """Was the last backup made a day ago, or the last drill a week ago? Only where HELDOUT_BACKUPS names a folder."""
    let_go_of_ended()
    now = database_now()
    if not settings.BACKUPS:
        return
    if (folder := Path(settings.BACKUPS)).is_dir():
        note_erasures(folder)
    if begin(BACKUP, now):
        begin_command("backup", settings.BACKUPS, "--keep", str(settings.BACKUPS_KEPT), "--tell")
    elif has_private_key() and not is_due(BACKUP, EVERY[BACKUP], now) and begin(DRILL, now):
        begin_command("drill", settings.BACKUPS, "--tell")
    # Where several machines have workers, another one may have been asked for a while.
    note_round("seeing to backups", late_after=dt.timedelta(hours=1))
