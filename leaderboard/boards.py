"""From standings to boards: the overall board, one per task, and those that the definition asks for."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from benchmarks.models import Phase
from benchmarks.spec import (
    OVERALL,
    BenchmarkSpec,
    BoardSpec,
    ColumnGroup,
    RowKind,
    TaskSpec,
    column_key,
)
from leaderboard.board.model import Board, Cell, Column, Row
from leaderboard.board.ranking import rank
from leaderboard.human import Asked, HumanEstimates, human_estimates, human_row
from leaderboard.standings import Standing, is_higher_better
from leaderboard.values import TEST, RowValues
from scoring.core.measures.aggregate import median_team

TRACK_AXIS = "Share of training data"
MEDIAN_OF_AT_LEAST = 3  # of two, the median team would be the last


@dataclass(frozen=True, slots=True)
class Entrant:
    """A row of any board: who it is, and the values to fill its cells from."""

    standing: Standing
    values: RowValues

    def row(self, cells: dict[str, Cell]) -> Row:
        """The row with these cells; where several systems of a team fill it, under the team's name."""
        system = self.standing.system
        names = sorted({answer.submission.system.name for answer in self.standing.answers.values()})
        return Row(
            system=system.name if len(names) == 1 else system.team.name,
            system_id=str(system.pk),
            team=system.team.name,
            kind=RowKind(system.kind),
            cells=cells,
            tags=tuple(system.tags),
            source="" if len(names) == 1 else ", ".join(names),
        )


@dataclass(frozen=True, slots=True)
class Frame:
    """What all boards of one release have in common."""

    phase: Phase
    spec: BenchmarkSpec
    release: int
    published_at: dt.datetime
    entrants: tuple[Entrant, ...]
    humans: HumanEstimates

    def board(
        self,
        title: str,
        columns: Sequence[Column],
        rows: Iterable[Row],
        *,
        task: str | None = None,
        axis: str = "",
        note: str = "",
    ) -> Board:
        """A board ranked by its first column."""
        return Board(
            benchmark=self.spec.id,
            benchmark_title=self.spec.title,
            title=title,
            phase=self.phase.slug,
            release=self.release,
            published_at=self.published_at,
            columns=tuple(columns),
            rows=rank(list(rows), columns[0]),
            task=task,
            rank_by=columns[0].key,
            synthetic=self.phase.benchmark.is_synthetic,
            note=note,
            axis=axis,
        )


def make_frame(*, phase: Phase, rows: Iterable[Standing], release: int, published_at: dt.datetime) -> Frame:
    """The frame of a release that these standings go into."""
    spec = phase.benchmark.spec
    entrants = tuple(Entrant(row, RowValues(spec, row.answers)) for row in rows)
    return Frame(phase, spec, release, published_at, entrants, human_estimates(phase.benchmark))


def plain_boards(frame: Frame) -> dict[str, Board]:
    """The overall board under `overall`, that of every other track, each task's and each declared board by its id."""
    spec = frame.spec
    declared = {board.id: board for board in spec.boards}
    overall = declared.pop(OVERALL, _default_overall(spec))
    boards = {OVERALL: _declared(frame, replace(overall, title=spec.title))}
    boards.update({task.id: _task_board(frame, task) for task in spec.tasks})
    boards.update({key: _declared(frame, board) for key, board in declared.items()})
    for track in spec.tracks[1:]:
        of_track = replace(overall, title=f"{track.title} of the training data", axis=TRACK_AXIS)
        boards[track_board(track.id)] = _declared(frame, of_track, track=track.id)
    return boards


def track_board(track: str) -> str:
    """The key of a track's overall board."""
    return f"{OVERALL}-{track}"


def _default_overall(spec: BenchmarkSpec) -> BoardSpec:
    columns = [*(average.id for average in spec.averages), *(task.id for task in spec.tasks)]
    return BoardSpec(OVERALL, spec.title, "", (ColumnGroup("", tuple(columns)),))


def _declared(frame: Frame, board: BoardSpec, *, track: str | None = None) -> Board:
    asked = [(group, column) for group in board.groups for column in group.columns]
    columns = [_column(frame.spec, group, column) for group, column in asked]
    rows = []
    for entrant in frame.entrants:
        found = {
            group.key(column): _asked_cell(entrant.values, group, column, track) for group, column in asked
        }
        cells = {key: cell for key, cell in found.items() if cell is not None}
        is_there = entrant.values.answers_in(track) if board.id == OVERALL else False
        if is_there or any(cell.submission or cell.value is not None for cell in cells.values()):
            rows.append(entrant.row(cells))
    if track is None:
        rows += published_elsewhere(frame.spec, {column.key: column.key for column in columns})
        rows += human_row(
            frame.humans,
            {
                made.key: Asked(group.asked(column)[0], group.split or TEST, made.metric)
                for (group, column), made in zip(asked, columns, strict=True)
            },
        )
    made = frame.board(board.title, columns, rows, axis=board.axis)
    return _with_median(made, frame) if _is_of_one_average(frame.spec, board) else made


