"""Which files belong to rows, wherever they are kept."""

import datetime as dt
from collections.abc import Iterator

from leaderboard.models import ArchiveOrder
from submissions.models import Submission
from submissions.uploads.storage import KeptFile, upload_storage

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
    for name, _ in _kept():
        yield name


def _kept() -> Iterator[tuple[str, KeptFile]]:
    for folder in FOLDERS:
        for file in upload_storage().entries(folder):
            yield f"{folder}/{file.name}" if folder else file.name, file


def orphaned_files(now: dt.datetime) -> list[str]:
    """Files that no row has and that are too old to be of one that is being written."""
    kept = list(_kept())  # before the rows are asked: what is stored afterwards is not looked at
    named = named_files()
    return [name for name, file in kept if name not in named and file.modified_at <= now - YOUNG]
