"""From standings to boards: the overall board, one per task, and those that the definition asks for."""

import datetime as dt
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from benchmarks.models import Attack, Phase
from benchmarks.spec import (
    OVERALL,
    BenchmarkSpec,
    BoardSpec,
    ColumnGroup,
    RowKind,
    TaskSpec,
    column_key,
)
from benchmarks.spec.model import DEV
from benchmarks.spec.protocol import track_boards
from leaderboard.assembly.human_estimates import Asked, HumanEstimates, human_estimates, human_row
from leaderboard.assembly.replicates import Floats, RowReplicates, rows_of_answers
from leaderboard.assembly.row_cells import TEST, RowValues
from leaderboard.board.analysis.chance import with_chance
from leaderboard.board.charts.board_charts import overall_charts
from leaderboard.board.charts.chart import Chart
from leaderboard.board.model.board import Board, BoardRow, Cell, Column
from leaderboard.board.model.ranking import rank
from scoring.core.measures.aggregate import median_team
from scoring.disclosure.standings import Answer, Standing, is_higher_better

TRACK_AXIS = "Share of training data"
NO_SETS = "Boards of builders and of breakers, and of both against each other, follow when the sets of pairs are made."
MEDIAN_OF_AT_LEAST = 3  # of two, the median team would be the last


