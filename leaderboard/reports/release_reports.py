"""What a release freezes beside its boards, and shows below the overall one."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from hashlib import sha256
from json import dumps
from typing import Any

from benchmarks.models import Benchmark
from leaderboard.models import ReleaseCell
from leaderboard.reports.equity import equity_counts
from leaderboard.reports.fact_sheets import figures, usage
from leaderboard.reports.gold_changes import changes_view
from submissions.models import System


def make_reports(benchmark: Benchmark, cells: Collection[ReleaseCell]) -> dict[str, Any]:
    """Counts over what fills the cells of a release: fact sheets under `fact_sheets`, equity under `equity`."""
    systems = {cell.system_id for cell in cells if cell.system.kind == System.Kind.SYSTEM}
    reports = {"fact_sheets": usage(systems, benchmark), "equity": equity_counts(cells)}
    return {name: report for name, report in reports.items() if report is not None}


def definition_report(benchmark: Benchmark) -> dict[str, Any]:
    """Under `definition`, what the boards of a release were made by: see `defined_as`."""
    return {"definition": {"document": benchmark.definition, "made_splits": benchmark.made_splits}}


def defined_as(benchmark: Benchmark, reports: Mapping[str, Any]) -> bool:
    """Have the row, in memory, say what it said when a release was frozen; False where that is not known.

    Attacks, human estimates and what phases are set to are rows of their own and stay as they are.
    """
    found = reports.get("definition")
    if found is None:
        return False
    benchmark.definition = found["document"]
    benchmark.definition_sha256 = sha256(dumps(found["document"], default=str).encode()).hexdigest()
    benchmark.made_splits = found["made_splits"]
    return True


def shown(reports: Mapping[str, Any], *, is_synthetic: bool) -> dict[str, Any]:
    """The reports as `public/board.html` shows them."""
    return {
        "figures": figures(reports.get("fact_sheets"), is_synthetic=is_synthetic),
        "equity": reports.get("equity"),
        "gold_changes": changes_view(reports.get("gold")),
    }
