"""Questions about releases."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from django.db import connections, models
from django.db.models import F, Func, Max, OuterRef
from django.db.models.functions import Coalesce

from benchmarks.querysets import HIDDEN
from catalogue.disclosure import RULES

if TYPE_CHECKING:
    from leaderboard.models import Release

FROZEN = ("overall", "others", "ranking", "reports_for_later", "packed_reports")
"""The columns of all that a release has frozen."""
FOR_LATER = ("log_head", "ranked_on")
"""The keys of the reports that later releases read."""
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

    def with_any_of(self, cells: ReleaseCellQuerySet) -> ReleaseQuerySet:
        """Those that have one of these cells."""
        return self.filter(models.Exists(cells.standing_in(OuterRef("phase"), OuterRef("number"))))

    def whole(self) -> ReleaseQuerySet:
        """Releases with what they have frozen, which is otherwise read when it is asked for."""
        return self.defer(None)

    def reports(self, name: str) -> dict[int, Any]:
        """A report of `FOR_LATER` by the numbers of the releases; None of those that have none of that name."""
        template = PART[connections[self.db].vendor].format(key=name)
        part = Func("reports_for_later", template=template, output_field=models.TextField())
        rows = self.order_by().values_list("number", part)
        return {number: None if text is None else json.loads(text) for number, text in rows}


_WithQuestions = models.Manager.from_queryset(ReleaseQuerySet)


class ReleaseManager(_WithQuestions["Release"]):
    """Releases without what they have frozen: to read it takes a quarter of a second where a thousand systems stand."""

    def get_queryset(self) -> models.QuerySet[Release]:
        return super().get_queryset().defer(*FROZEN)


class ReleaseCellQuerySet(models.QuerySet[Any]):
    """Cells by the releases that have them."""

    def of(self, release: Release) -> ReleaseCellQuerySet:
        """Those of one release; its own order is that of `place`."""
        return self.standing_in(release.phase_id, release.number)

    def standing_in(self, phase: object, number: object) -> ReleaseCellQuerySet:
        """Those of the release of a phase that has this number."""
        begun = models.Q(first__phase=phase, first__number__lte=number)
        return self.filter(begun, models.Q(until=None) | models.Q(until__gt=number))

    def with_begin(self) -> ReleaseCellQuerySet:
        """Each with its `phase` and with `begun`, the number of the first release that has it."""
        cells: ReleaseCellQuerySet = self.annotate(phase=F("first__phase"), begun=F("first__number"))
        return cells

    def of_newest(self) -> ReleaseCellQuerySet:
        """Those of the newest release of each phase."""
        return self.filter(until=None)

    def with_last(self) -> ReleaseCellQuerySet:
        """Each with `last`, the number of the newest release that has it."""
        from leaderboard.models import Release

        of_phase = Release.objects.filter(phase=OuterRef("first__phase")).order_by("-number")
        having = of_phase.filter(number__lt=Coalesce(OuterRef("until"), F("number") + 1))
        cells: ReleaseCellQuerySet = self.annotate(last=models.Subquery(having.values("number")[:1]))
        return cells
