"""The rows of a board's table as HTML. Written by hand: a template takes ten times as long over thousands of cells."""

from collections.abc import Collection, Iterator, Sequence
from html import escape

from leaderboard.board.model import number_format as fmt
from leaderboard.board.model.board import Board, BoardRow, Cell, Column, MovedRow
from leaderboard.board.model.ranking import shade

WIDE = 90  # characters of columns that stand beside rank and name on a screen of 75 rem


class TableBody:
    """The rows of a board, each as one `<tr>` and a line break; all text escaped. The head is in `_board_table.html`.

    `columns` are the board's in the order in which they are shown, that which ranks it first. A group of columns begins
    at each of those `divided` ones. `marks` are the best of each column.
    With `heat` every column is shaded, from its worst value to its best.
    """

    def __init__(
        self, board: Board, columns: Sequence[Column], *, divided: Collection[str], heat: bool
    ) -> None:
        self._board, self._columns, self._divided = board, columns, divided
        self.marks = board.standouts
        self._padded = {column.key for column in columns if has_besides(board, column)}
        self._ends = {column.key: column.ends(board.rows) for column in columns if heat}
        values = [row.value(board.rank_by) for row in board.rows]
        # A bar from 0 to 1 must be able to stand for every value that ranks the board.
        fits = all(value is None or 0 <= value <= 1 for value in values)
        self._has_bars = fits and board.column(board.rank_by).higher_is_better
        self._widths = {column.key: _characters(board, column) for column in columns}

    def is_wide(self, folded: Collection[str] = ()) -> bool:
        """Whether that does not fit on a desk's screen, with these columns left out."""
        return sum(width for key, width in self._widths.items() if key not in folded) > WIDE

    def row(self, index: int, folded: Collection[str] = ()) -> str:
        """A row, by its place on the board; the cells of `folded` columns are shown on paper alone."""
        row = self._board.rows[index]
        rank = "" if self._board.ranks_nobody else rank_cell(row)
        cells = "".join(
            self._cell(index, row, column, is_folded=column.key in folded) for column in self._columns
        )
        return f'<tr class="{row.kind.value}">{rank}<th scope="row">{row_name(row)}</th>{cells}</tr>\n'

    def _cell(self, index: int, row: BoardRow, column: Column, *, is_folded: bool = False) -> str:
        cell, is_first = row.cell(column.key), column is self._columns[0]
        hint = cell_hint(cell, column)
        seeds = fmt.missing_seeds(cell.seeds, cell.seeds_wanted)
        beside, deviation = fmt.beside(cell.beside), fmt.deviation(cell.deviation)
        css = " ".join(filter(None, [
            "lead" if is_first else "",
            *self._emphasis(index, cell, column),
            "divide" if column.key in self._divided else "",
            "partial" if seeds else "",
            "folded" if is_folded else "",
        ]))  # fmt: skip
        parts = [
            f'<td class="{css}"' if css else "<td",
            f' title="{hint}"' if hint else "",
            f' data-submission="{escape(fmt.short_id(cell.submission))}">' if cell.submission else ">",
            f"<span>{linked_score(self._board, row, cell, column)}</span>",
            f' <span class="beside">{beside}</span>' if beside or column.key in self._padded else "",
            f" <small>{deviation}</small>" if deviation else "",
            f' <small class="seeds">{seeds}</small>' if seeds else "",
            f'<span class="vh"> {hint}</span>' if cell.value is None else "",
            _bar(cell, cell.value) if is_first and self._has_bars and cell.value is not None else "",
            "</td>",
        ]
        return "".join(parts)

    def _emphasis(self, index: int, cell: Cell, column: Column) -> Iterator[str]:
        """The classes that a value brings.

        Shares are shaded in steps of a fifth, so that a shade means the same in every release; values that are to be
        compared with others of their column by where they fall between the worst and the best.
        """
        marks, ends = self.marks[column.key], self._ends.get(column.key)
        if cell.value is None:
            yield "none"
            return
        yield "best" if index in marks.best else "second" if index in marks.second else ""
        if column.heat:
            yield f"heat-{min(int(cell.value * 5), 4)}"
        elif ends and ends[0] != ends[1]:
            yield f"heat-{shade(cell.value, ends)}"


