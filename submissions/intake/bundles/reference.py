"""The reference data of a bundle, which have no format of their own, as a table of ids and answers."""

import csv
import io
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from io import BytesIO

from catalogue.answers.reading import NUMBER
from catalogue.problems import counted
from submissions.intake.bundles.archive import Archive
from submissions.intake.bundles.report import BundleRefused
from submissions.intake.bundles.texts import decoded

MOST_ROWS = 200_000
_LARGEST = 32 << 20
_LIKELY = re.compile(
    r"label|solution|gold|truth|reference|answer|target|(^|[^a-z])y([^a-z]|$)|test", re.IGNORECASE
)
_UNLIKELY = re.compile(
    r"train|data$|\.data\.|input|info|readme|license|licence|metadata|feat|\.py$", re.IGNORECASE
)
_BINARY = (".npy", ".npz", ".pkl", ".pickle", ".h5", ".png", ".jpg", ".mat", ".parquet", ".gz", ".zip")
_ID_NAMES = {"id", "item_id", "itemid", "uid", "uuid", "index", "idx"}


@dataclass(frozen=True, slots=True)
class Reference:
    """Gold labels as they were read: the member, and rows below a header whose first column are ids.

    `assumed` are sentences about how the file was read. Where `is_numbered`, ids are the numbers of the rows from 1.
    """

    path: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    is_numbered: bool
    assumed: tuple[str, ...]

    def as_csv(self) -> bytes:
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerows([self.header, *self.rows])
        return text.getvalue().encode()

    def under(self, header: Sequence[str]) -> "Reference":
        """The same rows below another header of as many columns."""
        return replace(self, header=tuple(header))


def read_reference(archive: Archive, place: str) -> tuple[Reference | None, str]:
    """The labels at a path of the bundle, a file, a folder or a zip; or None and why there are none."""
    if archive.has(place) and place.lower().endswith(".zip"):
        inner = archive.inner(place)
        return _best(inner, inner.paths, place)
    return _best(archive, [place] if archive.has(place) else archive.below(place), place)


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


def _of_text(chosen: str, data: bytes, also: tuple[str, ...]) -> tuple[Reference | None, str]:
    text, encoding = decoded(data)
    if "\0" in text:
        return None, f"{chosen} is no text"
    found = _read(text)
    if isinstance(found, str):
        return None, f"{chosen}: {found}"
    header, rows, is_numbered, assumed = found
    assumed = (*assumed, *also)
    if encoding != "UTF-8":
        assumed = (*assumed, f"it was read as {encoding}")
    if is_numbered:
        assumed = (*assumed, "the ids are the numbers of its rows, from 1")
    return Reference(chosen, header, rows, is_numbered, assumed), ""


def _likelihood(path: str) -> int:
    return (
        2 * bool(_LIKELY.search(path))
        - 2 * bool(_UNLIKELY.search(path))
        + bool(re.search("label|solution|gold", path, re.I))
    )


Table = tuple[tuple[str, ...], tuple[tuple[str, ...], ...], bool, tuple[str, ...]]


def _read(text: str) -> Table | str:
    if text.lstrip()[:1] in "{[" and text.strip():
        return _of_json(text)
    lines = [line for line in text.splitlines() if line.strip()]
    if not lines:
        return "it is empty"
    if len(lines) > MOST_ROWS:
        return f"it has more than {MOST_ROWS:,} rows"
    cells = _cells(lines)
    if cells is None:
        return "its rows have no common number of columns"
    if len(cells[0]) == 1:
        return _one_column([row[0] for row in cells])
    return _columns(cells)


def _cells(lines: Sequence[str]) -> list[list[str]] | None:
    """The cells by the delimiter that gives all rows as many columns; one column where none does."""
    for delimiter in ("\t", ",", ";"):
        if delimiter in lines[0]:
            rows = [[cell.strip() for cell in row] for row in csv.reader(lines, delimiter=delimiter)]
            if len({len(row) for row in rows}) == 1:
                return rows
    by_space = [line.split() for line in lines]
    if len({len(row) for row in by_space}) == 1 and all(
        NUMBER.fullmatch(cell) for row in by_space[1:] for cell in row[1:]
    ):
        return by_space
    if any("\t" in line for line in lines):
        return None
    return [[line.strip()] for line in lines]


