"""The reference data of a bundle, which have no format of their own, as an organiser's table of ids and labels."""

import csv
import io
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from io import BytesIO

from catalogue.answers.reading import NUMBER
from catalogue.layouts import LAYOUTS
from catalogue.layouts.cells import DELIMITERS
from catalogue.problems import counted
from submissions.intake.bundles.archive import Archive
from submissions.intake.bundles.report import BundleRefused
from submissions.intake.bundles.texts import decoded
from submissions.intake.tables.labelled import LABELS, LabelledTable, read_given
from submissions.intake.tables.task_proposal import propose

_LARGEST = 32 << 20
_LIKELY = re.compile(
    r"label|solution|gold|truth|reference|answer|target|(^|[^a-z])y([^a-z]|$)|test", re.IGNORECASE
)
_UNLIKELY = re.compile(
    r"train|data$|\.data\.|input|info|readme|license|licence|metadata|feat|\.py$", re.IGNORECASE
)
_BINARY = (".npy", ".npz", ".pkl", ".pickle", ".h5", ".png", ".jpg", ".mat", ".parquet", ".gz", ".zip")
_WORDS = re.compile("[A-Za-z0-9]+")
_SPLITS = {"train", "trial", "dev", "valid", "validation", "test", "eval", "final"}
_MOST_SUBTASKS = 20
_FLAGS = {"0", "1", "0.0", "1.0"}
_BY_ID = "json_by_id"
_NUMBERED = "the ids are the numbers of its rows, from 1"


@dataclass(frozen=True, slots=True)
class Reference:
    """Gold labels as they were read, and the member that they stand in.

    `assumed` are sentences about how the file was read.
    """

    path: str
    table: LabelledTable
    assumed: tuple[str, ...]

    def as_file(self, columns: Sequence[str], names: Sequence[str] = ()) -> bytes:
        """These columns as CSV, below other names where these are given; in another layout the file as it came."""
        if self.table.seen:
            return self.table.data
        return _csv([names or columns, *zip(*map(self.table.column, columns), strict=True)])


def read_reference(archive: Archive, place: str, member: str = "") -> tuple[Reference | None, str]:
    """The labels at a path of the bundle, a file, a folder or a zip, or of one member there; or None and why there are
    none."""
    opened, paths = _opened(archive, place)
    return _best(opened, [member] if member else paths, place)


def labels_of_subtasks(archive: Archive, place: str) -> dict[str, str]:
    """The members there that hold the labels of a subtask each, by its name; none where it is not so.

    They are called alike but for one word, which is the name and not that of a split.
    """
    _, paths = _opened(archive, place)
    likely = [path for path in paths if not path.lower().endswith(_BINARY) and _likelihood(path) > 0]
    words = [_WORDS.findall(path) for path in likely]
    columns = [*zip(*words, strict=False)]
    differing = [column for column in columns if len(set(column)) > 1]
    if len(differing) != 1 or len({len(row) for row in words}) > 1 or len(likely) > _MOST_SUBTASKS:
        return {}
    (names,) = differing
    return {} if len(set(names)) < len(names) or _SPLITS & {*names} else dict(zip(names, likely, strict=True))


def _opened(archive: Archive, place: str) -> tuple[Archive, list[str]]:
    """The zip that a path leads into, and the members there."""
    if archive.has(place) and place.lower().endswith(".zip"):
        inner = archive.inner(place)
        return inner, inner.paths
    return archive, [place] if archive.has(place) else archive.below(place)


def read_answers(data: bytes, name: str) -> tuple[Reference | None, str]:
    """A submission to such a competition, a file or a zip of one, read as reference data are."""
    if not data.startswith(b"PK"):
        return _of_text(name, data, ())
    try:
        archive = Archive(BytesIO(data), name)
        return _best(archive, archive.paths, name)
    except BundleRefused as error:
        return None, str(error)


def _best(archive: Archive, paths: Sequence[str], place: str) -> tuple[Reference | None, str]:
    readable = [path for path in paths if not path.lower().endswith(_BINARY)]
    if not readable:
        return None, f"{place} holds no file that can be read as text"
    ordered = sorted(readable, key=lambda path: (-_likelihood(path), path))
    chosen = ordered[0]
    if len(readable) > 1 and _likelihood(chosen) <= 0:
        return None, f"{place} holds {counted(len(readable), 'file')}, and none is called like labels"
    one_of = (
        (f"of {len(readable)} files it is the one that is called like labels",) if len(readable) > 1 else ()
    )
    return _of_text(chosen, archive.read(chosen, at_most=_LARGEST), one_of)


def _likelihood(path: str) -> int:
    return (
        2 * bool(_LIKELY.search(path))
        - 2 * bool(_UNLIKELY.search(path))
        + bool(re.search("label|solution|gold", path, re.I))
    )


def _of_text(chosen: str, data: bytes, also: tuple[str, ...]) -> tuple[Reference | None, str]:
    text, encoding = decoded(data)
    if "\0" in text:
        return None, f"{chosen} is no text"
    if encoding != "UTF-8":
        also = (*also, f"it was read as {encoding}")
    why = ""
    for content, layout, assumed in _readings(text):
        read = read_given(content, file_name=chosen, layout=layout)
        if read.content is None:
            why = why or read.problems[0].message
        elif _is_matrix(read.content):
            return None, f"{chosen}: several numbers a row, with no header that says which is the label"
        else:
            table, numbered = _with_ids(read.content, chosen)
            return Reference(chosen, table, (_form(table), *assumed, *numbered, *also)), ""
    return None, f"{chosen}: {why or 'it is empty'}"


