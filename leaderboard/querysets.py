"""Questions about releases."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from django.db import connections, models
from django.db.models import Func, Max

from benchmarks.spec import OVERALL

if TYPE_CHECKING:
    from leaderboard.models import Release

OVERALL_BOARD = {
    "sqlite": f"JSON_EXTRACT(%(expressions)s, '$.{OVERALL}')",
    "postgresql": f"(%(expressions)s::json -> '{OVERALL}')::text",
}
"""The text of the overall board within the text of all boards, its keys in their order."""


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

    def overall_boards(self) -> list[dict[str, Any]]:
        """The overall board of each release, as frozen.

        The database cuts them out: they are a twelfth of a RAFT release, and those of a year are read at once.
        """
        template = OVERALL_BOARD[connections[self.db].vendor]
        overall = Func("boards", template=template, output_field=models.TextField())
        return [json.loads(text) for text in self.values_list(overall, flat=True)]
