"""What columns a file of tokens has of which nothing was said: how they are parted, and what lines beside them are."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from catalogue.gold_column import CellShape, GoldColumn, SeenFile
from catalogue.layouts.line_faults import NO_TOKENS
from catalogue.problems import FileReport, Finding, ProblemCode, RefusedError

SENTENCE, TOKEN, LABEL = "sentence", "token", "label"
_MARK = "-DOCSTART-"
_COMMENT = "#"
_NAMING = re.compile(r"#\s*(?:[a-z_]*id)\b\s*[=:]?\s*")


def looks_like_tokens(lines: Sequence[str]) -> bool:
    """True for groups of lines, with empty ones between, that all have as many cells, two or more."""
    return len(list(filter(None, _groups(lines)))) > 1 and bool(_parting(lines))


def columns_of_tokens(
    lines: Sequence[str],
    report: FileReport,
    *,
    names: Sequence[str] = (),
    is_beside: Callable[[str], bool] = lambda line: False,
) -> SeenFile:
    """A column for each cell of a line, the first called token and the last label, and a row for each sentence.

    `names` are those of the columns, where a format gives them; lines that are `is_beside` are no token's.

    Lines before a sentence that begin alike and name it give its id; others that begin with # are passed over.
    """
    blanks, width = _parting(lines) or (False, 2)
    groups = _groups(lines)
    bare = [
        [(at, line) for at, line in group if not (_is_beside(line, blanks, width) or is_beside(line))]
        for group in groups
    ]
    kept = [(group, rows) for group, rows in zip(groups, bare, strict=True) if rows]
    if not kept:
        raise RefusedError(NO_TOKENS)
    names = names or (TOKEN, *(f"column {place}" for place in range(2, width)), LABEL)
    cells = [[_cells(line, blanks, width, at, report) for at, line in rows] for _, rows in kept]
    id_line = _id_line([group for group, _ in kept])
    ids = (
        [_named(group, id_line) for group, _ in kept] if id_line else list(map(str, range(1, len(kept) + 1)))
    )
    columns = [GoldColumn(SENTENCE, tuple(ids))]
    for place, name in enumerate(names):
        parts = tuple(tuple(row[place] for row in sentence) for sentence in cells)
        columns.append(GoldColumn(name, tuple(map(" ".join, parts)), CellShape.TOKENS, parts))
    beside = {line for group in groups for _, line in group if _is_beside(line, blanks, width)}
    options = {
        "columns": list(names),
        "token_column": TOKEN,
        "blanks": blanks,
        "skipped": _beginnings(line for line in beside if not (id_line and line.startswith(id_line))),
        "id_line": id_line,
    }
    stated = {key: value for key, value in options.items() if value}
    return SeenFile(tuple(columns), tuple(rows[0][0] for _, rows in kept), (SENTENCE,), stated)


def _groups(lines: Sequence[str]) -> list[list[tuple[int, str]]]:
    """The lines between empty ones, with their numbers."""
    groups: list[list[tuple[int, str]]] = [[]]
    for number, line in enumerate(lines, start=1):
        if line.strip(" \t"):
            groups[-1].append((number, line))
        else:
            groups.append([])
    return groups


def _parting(lines: Sequence[str]) -> tuple[bool, int] | None:
    """Whether blanks part the cells, and how many cells a line has; None where neither does it alike throughout."""
    plain = [line for line in lines if line.strip(" \t") and not line.startswith(_MARK)]
    for blanks in (False, True):
        widths = Counter(_width(line, blanks) for line in plain)
        width = max(widths, key=lambda found: widths[found]) if widths else 0
        others = (line for line in plain if _width(line, blanks) != width)
        if width > 1 and all(line.startswith(_COMMENT) for line in others):
            return blanks, width
    return None


def _width(line: str, blanks: bool) -> int:
    return len(line.split() if blanks else line.split("\t"))


def _is_beside(line: str, blanks: bool, width: int) -> bool:
    """Whether a line is no token's."""
    return line.startswith(_MARK) or (line.startswith(_COMMENT) and _width(line, blanks) != width)


def _cells(line: str, blanks: bool, width: int, number: int, report: FileReport) -> list[str]:
    cells = line.split() if blanks else line.split("\t")
    if len(cells) != width:
        code = ProblemCode.SHORT_ROW if len(cells) < width else ProblemCode.LONG_ROW
        message = f"The line has {len(cells)} cells where the others have {width}."
        report.add(Finding(code, message, f"{len(cells)} cells", f"{width} cells"), line=number)
    return (cells + [""] * width)[:width]


def _beginnings(beside: Iterable[str]) -> list[str]:
    """How lines begin that are passed over; with the blank behind # where all have one, since tokens may begin so."""
    lines = list(beside)
    comments = [line for line in lines if line.startswith(_COMMENT)]
    comment = f"{_COMMENT} " if all(line.startswith(f"{_COMMENT} ") for line in comments) else _COMMENT
    return [*([_MARK] if len(comments) < len(lines) else []), *([comment] if comments else [])]


def _id_line(groups: Sequence[Sequence[tuple[int, str]]]) -> str:
    """How lines begin that name sentences; empty unless each has one, and they name different ones."""
    found = [next((match[0] for _, line in group if (match := _NAMING.match(line))), "") for group in groups]
    begins = found[0]
    if not begins or set(found) != {begins}:
        return ""
    return begins if len({_named(group, begins) for group in groups}) == len(groups) else ""


def _named(group: Sequence[tuple[int, str]], begins: str) -> str:
    return next(line.removeprefix(begins).strip(" \t") for _, line in group if line.startswith(begins))
