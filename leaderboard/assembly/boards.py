"""From standings to boards: the overall board, one per task, and those that the definition asks for."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import partial
from typing import ClassVar

from benchmarks.models import Phase
from benchmarks.spec import (
    DEV,
    OVERALL,
    TEST,
    AverageSpec,
    BenchmarkSpec,
    BoardSpec,
    ColumnGroup,
    RowKind,
    TaskSpec,
    column_key,
)
from benchmarks.spec.averages import ends_of, is_normalised, tasks_of
from benchmarks.spec.protocol import track_boards
from leaderboard.assembly.frame import Frame
from leaderboard.assembly.people import board_rows
from leaderboard.board.charts.board_charts import overall_charts
from leaderboard.board.charts.chart import Chart
from leaderboard.board.model.board import Board, BoardRow, Cell, Column, MovedRow
from leaderboard.board.model.ranking import rank
from scoring.core.measures.aggregate import median_team
from scoring.disclosure.standings import is_higher_better

TRACK_AXIS = "Share of training data"
NO_SETS = "Boards of builders and of breakers, and of both against each other, follow when the sets of pairs are made."
# The head over tasks that no average is made of, where a benchmark has averages.
IN_NO_MEAN = "In no mean"
MEDIAN_OF_AT_LEAST = 3  # of two, the median team would be the last


BoardsToMake = Mapping[str, Callable[[], Board]]
"""Boards by their ids, each made when it is called for, without a question to the database."""


class BoardKind(ABC):
    """A kind of board that a release can have: of the whole benchmark, of a task, of attacks, of minimal pairs."""

    key: ClassVar[str]

    @abstractmethod
    def ids(self, spec: BenchmarkSpec) -> list[str]:
        """The ids of all boards of this kind that a benchmark of this definition may have.

        Those that come without being declared stand in `benchmarks.spec.protocol`, which refuses them to others.
        """

    @abstractmethod
    def boards(self, frame: Frame) -> BoardsToMake:
        """The boards of this kind in a release."""

    def charts(self, board_id: str, board: Board, spec: BenchmarkSpec) -> tuple[Chart, ...]:
        """The figures that the board is about, above its table."""
        return ()

    def pictures(self, board_id: str, board: Board, spec: BenchmarkSpec) -> tuple[Chart, ...]:
        """What the board looks like, below its table."""
        return ()


class OverallBoard(BoardKind):
    """All tasks together; while systems are built, the columns of the development data alone."""

    key = OVERALL

    def ids(self, spec: BenchmarkSpec) -> list[str]:
        return [OVERALL]

    def boards(self, frame: Frame) -> BoardsToMake:
        return {OVERALL: partial(_declared, frame, replace(_overall(frame), title=frame.spec.title))}

    def pictures(self, board_id: str, board: Board, spec: BenchmarkSpec) -> tuple[Chart, ...]:
        return overall_charts(board, spec) if board_id == OVERALL else ()


class TaskBoards(BoardKind):
    """A board for each task, by its id."""

    key = "tasks"

    def ids(self, spec: BenchmarkSpec) -> list[str]:
        return [task.id for task in spec.tasks]

    def boards(self, frame: Frame) -> BoardsToMake:
        return {task.id: partial(_task_board, frame, task) for task in frame.spec.tasks}


class DeclaredBoards(BoardKind):
    """What the definition asks for beside these."""

    key = "declared"

    def ids(self, spec: BenchmarkSpec) -> list[str]:
        return [board.id for board in spec.boards if board.id != OVERALL]

    def boards(self, frame: Frame) -> BoardsToMake:
        boards = _asked_boards(frame).values()
        return {board.id: partial(_declared, frame, board) for board in boards if board.id != OVERALL}


class TrackBoards(BoardKind):
    """The overall board of every share of the training data but the whole."""

    key = "tracks-overall"

    def ids(self, spec: BenchmarkSpec) -> list[str]:
        return track_boards(spec.tracks)[1:]

    def boards(self, frame: Frame) -> BoardsToMake:
        overall = replace(_overall(frame), axis=TRACK_AXIS)
        return {
            key: partial(
                _declared,
                frame,
                replace(overall, title=f"{track.title} of the training data"),
                track=track.id,
            )
            for key, track in zip(self.ids(frame.spec), frame.spec.tracks[1:], strict=True)
        }


def _asked_boards(frame: Frame) -> dict[str, BoardSpec]:
    """The declared boards by their ids, with the columns of the frame's split alone; those without any are left out."""
    split, boards = frame.split, frame.spec.boards
    if TEST not in frame.splits:
        boards = tuple(
            replace(board, groups=tuple(group for group in board.groups if group.split == split))
            for board in boards
        )
    return {board.id: board for board in boards if board.groups}


