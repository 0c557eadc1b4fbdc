"""Celery's share of publication. Each duty is a task of its own: one that fails or takes too long stops no other."""

import datetime as dt

from celery import shared_task

from accounts.server.clock import database_now
from accounts.server.worker_rounds import note_round
from leaderboard.personal_data import retention
from leaderboard.publication import services
from leaderboard.publication.batch_watch import watch_batches
from leaderboard.publication.paired_test_schedule import make_next_tests
from leaderboard.publication.predictions import finish_removals
from leaderboard.rendering.earlier_pages import pack_earlier_pages
from leaderboard.take_home.made_archives import delete_old, make_ordered
from leaderboard.webhooks.delivery import deliver_due
from leaderboard.webhooks.messages import write_messages
from submissions.systems.file_removals import remove_withdrawn


@shared_task(name="heldout.sweep.publish_ready")
def publish_ready() -> None:
    """Is a scored batch waiting for its release?"""
    services.publish_ready(database_now())
    note_round("publishing")


@shared_task(name="heldout.sweep.enter_in_ledger")
def enter_in_ledger() -> None:
    """Is a release not in the ledger yet?"""
    services.enter_in_ledger()
    note_round("keeping the ledger")


@shared_task(name="heldout.sweep.refresh_stale")
def refresh_stale() -> None:
    """Is a published page out of date?"""
    services.refresh_stale()
    note_round("rendering pages")


@shared_task(name="heldout.sweep.watch_batches")
def watch() -> None:
    """Is a scored batch not looked at yet?"""
    watch_batches(database_now())
    note_round("watching")


@shared_task(name="heldout.sweep.make_next_tests")
def make_tests() -> None:
    """Do the first systems of a release wait to be tested against each other?"""
    make_next_tests(database_now())
    note_round("testing systems")


@shared_task(name="heldout.sweep.tell_webhooks")
def tell_webhooks() -> None:
    """Did something happen that webhooks are told of, or does a message wait?"""
    now = database_now()
    write_messages(now)
    deliver_due(now)
    note_round("telling webhooks")


@shared_task(name="heldout.sweep.remove_files")
def remove_files() -> None:
    """Was something withdrawn long enough ago, or are bytes of a removed file still there?"""
    remove_withdrawn(retention.believed(database_now()))
    finish_removals()
    note_round("removing files")


@shared_task(name="heldout.sweep.make_archives")
def make_archives() -> None:
    """Has an organiser asked for everything, or was an archive kept for a day?"""
    now = database_now()
    make_ordered(now)
    delete_old(now)
    note_round("making archives")


@shared_task(name="heldout.sweep.forget")
def forget() -> None:
    """Is something kept of people for longer than it is to be?"""
    until = retention.believed(database_now())
    retention.forget(until)
    note_round(retention.ROUND, late_after=dt.timedelta(hours=3), at=until)


@shared_task(name="heldout.sweep.pack_pages")
def pack_pages() -> None:
    """Does a page of an earlier release still take as much room as that of the newest?"""
    pack_earlier_pages()
    note_round("packing pages", late_after=dt.timedelta(hours=3))
