"""What a release freezes beside its boards, and shows below the overall one."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from benchmarks.models import Benchmark
from leaderboard.equity import equity_counts
from leaderboard.fact_sheets import figures, usage
from leaderboard.gold_changes import changes_view
from leaderboard.models import ReleaseCell
from submissions.models import System


def make_reports(benchmark: Benchmark, cells: Collection[ReleaseCell]) -> dict[str, Any]:
    """Counts over what fills the cells of a release: fact sheets under `fact_sheets`, equity under `equity`."""
    systems = {cell.system_id for cell in cells if cell.system.kind == System.Kind.SYSTEM}
    reports = {"fact_sheets": usage(systems, benchmark), "equity": equity_counts(cells)}
    return {name: report for name, report in reports.items() if report is not None}


def shown(reports: Mapping[str, Any], *, is_synthetic: bool) -> dict[str, Any]:
    """The reports as `public/board.html` shows them."""
    return {
        "figures": figures(reports.get("fact_sheets"), is_synthetic=is_synthetic),
        "equity": reports.get("equity"),
        "gold_changes": changes_view(reports.get("gold")),
    }
