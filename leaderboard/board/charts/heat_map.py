"""Systems against tasks as a heat map: the first of a board, each column shaded from its worst value to its best."""

from collections import Counter, defaultdict
from collections.abc import Sequence

from leaderboard.board.charts.chart import FAINT, INK, RULE, SIZE, SMALL, WIDTH, Canvas, Chart
from leaderboard.board.charts.strip_charts import who_is_first
from leaderboard.board.charts.text_layout import quoted, shortened, width
from leaderboard.board.model import number_format as fmt
from leaderboard.board.model.board import Board, BoardRow, Column
from leaderboard.board.model.ranking import leaders, shade

KEY = "heatmap"
AT_MOST = 25
TASKS, SYSTEMS = 3, 2  # with fewer of either there is nothing to compare
# On paper, as the style sheet's `heat-0` to `heat-4` in light. They differ in lightness, and all bear text.
SHADES = ("#ffffff", "#e7eff0", "#cedfe1", "#b6ced2", "#9dbec3")
NAMES, ROW = 130.0, 22
CELL, SMALL_CELL = 24.0, 12.0  # a cell takes at least: with its number, and on a board of more columns than
NUMBERED = 40
LONGEST_HEAD = 112


def heat_map(board: Board, columns: Sequence[Column]) -> Chart | None:
    """The first 25 systems against these columns; None where there are fewer than two, or three columns.

    Systems without a rank follow the ranked ones. A column's shades go from the worst value of the systems shown to the
    best.
    """
    systems = [row for row in board.systems if any(row.value(column.key) is not None for column in columns)]
    shown = sorted(systems, key=lambda row: row.rank is None)[:AT_MOST]
    columns = [column for column in columns if column.values(shown)]
    if len(columns) < TASKS or len(shown) < SYSTEMS:
        return None
    title = _sentence(board, columns)
    by_100 = all(-1 <= value <= 1 for column in columns for value in column.values(shown))
    grid = _Grid(shown, columns)
    canvas = Canvas(
        KEY,
        title=title,
        about="The stronger the shade, the closer to the best of its task" + by_100 * "; in hundredths",
        description=f"{len(shown)} systems against {len(columns)} tasks. {title}.",
        wide=grid.wide,
    )
    height = grid.draw(canvas, by_100=by_100)
    heads = ("Rank", "System", *heads_of(columns))
    data = ((row.rank, row.system, *(row.value(column.key) for column in columns)) for row in shown)
    note = _rest(systems, shown)
    return canvas.chart(height, heads, data, is_synthetic=board.synthetic, note=note)


class _Grid:
    """Systems below each other; where more tasks than fit a phone would stand beside each other, the tasks are."""

    def __init__(self, rows: Sequence[BoardRow], columns: Sequence[Column]) -> None:
        self._rows, self._columns = rows, columns
        # A system's rank or a dash, how a name is written, and the whole name.
        systems = [(str(row.rank or fmt.NONE), row.system, row.system) for row in rows]
        tasks = [("", short, column.name) for short, column in zip(heads_of(columns), columns, strict=True)]
        fits = [CELL * len(names) <= WIDTH - NAMES for names in (systems, tasks)]
        self._is_turned = fits == [True, False] and len(columns) <= NUMBERED
        self._down, self._across = (tasks, systems) if self._is_turned else (systems, tasks)
        least = CELL if len(columns) <= NUMBERED else SMALL_CELL
        self._cell = max((WIDTH - NAMES) / len(self._across), least)
        self.wide = NAMES + self._cell * len(self._across)

    def draw(self, canvas: Canvas, *, by_100: bool) -> float:
        """Draw all of it, numbers in hundredths where `by_100`, and say how high it is."""
        top = self._heads(canvas)
        self._sides(canvas, top)
        shades = [canvas.group(f"heat heat-{at}", colour) for at, colour in enumerate(SHADES)]
        numbers = canvas.group("heading", INK, font_size=f"{SMALL:g}", text_anchor="middle")
        for at, column in enumerate(self._columns):
            squares: dict[int, str] = defaultdict(str)
            ends = column.ends(self._rows) or (0.0, 0.0)
            for index, row in enumerate(self._rows):
                x, y = (index, at) if self._is_turned else (at, index)
                left, upper, value = NAMES + self._cell * x, top + ROW * y, row.value(column.key)
                if value is not None:
                    side = f"{self._cell - 1:.1f}"
                    squares[shade(value, ends)] += f"M{left:.1f} {upper:.1f}h{side}v{ROW - 1}h-{side}Z"
                if self._cell >= CELL:
                    number = fmt.NONE if value is None else f"{100 * value if by_100 else value:.0f}"
                    signed = "0" if number == "-0" else number.replace("-", fmt.MINUS)
                    numbers.text(signed, left + self._cell / 2 - 0.5, upper + 15)
            for strength, shape in squares.items():
                shades[strength].path(shape)
        return _legend(canvas, top + ROW * len(self._down) + 8)

    def _sides(self, canvas: Canvas, top: float) -> None:
        """Names left of their cells, those of systems behind their ranks."""
        names = canvas.group("heading", INK)
        for index, (rank, short, whole) in enumerate(self._down):
            y, left = top + ROW * index + 15.5, 28 if rank else 2
            if rank:
                names.text(rank, 22, y, "end", opacity="0.7")
            line = shortened(short, NAMES - 6 - left, SIZE)
            names.group("heading", INK, whole).text(line, left, y)

    def _heads(self, canvas: Canvas) -> float:
        """Names upright above their columns; returns where the cells begin."""
        lines = [shortened(f"{rank} {short}".strip(), LONGEST_HEAD, SMALL) for rank, short, _ in self._across]
        bottom = canvas.top + max(width(line, SMALL) for line in lines) + 4
        heads = canvas.group("scales", FAINT, font_size=f"{SMALL:g}")
        for at, ((_, _, whole), line) in enumerate(zip(self._across, lines, strict=True)):
            where = f"translate({NAMES + self._cell * (at + 0.5) + 4:.1f} {bottom:.1f}) rotate(-90)"
            heads.group("scales", FAINT, whole, transform=where).text(line, 0, 0)
        return bottom + 6


