"""Which files belong to rows, wherever they are kept."""

import datetime as dt
from collections.abc import Iterator

from django.core.files.storage import default_storage

from leaderboard.models import ArchiveOrder
from submissions.models import Submission

FOLDERS = ("", "take-home")
"""Where files are put in the storage."""
YOUNG = dt.timedelta(hours=24)
"""A file that is younger may be one whose row is still being written."""


def named_files() -> set[str]:
    """The names of all files that a row has."""
    return {
        name
        for rows in (Submission.objects.all(), ArchiveOrder.objects.all())
        for name in rows.exclude(stored_file="").values_list("stored_file", flat=True)
    }


def kept_files() -> Iterator[str]:
    """The names of all files that are stored."""
    for folder in FOLDERS:
        try:
            _, names = default_storage.listdir(folder)
        except FileNotFoundError:
            continue
        yield from (f"{folder}/{name}" if folder else name for name in sorted(names))


def orphaned_files(now: dt.datetime) -> list[str]:
    """Files that no row has and that are too old to be of one that is being written."""
    kept = list(kept_files())  # before the rows are asked: what is stored afterwards is not looked at
    named = named_files()
    return [name for name in kept if name not in named and _is_old(name, now)]


def _is_old(name: str, now: dt.datetime) -> bool:
    try:
        return default_storage.get_modified_time(name) <= now - YOUNG
    except FileNotFoundError:
        return False
