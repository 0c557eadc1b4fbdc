"""A ranking as a picture: each score a dot and a whisker on one axis, brackets for what chance cannot order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from benchmarks.spec import RowKind
from leaderboard.board.charts import interval_marks as marks
from leaderboard.board.charts.interval_marks import Mark, MarkAxis
from leaderboard.board.model import number_format as fmt
from leaderboard.board.model.board import Board, BoardRow, Cell, Column
from leaderboard.board.tables.board_query import BESIDE, BoardQuery, columns_beside, places, rows_of_page
from leaderboard.board.tables.people_table import BY_PEOPLE
from leaderboard.board.tables.table_body import cell_hint, has_besides, linked_score, rank_cell, row_name

MOST_BRACKETED = 24  # ranked systems; of more, the ranges beside the ranks alone tell what chance leaves open
DENSE_FROM = 25
LANES = 2
FACTS = ("size", "weights", "training data", "examples", "cost")
ROOM_FOR_NAMES = 75  # per cent of the axis: a name beside a dot farther on would leave the picture
FOLDED = {RowKind.REPORTED: "published system", RowKind.BASELINE: "baseline", RowKind.MEDIAN: "median team"}
FROM_PAPERS = FOLDED.keys() - {RowKind.BASELINE}


@dataclass(frozen=True, slots=True)
class PictureView:
    """What the template prints. `axis`, `body` and `more_marks` are HTML already.

    `seconds` name what else of the same score stands after the picture: a second measure in parentheses, and the
    standard deviation over seeds. `beside` are the keys of the columns that follow: all others where these are few,
    else the one that rows are sorted by. `best_of` is of how many columns it is counted on how many a system is the
    best, without those of people's judgements, which rank nobody; 0 where it is not. `more` says which rows are folded,
    at `more_url`; `human` names the human estimates that are drawn as lines. `count` is how many rows could be shown,
    of which those of one page are.
    """

    axis: str
    body: str
    seconds: tuple[str, ...]
    beside: tuple[str, ...]
    best_of: int
    has_choice: bool
    has_brackets: bool
    has_whiskers: bool
    has_published: bool
    is_dense: bool
    is_provisional: bool
    more: str
    more_url: str
    more_marks: str
    human: str
    count: int

    @property
    def width(self) -> int:
        """How many columns a row has."""
        return 5 + len(self.seconds) + len(self.beside) + bool(self.best_of) + self.has_choice


def picture(
    board: Board,
    query: BoardQuery,
    *,
    is_alone: bool = False,
    own: BoardRow | None = None,
) -> PictureView | None:
    """The ranking as this query asks for it; None where no row has a score in the column that ranks it.

    Where it `is_alone`, no row is shown but systems, and no column but the one that ranks the board. The `own` row
    stands out.
    """
    drawing = drawing_of(board, query, is_alone=is_alone, own=own)
    return drawing.view() if drawing else None


def drawing_of(
    board: Board,
    query: BoardQuery,
    *,
    is_alone: bool = False,
    own: BoardRow | None = None,
) -> Drawing | None:
    """What draws the rows of such a picture, see `picture`.

    The axis has room for the first systems where these are shown, and for all of the board whatever else is asked for.
    """
    column = board.column(board.rank_by)
    lines = [
        (value, row)
        for row in board.rows
        if row.kind is RowKind.HUMAN and (value := row.value(column.key)) is not None
    ]
    systems = [at for at, row in enumerate(board.rows) if row.kind is RowKind.SYSTEM]
    near = rows_of_page(systems, board, query) if query.is_first_view else systems
    scored = [_mark(board.rows[at], column) for at in near]
    known = [mark for mark in scored if mark] or [mark for row in board.rows if (mark := _mark(row, column))]
    axis = MarkAxis.of(known, lines=[value for value, _ in lines], higher_is_better=column.higher_is_better)
    if axis is None:
        return None
    return Drawing(board, column, axis, lines, query, own, is_alone=is_alone)


def _mark(row: BoardRow, column: Column) -> Mark | None:
    cell = row.cell(column.key)
    return None if cell.value is None else Mark(cell.value, cell.ci_low, cell.ci_high)


class Drawing:
    """What all rows of one picture share. A row is named by its place on the board; `shown` are those of its page."""

    def __init__(
        self,
        board: Board,
        column: Column,
        axis: MarkAxis,
        human: Sequence[tuple[float, BoardRow]],
        query: BoardQuery,
        own: BoardRow | None,
        *,
        is_alone: bool,
    ) -> None:
        self.board, self.column, self.axis, self.query = board, column, axis, query
        self.own, self.is_alone = own, is_alone
        self.human = [(value, row) for value, row in human if axis.holds(value)]
        self.lines = [value for value, _ in self.human]
        others = [other for other in board.columns if other.key != column.key and not is_alone]
        beside = columns_beside(board, query)
        self.beside = [other for other in others if other.key in beside]
        self.has_beside = has_besides(board, column)
        self.has_deviation = any(row.cell(column.key).deviation is not None for row in board.rows)
        self.has_choice = any(row.tries or row.corrected_low is not None for row in board.rows)
        # Alone stands the column that ranks the board, and nothing is marked in it.
        self.marks = {} if is_alone else board.standouts
        measured = [other for other in others if other.group != BY_PEOPLE]
        self.counted = [] if len(others) <= BESIDE else measured
        self.best = Counter(at for other in self.counted for at in self.marks[other.key].best)
        chosen = places(board, query)
        wanted = [at for at in chosen if self.is_shown(board.rows[at])]
        self.count, self.shown = len(wanted), rows_of_page(wanted, board, query)
        left_out = set(chosen).difference(wanted)
        self.folded = [board.rows[at] for at in chosen if at in left_out and board.rows[at].kind in FOLDED]
        self.brackets = self._brackets()

    def is_shown(self, row: BoardRow) -> bool:
        """Human estimates that are lines need no row; what was not scored here waits behind a link."""
        if self.is_alone:
            return row.kind is RowKind.SYSTEM
        if self.query.published or self.query.filters or not self.board.ranked:
            return True
        return row.kind not in FOLDED and row not in [drawn for _, drawn in self.human]

    def view(self) -> PictureView:
        kinds = Counter(FOLDED[row.kind] for row in self.folded)
        more = ", ".join(f"{count} {kind}{'s' if count > 1 else ''}" for kind, count in kinds.items())
        return PictureView(
            axis=marks.head(self.axis, [(value, f"human {fmt.score(value)}") for value in self.lines[:1]]),
            body="".join(map(self.row, self.shown)),
            seconds=tuple(
                title
                for title, is_there in (
                    (self.column.beside_title, self.has_beside),
                    ("sd over seeds", self.has_deviation),
                    *((title, self.query.facts) for title in FACTS),
                )
                if is_there
            ),
            beside=tuple(column.key for column in self.beside),
            best_of=len(self.counted),
            has_choice=self.has_choice,
            has_brackets=bool(self.brackets),
            has_whiskers=any(row.cell(self.column.key).ci_low is not None for row in self.board.rows),
            has_published=not self.is_alone and any(row.kind in FROM_PAPERS for row in self.board.rows),
            is_dense=len(self.board.ranked) >= DENSE_FROM,
            is_provisional=bool(self.board.disclosure),
            more=f"Show {more}" if more else "",
            more_url=self.query.url(published=True),
            more_marks=self._folded_marks() if more else "",
            count=self.count,
            human="; ".join(f"{fmt.score(value)}: {row.source or row.system}" for value, row in self.human),
        )

    def _folded_marks(self) -> str:
        values = [(value, row) for row in self.folded if (value := row.value(self.column.key)) is not None]
        on_axis = [
            pair
            for pair in values
            if self.axis.scale.at(pair[0]) < ROOM_FOR_NAMES and self.axis.holds(pair[0])
        ]
        best = max if self.column.higher_is_better else min
        named = [best(on_axis, key=lambda pair: pair[0])] if on_axis else []
        names = [(value, f"{row.system} {fmt.score(value)}") for value, row in named]
        return marks.folded(self.axis, [value for value, _ in values], names, self.lines)

    def row(self, at: int) -> str:
        """The row at that place of the board, as HTML."""
        before, after = self.parts(at)
        return before + "".join(self.beside_cell(at, column) for column in self.beside) + after

    def parts(self, at: int) -> tuple[str, str]:
        """The row without the cells of the columns beside the picture, which stand between these two parts of it."""
        row = self.board.rows[at]
        cell = row.cell(self.column.key)
        mark = _mark(row, self.column)
        interval = fmt.interval(cell.ci_low, cell.ci_high)
        is_scored = row.kind in (RowKind.SYSTEM, RowKind.BASELINE)
        label = f"95 % interval {interval}" if interval else "" if mark is None else "no interval"
        drawn = marks.row(self.axis, mark, label, css=self._css(row), lines=self.lines, is_scored=is_scored)
        before = [
            f'<tr class="{row.kind.value}{" own" if row is self.own else ""}">'
            f'<td class="br">{self.brackets.get(at, "")}</td>'
            f'{rank_cell(row)}<th scope="row">{row_name(row)}</th>'
            f'{self._score(row)}<td class="pc">{drawn}</td>'
        ]
        if self.has_beside:
            before.append(f'<td class="tk">{fmt.beside(cell.beside)}</td>')
        if self.has_deviation:
            before.append(
                f'<td class="tk">{"" if cell.deviation is None else fmt.score(cell.deviation)}</td>'
            )
        if self.query.facts:
            before.append(_facts(row))
        after = [_tries(row)] if self.has_choice else []
        if self.counted:
            after.append(
                f'<td class="ex">{self.best[at] or fmt.NONE if row.kind is RowKind.SYSTEM else ""}</td>'
            )
        return "".join(before), "".join([*after, "</tr>\n"])

    def beside_cell(self, at: int, column: Column) -> str:
        """The cell of another column than the one that ranks the board, as HTML."""
        row = self.board.rows[at]
        cell, marked = row.cell(column.key), self.marks[column.key]
        mark = "best" if at in marked.best else "second" if at in marked.second else ""
        css = f"tk {'none' if cell.value is None else mark}".strip()
        return f"{_opened(css, cell, column)}<span>{linked_score(self.board, row, cell, column)}</span></td>"

    def _css(self, row: BoardRow) -> str:
        quiet = "" if row.kind is RowKind.SYSTEM and row.rank is not None else "q"
        return " ".join(filter(None, [quiet, "prov" if self.board.disclosure else ""]))

    def _score(self, row: BoardRow) -> str:
        cell = row.cell(self.column.key)
        seeds = fmt.missing_seeds(cell.seeds, cell.seeds_wanted)
        half = fmt.half_width(cell.ci_low, cell.ci_high)
        css = "sc lead none" if cell.value is None else "sc lead partial" if seeds else "sc lead"
        parts = [
            _opened(css, cell, self.column),
            f"<span>{linked_score(self.board, row, cell, self.column)}</span>",
            f" <small>{half}</small>" if half else "",
            f' <small class="seeds">{seeds}</small>' if seeds else "",
            f'<span class="vh"> {cell_hint(cell, self.column)}</span>' if cell.value is None else "",
            "</td>",
        ]
        return "".join(parts)

    def _brackets(self) -> dict[int, str]:
        """By the index of a row its part of the brackets that join places which chance cannot order.

        Only where the rows stand in the official order and none is missing, for else they would join others.
        """
        ranked = [at for at, row in enumerate(self.board.rows) if row.rank is not None]
        if self.board.chance is None or len(ranked) > MOST_BRACKETED or self.query.sort or self.query.filters:
            return {}
        ends: list[int] = [-1] * LANES  # the last row that each lane is taken up to
        parts: dict[int, list[str]] = {}
        for first, last in self.board.chance.groups:
            lane = next((lane for lane in range(LANES) if ends[lane] < ranked[first - 1]), None)
            if lane is None:
                continue  # the ranges under the ranks say it too
            ends[lane] = ranked[last - 1]
            x = 7 + 10 * lane
            for at in self.shown:
                if ranked[first - 1] <= at <= ranked[last - 1]:
                    parts.setdefault(at, []).append(
                        _bracket(x, is_first=at == ranked[first - 1], is_last=at == ranked[last - 1])
                    )
        return {
            at: f'<svg class="px" aria-hidden="true">{"".join(lines)}</svg>' for at, lines in parts.items()
        }


def _opened(css: str, cell: Cell, column: Column) -> str:
    """The opening tag of a score's cell, with what is told where it is pointed at."""
    hint = cell_hint(cell, column)
    title = f' title="{hint}"' if hint else ""
    sent = f' data-submission="{escape(fmt.short_id(cell.submission))}"' if cell.submission else ""
    return f'<td class="{css}"{title}{sent}>'