def _overall(frame: Frame) -> BoardSpec:
    """The overall board as the definition asks for it; else all averages with their tasks, and other tasks apart."""
    spec = frame.spec
    parts = {part for average in spec.averages for part in average.of}
    apart = tuple(task.id for task in spec.tasks if parts and task.id not in parts)
    columns = (
        *(average.id for average in spec.averages),
        *(task.id for task in spec.tasks if task.id not in apart),
    )
    groups = []
    for split in frame.splits:
        title, of = ("", "") if split == TEST else (_title_of(spec, split), split)
        groups += [ColumnGroup(title, columns, split=of)]
        groups += [ColumnGroup(IN_NO_MEAN, apart, split=of)] if apart else []
    default = BoardSpec(OVERALL, spec.title, "", tuple(groups))
    return _asked_boards(frame).get(OVERALL, default)


def _title_of(spec: BenchmarkSpec, split: str) -> str:
    """What the definition calls a split that is not the test set."""
    named = (one.title for task in spec.tasks for one in task.splits if one.id == split)
    return "Development data" if split == DEV else next(named, split)


def _declared(frame: Frame, board: BoardSpec, *, track: str | None = None) -> Board:
    spec, is_overall = frame.spec, board.id == OVERALL
    shown = [(group, column) for group in board.groups for column in group.columns]
    columns = [_column(spec, group, column) for group, column in shown]
    wanted = {group.key(column): (*group.asked(column), group.split or TEST) for group, column in shown}
    # Who has built a system and not had it scored stands in the columns of the development data, if there are any.
    not_alone = DEV if frame.phase.kind == Phase.Kind.SCORE else ""
    rows = []
    for entrant in frame.entrants:
        cells = {
            key: cell
            for key, (name, metric, split) in wanted.items()
            if (cell := entrant.cell(name, metric=metric, track=track, split=split))
        }
        is_there = is_overall and entrant.answers_in(track, but_for=not_alone)
        if is_there or any(cell.submission or cell.value is not None for cell in cells.values()):
            rows.append(entrant.row(cells))
    if track is None:
        rows += published_elsewhere(spec, {key: key for key in wanted})
        places = [(column, *wanted[column.key]) for column in columns]
        by_people = {column.key: (name, column.metric, split) for column, name, _, split in places}
        rows += board_rows(frame.people, spec, by_people)
    note = NO_SETS if is_overall and any(task.awaits_sets for task in spec.tasks) else ""
    name, metric, split = wanted[columns[0].key]
    # Where no column is an average over others, the first of them says nothing about these.
    first, *others = ({task.id for task in tasks_of(spec, column)} for column, _, _ in wanted.values())
    by_column = is_overall and bool(others) and not any(first & other for other in others)
    built = frame.board(
        board.title,
        columns,
        rows,
        axis=board.axis,
        note=note,
        by_column=by_column,
        drawn=None
        if by_column
        else lambda entrant: entrant.drawn(name, metric=metric, track=track, split=split),
        luck=None if metric or by_column else lambda entrant: entrant.luck(name, track=track, split=split),
        ends=ends_of(spec, name, metric),
    )
    # A team in the middle can be shown where all columns belong to the first one.
    parts = {name, *(part for average in spec.averages if average.id == name for part in average.of)}
    return (
        _with_median(built, frame) if parts.issuperset(column for column, _, _ in wanted.values()) else built
    )


