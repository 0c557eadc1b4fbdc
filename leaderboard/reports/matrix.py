"""The page of a release on which its first systems stand against each other, every two of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from benchmarks.spec import OVERALL, BenchmarkSpec
from leaderboard.assembly.replicates import RowReplicates
from leaderboard.assembly.standings import Standing
from leaderboard.board.analysis.pairwise_matrix import decisions, matrix_csv, matrix_view
from leaderboard.board.exports.export import CSV_TYPE
from leaderboard.board.model.board import Board
from leaderboard.pages.rendered_page import RenderedPage, html
from leaderboard.pages.rendered_release import PrintedRelease


def matrix_report(
    spec: BenchmarkSpec, board: Board, rows: Sequence[Standing], drawn: Sequence[RowReplicates]
) -> dict[str, Any]:
    """What a release freezes under `matrix`, from its overall board; nothing where chance says nothing about it.

    `drawn` are the replicates of the rows.
    """
    named = {task.id for task in spec.tasks} | {average.id for average in spec.averages}
    if board.chance is None or board.rank_by not in named:
        return {}
    values_of = {
        str(row.system.pk): values
        for row, found in zip(rows, drawn, strict=True)
        if (values := found.column(board.rank_by)) is not None
    }
    report = decisions(board, values_of)
    return {"matrix": report} if report else {}


def matrix_pages(base: str, printed: PrintedRelease, *, is_archived: bool) -> Iterable[RenderedPage]:
    """The page and its CSV below a board's address; none where the release has kept no such report."""
    report = printed.reports.get("matrix")
    if not report:
        return
    board = printed.boards[OVERALL].board
    context = {
        "section": "benchmarks",
        "benchmark": printed.phase.benchmark.spec,
        "board": board,
        "matrix": matrix_view(report),
        "archived": is_archived,
        "base": base,
    }
    yield html(f"{base}/pairwise/", "public/pairwise.html", context)
    yield RenderedPage(f"{base}/pairwise.csv", CSV_TYPE, matrix_csv(report, synthetic=board.synthetic))
