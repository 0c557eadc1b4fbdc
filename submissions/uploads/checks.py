"""Checks that cost nothing: an upload is judged as ever, and nothing of it is kept."""

import datetime as dt

from django.core.cache import cache
from django.db import transaction

from accounts.formats.instants import time_in_utc
from accounts.models import User
from submissions.exceptions import TooManyChecks
from submissions.intake import IntakeResult
from submissions.services import PredictionUpload, check_predictions

CHECKS_PER_HOUR = 60


def check(upload: PredictionUpload) -> IntakeResult:
    """What `check_predictions` finds, for at most CHECKS_PER_HOUR files of a person.

    Raises
    ------
    TooManyChecks
        And whatever `check_predictions` raises.
    """
    _count(upload.user, upload.received_at)
    return check_predictions(upload)


def _count(user: User, at: dt.datetime) -> None:
    hour = at.replace(minute=0, second=0, microsecond=0)
    key = f"checks:{user.pk}:{hour.timestamp():.0f}"
    with transaction.atomic():
        User.objects.select_for_update(no_key=True).get(pk=user.pk)  # of checks at once, each is counted
        count = cache.get(key, 0) + 1
        cache.set(key, count, 3600)
    if count > CHECKS_PER_HOUR:
        again = hour + dt.timedelta(hours=1)
        raise TooManyChecks(
            f"You have had {CHECKS_PER_HOUR} files checked in this hour, the most that are read for "
            f"nothing. Check again from {time_in_utc(again)} UTC on, or on your own machine with "
            "`heldout check`, as often as you like.",
            again_at=again,
        )
