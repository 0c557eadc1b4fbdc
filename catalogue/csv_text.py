"""Tables as CSV that no spreadsheet runs as formulas."""

import csv
import io
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

SYNTHETIC = "synthetic demo data"
# The last four are the first four in full width, which East Asian spreadsheets take for them.
FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\uff1d", "\uff0b", "\uff0d", "\uff20")


def as_text(cell: str) -> str:
    """The cell with an apostrophe before it where a spreadsheet would otherwise run it as a formula."""
    return f"'{cell}" if cell.startswith(FORMULA_STARTS) else cell


def as_answer(cell: str) -> str:
    """As `as_text`, but the label -1 is a number to a spreadsheet and stays as it is."""
    try:
        float(cell)
    except ValueError:
        return as_text(cell)
    return cell


def for_spreadsheets(data: bytes) -> bytes:
    """The same CSV file with an apostrophe before each cell that a spreadsheet would otherwise run as a formula."""
    stream = io.StringIO()
    rows = csv.reader(io.StringIO(data.decode(), newline=""))
    csv.writer(stream, lineterminator="\n").writerows([as_answer(cell) for cell in row] for row in rows)
    return stream.getvalue().encode()


def csv_bytes(
    heads: Sequence[str],
    rows: Iterable[Sequence[Any]],
    *,
    is_synthetic: bool,
    marks: Mapping[str, str] | None = None,
    escape: Callable[[str], str] = as_text,
) -> bytes:
    """UTF-8 CSV of these heads and rows, all text escaped; None is an empty cell.

    `marks` are further columns that say the same on every line, so that a line copied elsewhere still says it: that
    made-up data are such, in a column `note`, and more by their heads.
    """
    said = ({"note": SYNTHETIC} if is_synthetic else {}) | dict(marks or {})
    stream = io.StringIO()
    writer = csv.writer(stream)  # ends lines with CR LF (RFC 4180), and so quotes either of them in a name
    writer.writerow([*map(escape, heads), *said])
    for row in rows:
        writer.writerow([*(escape(cell) if isinstance(cell, str) else cell for cell in row), *said.values()])
    return stream.getvalue().encode()
