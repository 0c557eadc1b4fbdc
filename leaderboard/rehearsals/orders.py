"""Rehearsals that people have asked for: one each, sealed until a worker plays it; what came out is kept for a day."""

import datetime as dt
from typing import Any

from django.conf import settings
from django.db import transaction

from accounts.formats.instants import in_words
from accounts.models import User
from leaderboard.models import Rehearsal
from leaderboard.rehearsals.zipped_folder import open_folder
from submissions.intake.sealing import VaultError, seal_file

KEPT = dt.timedelta(days=1)
OVERDUE = dt.timedelta(minutes=8)
"""After it nobody plays a rehearsal any more: whoever began it would have stopped it before."""
NO_WORKER = "Whoever played it was ended meanwhile. Nothing of it is left; please upload the folder again."


class CannotRehearse(Exception):
    """The rehearsal cannot be asked for now; the message says why."""


@transaction.atomic
def order_rehearsal(
    *, person: User, data: bytes, file_name: str, definition: str = "", now: dt.datetime
) -> Rehearsal:
    """Have a worker play the folder in a zip; what came of the person's last one is forgotten.

    `definition` stands in place of that of the folder where it is not empty. The zip holds gold labels, so it is sealed
    at once and never lies open where the web server runs.

    Raises
    ------
    CannotRehearse, BundleRefused
    """
    User.objects.held(person)
    before = Rehearsal.objects.filter(person=person).first()
    if before is not None and before.ended_at is None:
        raise CannotRehearse(
            f"Your rehearsal of {before.file_name}, asked for on {in_words(before.asked_at)}, is not over yet. "
            "Wait for what comes of it; then the next can begin."
        )
    open_folder(data, file_name, has_definition=bool(definition))
    try:
        box = seal_file(data, settings.GOLD_PUBLIC_KEY)
    except VaultError:
        raise CannotRehearse(
            "This server has no key to seal labels to; its operator has to set one."
        ) from None
    Rehearsal.objects.filter(person=person).delete()
    return Rehearsal.objects.create(
        person=person,
        file_name=file_name[:200],
        definition=definition,
        asked_at=now,
        sealed=box.ciphertext,
        commitment=box.commitment,
    )


def rehearsal_of(person: User) -> Rehearsal | None:
    """The person's last rehearsal, without its large columns."""
    return Rehearsal.objects.filter(person=person).defer("sealed", "pages").first()


def begin_next(now: dt.datetime) -> Rehearsal | None:
    """Claim the one that waits longest; None while another is played, or where none waits."""
    if Rehearsal.objects.filter(began_at__isnull=False, ended_at=None).exists():
        return None
    order = Rehearsal.objects.filter(began_at=None).order_by("asked_at").defer("sealed").first()
    if order is None:
        return None
    waiting = Rehearsal.objects.filter(pk=order.pk, asked_at=order.asked_at, began_at=None)
    return order if waiting.update(began_at=now) else None


def end_rehearsal(order: Rehearsal, outcome: dict[str, Any], pages: bytes, now: dt.datetime) -> None:
    """Keep what came out, where it still is what the person waits for; the folder is forgotten."""
    Rehearsal.objects.filter(pk=order.pk, asked_at=order.asked_at, ended_at=None).update(
        ended_at=now, outcome=outcome, pages=pages, sealed=b"", definition=""
    )


def clear_old(now: dt.datetime) -> None:
    """Say of those that nobody plays any more that they ended, and forget what is older than a day."""
    Rehearsal.objects.filter(began_at__lte=now - OVERDUE, ended_at=None).update(
        ended_at=now, outcome={"failed": NO_WORKER}, sealed=b"", definition=""
    )
    Rehearsal.objects.filter(asked_at__lte=now - KEPT).exclude(began_at__isnull=False, ended_at=None).delete()
