"""A board as a LaTeX table that can be pasted into a paper."""

import re
from collections.abc import Sequence
from functools import lru_cache

from leaderboard.board.exports.export import BoardExport
from leaderboard.board.model import number_format as fmt
from leaderboard.board.model.board import Board, BoardRow, Cell, grouped
from leaderboard.board.model.plain_text import one_line
from leaderboard.board.model.standouts import Standouts

ESCAPES = str.maketrans(
    {
        "\\": r"\textbackslash{}",
        "&": r"\&",
        "%": r"\%",
        "$": r"\$",
        "#": r"\#",
        "_": r"\_",
        "{": r"\{",
        "}": r"\}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "<": r"\textless{}",
        ">": r"\textgreater{}",
        "|": r"\textbar{}",
        '"': "''",
    }
)
MINUS = "$-$"
# About so many stand in a line of \\small text of a one-column article; the space between two columns is one more.
MAX_CHARACTERS = 68
SCALING = r"\providecommand{\resizebox}[3]{#3}"
_MARKUP = re.compile(r"\\[a-z]+|[{}$]")


def to_latex(board: Board) -> bytes:
    """A `table` with a booktabs `tabular`: best bold, second best underlined, all text escaped.

    It is made to be read in by a document that loads booktabs. A table too wide for the text is scaled down where the
    document loads graphicx too. Groups of columns have a head of their own; a second measure stands in parentheses, a
    deviation small after sd, and seeds as a superscript where some are missing.
    """
    marks = board.standouts
    names = [board.row_head] if board.ranks_nobody else ["Rank", "System", "Team"]
    heads = [*names, *(escape(column.title) for column in board.columns)]
    is_ranked = not board.ranks_nobody
    body = [_line(index, row, board, marks, is_ranked) for index, row in enumerate(board.rows)]
    scaled = _is_wide([heads, *(line.split(" & ") for line in body)])
    lines = [
        *_comments(board, scaled=scaled),
        r"\begin{table}",
        r"  \centering",
        r"  \small",
        r"  \setlength{\tabcolsep}{3pt}",
        rf"  \caption{{{_caption(board)}}}",
        rf"  \label{{{_label(board)}}}",
        *([r"  \resizebox{\textwidth}{!}{%"] if scaled else []),
        rf"  \begin{{tabular}}{{{'l' if board.ranks_nobody else 'rll'}{'r' * len(board.columns)}}}",
        r"    \toprule",
        *_group_heads(board, after=len(names)),
        "    " + " & ".join(heads) + r" \\",
        r"    \midrule",
        *body,
        r"    \bottomrule",
        r"  \end{tabular}" + ("}" if scaled else ""),
        r"\end{table}",
    ]
    return ("\n".join(lines) + "\n").encode()


@lru_cache(maxsize=1 << 12)  # the same names stand on many boards
def escape(text: str) -> str:
    """The text as LaTeX prints it, on one line; control characters become spaces."""
    escaped = one_line(text).translate(ESCAPES)
    return re.sub("-(?=-)", "-{}", escaped)  # TeX would join two hyphens into a dash


def _group_heads(board: Board, *, after: int) -> list[str]:
    """The line of group titles and the rules below them; nothing where no column stands in a group."""
    cells = [""] * after
    rules = []
    first = after + 1
    for group in grouped(board.columns):
        count = len(group.columns)
        cells += [rf"\multicolumn{{{count}}}{{c}}{{{escape(group.title)}}}"] if group.title else [""] * count
        rules += [rf"\cmidrule(lr){{{first}-{first + count - 1}}}"] if group.title else []
        first += count
    return ["    " + " & ".join(cells).lstrip() + r" \\", "    " + " ".join(rules)] if rules else []


def _is_wide(lines: Sequence[Sequence[str]]) -> bool:
    """Whether the cells of these lines, LaTeX already, are too wide for the text."""
    widths = [max(len(_MARKUP.sub("", cell)) for cell in column) for column in zip(*lines, strict=False)]
    return sum(widths) + len(widths) > MAX_CHARACTERS


