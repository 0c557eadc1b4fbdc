"""What is asked of campaigns, in the domain's words."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING

from django.apps import apps
from django.db import models
from django.db.models import Count, F, OuterRef, Q, Subquery
from django.db.models.functions import Coalesce

if TYPE_CHECKING:
    from labelling.models import Assignment, Attempt, Campaign, Unit, Worker  # noqa: F401  # named in annotations


class CampaignQuerySet(models.QuerySet["Campaign"]):
    """Campaigns."""

    def running(self) -> CampaignQuerySet:
        """Those in which somebody may hold a unit."""
        return self.filter(status__in=["open", "paused"])


class UnitQuerySet(models.QuerySet["Unit"]):
    """Units of campaigns."""

    def of(self, campaign: Campaign, part: str) -> UnitQuerySet:
        return self.filter(campaign=campaign, part=part)

    def on_offer(self) -> UnitQuerySet:
        """Those that want further answers."""
        return self.filter(Q(wanted__isnull=True) | Q(taken__lt=F("wanted")))

    def new_to(self, worker: Worker) -> UnitQuerySet:
        """Those that the worker neither had nor wrote."""
        had = worker.assignments.values("unit")
        return self.exclude(pk__in=had).exclude(author__in=worker.same_person())


class WorkerQuerySet(models.QuerySet["Worker"]):
    """Workers of campaigns."""

    def at_work(self) -> WorkerQuerySet:
        return self.filter(stage__in=["qualifying", "waiting", "working"])

    def with_campaign(self) -> WorkerQuerySet:
        """With all that is asked of a worker, their campaign and who they are elsewhere, in the same statement."""
        return self.select_related("campaign__benchmark", "campaign__asked_model", "outside_id")

    def counting_units(self) -> WorkerQuerySet:
        """With `units_asked`, how many units the campaign is about, in the same statement."""
        units = apps.get_model("labelling", "Unit").objects.filter(campaign=OuterRef("campaign"), part="main")
        counted = units.order_by().values("campaign").values(count=Count("pk"))
        return self.annotate(counted_units=Coalesce(Subquery(counted), 0))


class AssignmentQuerySet(models.QuerySet["Assignment"]):
    """Units in the hands of workers."""

    def held(self) -> AssignmentQuerySet:
        return self.filter(status="held")

    def lapsed(self, now: dt.datetime) -> AssignmentQuerySet:
        """Those that were not answered in time."""
        return self.held().filter(expires_at__lte=now)

    def in_hand(self, now: dt.datetime) -> AssignmentQuerySet:
        """Those that wait for an answer, and may for some time yet."""
        return self.held().filter(expires_at__gt=now)

    def sent_last(self) -> AssignmentQuerySet:
        """Of one worker's, those that were answered last: one unit, or a page of them."""
        answered = self.filter(status="answered")
        return answered.filter(answered_at=answered.order_by("-answered_at").values("answered_at")[:1])

    def counted(self) -> AssignmentQuerySet:
        """Those whose answers count."""
        return self.filter(status="answered", holds_place=True)


class AttemptQuerySet(models.QuerySet["Attempt"]):
    """Texts that were tried on models."""

    def used(self) -> AttemptQuerySet:
        """Those that count among a unit's tries: answered ones and those that wait."""
        return self.filter(given_back=False)

    def waiting(self) -> AttemptQuerySet:
        return self.filter(answered_at__isnull=True, given_back=False)

    def answered(self) -> AttemptQuerySet:
        return self.filter(answered_at__isnull=False)
