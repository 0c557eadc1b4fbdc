"""Questions about releases."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.db import models
from django.db.models import Max

if TYPE_CHECKING:
    from leaderboard.models import Release


class ReleaseQuerySet(models.QuerySet[Any]):
    """Releases by number."""

    def of(self, benchmark_slug: str) -> ReleaseQuerySet:
        """The releases of a benchmark, the newest first."""
        return self.filter(benchmark_id=benchmark_slug).order_by("-number")

    def latest_of(self, benchmark_slug: str) -> Release | None:
        """The newest release of a benchmark."""
        return self.of(benchmark_slug).select_related("phase").first()

    def next_number(self, benchmark_slug: str) -> int:
        """The number that the next release gets."""
        newest = self.filter(benchmark_id=benchmark_slug).aggregate(Max("number"))["number__max"]
        return (newest or 0) + 1