def _task_board(frame: Frame, task: TaskSpec) -> Board:
    split = frame.split_of(task)
    of = "" if split == TEST else split
    first = replace(_column_of_task(task), key=column_key(task.id, "", of))
    others = []
    for use in task.metrics[1:]:
        is_named_alone = split == TEST and use.name != task.id
        key = use.name if is_named_alone else column_key(task.id, use.name, of)
        others.append(replace(_column_of_task(task, use.name), key=key, title=use.title, name=use.title))
    by_people = frame.judged.get((task.id, split), ())
    rows = []
    for entrant in frame.entrants:
        cell = entrant.cell(task.id, split=split)
        if cell is not None:
            # What stands beside the score elsewhere has a column of its own here, but for the score over all items.
            keeps = entrant.over_all or cell.beside is None
            cells = {first.key: cell if keeps else replace(cell, beside=None)}
            for column in others:
                if shown := entrant.cell(task.id, metric=column.metric, split=split):
                    cells[column.key] = shown
            for judged in by_people:
                cells |= judged.of(entrant, (task.id, split))
            rows.append(entrant.row(cells))
    reported = {column_key(task.id, column.metric, of): column.key for column in others}
    rows += published_elsewhere(frame.spec, {first.key: first.key, **reported}, ranked_by=first.key)
    columns = [first, *others]
    asked = {column.key: (task.id, column.metric, split) for column in columns}
    rows += board_rows(frame.people, frame.spec, asked)
    columns += [column for judged in by_people for column in judged.columns]
    board = frame.board(
        task.title,
        columns,
        rows,
        task=task.id,
        note=" ".join([NO_SETS] * task.awaits_sets + [judged.note for judged in by_people]),
        drawn=lambda entrant: entrant.drawn(task.id, split=split),
        luck=lambda entrant: entrant.luck(task.id, split=split),
        ends=ends_of(frame.spec, task.id),
    )
    return _with_median(board, frame)


# Columns


def _column(spec: BenchmarkSpec, group: ColumnGroup, column: str) -> Column:
    """A column of a declared board. An average reads like its first part, or as one of scores from 0 to 1."""
    name, metric = group.asked(column)
    average = next((declared for declared in spec.averages if declared.id == name), None)
    base = _column_of_task(tasks_of(spec, name)[0], metric)
    if average is not None:
        base = replace(
            base,
            title=average.title,
            name=average.title,
            metric_title=_mean_in_words(spec, average, base, metric),
            beside_title="",
            higher_is_better=_is_higher_better(spec, average, base, metric),
        )
    title = dict(group.heads).get(column) or base.title
    return replace(base, key=group.key(column), title=title, group=group.title)


def _is_higher_better(spec: BenchmarkSpec, average: AverageSpec, first: Column, metric: str) -> bool:
    if average.of_ranks and not metric:
        return False
    return first.higher_is_better or (not metric and is_normalised(spec, average))


def _mean_in_words(spec: BenchmarkSpec, average: AverageSpec, first: Column, metric: str) -> str:
    """What an average is the mean of, as its column says."""
    parts = average.each(metric)
    kind = "weighted mean" if len({part.weight for part in parts}) > 1 else "mean"
    if average.of_ranks and not metric:
        return f"{kind} of the ranks on each task among the systems of this release"
    if not metric and is_normalised(spec, average):
        return f"{kind} of scores brought to 0 to 1"
    return f"{kind} of {first.metric_title}"


def _column_of_task(task: TaskSpec, metric: str = "") -> Column:
    use = next((use for use in task.metrics if use.name == metric), task.primary_metric)
    beside = task.beside_metric.title if task.beside_metric and not metric else ""
    better = is_higher_better(task, use.name)
    return Column(task.id, task.code, task.title, use.name, use.title, better, beside_title=beside)


# Rows that are no systems


def published_elsewhere(
    spec: BenchmarkSpec, keys: dict[str, str], *, ranked_by: str = ""
) -> Iterable[BoardRow]:
    """Reported rows; `keys` maps how the definition calls a value to the key of its column.

    Of the value that ranks the board, `ranked_by`, they say which rank their source gives it.
    """
    for row in spec.reported:
        values = {keys[key]: Cell(value, None) for key, value in row.values.items() if key in keys}
        if values:
            moved = MovedRow(row.date, row.paper_url, row.code_url) if row.moved_in else None
            source = row.source_on(ranked_by)
            yield BoardRow(row.system, None, row.team, row.kind, values, source=source, moved=moved)


def _with_median(board: Board, frame: Frame) -> Board:
    """The board with the row of the team in the middle of its ranking, unnamed, where the benchmark shows one."""
    column = board.column(board.rank_by)
    ranked = board.ranked
    values = column.values(ranked)
    if not frame.spec.median_team or len(values) < MEDIAN_OF_AT_LEAST:
        return board
    middle = ranked[median_team(values, higher_is_better=column.higher_is_better)]
    cells = {key: replace(cell, submission=None) for key, cell in middle.cells.items()}
    median = BoardRow("Median team", None, "", RowKind.MEDIAN, cells)
    return replace(board, rows=rank([*board.rows, median], column))
