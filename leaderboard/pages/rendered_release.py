"""A release as everybody may see it: read once, and its boards drawn once, for all the pages that show them."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.utils import timezone

from benchmarks.models import Benchmark, Phase
from benchmarks.spec import OVERALL, BenchmarkSpec
from leaderboard.assembly.release_boards import BOARD_KINDS, build_boards
from leaderboard.board.charts.chart import Chart
from leaderboard.board.exports import EXPORTS
from leaderboard.board.model.board import Board
from leaderboard.board.model.serialization import from_dict, rounded
from leaderboard.board.tables import release_summaries
from leaderboard.board.tables.board_table import TableView, table
from leaderboard.models import Release
from leaderboard.rendering.public_names import naming
from leaderboard.rendering.rendered_page import RenderedPage, chart_files
from leaderboard.reports.measured.ranked_on import ranked_on


@dataclass(frozen=True, slots=True)
class PrintedBoard:
    """What a board's permanent and its current pages have in common: its table, its charts and its exports.

    `charts` stand above the table, `pictures` below it.
    """

    board: Board
    table: TableView
    charts: tuple[Chart, ...]
    pictures: tuple[Chart, ...]
    exports: tuple[RenderedPage, ...]

    @classmethod
    def of(cls, key: str, board: Board, spec: BenchmarkSpec) -> PrintedBoard:
        """The board drawn; before the first release there is nothing to export."""
        above = (chart for kind in BOARD_KINDS for chart in kind.charts(key, board, spec))
        below = (chart for kind in BOARD_KINDS for chart in kind.pictures(key, board, spec))
        charts, pictures = in_the_digits_of(board, above), in_the_digits_of(board, below)
        exports = [
            RenderedPage(f".{export.ending}", export.media_type, export.write(board))
            for export in (EXPORTS if board.release else ())
        ]
        return cls(board, table(board), charts, pictures, (*exports, *chart_files((*charts, *pictures))))

    def exports_at(self, path: str) -> Iterator[RenderedPage]:
        return (page.at(f"{path}{page.path}") for page in self.exports)


@dataclass(frozen=True, slots=True)
class PrintedRelease:
    """What the pages of a release are made of.

    `rankings` are the overall boards of this release and all before it, the newest first. What is needed of the
    earlier ones is the column that ranks them, and they may have no other.
    """

    phase: Phase
    boards: Mapping[str, PrintedBoard]
    reports: Mapping[str, Any]
    rankings: tuple[Board, ...]

    @property
    def number(self) -> int:
        """Counts from 1; 0 before the first."""
        return self.boards[OVERALL].board.release

    @property
    def lines(self) -> tuple[release_summaries.ReleaseView, ...]:
        """This release and all before it, each in one line."""
        phases = self.phase.benchmark.phases.all()
        if len({board.phase for board in self.rankings}) < 2:
            phases = phases.exclude(series="")
        return release_summaries.releases(self.rankings, dict(phases.values_list("slug", "title")))


def print_release(release: Release, *, earlier: Sequence[Board] | None = None) -> PrintedRelease:
    """The release drawn. `earlier` are the rankings before it, where they are known already."""
    names = naming(release.benchmark)
    boards = {key: names.board(board) for key, board in release.boards.items()}
    newest = _measured(release, boards[OVERALL])
    before = _rankings_before(release) if earlier is None else earlier
    release.phase.benchmark = release.benchmark
    reports = names.report(release.reports)
    return PrintedRelease(release.phase, _printed(boards, release.benchmark.spec), reports, (newest, *before))


def with_all_tasks(printed: PrintedRelease) -> PrintedRelease:
    """The release with a board for every task: those that its phase is not about, from the newest release that is.

    Where there is none, of published rows alone.
    """
    benchmark = printed.phase.benchmark
    spec, boards = benchmark.spec, dict(printed.boards)
    phases = list(benchmark.phases.all())
    for task in spec.tasks:
        if task.id in boards:
            continue
        about = [
            phase for phase in phases if any(phase.as_spec().takes(task, split.id) for split in task.splits)
        ]
        if not about:
            continue
        newest = Release.objects.of(benchmark.slug).filter(phase__in=about).first()
        release = newest if newest and task.id in newest.boards else None  # the task may be newer
        if release is None:
            about[-1].benchmark = benchmark
            boards[task.id] = print_nothing_yet(about[-1]).boards[task.id]
        else:
            board = naming(benchmark).board(release.boards[task.id])
            boards[task.id] = PrintedBoard.of(task.id, board, spec)
    return replace(printed, boards=boards)


def _measured(release: Release, board: Board) -> Board:
    """The board of a release, which may not be stored yet, with what the column that ranks it was measured on."""
    report = release.reports.get("ranked_on")
    if report is None:
        report = ranked_on(release.benchmark, {release.number: board.rank_by}).get(release.number, {})
    return replace(board, ranked_on=report)


def print_nothing_yet(phase: Phase) -> PrintedRelease:
    """Boards of published rows alone, for the page of a benchmark before its first release. They carry release 0."""
    now = timezone.now().astimezone(dt.UTC)
    built = build_boards(phase=phase, rows=[], release=0, published_at=now)
    claimed = replace(naming(phase.benchmark), names=None)
    boards = {key: claimed.of_board(board) for key, board in built.items()}
    return PrintedRelease(phase, _printed(boards, phase.benchmark.spec), {}, ())


def _printed(boards: Mapping[str, Board], spec: BenchmarkSpec) -> dict[str, PrintedBoard]:
    return {key: PrintedBoard.of(key, board, spec) for key, board in boards.items()}


def in_the_digits_of(board: Board, charts: Iterable[Chart]) -> tuple[Chart, ...]:
    """The charts with data no more precise than the board that they are drawn from, medians and differences too."""
    return tuple(replace(chart, rows=rounded(chart.rows)) if board.decimals else chart for chart in charts)


def rankings(
    benchmark: Benchmark, *, before: int | None = None, at_most: int | None = None
) -> tuple[Board, ...]:
    """The overall boards of a benchmark's releases as pages show them, see `PrintedRelease.rankings`."""
    releases = Release.objects.of(benchmark.slug)
    chosen = releases if before is None else releases.filter(number__lt=before)
    newest, earlier = chosen[:1].values_list("overall", flat=True), chosen[1:at_most]
    return _as_shown(benchmark, [*newest, *earlier.values_list("ranking", flat=True)])


def _rankings_before(release: Release) -> tuple[Board, ...]:
    """The column alone that ranks the overall board, of all releases before this one."""
    earlier = Release.objects.of(release.benchmark_id).filter(number__lt=release.number)
    return _as_shown(release.benchmark, earlier.values_list("ranking", flat=True))


def _as_shown(benchmark: Benchmark, frozen: Iterable[Mapping[str, Any]]) -> tuple[Board, ...]:
    boards = [from_dict(board) for board in frozen]
    measured = ranked_on(benchmark, {board.release: board.rank_by for board in boards})
    named = map(naming(benchmark).of_board, boards)
    return tuple(replace(board, ranked_on=measured.get(board.release, {})) for board in named)