def _one_column(values: list[str]) -> Table:
    assumed: tuple[str, ...] = ("one label a line",)
    rest = values[1:]
    if (
        rest
        and not _is_number(values[0])
        and (all(map(_is_number, rest)) or (values[0].lower() in ("label", "labels", "gold")))
    ):
        values, assumed = rest, ("one label a line, below a header",)
    return ("id", "label"), _numbered([[value] for value in values]), True, assumed


def _columns(cells: list[list[str]]) -> Table | str:
    first, rest = cells[0], cells[1:]
    is_named = (
        bool(rest)
        and not any(map(_is_number, first))
        and len(set(first)) == len(first)
        and all(first)
        and (
            any(name.lower() in _ID_NAMES for name in first)
            or any(_is_number(cell) for row in rest[:50] for cell in row)
        )
    )
    if is_named:
        return _named(first, rest)
    if all(cell in ("0", "1", "0.0", "1.0") for row in cells for cell in row):
        flags = [[cell[:1] for cell in row] for row in cells]
        if all(row.count("1") == 1 for row in flags):
            labels = [[str(row.index("1") + 1)] for row in flags]
            return (
                ("id", "label"),
                _numbered(labels),
                True,
                ("a column of 0 and 1 for each class, read as the number of the class",),
            )
        names = tuple(f"label_{number}" for number in range(1, len(flags[0]) + 1))
        return ("id", *names), _numbered(flags), True, ("a column of 0 and 1 for each label",)
    if len(first) == 2 and len({row[0] for row in cells}) == len(cells):
        return ("id", "label"), tuple((row[0], row[1]) for row in cells), False, ("an id and a label a line",)
    return "several numbers or words a row, with no header that says which is the label"


def _named(header: list[str], rows: list[list[str]]) -> Table | str:
    place = next((at for at, name in enumerate(header) if name.lower() in _ID_NAMES), 0)
    ids = [row[place] for row in rows]
    rest = [at for at in range(len(header)) if at != place]
    if len(set(ids)) < len(ids) or not all(ids):
        names = tuple(name if name.lower() != "id" else "id_given" for name in header)
        return ("id", *names), _numbered(rows), True, ("a table whose first column names no item once",)
    names = tuple(header[at] for at in rest)
    return (
        (header[place], *names),
        tuple((row[place], *(row[at] for at in rest)) for row in rows),
        False,
        ("a table with a header",),
    )


def _of_json(text: str) -> Table | str:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return "it is no JSON that can be read"
    if isinstance(value, dict):
        pairs = [(str(key), _cell(each)) for key, each in value.items()]
    elif isinstance(value, list) and value and isinstance(value[0], dict):
        names = [name for name in value[0] if name.lower() in _ID_NAMES]
        others = [
            name
            for name in value[0]
            if name.lower() in ("label", "gold", "answer", "target", "score", "class")
        ]
        if not names or not others:
            return "its objects have no id and label"
        pairs = [
            (str(each.get(names[0])), _cell(each.get(others[0]))) for each in value if isinstance(each, dict)
        ]
    elif isinstance(value, list):
        labels = [_cell(each) for each in value]
        pairs = [(str(number), cell) for number, cell in enumerate(labels, start=1)]
    else:
        return "it is JSON of another form than a list or a mapping"
    if not pairs or any(not cell for _, cell in pairs) or len(pairs) > MOST_ROWS:
        return "its values are no single labels"
    numbered = isinstance(value, list) and not isinstance(value[0], dict)
    return ("id", "label"), tuple(pairs), numbered, ("JSON, an answer for each item",)


def _cell(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return str(value) if isinstance(value, str | int | float) else ""


def _numbered(rows: Sequence[Sequence[str]]) -> tuple[tuple[str, ...], ...]:
    return tuple((str(number), *row) for number, row in enumerate(rows, start=1))


def _is_number(cell: str) -> bool:
    return NUMBER.fullmatch(cell) is not None
