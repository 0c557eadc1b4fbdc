"""A board as a LaTeX table that can be pasted into a paper."""

from __future__ import annotations

import re

from leaderboard.board import format as fmt
from leaderboard.board.model import Board, Row
from leaderboard.board.ranking import Standouts, standouts

ESCAPES = {
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


def to_latex(board: Board) -> bytes:
    """A `table` with a booktabs `tabular`: best bold, second best underlined, all text escaped.

    It is made to be read in by a document that loads booktabs.
    """
    marks = standouts(board)
    heads = ["Rank", "System", "Team", *(escape(column.title) for column in board.columns)]
    body = [_line(index, row, board, marks) for index, row in enumerate(board.rows)]
    lines = [
        *_comments(board),
        r"\begin{table}",
        r"  \centering",
        r"  \small",
        r"  \setlength{\tabcolsep}{3pt}",
        rf"  \caption{{{_caption(board)}}}",
        rf"  \label{{{_label(board)}}}",
        rf"  \begin{{tabular}}{{rll{'r' * len(board.columns)}}}",
        r"    \toprule",
        "    " + " & ".join(heads) + r" \\",
        r"    \midrule",
        *body,
        r"    \bottomrule",
        r"  \end{tabular}",
        r"\end{table}",
    ]
    return ("\n".join(lines) + "\n").encode()


def escape(text: str) -> str:
    """The text as LaTeX prints it, on one line; control characters become spaces."""
    escaped = "".join(ESCAPES.get(character, character) for character in _one_line(text))
    return re.sub("-(?=-)", "-{}", escaped)  # TeX would join two hyphens into a dash


def _one_line(text: str) -> str:
    return re.sub(r"[\x00-\x20\x7f-\x9f\u2028\u2029]+", " ", text).strip()


def _comments(board: Board) -> list[str]:
    published = f"published {board.published_at:%Y-%m-%d %H:%M} UTC"
    first = (
        f"% {_one_line(_name(board))} ({board.benchmark}/{board.phase}), release {board.release}, {published}"
    )
    needs = r"% Needs \usepackage{booktabs}; names outside the Latin script need XeLaTeX or LuaLaTeX."
    return [first, *(["% Synthetic demo data."] if board.synthetic else []), needs]


def _name(board: Board) -> str:
    """The benchmark's title, and the board's where it says more."""
    return board.title if board.title == board.benchmark_title else f"{board.benchmark_title}, {board.title}"


def _caption(board: Board) -> str:
    metrics = sorted({column.metric_title for column in board.columns})
    falling = [column.title for column in board.columns if not column.higher_is_better]
    date = f"{board.published_at.day} {board.published_at:%B %Y}"
    sentences = [
        f"{_name(board)}: release {board.release}, {date}.",
        f"{', '.join(metrics)}.",
        *([f"Lower is better in {', '.join(falling)}."] if falling else []),
    ]
    explained = (
        r"\textbf{Best} and \underline{second best} among ranked systems; "
        "baseline, reported and human rows carry no rank."
    )
    tail = [board.note] if board.note else []
    tail += ["Synthetic demo data."] if board.synthetic else []
    return " ".join([*map(escape, sentences), explained, *map(escape, tail)])


def _label(board: Board) -> str:
    name = "-".join([board.benchmark, board.phase, board.task or "overall", str(board.release)])
    return "tab:" + re.sub(r"[^A-Za-z0-9]+", "-", name)


def _line(index: int, row: Row, board: Board, marks: dict[str, Standouts]) -> str:
    kind = rf" \textit{{({fmt.KIND_TAGS[row.kind]})}}" if row.kind in fmt.KIND_TAGS else ""
    rank = "--" if row.rank is None else str(row.rank)
    cells = [_number(row.cell(column.key).value, index, marks[column.key]) for column in board.columns]
    return "    " + " & ".join([rank, escape(row.system) + kind, escape(row.team), *cells]) + r" \\"


def _number(value: float | None, index: int, marks: Standouts) -> str:
    if value is None:
        return "--"
    text = fmt.score(value, minus="$-$")
    if index in marks.best:
        return rf"\textbf{{{text}}}"
    return rf"\underline{{{text}}}" if index in marks.second else text
