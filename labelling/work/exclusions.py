"""Who goes on: workers are let in, not qualified, or excluded; and forgotten by the id of an outside platform.

Answers of whoever is excluded are kept and paid, count no longer, and their units are on offer again.
"""

import datetime as dt
from collections.abc import Mapping
from typing import Any

from django.db import transaction

from accounts.models import User
from labelling.exceptions import CannotChangeCampaign
from labelling.models import Assignment, Campaign, Exclusion, OutsideId, Worker
from labelling.work.returns import free_places, give_up

Stage = Worker.Stage
MAY_BE_LET_IN = frozenset({Stage.QUALIFYING, Stage.WAITING, Stage.SCREENED_OUT})
MAY_BE_SCREENED_OUT = frozenset({Stage.QUALIFYING, Stage.WAITING})


@transaction.atomic
def exclude(
    *,
    worker: Worker,
    rule: str,
    reason: str,
    now: dt.datetime,
    numbers: Mapping[str, Any] | None = None,
    user: User | None = None,
) -> Exclusion:
    """Exclude a worker. `reason` is told to them and to organisers; `numbers` are what a rule has counted.

    Raises
    ------
    CannotChangeCampaign
        If the campaign is closed, or the worker is excluded already.
    """
    worker = Worker.objects.select_for_update(of=("self",)).select_related("campaign").get(pk=worker.pk)
    if worker.campaign.status == Campaign.Status.CLOSED:
        raise CannotChangeCampaign("The campaign is closed: nobody could label the units again.")
    if worker.stage == Worker.Stage.EXCLUDED:
        raise CannotChangeCampaign(f"{worker} is excluded already.")
    free_places(worker.assignments.filter(holds_place=True))
    worker.assignments.held().update(status=Assignment.Status.EXPIRED)
    Worker.objects.filter(pk=worker.pk).update(stage=Worker.Stage.EXCLUDED, stage_because=reason)
    return Exclusion.objects.create(
        worker=worker, rule=rule, reason=reason, numbers=numbers or {}, by=user, at=now
    )


@transaction.atomic
def let_in(*, worker: Worker, now: dt.datetime) -> None:
    """Let a worker work who answers qualification questions, waits, or was not qualified.

    Raises
    ------
    CannotChangeCampaign
        If the worker is none of these, or the campaign is closed.
    """
    locked = _in_stage(worker, MAY_BE_LET_IN)
    give_up(locked)
    locked.stage, locked.stage_because = Stage.WORKING, ""
    locked.save(update_fields=["stage", "stage_because"])


@transaction.atomic
def screen_out(*, worker: Worker, reason: str, now: dt.datetime) -> None:
    """Say that a worker is not qualified; they read the reason, and are paid for what they did. Errors as `let_in`."""
    locked = _in_stage(worker, MAY_BE_SCREENED_OUT)
    give_up(locked)
    locked.stage, locked.stage_because = Stage.SCREENED_OUT, reason[:300]
    locked.save(update_fields=["stage", "stage_because"])


def erase_outside_ids(*, campaign: Campaign, now: dt.datetime) -> int:
    """Forget by which ids outside platforms know the workers; returns how many were known.

    Answers stay under numbers, and a keyed digest finds a worker again who comes back. Completion codes hold.
    """
    erased, _ = OutsideId.objects.filter(worker__campaign=campaign).delete()
    return erased


def erase_outside_id(*, worker: Worker, now: dt.datetime) -> int:
    """The same of one worker."""
    erased, _ = OutsideId.objects.filter(worker=worker).delete()
    return erased


def _in_stage(worker: Worker, wanted: frozenset[Worker.Stage]) -> Worker:
    locked = Worker.objects.select_for_update(of=("self",)).select_related("campaign").get(pk=worker.pk)
    if locked.campaign.status == Campaign.Status.CLOSED:
        raise CannotChangeCampaign("The campaign is closed, so nobody works on it any more.")
    if locked.stage not in wanted:
        raise CannotChangeCampaign(f"{locked} {locked.get_stage_display()}, so this cannot be done.")
    return locked