def _readings(text: str) -> Iterator[tuple[bytes, str, tuple[str, ...]]]:
    """What a text may be, the likeliest first: its content, the layout where that is known, and what was assumed."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if not lines:
        return
    yield from _of_json(text)
    cells = _cells(lines)
    if len(cells[0]) == 1 and _is_name_above(lines):
        yield _lines(lines[1:]), "", ("below a header",)
    elif len(cells[0]) > 1 and all(cell in _FLAGS for row in cells for cell in row):
        yield _of_flags([[cell[:1] for cell in row] for row in cells])
    elif len(cells[0]) > 1 and not (_has_delimiter(lines[0]) or _is_known(lines)):
        yield _csv(cells), "", ("with spaces between its columns",)
    yield text.encode(), "", ()
    # Without blank lines, and without spaces around cells.
    yield (_csv(cells) if len(cells[0]) > 1 else _lines(lines)), "", ()


def _of_json(text: str) -> Iterator[tuple[bytes, str, tuple[str, ...]]]:
    """A document of labels alone: an object by ids, or a list."""
    try:
        value = json.loads(text) if text.lstrip()[:1] in ("{", "[") else None
    except (ValueError, RecursionError):
        return
    if isinstance(value, dict):
        yield text.encode(), _BY_ID, ()
    elif isinstance(value, list) and all(isinstance(each, str | int | float) for each in value):
        texts = (each if isinstance(each, str) else json.dumps(each) for each in value)
        yield _lines(" ".join(text.split()) for text in texts), "", ("a list in JSON",)


def _has_delimiter(line: str) -> bool:
    return any(delimiter in line for delimiter in DELIMITERS)


def _is_known(lines: Sequence[str]) -> bool:
    """Whether the lines look like a layout that names its items."""
    return any(layout.looks_like(lines) for layout in LAYOUTS if layout.can_be_seen and layout.has_ids)


def _of_flags(rows: Sequence[Sequence[str]]) -> tuple[bytes, str, tuple[str, ...]]:
    """A column of 0 and 1 for each class or label."""
    if all(row.count("1") == 1 for row in rows):
        numbers = (str(row.index("1") + 1) for row in rows)
        return _lines(numbers), "", ("a column of 0 and 1 for each class, read as the number of the class",)
    names = (f"label_{number}" for number in range(1, len(rows[0]) + 1))
    numbered = ((str(number), *row) for number, row in enumerate(rows, start=1))
    return _csv([("id", *names), *numbered]), "", ("a column of 0 and 1 for each label", _NUMBERED)


def _cells(lines: Sequence[str]) -> list[list[str]]:
    """The cells by the delimiter that gives all rows as many columns, or by spaces; one column where none does."""
    for delimiter in DELIMITERS:
        if delimiter in lines[0]:
            with suppress(csv.Error):  # as of a cell that is far too long
                rows = [[cell.strip() for cell in row] for row in csv.reader(lines, delimiter=delimiter)]
                if len({len(row) for row in rows}) == 1:
                    return rows
    words = [line.split() for line in lines]
    is_even = len({len(row) for row in words}) == 1
    if is_even and all(_is_number(cell) for row in words[1:] for cell in row[1:]):
        return words
    numbers = {row[0] for row in words if len(row) == 2 and row[0].isdecimal()}
    return words if is_even and len(numbers) == len(words) else [[line] for line in lines]


def _is_name_above(lines: Sequence[str]) -> bool:
    """Whether the first line is the name of the only column."""
    first, *rest = lines
    is_above_numbers = not _is_number(first) and all(map(_is_number, rest))
    return bool(rest) and (first.casefold() in LABELS or is_above_numbers)


def _is_matrix(table: LabelledTable) -> bool:
    """Whether no column can be told from the others: all numbers, and no names."""
    is_wide = table.is_headerless and len(table.header) > 2
    return is_wide and all(_is_number(cell) for row in table.rows for cell in row)


def _with_ids(table: LabelledTable, path: str) -> tuple[LabelledTable, tuple[str, ...]]:
    """The table, with the numbers of its rows for ids where no column can name the items."""
    if table.seen:
        return table, ()
    ids = table.column(propose(table, path).id_column)
    if all(ids) and len(set(ids)) == len(ids):
        return table, ()
    header = ("id", *("id_given" if name == "id" else name for name in table.header))
    rows = tuple((str(number), *row) for number, row in enumerate(table.rows, start=1))
    return replace(table, header=header, rows=rows), (_NUMBERED,)


def _form(table: LabelledTable) -> str:
    if not table.layout.has_ids:
        return f"{table.layout.title}; the ids are the numbers of the lines"
    return f"{table.layout.title} without a header" if table.is_headerless else table.layout.title


def _lines(texts: Iterable[str]) -> bytes:
    return "".join(f"{text}\n" for text in texts).encode()


def _csv(rows: Iterable[Sequence[str]]) -> bytes:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue().encode()


def _is_number(cell: str) -> bool:
    return NUMBER.fullmatch(cell) is not None
