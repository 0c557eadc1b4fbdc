"""Tables as the bytes of a file."""

import csv
import io
from collections.abc import Iterable, Sequence


def csv_file(rows: Iterable[Sequence[str]], delimiter: str = ",", line_end: str = "\r\n") -> bytes:
    """The rows, with quotes where a cell needs them."""
    stream = io.StringIO()
    csv.writer(stream, delimiter=delimiter, lineterminator=line_end).writerows(rows)
    return stream.getvalue().encode()