def _asked_cell(values: RowValues, group: ColumnGroup, column: str, track: str | None) -> Cell | None:
    name, metric = group.asked(column)
    return values.cell(name, metric=metric, track=track, split=group.split or TEST)


def _task_board(frame: Frame, task: TaskSpec) -> Board:
    columns = [_task_column(task), *(_secondary_column(task, metric.name) for metric in task.metrics[1:])]
    rows = []
    for entrant in frame.entrants:
        first = entrant.values.cell(task.id)
        if first is not None:
            others = {
                _own_key(task, metric.name): cell
                for metric in task.metrics[1:]
                if (cell := entrant.values.cell(task.id, metric=metric.name)) is not None
            }
            # What stands beside the score elsewhere has a column of its own here.
            rows.append(entrant.row({task.id: replace(first, beside=None), **others}))
    named = {column_key(task.id, metric.name): _own_key(task, metric.name) for metric in task.metrics[1:]}
    rows += published_elsewhere(frame.spec, {task.id: task.id, **named})
    rows += human_row(frame.humans, {column.key: Asked(task.id, TEST, column.metric) for column in columns})
    return _with_median(frame.board(task.title, columns, rows, task=task.id), frame)


# Columns


def _column(spec: BenchmarkSpec, group: ColumnGroup, column: str) -> Column:
    name, metric = group.asked(column)
    task = next((task for task in spec.tasks if task.id == name), None)
    made = _average_column(spec, name, metric) if task is None else _task_column(task, metric)
    title = group.title_of(column) or made.title
    return replace(made, key=group.key(column), title=title, group=group.title)


def _average_column(spec: BenchmarkSpec, average_id: str, metric: str) -> Column:
    """An average reads like its first task: means are taken of one metric."""
    average = next(one for one in spec.averages if one.id == average_id)
    first = _first_task(spec, average_id)
    use = next((use for use in first.metrics if use.name == metric), first.primary_metric)
    return Column(
        average.id,
        average.title,
        average.title,
        use.name,
        f"mean of {use.title}",
        is_higher_better(first, use.name),
    )


def _first_task(spec: BenchmarkSpec, column: str) -> TaskSpec:
    average = next((one for one in spec.averages if one.id == column), None)
    return spec.task(column) if average is None else _first_task(spec, average.of[0])


def _task_column(task: TaskSpec, metric: str = "") -> Column:
    use = next((use for use in task.metrics if use.name == metric), task.primary_metric)
    beside = task.beside_metric.title if task.beside_metric and not metric else ""
    better = is_higher_better(task, use.name)
    return Column(task.id, task.code, task.title, use.name, use.title, better, beside_title=beside)


def _secondary_column(task: TaskSpec, metric: str) -> Column:
    column = _task_column(task, metric)
    return replace(column, key=_own_key(task, metric), title=column.metric_title, name=column.metric_title)


def _own_key(task: TaskSpec, metric: str) -> str:
    """The key of a secondary metric on the task's own board: its name, unless the task is called the same."""
    return column_key(task.id, metric) if metric == task.id else metric


# Rows that are no systems


def published_elsewhere(spec: BenchmarkSpec, keys: dict[str, str]) -> Iterable[Row]:
    """Reported rows; `keys` maps how the definition calls a value to the key of its column."""
    for row in spec.reported:
        values = {keys[key]: Cell(value, None) for key, value in row.values.items() if key in keys}
        if values:
            yield Row(row.system, None, "", row.kind, values, source=row.source)


def _is_of_one_average(spec: BenchmarkSpec, board: BoardSpec) -> bool:
    """Whether all columns belong to the first one, so that a team in the middle of it has a row to show."""
    first, _ = board.groups[0].asked(board.groups[0].columns[0])
    parts = {first, *(part for one in spec.averages if one.id == first for part in one.of)}
    return all(group.asked(column)[0] in parts for group in board.groups for column in group.columns)


def _with_median(board: Board, frame: Frame) -> Board:
    """The board with the row of the team in the middle of its ranking, unnamed, where the benchmark shows one."""
    column = board.column(board.rank_by)
    ranked = [row for row in board.rows if row.rank is not None]
    values = [value for row in ranked if (value := row.cell(column.key).value) is not None]
    if not frame.spec.median_team or len(values) < MEDIAN_OF_AT_LEAST:
        return board
    middle = ranked[median_team(values, higher_is_better=column.higher_is_better)]
    cells = {key: replace(cell, submission=None) for key, cell in middle.cells.items()}
    median = Row("Median team", None, "", RowKind.MEDIAN, cells)
    return replace(board, rows=rank([*board.rows, median], column))
