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
from leaderboard.board.charts.history_chart import KEY as HISTORY
from leaderboard.board.charts.history_chart import history_charts, history_json
from leaderboard.board.exports import EXPORTS
from leaderboard.board.model.board import Board
from leaderboard.board.model.serialization import from_dict, rounded
from leaderboard.board.tables import release_summaries
from leaderboard.board.tables.board_table import TableView, table
from leaderboard.models import Release
from leaderboard.rendering.made_in_parallel import Late
from leaderboard.rendering.public_names import naming
from leaderboard.rendering.release_places import heads_of
from leaderboard.rendering.rendered_page import RenderedPage, chart_files
from leaderboard.reports.measured.ranked_on import ranked_on


@dataclass(frozen=True, slots=True)
class PrintedBoard:
    """What a board's permanent and its current pages have in common: its table, its charts and its exports.

    `charts` stand above the table, `pictures` below it. `exports` are drawn when they are asked for.
    """

    board: Board
    table: TableView
    charts: tuple[Chart, ...]
    pictures: tuple[Chart, ...]
    exports: Late[list[RenderedPage]]

    @classmethod
    def of(cls, key: str, board: Board, spec: BenchmarkSpec) -> PrintedBoard:
        """The board drawn; before the first release there is nothing to export."""
        above = (chart for kind in BOARD_KINDS for chart in kind.charts(key, board, spec))
        below = (chart for kind in BOARD_KINDS for chart in kind.pictures(key, board, spec))
        charts, pictures = in_the_digits_of(board, above), in_the_digits_of(board, below)

        def exports() -> Iterator[RenderedPage]:
            for export in EXPORTS if board.release else ():
                yield RenderedPage(f".{export.ending}", export.media_type, export.write(board))
            yield from chart_files((*charts, *pictures))

        late = Late(lambda: [*exports()], rows=len(board.rows))
        return cls(board, table(board), charts, pictures, late)

    def exports_at(self, path: str) -> Iterator[RenderedPage]:
        return (page.at(f"{path}{page.path}") for page in self.exports.made())


@dataclass(frozen=True, slots=True)
class PrintedHistory:
    """The best score by release, and by day on an earlier leaderboard, as charts with their files.

    No chart before the second release or the second day.
    """

    charts: tuple[Chart, ...]
    files: tuple[RenderedPage, ...]

    @classmethod
    def of(cls, boards: Sequence[Board]) -> PrintedHistory:
        """What these boards show together, see `PrintedRelease.rankings`."""
        charts = in_the_digits_of(boards[0], history_charts(boards))
        files = [*chart_files(charts)]
        if charts and charts[0].key == HISTORY:
            files.append(RenderedPage(f"-{HISTORY}.json", "application/json", history_json(boards)))
        return cls(charts, tuple(files))

    def files_at(self, path: str) -> Iterator[RenderedPage]:
        """The files beside the overall board of that path."""
        return (page.at(f"{path}{page.path}") for page in self.files)


@dataclass(frozen=True, slots=True)
class PrintedRelease:
    """What the pages of a release are made of.

    `rankings` are the overall boards of this release and all before it, the newest first; the earlier ones have the
    column alone that ranks them, and their leading rows. `before` has all rows: of the newest earlier one whose ranks
    can be compared; None where there is none.
    """

    phase: Phase
    boards: Mapping[str, PrintedBoard]
    reports: Mapping[str, Any]
    rankings: tuple[Board, ...]
    history: PrintedHistory
    before: Board | None = None

    @property
    def number(self) -> int:
        """Counts from 1; 0 before the first."""
        return self.boards[OVERALL].board.release

    def late_pages(self) -> Iterator[Late[list[RenderedPage]]]:
        """What its pages need that can be drawn apart from them."""
        return (printed.exports for printed in self.boards.values())

    @property
    def lines(self) -> tuple[release_summaries.ReleaseView, ...]:
        """This release and all before it, each in one line."""
        phases = self.phase.benchmark.phases.all()
        if len({board.phase for board in self.rankings}) < 2:
            phases = phases.exclude(series="")
        return release_summaries.releases(self.rankings, dict(phases.values_list("slug", "title")))


def print_release(
    release: Release, *, frozen: Mapping[str, Board] | None = None, earlier: Sequence[Board] | None = None
) -> PrintedRelease:
    """The release drawn. `frozen` are its boards and `earlier` the `heads` before it, where they are known already."""
    names = naming(release.benchmark)
    if frozen is None:
        frozen = {key: from_dict(board) for key, board in release.boards.items()}
    boards = {key: names.of_board(board) for key, board in frozen.items()}
    newest = _measured(release, boards[OVERALL])
    before = heads(release.benchmark, before=release.number) if earlier is None else earlier
    comparable = next((head for head in before if head.ranked_as == newest.ranked_as), None)
    release.phase.benchmark = release.benchmark
    return PrintedRelease(
        release.phase,
        _printed(boards, release.benchmark.spec),
        names.report(release.reports),
        (newest, *before),
        PrintedHistory.of((newest, *before)),
        None if comparable is None else with_all_rows(release.benchmark, comparable),
    )


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
    history = PrintedHistory.of((boards[OVERALL],))
    return PrintedRelease(phase, _printed(boards, phase.benchmark.spec), {}, (), history)


def _printed(boards: Mapping[str, Board], spec: BenchmarkSpec) -> dict[str, PrintedBoard]:
    return {key: PrintedBoard.of(key, board, spec) for key, board in boards.items()}


def in_the_digits_of(board: Board, charts: Iterable[Chart]) -> tuple[Chart, ...]:
    """The charts with data no more precise than the board that they are drawn from, medians and differences too."""
    return tuple(replace(chart, rows=rounded(chart.rows)) if board.decimals else chart for chart in charts)


def newest_rankings(benchmark: Benchmark, front: int) -> tuple[Board, ...]:
    """The overall board of that release as pages show it, and of the one before the column that ranks it."""
    releases = Release.objects.of(benchmark.slug).filter(number__lte=front)
    newest, earlier = releases[:1].values_list("overall", flat=True), releases[1:2]
    boards = [from_dict(board) for board in (*newest, *earlier.values_list("ranking", flat=True))]
    measured = ranked_on(benchmark, {board.release: board.rank_by for board in boards})
    named = map(naming(benchmark).of_board, boards)
    return tuple(replace(board, ranked_on=measured.get(board.release, {})) for board in named)


def heads(benchmark: Benchmark, *, before: int | None = None) -> list[Board]:
    """The overall boards of releases as pages show them, with their leading rows alone, the newest first."""
    found, names = heads_of(benchmark.pk, before), naming(benchmark)
    older = {board.release: board.rank_by for board, report in found if report is None}
    measured = ranked_on(benchmark, older) if older else {}
    return [
        replace(
            names.of_board(board), ranked_on=measured.get(board.release, {}) if report is None else report
        )
        for board, report in found
    ]


def with_all_rows(benchmark: Benchmark, head: Board) -> Board:
    """One of `heads` with all of its rows."""
    release = Release.objects.of(benchmark.pk).filter(number=head.release)
    return replace(
        naming(benchmark).board(release.values_list("ranking", flat=True).get()), ranked_on=head.ranked_on
    )
