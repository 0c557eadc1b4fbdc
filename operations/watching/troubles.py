"""When a figure is bad enough that operators are written to."""

import datetime as dt
from collections.abc import Iterator

from django.conf import settings

from accounts.models import Mail
from accounts.server.worker_rounds import last_rounds, late_rounds
from operations import alerts
from operations.alerts import Trouble
from operations.rounds import BACKUP, DRILL, LATE_AFTER
from operations.schema import installed_at
from operations.watching.figures import Figures, figures
from operations.watching.readings import LatestReadings
from scoring.queue.quarantine import quarantined
from submissions.uploads.storage import upload_storage

KIND = "server"
DUE = dt.timedelta(minutes=10)
OPEN = dt.timedelta(minutes=30)
UNSIGNED = dt.timedelta(hours=25)
CERTIFICATE = dt.timedelta(days=14)
MOST_QUEUED = 500
MOST_ERRORS, FEW = 0.01, 5  # of all answers of late; fewer of them say little
LEAST_FREE = 0.15  # of a disk
RECENT = dt.timedelta(days=2)  # mails that were given up longer ago are no news


def watch_and_tell(now: dt.datetime) -> int:
    """Tell operators what has begun to be wrong, and what is over; returns how much is wrong."""
    found = dict(_troubles(figures(now), now))
    alerts.settle(KIND, found, now=now)
    return len(found)


def _troubles(read: Figures, now: dt.datetime) -> Iterator[tuple[str, Trouble]]:
    yield from _of_workers(read, now)
    yield from _of_backups(now)
    yield from _of_readings(read.readings, now)
    yield from _of_storage()
    for name, (free, size) in read.disks.items():
        if free < LEAST_FREE * size:
            left = f"{free / 10**9:.1f} GB of {size / 10**9:.1f} GB are free"
            yield (
                f"disk {name}",
                Trouble(f"Of the disk with {name}, {left}. Make room, or add a larger disk."),
            )
    given_up = Mail.objects.filter(status=Mail.Status.FAILED, due_at__gte=now - RECENT).count()
    if given_up:
        said = (
            f"{given_up} mails of the last two days could not be sent. “Mail” in the admin shows each with the mail "
            "server's words; “Send again” puts them back in the post."
        )
        yield "mail", Trouble(said, given_up)
    if held := sorted(map(str, quarantined().values_list("pk", flat=True))):
        said = (
            f"{len(held)} submissions failed in two batches, and no batch takes them in any more: "
            f"{', '.join(held[:5])}. Their pages in the admin say why; mend it, then have them scored again there."
        )
        yield "quarantine", Trouble(said, len(held), "\n".join(held))
    if read.unsigned is not None and read.unsigned > UNSIGNED.total_seconds():
        said = (
            "Entries of the log have waited for a checkpoint for more than a day. See that a worker has the key "
            "(HELDOUT_LOG_KEY_FILE), and what its log says of sign_log."
        )
        yield "checkpoint", Trouble(said)


def _of_workers(read: Figures, now: dt.datetime) -> Iterator[tuple[str, Trouble]]:
    for name, seen_at in late_rounds(now).items():
        said = (
            f"The round “{name}” was last done on {seen_at:%Y-%m-%d %H:%M} UTC. See in the workers' log what it meets, "
            "and whether beat and broker run."
        )
        yield f"round {name}", Trouble(said)
    if read.oldest_due is not None and read.oldest_due > DUE.total_seconds():
        said = (
            "A scoring run has been due for more than ten minutes. See that a worker with the private key runs; "
            "`manage.py run_due` scores what is due."
        )
        yield "scoring", Trouble(said)
    if read.open_batch is not None and read.open_batch > OPEN.total_seconds():
        said = "A batch has been in scoring for more than half an hour. “Batches” in the admin shows what it waits for."
        yield "batch", Trouble(said)


def _of_readings(read: LatestReadings, now: dt.datetime) -> Iterator[tuple[str, Trouble]]:
    if read.errors >= FEW and read.errors > MOST_ERRORS * read.answers:
        said = (
            "More than one in a hundred answers of the last five minutes were server errors (5xx). The log of the web "
            "servers tells which, and why; /metrics counts them by route."
        )
        yield "errors", Trouble(said)
    for name, length in read.queues.items():
        if length > MOST_QUEUED:
            said = (
                f"More than {MOST_QUEUED} messages wait in the broker's queue “{name}”. See that workers run which "
                f"take from it (celery … -Q {name}), and what their log says."
            )
            yield f"queue {name}", Trouble(said)
    if read.certificate is not None and read.certificate - now.timestamp() < CERTIFICATE.total_seconds():
        ends_at = dt.datetime.fromtimestamp(read.certificate, dt.UTC)
        said = f"The certificate ends on {ends_at:%Y-%m-%d %H:%M} UTC. Renew it, then restart the proxy."
        yield "certificate", Trouble(said)


def _of_storage() -> Iterator[tuple[str, Trouble]]:
    """Where machines share what keeps uploads; of a folder the disk tells."""
    storage = upload_storage()
    if storage.folder is None and (problem := storage.problem()):
        yield (
            "storage",
            Trouble(f"No upload can be stored: {problem} Uploads are refused with 503 until it answers."),
        )


def _of_backups(now: dt.datetime) -> Iterator[tuple[str, Trouble]]:
    """Where backups are made by workers, or were ever made."""
    rounds = last_rounds()
    if not settings.BACKUPS and BACKUP not in rounds:
        return
    for name in (BACKUP, DRILL):
        last = rounds.get(name)
        if now - (last or installed_at()) > LATE_AFTER[name]:
            when = f"was last done on {last:%Y-%m-%d %H:%M} UTC" if last else "was never done"
            yield name, Trouble(f"A {name} {when}. `manage.py {name} FOLDER` by hand says what stops it.")
