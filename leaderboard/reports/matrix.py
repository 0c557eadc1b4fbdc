"""The page of a release on which its first systems stand against each other, every two of them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from benchmarks.spec import OVERALL
from leaderboard.board.analysis.pairwise_matrix import (
    PairDecisions,
    decisions,
    matrix_csv,
    matrix_lines,
)
from leaderboard.board.exports.export import CSV_TYPE
from leaderboard.board.model.board import Board
from leaderboard.rendering.rendered_page import BenchmarkPage, RenderedPage, html
from leaderboard.reports.report import BoardPlace, ReleaseDraft, ReleaseReport, ReportPart, Slot


@dataclass(frozen=True, kw_only=True)
class PairwisePage(BenchmarkPage):
    """The first systems of the overall board, every two of them compared; `base` is the address of that board.

    `ranked` is how many systems the board ranks by `column`.
    """

    template = "public/pairwise.html"
    board: Board
    column: str
    ranked: int
    lines: Sequence[Mapping[str, Any]]
    archived: bool
    base: str


class PairwiseMatrix(ReleaseReport[PairDecisions]):
    """The decisions on every two of the first systems of the overall board; None where chance says nothing about it."""

    key = "matrix"

    def make(self, draft: ReleaseDraft) -> PairDecisions | None:
        board, spec = draft.boards[OVERALL], draft.release.benchmark.spec
        named = [*(task.id for task in spec.tasks), *(average.id for average in spec.averages)]
        if board.chance is None or board.rank_by not in named:
            return None
        values_of = {
            str(row.system.pk): values
            for row, replicates in zip(draft.rows, draft.replicates, strict=True)
            if (values := replicates.column(board.rank_by)) is not None
        }
        return decisions(board, values_of)

    def parts(self, stored: PairDecisions, place: BoardPlace) -> Iterator[ReportPart]:
        if place.is_overall:
            yield ReportPart(Slot.TOOLS, "public/reports/pairwise_link.html", f"{place.path}/pairwise/")

    def files(self, stored: PairDecisions, place: BoardPlace) -> Iterator[RenderedPage]:
        if place.is_overall:
            page = PairwisePage(
                benchmark=place.spec,
                board=place.board,
                column=stored["column"],
                ranked=stored["ranked"],
                lines=matrix_lines(stored),
                archived=place.is_archived,
                base=place.path,
            )
            yield html(f"{place.path}/pairwise/", page)
            body = matrix_csv(stored, synthetic=place.board.synthetic)
            yield RenderedPage(f"{place.path}/pairwise.csv", CSV_TYPE, body)