def linked_score(board: Board, row: BoardRow, cell: Cell, column: Column) -> str:
    """A score with a link to where it is told how it came about; without one where nothing was scored here."""
    text = fmt.score(cell.value)
    if not board.release or not row.anchor or cell.value is None:
        return text
    # A cell with a submission is one task's; any other is made of several, which stand below the row's name.
    task = board.task or (column.key.partition(":")[0].partition("@")[0] if cell.submission else "")
    card = f"/benchmarks/{board.benchmark}/releases/{board.release}/provenance/{row.anchor}/"
    if task:
        card += f"#t-{task}"
    # Out of the way of the tab key, which would have to pass hundreds: static/cells.js leads there with Enter.
    return f'<a href="{escape(card)}" tabindex="-1">{text}</a>'


def has_besides(board: Board, column: Column) -> bool:
    """Whether a second measure stands in parentheses in some cell of a column."""
    return any(row.cell(column.key).beside is not None for row in board.rows)


def _characters(board: Board, column: Column) -> int:
    """About how wide a column is, in characters, the space between columns included."""
    cells = [row.cell(column.key) for row in board.rows]
    lines = (f"{fmt.score(cell.value)} {fmt.beside(cell.beside)}".strip() for cell in cells)
    return 2 + max(len(column.title), *map(len, lines), 0)


def row_name(row: BoardRow) -> str:
    """The name of a row with its link, its tag and its team or source, as HTML."""
    name = escape(row.system)
    if row.system_id:
        name = f'<a href="/systems/{escape(row.system_id)}/">{name}</a>'
    if tag := fmt.tag(row.kind, row.system):
        name += f' <span class="tag">{escape(tag)}</span>'
    if row.under:
        name += f"<small>{escape(row.under)}{_of_moved(row.moved) if row.moved else ''}</small>"
    return name


def _of_moved(moved: MovedRow) -> str:
    """Links of a row of an earlier leaderboard, and whose it is, as HTML."""
    links = [
        f' · <a href="{escape(url)}" rel="nofollow noopener">{word}</a>'
        for word, url in (("paper", moved.paper_url), ("code", moved.code_url))
        if url
    ]
    if moved.claimed_by:
        team = escape(moved.claimed_by)
        if moved.claimed_system:
            team = f'<a href="/systems/{escape(moved.claimed_system)}/">{team}</a>'
        links.append(f" · claimed by {team}")
    return "".join(links)


def rank_cell(row: BoardRow) -> str:
    """The cell of a row's rank with the range that chance leaves open, as HTML."""
    if row.rank is None:
        return '<td class="rank"><span class="vh">not ranked</span></td>'
    interval, leads = fmt.rank_interval(row.rank_low, row.rank_high), fmt.leads(row.leads)
    small = f"<small>{interval}</small>" if interval else ""
    hint = f' title="{escape(leads)}"' if leads else ""
    return f'<td class="rank"{hint}><b>{row.rank}</b>{small}</td>'


def cell_hint(cell: Cell, column: Column) -> str:
    """What is told of a score where it is pointed at, as HTML."""
    told = [fmt.reason(cell.undefined)] if cell.undefined else []
    if interval := fmt.interval(cell.ci_low, cell.ci_high):
        told.append(f"95 % interval {interval}")
    if cell.beside is not None:
        told.append(f"{column.beside_title} {fmt.score(cell.beside, decimals=4)}")
    if missing := fmt.missing_seeds(cell.seeds, cell.seeds_wanted):
        told.append(f"{missing} handed in, so that it carries no rank")
    if cell.submission:
        told.append(f"submission {fmt.short_id(cell.submission)}")
    return escape("; ".join(told))


def _bar(cell: Cell, value: float) -> str:
    """A bar in hundredths of the scale from 0 to 1, with the interval on it where there is one."""
    spread = ""
    if cell.ci_low is not None and cell.ci_high is not None:
        low, high = max(cell.ci_low, 0.0), min(cell.ci_high, 1.0)
        wide = f"{100 * (high - low):.1f}"
        spread = f'<path class="spread" d="M{100 * low:.1f} 4h{wide}m0-4v8m-{wide}-8v8"/>'
    return (
        '<svg class="bar" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">'
        f'<path d="M0 4H100"/><rect y="2" width="{100 * value:.1f}" height="4"/>{spread}</svg>'
    )
