"""What the newest release means for the team of a submission: computed from what is published alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from accounts.models import User
from benchmarks.models import Benchmark
from leaderboard.board.analysis.own_result import ColumnStanding, OwnResult, own_result, own_row
from leaderboard.board.charts import interval_marks as marks
from leaderboard.board.charts.interval_marks import Mark, MarkAxis
from leaderboard.board.model import number_format as fmt
from leaderboard.board.model.board import Board
from leaderboard.board.tables.board_query import BoardQuery
from leaderboard.board.tables.board_table import TableView, table
from leaderboard.board.tables.ranking_picture import PictureView, picture
from leaderboard.models import Release, ReleaseCell
from leaderboard.reports.measured.ranked_on import ranked_on
from leaderboard.serving.published_boards import board_of_release
from leaderboard.serving.published_scores import PublishedScore
from submissions.models import Submission
from submissions.systems.pseudonyms import pseudonym_of

LOOKED_BACK = 3  # releases with numbers of the system: in the newest of them it may have no score that ranks


@dataclass(frozen=True, slots=True)
class ColumnLine:
    """A line of the table of columns; `picture` and `bar` are HTML already."""

    standing: ColumnStanding
    score: str
    half_width: str
    best: str
    median: str
    gain: str
    picture: str
    bar: str


@dataclass(frozen=True, slots=True)
class ResultView:
    """A result as its page prints it. `figures` are title, number and a remark of each.

    `picture` shows the system among its neighbours; it is None without a rank. `axis` is the head of the lines' picture
    as HTML; columns that cannot share one have no picture.
    """

    result: OwnResult
    figures: Sequence[tuple[str, str, str]]
    table: TableView | None
    picture: PictureView | None
    axis: str
    lines: Sequence[ColumnLine]
    has_gain: bool

    @property
    def weakest(self) -> ColumnLine | None:
        """Where half of the way to the best would add most; None where nothing would."""
        return self.lines[0] if self.result.weakest else None


def result_of(submission: Submission, scores: Sequence[PublishedScore], reader: User) -> OwnResult | None:
    """Where the submission's system stands in its phase's newest release; None where that shows nothing of this one.

    None, too, where the benchmark has become private and its pages are not for the reader: what a team scored is its
    own, but where it stands tells of the others.
    """
    benchmark = submission.phase.benchmark
    if not Benchmark.objects.is_shown_to(reader, benchmark):
        return None
    newest = Release.objects.filter(phase=submission.phase_id).order_by("-number").first()
    if newest is None or all(score.release != newest.number for score in scores):
        return None
    board = board_of_release(benchmark.pk, newest.number)
    if board is None:
        return None
    row = own_row(
        board,
        submission=str(submission.pk),
        system=str(submission.system_id),
        pseudonym=str(pseudonym_of(submission.system, benchmark) or ""),
    )
    if row is None:
        return None
    boards = [board, *_earlier_boards(submission, board.release)]
    measured = ranked_on(benchmark, {one.release: one.rank_by for one in boards})
    now, *before = (replace(one, ranked_on=measured.get(one.release, {})) for one in boards)
    return own_result(now, row, before, benchmark.spec)


def _earlier_boards(submission: Submission, release: int) -> list[Board]:
    """The overall boards of the newest releases of the phase before this one that have numbers of the same row."""
    phase, system = submission.phase, submission.system
    cells = ReleaseCell.objects.filter(first__phase=phase)
    own = cells.filter(system__team=system.team_id) if phase.one_per_team else cells.filter(system=system)
    earlier = Release.objects.filter(phase=phase, number__lt=release).with_any_of(own).order_by("-number")
    numbers = earlier.values_list("number", flat=True)[:LOOKED_BACK]
    found = (board_of_release(phase.benchmark_id, number) for number in numbers)
    return [board for board in found if board]


def result_view(result: OwnResult) -> ResultView:
    axis = _axis(result.columns)
    most = max((one.gain or 0.0 for one in result.columns), default=0.0)
    near = result.neighbourhood if result.row.rank is not None else None
    return ResultView(
        result=result,
        figures=_figures(result),
        table=table(near) if near else None,
        picture=picture(near, BoardQuery(), is_alone=True, own=result.row) if near else None,
        axis=marks.head(axis) if axis else "",
        lines=[_line(one, axis, most) for one in result.columns],
        has_gain=most > 0,
    )


def _axis(columns: Sequence[ColumnStanding]) -> MarkAxis | None:
    """One axis for all columns with room for scores, medians and the best, and for baselines that are near.

    None where they cannot share one, because a lower value is better or a value is beyond 1.
    """
    known = [
        value
        for one in columns
        for value in (one.cell.value, one.best, one.median, one.cell.ci_low, one.cell.ci_high)
        if value is not None
    ]
    if not known or max(map(abs, known)) > 1 or not all(one.column.higher_is_better for one in columns):
        return None
    baselines = [one.baseline for one in columns if one.baseline is not None]
    return MarkAxis.of([Mark(min(known)), Mark(max(known))], lines=baselines)


def _line(one: ColumnStanding, axis: MarkAxis | None, most: float) -> ColumnLine:
    cell = one.cell
    mark = Mark(cell.value or 0.0, cell.ci_low, cell.ci_high)
    return ColumnLine(
        one,
        fmt.score(cell.value),
        fmt.half_width(cell.ci_low, cell.ci_high),
        fmt.score(one.best),
        fmt.score(one.median),
        "" if one.gain is None else fmt.signed(one.gain),
        marks.standing(axis, mark, one.best, one.median, one.baseline) if axis else "",
        marks.bar(one.gain / most, fmt.signed(one.gain)) if one.gain and most else "",
    )


def _figures(result: OwnResult) -> list[tuple[str, str, str]]:
    row, cell, was, ahead = result.row, result.cell, result.earlier, result.next
    column = result.board.column(result.board.rank_by)
    if result.board.by_column or row.rank is None:
        return []
    span = fmt.rank_interval(row.rank_low, row.rank_high)
    figures = [
        (column.title, fmt.score(cell.value), fmt.half_width(cell.ci_low, cell.ci_high)),
        ("Rank", str(row.rank), f"may be {span}" if span else f"of {len(result.board.ranked)}"),
    ]
    corrected = fmt.interval(row.corrected_low, row.corrected_high)
    if row.tries and row.tries > 1 and corrected:
        figures.append(("Tries", f"best of {row.tries}", f"corrected range {corrected}"))
    if was and result.difference is not None:
        rank = f"rank {was.rank}" if was.rank else "no rank"
        figures.append((f"Since release {was.release}", fmt.signed(result.difference), f"was {rank}"))
    if ahead and result.to_next is not None:
        value = fmt.score(ahead.value(column.key))
        figures.append(("To the next place", fmt.score(result.to_next), f"{ahead.system}, {value}"))
    if result.to_pass_surely is not None:
        figures.append(("To be surely past it", f"about {fmt.score(result.to_pass_surely)}", ""))
    for name, other in (("human estimate", result.human), ("best baseline", result.baseline)):
        if other is not None and cell.value is not None:
            figures.append((f"Against the {name}", fmt.signed(cell.value - other), fmt.score(other)))
    return figures
