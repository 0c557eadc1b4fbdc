"""Exclude workers: their answers are kept and paid, count no longer, and their units are on offer again."""

import datetime as dt
from collections.abc import Mapping
from typing import Any

from django.db import transaction
from django.db.models import F

from accounts.models import User
from labelling.exceptions import CannotChangeCampaign
from labelling.models import Campaign, Exclusion, Unit, Worker


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
    places = list(worker.assignments.filter(holds_place=True).select_for_update().values_list("pk", "unit"))
    worker.assignments.held().update(status="expired", holds_place=False)
    worker.assignments.filter(pk__in=[place for place, _ in places]).update(holds_place=False)
    units = Unit.objects.filter(pk__in=[unit for _, unit in places])
    # Locked in one order, lest two exclusions wait for each other.
    list(units.order_by("pk").select_for_update().values_list("pk"))
    units.update(taken=F("taken") - 1)
    Worker.objects.filter(pk=worker.pk).update(stage=Worker.Stage.EXCLUDED, stage_because=reason)
    return Exclusion.objects.create(
        worker=worker, rule=rule, reason=reason, numbers=numbers or {}, by=user, at=now
    )
