"""Read what is stored as long as nobody asks for it, so that a disk that forgets is noticed before a restore."""

import datetime as dt
from collections.abc import Collection

from django.core.files.storage import default_storage

from accounts.server.worker_rounds import last_rounds
from operations import alerts, stored_files
from operations.alerts import Trouble
from operations.invariants.stored_files import fault_of
from operations.models import Alert
from operations.rounds import SCRUB
from submissions.models import Submission

DAYS = 30
"""Within so many days every file is read."""
MOST_TOLD = 5


def scrub(*, slices: Collection[int] | None) -> tuple[int, list[str]]:
    """Compare stored files with the digests of what was received; returns how many were read, and what is wrong.

    `slices` are numbers from 0 to `DAYS` - 1, each a thirtieth of all files; None for all.

    Raises
    ------
    StorageAway
        If it cannot be read at this moment, which says nothing of the files.
    """
    faults, read = [], 0
    kept = Submission.objects.filter(file_removed_at=None)
    for submission in kept.only("stored_file", "file_size", "file_sha256").order_by("pk").iterator():
        if slices is None or submission.pk.int % DAYS in slices:
            read += 1
            if fault := fault_of(submission, thoroughly=True):
                faults.append(f"submission {submission.pk}: {fault}")
    return read, faults


def due_slices(now: dt.datetime) -> set[int]:
    """The slices of the days since files were last read; all of them where that is long ago or never was."""
    last = last_rounds().get(SCRUB)
    first = (
        now.toordinal() - DAYS + 1 if last is None else max(last.toordinal() + 1, now.toordinal() - DAYS + 1)
    )
    return {day % DAYS for day in range(first, now.toordinal() + 1)}


def scrub_and_tell(now: dt.datetime) -> int:
    """Read what is due and remove orphans; operators are told of damaged files. Returns how many are damaged.

    As long as a file is damaged all are read: only so is it seen that none is damaged any more.
    """
    is_damaged = Alert.objects.filter(key="scrub:files").exists()
    _, faults = scrub(slices=None if is_damaged else due_slices(now))
    troubles = {}
    if faults:
        shown = "\n\n".join(faults[:MOST_TOLD])
        text = (
            f"{len(faults)} stored files are not what was received. Put them back from a backup.\n\n{shown}"
        )
        troubles["files"] = Trouble(text, len(faults), "\n".join(faults))
    alerts.settle("scrub", troubles, now=now)
    remove_orphans(now)
    return len(faults)


def remove_orphans(now: dt.datetime, *, only_look: bool = False) -> list[str]:
    """Remove files older than a day that no row has, such as what a killed upload left; returns their names."""
    orphans = stored_files.orphaned_files(now)
    for name in [] if only_look else orphans:
        default_storage.delete(name)
    return orphans
