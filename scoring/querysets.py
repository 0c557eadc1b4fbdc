"""Questions about gold labels, batches and runs."""

import datetime as dt
import uuid
from collections.abc import Iterable
from typing import Any, Self

from django.conf import settings
from django.db import models
from django.db.models import Max, OuterRef, Q, Subquery

from accounts.server.clock import has_come

LONGEST_LEASES = 10  # that many leases ahead no run is ever held back


class VersionQuerySet(models.QuerySet[Any]):
    """Numbered versions of something that splits have."""

    def current(self) -> Self:
        """The newest version of each split."""
        newest = self.model.objects.filter(split=OuterRef("split")).order_by("-number")
        return self.filter(pk=Subquery(newest.values("pk")[:1]))

    def next_number(self, split_id: int) -> int:
        return (self.filter(split_id=split_id).aggregate(Max("number"))["number__max"] or 0) + 1


class ResponseSetQuerySet(VersionQuerySet):
    """Versions of several workers' responses."""

    def current(self) -> Self:
        """The newest of each split, unless newer gold labels came from elsewhere."""
        gold = VersionQuerySet(self.model.gold_version.field.related_model)
        return super().current().filter(gold_version__in=gold.current())


class BatchQuerySet(models.QuerySet[Any]):
    """Batches by how far they are."""

    def scoring(self) -> Self:
        """Closed, with something still to be scored."""
        return self.filter(status=self.model.Status.SCORING)

    def ready(self) -> Self:
        """Scored and waiting for their release, the oldest first; not those that were set aside."""
        return self.filter(status=self.model.Status.SCORED, set_aside_because="").order_by("cut_off_at")

    def set_aside(self) -> Self:
        """Those that could not be published, until somebody publishes them by hand."""
        return (
            self.filter(status=self.model.Status.SCORED).exclude(set_aside_because="").order_by("cut_off_at")
        )


class RunQuerySet(models.QuerySet[Any]):
    """Runs as a queue."""

    def due(self, now: dt.datetime) -> Self:
        """Neither done nor failed, and nobody holds a lease on it."""
        is_over = has_come("lease_expires_at", now, longest=LONGEST_LEASES * settings.SCORING_LEASE)
        return self.open().filter(Q(lease_expires_at__isnull=True) | is_over)

    def open(self) -> Self:
        return self.filter(status__in=[self.model.Status.PENDING, self.model.Status.RUNNING])

    def of_submissions(self, submissions: Iterable[uuid.UUID]) -> Self:
        return self.filter(submission_id__in=submissions)
