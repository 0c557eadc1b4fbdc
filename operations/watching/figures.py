"""The state of the server in figures, read from the database and the disks when they are asked for."""

import datetime as dt
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db.models import Count, Min, QuerySet
from django.db.models.functions import Coalesce, Greatest

from accounts.models import Mail, Sweep
from benchmarks.models import Benchmark
from operations.checking import KIND
from operations.invariants import INVARIANTS
from operations.models import Alert
from operations.watching.readings import LatestReadings, readings
from operations.watching.request_counts import all_counts
from scoring.models import Batch, ScoringRun
from scoring.queue.quarantine import quarantined
from submissions.uploads.storage import upload_storage
from transparency.keys import KeyRole, verifier
from transparency.models import Checkpoint, LogEntry


@dataclass(frozen=True, slots=True)
class Figures:
    """Ages and durations are in seconds, space in bytes.

    `sweep_ages` and `sweep_seconds` are by round, `runs` by state, `violations` by invariant as of the last check,
    `disks` (free, whole) by what is kept there, `requests` as `all_counts` tells them. None where there is nothing to
    be old.
    """

    sweep_ages: Mapping[str, float]
    sweep_seconds: Mapping[str, float]
    runs: Mapping[str, int]
    oldest_due: float | None
    open_batch: float | None
    set_aside: int
    quarantined: int
    mail_waiting: int
    mail_given_up: int
    stale: int
    violations: Mapping[str, int]
    unsigned: float | None
    disks: Mapping[str, tuple[int, int]]
    readings: LatestReadings
    requests: Sequence[tuple[str, str, int, int, float]]


def figures(now: dt.datetime) -> Figures:
    rounds = list(Sweep.objects.values_list("name", "seen_at", "took_seconds"))
    mail = _counts(Mail.objects.all())
    return Figures(
        sweep_ages={name: (now - seen_at).total_seconds() for name, seen_at, _ in rounds},
        sweep_seconds={name: took for name, _, took in rounds if took is not None},
        runs=dict.fromkeys(ScoringRun.Status.values, 0) | _counts(ScoringRun.objects.all()),
        oldest_due=_oldest_due(now),
        open_batch=_age(Batch.objects.scoring().aggregate(at=Min("closed_at"))["at"], now),
        set_aside=Batch.objects.set_aside().count(),
        quarantined=quarantined().count(),
        mail_waiting=mail.get(Mail.Status.WAITING, 0) + mail.get(Mail.Status.SENDING, 0),
        mail_given_up=mail.get(Mail.Status.FAILED, 0),
        stale=Benchmark.objects.stale().count(),
        violations=_violations(),
        unsigned=_unsigned(now),
        disks=_disks(),
        readings=readings(now),
        requests=all_counts(),
    )


def _counts(rows: QuerySet[Any]) -> dict[str, int]:
    return dict(rows.order_by().values_list("status").annotate(Count("pk")))


def _age(at: dt.datetime | None, now: dt.datetime) -> float | None:
    return None if at is None else (now - at).total_seconds()


def _oldest_due(now: dt.datetime) -> float | None:
    """How long the run has been due that has been for longest; one that was tried is due from its pause on."""
    since = Greatest("created_at", Coalesce("lease_expires_at", "created_at"))
    return _age(ScoringRun.objects.due(now).aggregate(at=Min(since))["at"], now)


def _violations() -> dict[str, int]:
    found = dict(Alert.objects.filter(key__startswith=f"{KIND}:").values_list("key", "count"))
    return {one.key: found.get(f"{KIND}:{one.key}", 0) for one in INVARIANTS}


def _unsigned(now: dt.datetime) -> float | None:
    """How old the first entry of the log is that no checkpoint has signed; None where all are, or nobody signs."""
    if verifier(KeyRole.LOG) is None:
        return None
    signed = Checkpoint.objects.values_list("size", flat=True).first() or 0
    return _age(LogEntry.objects.filter(index__gte=signed).aggregate(at=Min("created_at"))["at"], now)


def _disks() -> dict[str, tuple[int, int]]:
    found = {}
    for name, folder in (
        ("data", settings.DATA_DIR),
        ("uploads", upload_storage().folder),
        ("backups", settings.BACKUPS),
    ):
        if folder and Path(folder).is_dir():
            usage = shutil.disk_usage(folder)
            found[name] = (usage.free, usage.total)
    return found