@dataclass(frozen=True, slots=True)
class Entrant:
    """A row of any board: who it is, the values to fill its cells from, and how these vary over test sets."""

    standing: Standing
    values: RowValues
    replicates: RowReplicates

    def row(self, cells: dict[str, Cell]) -> BoardRow:
        """The row with these cells; where several systems of a team fill it, under the team's name."""
        system = self.standing.system
        names = sorted({answer.submission.system.name for answer in self.standing.answers.values()})
        return BoardRow(
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
    attacks: tuple[Attack, ...]

    @property
    def split(self) -> str:
        """The split that boards are about: the development data while systems are built."""
        return DEV if self.phase.kind == Phase.Kind.BUILD else TEST

    def board(
        self,
        title: str,
        columns: Sequence[Column],
        rows: Iterable[BoardRow],
        *,
        task: str | None = None,
        axis: str = "",
        note: str = "",
        replicates: Mapping[str, Floats] | None = None,
    ) -> Board:
        """A board ranked by its first column; `replicates` are its values by the ids of systems."""
        made = Board(
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
            disclosure=self.disclosure,
            part=next((answer.part for answer in self._answers), ""),
        )
        return with_chance(made, replicates or {})

    @property
    def disclosure(self) -> str:
        """The rule that shows something else than exact scores; empty where there is none."""
        return next((answer.disclosed.rule for answer in self._answers if answer.disclosed), "")

    @property
    def _answers(self) -> Iterator[Answer]:
        return (answer for one in self.entrants for answer in one.standing.answers.values())

    def replicates(
        self, column: str, *, metric: str = "", track: str | None = None, split: str = ""
    ) -> dict[str, Floats]:
        """The entrants' replicates in a column, see `RowReplicates.column`, by the ids of their systems."""
        found = {
            str(one.standing.system.pk): one.replicates.column(
                column, metric=metric, track=track, split=split
            )
            for one in self.entrants
        }
        return {system: values for system, values in found.items() if values is not None}


def make_frame(
    *,
    phase: Phase,
    rows: Iterable[Standing],
    release: int,
    published_at: dt.datetime,
    drawn: Sequence[RowReplicates] | None = None,
) -> Frame:
    """The frame of a release that these standings go into. `drawn` are their replicates, where they are at hand."""
    spec = phase.benchmark.spec
    standings = list(rows)
    replicates = rows_of_answers(spec, [row.answers for row in standings]) if drawn is None else drawn
    entrants = tuple(
        Entrant(row, RowValues(spec, row.answers, own), own)
        for row, own in zip(standings, replicates, strict=True)
    )
    humans, attacks = human_estimates(phase.benchmark), tuple(phase.benchmark.attacks.all())
    return Frame(phase, spec, release, published_at, entrants, humans, attacks)


class BoardKind(ABC):
    """A kind of board that a release can have: of the whole benchmark, of a task, of attacks, of minimal pairs."""

    key: ClassVar[str]

    @abstractmethod
    def ids(self, spec: BenchmarkSpec) -> list[str]:
        """The ids of all boards of this kind that a benchmark of this definition may have.

        Those that come without being declared stand in `benchmarks.spec.protocol`, which refuses them to others.
        """

    @abstractmethod
    def boards(self, frame: Frame) -> dict[str, Board]:
        """The boards of this kind in a release, by their ids."""

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

    def boards(self, frame: Frame) -> dict[str, Board]:
        return {OVERALL: _declared(frame, replace(_overall(frame), title=frame.spec.title))}

    def pictures(self, board_id: str, board: Board, spec: BenchmarkSpec) -> tuple[Chart, ...]:
        return overall_charts(board, spec) if board_id == OVERALL else ()


class TaskBoards(BoardKind):
    """A board for each task, by its id."""

    key = "tasks"

    def ids(self, spec: BenchmarkSpec) -> list[str]:
        return [task.id for task in spec.tasks]

    def boards(self, frame: Frame) -> dict[str, Board]:
        return {task.id: _task_board(frame, task, frame.split) for task in frame.spec.tasks}


class DeclaredBoards(BoardKind):
    """What the definition asks for beside these."""

    key = "declared"

    def ids(self, spec: BenchmarkSpec) -> list[str]:
        return [board.id for board in spec.boards if board.id != OVERALL]

    def boards(self, frame: Frame) -> dict[str, Board]:
        asked = _asked_boards(frame)
        return {key: _declared(frame, board) for key, board in asked.items() if key != OVERALL}


class TrackBoards(BoardKind):
    """The overall board of every share of the training data but the whole."""

    key = "tracks-overall"

    def ids(self, spec: BenchmarkSpec) -> list[str]:
        return track_boards(spec.tracks)[1:]

    def boards(self, frame: Frame) -> dict[str, Board]:
        tracks = zip(self.ids(frame.spec), frame.spec.tracks[1:], strict=True)
        overall = replace(_overall(frame), axis=TRACK_AXIS)
        return {
            key: _declared(frame, replace(overall, title=f"{one.title} of the training data"), track=one.id)
            for key, one in tracks
        }


def _asked_boards(frame: Frame) -> dict[str, BoardSpec]:
    """The declared boards by their ids, with the columns of the frame's split alone; those without any are left out."""
    split, boards = frame.split, frame.spec.boards
    known = boards if split == TEST else tuple(_of_split(board, split) for board in boards)
    return {board.id: board for board in known if board.groups}


def _overall(frame: Frame) -> BoardSpec:
    return _asked_boards(frame).get(OVERALL) or _default_overall(frame.spec, frame.split)


def _default_overall(spec: BenchmarkSpec, split: str) -> BoardSpec:
    columns = [*(average.id for average in spec.averages), *(task.id for task in spec.tasks)]
    title, of = ("", "") if split == TEST else ("Development data", split)
    return BoardSpec(OVERALL, spec.title, "", (ColumnGroup(title, tuple(columns), split=of),))


def _of_split(board: BoardSpec, split: str) -> BoardSpec:
    return replace(board, groups=tuple(group for group in board.groups if group.split == split))


def _declared(frame: Frame, board: BoardSpec, *, track: str | None = None) -> Board:
    asked = [(group, column) for group in board.groups for column in group.columns]
    columns = [_column(frame.spec, group, column) for group, column in asked]
    rows = []
    for entrant in frame.entrants:
        found = {
            group.key(column): _asked_cell(entrant.values, group, column, track) for group, column in asked
        }
        cells = {key: cell for key, cell in found.items() if cell is not None}
        # Who has built a system and not had it scored stands in the columns of the development data, if there are any.
        not_alone = DEV if frame.phase.kind == Phase.Kind.SCORE else ""
        is_there = board.id == OVERALL and entrant.values.answers_in(track, but_for=not_alone)
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
    is_waited_for = board.id == OVERALL and any(task.awaits_sets for task in frame.spec.tasks)
    note = NO_SETS if is_waited_for else ""
    group, first = asked[0]
    name, metric = group.asked(first)
    split = "" if group.split in ("", TEST) else group.split
    drawn = frame.replicates(name, metric=metric, track=track, split=split)
    made = frame.board(board.title, columns, rows, axis=board.axis, note=note, replicates=drawn)
    return _with_median(made, frame) if _is_of_one_average(frame.spec, board) else made


def _asked_cell(values: RowValues, group: ColumnGroup, column: str, track: str | None) -> Cell | None:
    name, metric = group.asked(column)
    return values.cell(name, metric=metric, track=track, split=group.split or TEST)


def _task_board(frame: Frame, task: TaskSpec, split: str) -> Board:
    columns = [_task_column(task), *(_secondary_column(task, metric.name) for metric in task.metrics[1:])]
    if split != TEST:
        columns = [
            replace(column, key=column_key(task.id, use.name if at else "", split))
            for at, (column, use) in enumerate(zip(columns, task.metrics, strict=True))
        ]
    first, *others = columns
    rows = []
    for entrant in frame.entrants:
        cell = entrant.values.cell(task.id, split=split)
        if cell is not None:
            # What stands beside the score elsewhere has a column of its own here.
            cells = {first.key: replace(cell, beside=None)}
            for column in others:
                if found := entrant.values.cell(task.id, metric=column.metric, split=split):
                    cells[column.key] = found
            rows.append(entrant.row(cells))
    of = "" if split == TEST else split
    named = {column_key(task.id, column.metric, of): column.key for column in others}
    rows += published_elsewhere(frame.spec, {column_key(task.id, "", of): first.key, **named})
    rows += human_row(frame.humans, {column.key: Asked(task.id, split, column.metric) for column in columns})
    note = NO_SETS if task.awaits_sets else ""
    drawn = frame.replicates(task.id, split=of)
    return _with_median(
        frame.board(task.title, columns, rows, task=task.id, note=note, replicates=drawn), frame
    )


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


def published_elsewhere(spec: BenchmarkSpec, keys: dict[str, str]) -> Iterable[BoardRow]:
    """Reported rows; `keys` maps how the definition calls a value to the key of its column."""
    for row in spec.reported:
        values = {keys[key]: Cell(value, None) for key, value in row.values.items() if key in keys}
        if values:
            yield BoardRow(row.system, None, "", row.kind, values, source=row.source)


def _is_of_one_average(spec: BenchmarkSpec, board: BoardSpec) -> bool:
    """Whether all columns belong to the first one, so that a team in the middle of it has a row to show."""
    first, _ = board.groups[0].asked(board.groups[0].columns[0])
    parts = {first, *(part for one in spec.averages if one.id == first for part in one.of)}
    return all(group.asked(column)[0] in parts for group in board.groups for column in group.columns)


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
