"""Questions about releases."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from django.db import connections, models
from django.db.models import Func, Max

from benchmarks.querysets import HIDDEN
from catalogue.disclosure import RULES

if TYPE_CHECKING:
    from leaderboard.models import Release

BOARDS = ("overall", "others", "ranking")
"""The columns of a release's boards."""
# The text of what stands under a key within the text of all, its own keys in their order.
PART = {
    "sqlite": "JSON_EXTRACT(%(expressions)s, '$.{key}')",
    "postgresql": "(%(expressions)s::json -> '{key}')::text",
}


class PageQuerySet(models.QuerySet[Any]):
    """Pages as everybody may have them."""

    def of_everybody(self) -> PageQuerySet:
        """Without those of drafts and private benchmarks, which Django serves to those who may see them."""
        return self.exclude(benchmark__visibility__in=HIDDEN)


class ReleaseQuerySet(models.QuerySet[Any]):
    """Releases by number."""

    def of(self, benchmark_slug: str) -> ReleaseQuerySet:
        """The releases of a benchmark, the newest first."""
        return self.filter(benchmark_id=benchmark_slug).order_by("-number")

    def latest_of(self, benchmark_slug: str) -> Release | None:
        """The newest release of a benchmark."""
        return self.of(benchmark_slug).select_related("phase").first()

    def in_front(self, benchmark_slug: str) -> Release | None:
        """The release that a benchmark's own page shows: the newest that is not provisional, else the newest."""
        releases = self.of(benchmark_slug).select_related("phase")
        show_all = [rule.key for rule in RULES if rule.shows_everything()]
        lasting = models.Q(batch__is_final=True) | models.Q(batch__disclosure__in=show_all)
        return releases.filter(lasting).first() or releases.first()

    def next_number(self, benchmark_slug: str) -> int:
        """The number that the next release gets."""
        newest = self.filter(benchmark_id=benchmark_slug).aggregate(Max("number"))["number__max"]
        return (newest or 0) + 1

    def unread(self) -> ReleaseQuerySet:
        """Releases without what they have frozen."""
        return self.defer(*BOARDS, "reports")

    def reports(self, name: str) -> dict[int, Any]:
        """One of the reports by the numbers of the releases; None of those that have none of that name."""
        template = PART[connections[self.db].vendor].format(key=name)
        part = Func("reports", template=template, output_field=models.TextField())
        rows = self.order_by().values_list("number", part)
        return {number: None if text is None else json.loads(text) for number, text in rows}
