"""Questions about breakers' pairs and what is argued over."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.db import models

from benchmarks.models import Task

if TYPE_CHECKING:
    from accounts.models import User


class PairFileQuerySet(models.QuerySet[Any]):
    def accepted(self) -> PairFileQuerySet:
        """Those that count: a team's last, not withdrawn."""
        return self.filter(status="accepted")

    def of(self, user: User) -> PairFileQuerySet:
        return self.filter(team__memberships__user=user)

    def listed(self) -> PairFileQuerySet:
        """The newest first, with all that a list shows, such as how many pairs wait, and without what is sealed."""
        waiting = models.Count("pairs", filter=models.Q(pairs__decision="waiting"))
        left_out = models.Count("pairs", filter=models.Q(pairs__decision="left_out"))
        related = self.select_related("task__benchmark", "phase", "team", "submitted_by", "breaker_set")
        rows: PairFileQuerySet = related.defer("sealed").annotate(
            waiting_count=waiting, left_out_count=left_out
        )
        return rows.order_by("-received_at", "id")  # what is counted in groups has no order of its own


class PairQuerySet(models.QuerySet[Any]):
    def waiting(self) -> PairQuerySet:
        """Outliers of accepted files that nobody has decided about."""
        return self.filter(decision="waiting", pair_file__status="accepted")

    def taken(self) -> PairQuerySet:
        """Those that go into their breaker's set."""
        return self.filter(decision__in=["fine", "admitted"])


class BreakerSetQuerySet(models.QuerySet[Any]):
    def standing(self) -> BreakerSetQuerySet:
        return self.filter(withdrawn_at__isnull=True)


class ContestQuerySet(models.QuerySet[Any]):
    def open(self) -> ContestQuerySet:
        """Those that wait for the organiser's decision."""
        return self.filter(status="open", decided_at__isnull=True)

    def unapplied(self) -> ContestQuerySet:
        """Those that are decided, while the gold labels do not say so yet."""
        return self.filter(status="open", decided_at__isnull=False)


def lock_task(task_id: int) -> Task:
    """The task's row, to be held while its pairs and sets are changed: one such thing at a time."""
    tasks = Task.objects.select_for_update(of=("self",)).select_related("benchmark")
    return tasks.get(pk=task_id)
