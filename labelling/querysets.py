"""What is asked of campaigns, in the domain's words."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING

from django.db import models
from django.db.models import F, Q

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


class AssignmentQuerySet(models.QuerySet["Assignment"]):
    """Units in the hands of workers."""

    def held(self) -> AssignmentQuerySet:
        return self.filter(status="held")

    def lapsed(self, now: dt.datetime) -> AssignmentQuerySet:
        """Those that were not answered in time."""
        return self.held().filter(expires_at__lte=now)

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

    def fooling(self) -> AttemptQuerySet:
        """Those that the model took for something else than they were to be."""
        return self.filter(is_fooling=True)
