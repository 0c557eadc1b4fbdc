"""Archives that are made: a file, and a line in the audit log, whose digest enters the public log."""

import datetime as dt
import logging
import tempfile
import uuid
from pathlib import Path

from django.core.files import File
from django.core.files.storage import default_storage
from django.db.models import Q, QuerySet
from django.http import FileResponse

from accounts.audit.log import record
from accounts.models import User
from accounts.server.clock import has_come
from benchmarks.models import Benchmark
from leaderboard.models import ArchiveOrder
from leaderboard.take_home.archive_contents import TakenHome, write_archive
from scoring.gold.keys import has_private_key
from submissions.exceptions import FileLost

logger = logging.getLogger(__name__)

KEPT = dt.timedelta(days=1)
AGAIN = dt.timedelta(minutes=10)
"""How long after a worker has begun one that is not made another may begin it; a task is ended well before."""
NOT_YET = (
    f"It could not be made so far, and is tried again every {AGAIN.seconds // 60} minutes. The log of the worker says "
    "why; ask whoever runs the server."
)


class ArchiveNotMade(Exception):
    """The archive cannot be written; the message says why."""


def make_file(benchmark: Benchmark, path: Path, now: dt.datetime, *, by: str) -> TakenHome:
    """Write the archive to a new file that nobody but this account can read, and note it in the audit log.

    Raises
    ------
    ArchiveNotMade
        If the file is there already or cannot be written.
    """
    try:
        with path.open("xb") as target:
            path.chmod(0o600)
            taken = write_archive(benchmark, target, now)
    except FileExistsError:
        raise ArchiveNotMade(f"{path} is there already. Name a file that is not.") from None
    except OSError as error:
        raise ArchiveNotMade(f"{path} cannot be written: {error.strerror}.") from None
    _note(benchmark, taken, by=by, actor=None)
    return taken


def order_archive(*, benchmark: Benchmark, by: User, now: dt.datetime) -> ArchiveOrder:
    """Have a worker make the archive, anew where there is one."""
    delete_archive(benchmark)
    return ArchiveOrder.objects.create(benchmark=benchmark, asked_by=by, asked_at=now)


def ordered_archive(benchmark: Benchmark) -> ArchiveOrder | None:
    """What was ordered last, made or not; None once a day has passed since it was made."""
    return ArchiveOrder.objects.filter(benchmark=benchmark).first()


def ready_archive(benchmark: Benchmark) -> ArchiveOrder | None:
    """What was made within the last day; None where nothing was."""
    order = ordered_archive(benchmark)
    return order if order and order.made_at else None


def as_download(order: ArchiveOrder) -> FileResponse:
    """The archive as a file to be saved; no cache keeps it, because it holds addresses of people.

    Raises
    ------
    FileLost
        If it is not there any more.
    StorageAway
        If it cannot be read at this moment.
    """
    try:
        opened = order.stored_file.open("rb")
    except FileNotFoundError:
        logger.error("the archive of %s is not stored", order.pk)  # noqa: TRY400  # nothing else to tell
        raise FileLost(
            "The archive is not where this server keeps uploads any more. Order it anew: “Take everything home” on the "
            "benchmark's page."
        ) from None
    answer = FileResponse(
        opened,
        as_attachment=True,
        filename=f"{order.benchmark_id}-{order.made_at:%Y-%m-%d}.zip",
        content_type="application/zip",
    )
    answer["Cache-Control"] = "no-store, private"
    answer["X-Content-Type-Options"] = "nosniff"
    return answer


def make_ordered(now: dt.datetime) -> int:
    """Make what organisers have ordered; returns how many. A worker without the private key leaves it to others.

    One that cannot be made says so to its organisers, and is tried again after `AGAIN`; the others are made all the
    same. One process makes an archive, however long that takes: sweeps that close and publish need the others.
    """
    if not has_private_key():
        return 0
    made = 0
    due = Q(due_at=None) | has_come("due_at", now, longest=AGAIN)
    for order in ArchiveOrder.objects.filter(due, made_at=None).select_related("benchmark", "asked_by"):
        if not _waiting(order).filter(due).update(due_at=now + AGAIN):
            continue  # another process has begun it meanwhile
        try:
            _make(order, now)
            made += 1
        except Exception:
            logger.exception("the archive of %s could not be made", order.pk)
            _waiting(order).update(said=NOT_YET)
    return made


def _make(order: ArchiveOrder, now: dt.datetime) -> None:
    with tempfile.TemporaryFile() as target:
        taken = write_archive(order.benchmark, target, now)
        target.seek(0)
        stored = default_storage.save(f"take-home/{uuid.uuid4()}.zip", File(target))
    _note(order.benchmark, taken, by="worker", actor=order.asked_by)
    if not _waiting(order).update(made_at=now, stored_file=stored, said=contents_in_words(taken)):
        default_storage.delete(stored)  # it was ordered again meanwhile, or somebody was faster


def _waiting(order: ArchiveOrder) -> QuerySet[ArchiveOrder]:
    """The order itself, unless it was made or given anew since it was read."""
    return ArchiveOrder.objects.filter(pk=order.pk, asked_at=order.asked_at, made_at=None)


def delete_old(now: dt.datetime) -> int:
    """Delete the archives that were made a day ago or longer; returns how many."""
    old = ArchiveOrder.objects.filter(made_at__lte=now - KEPT).select_related("benchmark")
    return sum(delete_archive(order.benchmark) for order in old)


def delete_archive(benchmark: Benchmark) -> bool:
    order = ArchiveOrder.objects.filter(benchmark=benchmark).first()
    if order is None:
        return False
    if order.stored_file:
        order.stored_file.delete(save=False)
    order.delete()
    return True


def contents_in_words(taken: TakenHome) -> str:
    """How many files an archive has, and whose gold labels; as a clause."""
    gold = f"gold labels of {', '.join(taken.opened)}" if taken.opened else "no gold labels"
    return f"{taken.file_count} files, with {gold}"[:300]


def _note(benchmark: Benchmark, taken: TakenHome, *, by: str, actor: User | None) -> None:
    what = f"Made an archive of everything: {contents_in_words(taken)}."
    record(row=benchmark, kind="take home", by=by, actor=actor, benchmark=benchmark.pk, what=what)