def heads_of(columns: Sequence[Column]) -> list[str]:
    """Short titles, those that several columns share after what their groups are called."""
    counts = Counter(column.title for column in columns)
    return [
        f"{column.group} {column.title}".strip() if counts[column.title] > 1 else column.title
        for column in columns
    ]


def _legend(canvas: Canvas, top: float) -> float:
    words = canvas.group("scales", FAINT, font_size=f"{SMALL:g}")
    left = NAMES + width("worst", SMALL) + 6
    end = left + 22 * len(SHADES)
    words.text("worst", NAMES, top + 11)
    for at, colour in enumerate(SHADES):
        canvas.group(f"heat heat-{at}", colour).path(f"M{left + 22 * at:.1f} {top:.1f}h21v13h-21Z")
    edge = f"M{left:.1f} {top:.1f}H{end - 1:.1f}v13H{left:.1f}Z"
    canvas.group("rules", RULE).path(edge, fill="none", stroke="currentColor")
    words.text("best of its task", end + 6, top + 11)
    return top + 20


def _sentence(board: Board, columns: Sequence[Column]) -> str:
    """Where the first of the board stands lowest, or who shares it; without an average who is first in tasks."""
    first = board.leaders
    # Ranked by one of the tasks, a board has nobody who is first in all of them together.
    if not first or board.rank_by in {column.key for column in columns}:
        return who_is_first([rows for rows in leaders(board, columns) if rows])
    if len(first) > 1:
        return f"{len(first)} systems share the first place over {len(columns)} tasks"
    name = quoted(first[0].system)
    known = [(place, column) for column in columns if (place := _place(first[0], board.systems, column))]
    lowest, where = max(known, key=lambda pair: pair[0])
    if lowest > 1:
        return f"{name}, first overall, is {fmt.ordinal(lowest)} in {quoted(where.name, 300)}"
    scored = f"the {len(known)} of {len(columns)} tasks that it has a score in"
    return f"{name}, first overall, is first in {'every task' if len(known) == len(columns) else scored}"


def _place(row: BoardRow, systems: Sequence[BoardRow], column: Column) -> int | None:
    own = row.value(column.key)
    values = column.values(system for system in systems if system.cell(column.key).is_complete)
    better = (value > own if column.higher_is_better else value < own for value in values if own is not None)
    return None if own is None else 1 + sum(better)


def _rest(systems: Sequence[BoardRow], shown: Sequence[BoardRow]) -> str:
    ranks = Counter(row.rank is None for row in systems) - Counter(row.rank is None for row in shown)
    said = [
        f"{ranks[is_unranked]} {'system' if ranks[is_unranked] == 1 else 'systems'} {why}"
        for is_unranked, why in ((False, "of lower rank"), (True, "without a rank"))
        if ranks[is_unranked]
    ]
    return f"Not shown: {' and '.join(said)}. The table of the board has them all." if said else ""
