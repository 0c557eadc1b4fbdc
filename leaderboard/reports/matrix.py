"""The page of a release on which its first systems stand against each other, every two of them."""

from collections.abc import Iterator
from dataclasses import dataclass

from benchmarks.spec import OVERALL
from leaderboard.board.analysis.pairwise_matrix import (
    MatrixView,
    decisions,
    lead_view,
    matrix_csv,
    matrix_view,
)
from leaderboard.board.exports.export import CSV_TYPE
from leaderboard.board.model.board import Board
from leaderboard.pages.rendered_page import BenchmarkPage, RenderedPage, html
from leaderboard.reports.report import BoardPlace, ReleaseDraft, ReleaseReport, ReportPart, Slot, Stored


@dataclass(frozen=True, kw_only=True)
class PairwisePage(BenchmarkPage):
    """The first systems of the overall board, every two of them compared; `base` is the address of that board."""

    template = "public/pairwise.html"
    board: Board
    matrix: MatrixView
    archived: bool
    base: str


class PairwiseMatrix(ReleaseReport):
    """The decisions on every two of the first systems of the overall board; None where chance says nothing about it."""

    key = "matrix"

    def make(self, draft: ReleaseDraft) -> Stored | None:
        board = draft.boards[OVERALL]
        named = {task.id for task in draft.spec.tasks} | {average.id for average in draft.spec.averages}
        if board.chance is None or board.rank_by not in named:
            return None
        values_of = {
            str(row.system.pk): values
            for row, replicates in zip(draft.rows, draft.replicates, strict=True)
            if (values := replicates.column(board.rank_by)) is not None
        }
        return decisions(board, values_of)

    def parts(self, stored: Stored, place: BoardPlace) -> Iterator[ReportPart]:
        if place.is_overall:
            yield ReportPart(Slot.TOOLS, "public/reports/pairwise_link.html", f"{place.path}/pairwise/")
            if lead := lead_view(stored):
                yield ReportPart(Slot.UNDER_TABLE, "public/reports/lead.html", lead)

    def files(self, stored: Stored, place: BoardPlace) -> Iterator[RenderedPage]:
        if place.is_overall:
            page = PairwisePage(
                benchmark=place.spec,
                board=place.board,
                matrix=matrix_view(stored),
                archived=place.is_archived,
                base=place.path,
            )
            yield html(f"{place.path}/pairwise/", page)
            synthetic = place.board.synthetic
            yield RenderedPage(
                f"{place.path}/pairwise.csv", CSV_TYPE, matrix_csv(stored, synthetic=synthetic)
            )