def _facts(row: BoardRow) -> str:
    """The cells of FACTS."""
    facts = row.facts
    examples = "" if facts.examples is None else f"{facts.examples:,}"
    texts = (facts.size, facts.weights, facts.training_data, examples, facts.price)
    return "".join(
        f'<td class="tk fact" data-head="{head}">{text}</td>' if text else f'<td class="tk">{fmt.NONE}</td>'
        for head, text in zip(FACTS, texts, strict=True)
    )


def _tries(row: BoardRow) -> str:
    """Of how many tries a score is the best, and the range that holds its worth with that choice taken into account."""
    corrected = fmt.interval(row.corrected_low, row.corrected_high)
    luck = "" if row.expected_luck is None else f"luck adds up to about {fmt.score(row.expected_luck)} to it"
    hint = "; ".join(
        filter(None, [f"95 % range, corrected for the choice: {corrected}" if corrected else "", luck])
    )
    words = f"best of {row.tries}" if row.tries and row.tries > 1 else "1" if row.rank is not None else ""
    small = f"<small>{corrected}</small>" if corrected else ""
    title = f' title="{escape(hint)}"' if hint else ""
    return f'<td class="ex tr"{title}>{words}{small}</td>'


def _bracket(x: int, *, is_first: bool, is_last: bool) -> str:
    top, bottom = ("24%" if is_first else "-2%"), ("76%" if is_last else "102%")
    line = f'<line class="brk" x1="{x}" x2="{x}" y1="{top}" y2="{bottom}"/>'
    ticks = [end for end, is_end in ((top, is_first), (bottom, is_last)) if is_end]
    return line + "".join(f'<line class="brk" x1="{x}" x2="{x + 6}" y1="{end}" y2="{end}"/>' for end in ticks)