def _comments(board: Board, *, scaled: bool) -> list[str]:
    published = f"published {board.published_at:%Y-%m-%d %H:%M} UTC"
    first = f"% {one_line(board.full_title)} ({board.benchmark}/{board.phase}), release {board.release}, {published}"
    needs = r"% Needs \usepackage{booktabs}; names outside the Latin script need XeLaTeX or LuaLaTeX."
    scaling = (
        [r"% With \usepackage{graphicx} it is scaled to the width of the text.", SCALING] if scaled else []
    )
    return [first, *(["% Synthetic demo data."] if board.synthetic else []), needs, *scaling]


def _caption(board: Board) -> str:
    metrics = sorted({column.metric_title for column in board.columns})
    falling = [column.title for column in board.columns if not column.higher_is_better]
    date = f"{board.published_at.day} {board.published_at:%B %Y}"
    sentences = [
        f"{board.full_title}: release {board.release}, {date}.",
        f"{', '.join(metrics)}.",
        *([f"Lower is better in {', '.join(falling)}."] if falling else []),
    ]
    tail = [board.remarks] if board.remarks else []
    tail += ["Synthetic demo data."] if board.synthetic else []
    return " ".join([*map(escape, sentences), *_explained(board), *map(escape, tail)])


def _explained(board: Board) -> list[str]:
    """What the marks mean that this board has; LaTeX already."""
    cells = [row.cell(column.key) for row in board.rows for column in board.columns]
    besides = sorted({column.beside_title for column in board.columns if column.beside_title})
    ranks = (
        r"\textbf{Best} and \underline{second best} of each column among all systems; "
        "baseline, reported, human and median rows carry no rank."
    )
    sentences = {
        ranks: not board.ranks_nobody,
        f"In parentheses: {escape(', '.join(besides))}.": any(cell.beside is not None for cell in cells),
        "sd: the standard deviation over seeds.": any(cell.deviation is not None for cell in cells),
        "In parentheses after a rank: the ranks that chance in the test items leaves open.": any(
            row.rank_low != row.rank_high for row in board.rows
        ),
        "Superscripts: seeds handed in of those wanted.": not all(cell.is_complete for cell in cells),
    }
    return [sentence for sentence, is_needed in sentences.items() if is_needed]


def _label(board: Board) -> str:
    name = "-".join([board.benchmark, board.phase, board.task or "overall", str(board.release)])
    return "tab:" + re.sub(r"[^A-Za-z0-9]+", "-", name)


def _line(index: int, row: BoardRow, board: Board, marks: dict[str, Standouts], is_ranked: bool) -> str:
    tag = fmt.tag(row.kind, row.system)
    name = escape(row.system) + (rf" \textit{{({tag})}}" if tag else "")
    interval = rf" {{\scriptsize ({row.rank_low}--{row.rank_high})}}" if row.rank_low != row.rank_high else ""
    rank = "--" if row.rank is None else f"{row.rank}{interval}"
    names = [rank, name, escape(row.team)] if is_ranked else [name]
    cells = [_cell(row.cell(column.key), index, marks[column.key]) for column in board.columns]
    return "    " + " & ".join([*names, *cells]) + r" \\"


def _cell(cell: Cell, index: int, marks: Standouts) -> str:
    number = "--" if cell.value is None else fmt.score(cell.value, minus=MINUS)
    if index in marks.best:
        number = rf"\textbf{{{number}}}"
    elif index in marks.second:
        number = rf"\underline{{{number}}}"
    missing = "" if cell.is_complete else rf"$^{{{cell.seeds}/{cell.seeds_wanted}}}$"
    parts = [
        number + missing,
        fmt.beside(cell.beside, minus=MINUS),
        "" if cell.deviation is None else rf"{{\scriptsize {fmt.deviation(cell.deviation)}}}",
    ]
    return " ".join(part for part in parts if part)


LATEX = BoardExport("latex", "tex", "application/x-tex; charset=utf-8", "LaTeX", to_latex)
