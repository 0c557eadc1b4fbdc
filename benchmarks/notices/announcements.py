"""Announcements of a benchmark: written by organisers, read by everybody on published pages."""

import datetime as dt

from django.db import transaction

from benchmarks.models import Benchmark
from benchmarks.notices.models import Announcement
from benchmarks.services import mark_stale


def standing_announcements(benchmark: Benchmark) -> list[Announcement]:
    """Those that stand, the newest first."""
    return list(Announcement.objects.filter(benchmark=benchmark, is_taken_back=False))


@transaction.atomic
def save_announcement(*, announcement: Announcement, is_new: bool, now: dt.datetime) -> None:
    """Store a new announcement or a changed one; published pages and the feed follow with the next sweep.

    When it was first published stays.
    """
    announcement.changed_at = now
    if is_new:
        announcement.published_at = now
    announcement.save()
    mark_stale(announcement.benchmark_id)
