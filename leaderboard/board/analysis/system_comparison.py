"""Two to four systems beside each other: every score of theirs, and how far it is from the first one's."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from benchmarks.spec import RowKind
from catalogue.disclosure.rule import printed_decimals
from leaderboard.board.analysis.paired_differences import (
    Differences,
    DifferenceSummary,
    JudgedDifference,
    verdict,
)
from leaderboard.board.model import number_format as fmt
from leaderboard.board.model.board import Board, BoardRow, Cell, Column, grouped

FEWEST, MOST = 2, 4
COMPARABLE = {RowKind.SYSTEM, RowKind.BASELINE}


@dataclass(frozen=True, slots=True)
class ComparedCell:
    """One system's score in one column. `difference` is signed, and empty for the first and where either has no score.

    `standing` is what the board says of it (`JudgedDifference.standing`); `interval` is that of the difference, `tests`
    are the unadjusted p that go with it. All are empty where nothing is known of them.
    `css` is "best" where no other of these systems has a better score and at least one a worse.
    """

    text: str
    beside: str
    difference: str
    hint: str
    css: str
    standing: str = ""
    interval: str = ""
    tests: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class ComparedLine:
    """One column of a board; `measure` says what is measured and, where it is so, that less is better.

    `url` is the page of the task that the column is of, and empty for others.
    """

    title: str
    url: str
    measure: str
    cells: tuple[ComparedCell, ...]


@dataclass(frozen=True, slots=True)
class ComparedPart:
    """Columns that stand together on the board under this title, which may be empty."""

    title: str
    lines: tuple[ComparedLine, ...]


@dataclass(frozen=True, slots=True)
class SystemComparison:
    """All of it: each system's row with its tag and in how many lines it is the best, and the lines by parts.

    `line_count` is how many lines there are; `verdicts` sum up each system against the first.
    """

    systems: tuple[tuple[BoardRow, str, int], ...]
    parts: tuple[ComparedPart, ...]
    line_count: int
    has_missing_seeds: bool
    verdicts: tuple[DifferenceSummary, ...] = ()

    @property
    def names(self) -> str:
        return ", ".join(row.system for row, _, _ in self.systems)


def key_of(row: BoardRow) -> str:
    """How addresses call a system: by its id, or by the number that it bears while it is anonymous ("4")."""
    return row.system_id or row.system.rpartition(" ")[2]


def comparable(board: Board) -> dict[str, BoardRow]:
    """The systems and baselines of a board by their keys, as they stand on it; what was not scored here is not among
    them."""
    return {key_of(row): row for row in board.rows if row.kind in COMPARABLE}


def compare(
    overall: Board,
    tasks: Iterable[Board],
    keys: Sequence[str],
    *,
    urls: Mapping[str, str],
    differences: Differences | None = None,
) -> SystemComparison:
    """The systems of these keys in every column of the overall board, and on each task's board by what ranks it.

    A task that has a column on the overall board already is passed over. `urls` are the pages that columns link to,
    by their keys; `differences` are those of each system to the first, by the system's key and the column's.
    KeyError for a key that no system has.
    """
    rows = comparable(overall)
    chosen = [rows[key] for key in keys]
    judged = [(differences or {}).get(key, {}) for key in keys]
    parts = [
        ComparedPart(
            group.title,
            tuple(_line(column, chosen, urls.get(column.key, ""), judged) for column in group.columns),
        )
        for group in grouped(overall.columns)
    ]
    parts += _task_part(overall, tasks, keys, urls, judged)
    lines = [line for part in parts for line in part.lines]
    systems = tuple(
        (row, fmt.tag(row.kind, row.system), sum(line.cells[index].css == "best" for line in lines))
        for index, row in enumerate(chosen)
    )
    has_missing_seeds = any(cell.text != fmt.NONE and cell.hint for line in lines for cell in line.cells)
    verdicts = (
        verdict(
            chosen[0].system,
            other.system,
            None if overall.by_column else overall.column(overall.rank_by),
            known,
        )
        for other, known in zip(chosen[1:], judged[1:], strict=True)
        if any(judged)
    )
    return SystemComparison(systems, tuple(parts), len(lines), has_missing_seeds, tuple(verdicts))


def _task_part(
    overall: Board,
    tasks: Iterable[Board],
    keys: Sequence[str],
    urls: Mapping[str, str],
    judged: Sequence[Mapping[str, JudgedDifference]],
) -> Iterator[ComparedPart]:
    shown = {column.key for column in overall.columns}
    lines = []
    for board in tasks:
        column = board.column(board.rank_by)
        if column.key not in shown:
            of_task = comparable(board)
            line = _line(column, [of_task.get(key) for key in keys], urls.get(column.key, ""), judged)
            lines.append(replace(line, title=board.title))
    if lines:
        yield ComparedPart("Tasks", tuple(lines))


def _line(
    column: Column,
    rows: Sequence[BoardRow | None],
    url: str,
    judged: Sequence[Mapping[str, JudgedDifference]],
) -> ComparedLine:
    cells = [row.cell(column.key) if row else Cell(None, "not_submitted") for row in rows]
    values = [cell.value for cell in cells]
    known = {value for cell in cells if (value := cell.value) is not None and cell.is_complete}
    best = (max if column.higher_is_better else min)(known) if len(known) > 1 else None
    return ComparedLine(
        title=column.name,
        url=url,
        measure=column.metric_title + ("" if column.higher_is_better else ", lower is better"),
        cells=tuple(
            _cell(
                cell,
                values[0] if index else None,
                judged[index].get(column.key) if index else None,
                is_best=best is not None and cell.value == best,
            )
            for index, cell in enumerate(cells)
        ),
    )


def _cell(cell: Cell, first: float | None, judged: JudgedDifference | None, *, is_best: bool) -> ComparedCell:
    compared = ComparedCell(
        text=fmt.score(cell.value),
        beside=fmt.beside(cell.beside),
        difference="",
        hint=fmt.reason(cell.undefined or "") or fmt.missing_seeds(cell.seeds, cell.seeds_wanted),
        css="best" if is_best and cell.is_complete else "none" if cell.value is None else "",
    )
    if cell.value is None or first is None:
        return compared
    # The difference has its sign, and as many digits as the scores.
    difference = fmt.signed(cell.value - first, decimals=_decimals(cell.value, first))
    compared = replace(compared, difference=difference)
    if judged is None:
        return compared
    ends = judged.difference.low, judged.difference.high
    low, high = (fmt.signed(end, decimals=_decimals(*ends)) for end in ends)
    tests = tuple((name, fmt.p_value(p)) for name, p in judged.tests.items())
    return replace(compared, standing=judged.standing, interval=f"{low} to {high}", tests=tests)


def _decimals(*values: float) -> int:
    return printed_decimals(max(values, key=abs))
