"""A refused upload in, the same upload with its slips of writing mended out, where each has one meaning only.

Mended are delimiters, the spelling of the header, spaces, the case of labels, ids and whole numbers such as `50.0`,
class numbers, decimal commas, rows of empty cells at the end, and names in a zip. What could be meant in two ways is
left alone, and nothing is offered that intake does not accept.
"""

import csv
import io
import re
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from benchmarks.spec import BenchmarkSpec, FileFormat
from catalogue.layouts import Layout
from catalogue.layouts.cells import DELIMITERS, CellError, split_cells
from catalogue.layouts.header import unquoted
from catalogue.problems import Finding, RefusedError, visible
from catalogue.suggestions import loose_id, loose_label, without_decimals
from submissions.intake.canonical import SplitTarget, answer_reader, as_written
from submissions.intake.predictions.bundle import ZipLayout
from submissions.intake.predictions.fast_reader import read_ordinary
from submissions.intake.predictions.seeds import folder_of
from submissions.intake.predictions.single_file import SingleFile, chosen_target
from submissions.intake.predictions.upload import read_upload
from submissions.intake.predictions.wanted_files import Elsewhere, TaskFile, Wanted
from submissions.intake.predictions.zip_directory import check_entry, is_zip, read_directory, unpack

MAX_REPAIRED_BYTES = 20 * 1024 * 1024
_MAX_UNPACKED = 40 * 1024 * 1024
_MAX_ROWS = 200_000
_SHOWN_PAIRS = 5
_DECIMAL_COMMA = re.compile(r"[+-]?[0-9]+,[0-9]+")
_MAYBE_THOUSANDS = re.compile(r"[+-]?[1-9][0-9]{0,2}(?:,[0-9]{3})+")


@dataclass(frozen=True, slots=True)
class LinePair:
    """One line before and after the repair; `line` counts from 1."""

    line: int
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class FileChange:
    """What the repair changes in one file: its name, `line_count` lines, and the first of these."""

    name_before: str
    name_after: str
    line_count: int
    pairs: tuple[LinePair, ...]


@dataclass(frozen=True, slots=True)
class Repair:
    """The repaired upload, which intake accepts, and what differs from the refused one.

    `numbered` says for each task whose class numbers were replaced which number became which label.
    """

    data: bytes
    file_name: str
    changes: tuple[FileChange, ...]
    numbered: Mapping[str, tuple[tuple[int, str], ...]]

    @property
    def line_count(self) -> int:
        """How many lines differ."""
        return sum(change.line_count for change in self.changes)


@dataclass(frozen=True, slots=True)
class KeptRepair:
    """A repair that can be downloaded under its token."""

    token: str
    repair: Repair

    @property
    def size(self) -> int:
        """In bytes."""
        return len(self.repair.data)


def repaired(
    data: bytes,
    *,
    file_name: str,
    benchmark: BenchmarkSpec,
    targets: Sequence[SplitTarget],
    task: str | None = None,
    split: str | None = None,
    elsewhere: Mapping[tuple[str, str], Elsewhere] | None = None,
) -> Repair | None:
    """The repaired upload; None where there is nothing to repair, or not in one way only.

    The arguments are those of `read_upload`, which has accepted the repaired bytes.
    """
    if len(data) > MAX_REPAIRED_BYTES:
        return None
    wanted = Wanted(benchmark, targets, elsewhere or {})
    try:
        if is_zip(data):
            renamed, others = _zip_files(data, wanted)
        else:
            renamed, others = _single_file(SingleFile(file_name, data, task, split), wanted), []
        return _mended(data, file_name, renamed, others, wanted, task, split)
    except (RefusedError, _AmbiguousError, UnicodeError, CellError, csv.Error):
        return None


class _AmbiguousError(Exception):
    """There is no repair, or more than one."""


def _mended(
    data: bytes,
    file_name: str,
    files: Sequence[tuple[str, TaskFile]],
    others: Sequence[tuple[str, bytes]],
    wanted: Wanted,
    task: str | None,
    split: str | None,
) -> Repair | None:
    tables = [_Table(name, file) for name, file in files]
    base = _number_base(tables)
    contents = [table.mended(base) for table in tables]
    changes = tuple(change for table in tables if (change := table.change()))
    if not changes:
        return None
    written = _zipped([*zip((table.name for table in tables), contents, strict=True), *others])
    whole = written if is_zip(data) else contents[0]
    result = read_upload(
        whole,
        file_name=file_name,
        benchmark=wanted.benchmark,
        targets=wanted.targets,
        task=task,
        split=split,
        elsewhere=wanted.elsewhere,
    )
    numbered = {table.task: table.numbers(base) for table in tables if table.is_numbered}
    return Repair(whole, file_name, changes, numbered) if result.ok else None


def _single_file(file: SingleFile, wanted: Wanted) -> list[tuple[str, TaskFile]]:
    target = chosen_target(file, wanted)
    if isinstance(target, Finding):
        raise _AmbiguousError
    return [(file.name, TaskFile(file.name, file.data, (target,)))]


def _zip_files(data: bytes, wanted: Wanted) -> tuple[list[tuple[str, TaskFile]], list[tuple[str, bytes]]]:
    """The zip's task files by the name that each must have, and what else may be in it."""
    entries = read_directory(data)
    if sum(entry.unpacked for entry in entries) > _MAX_UNPACKED:
        raise _AmbiguousError
    layout = ZipLayout(wanted, data, entries)
    files: list[tuple[str, TaskFile]] = []
    others: list[tuple[str, bytes]] = []
    for before, entry in zip(entries, layout.entries, strict=True):
        check_entry(entry)
        if entry.is_folder:
            continue
        content, place = unpack(data, entry), layout.place_of(entry.name)
        if place is None:
            others.append((entry.name, content))
            continue
        path, seed = place
        seed_folder = folder_of(seed) if wanted.benchmark.seeds > 1 else ""
        is_misplaced = layout.has_wrong_name(entry)
        name = seed_folder + path if is_misplaced else entry.name
        files.append((name, TaskFile(before.name, content, layout.targets[path], seed)))
    return files, others


class _Table:
    """One task's file, cell by cell, before and after."""

    def __init__(self, name: str, file: TaskFile) -> None:
        self.name = name
        self._file = file
        self._rows: list[list[str]] = []
        self._pairs: list[LinePair] = []
        self._line_count = 0
        self._target = as_written(file.targets[0], file.data)
        self._form = self._target.task.file
        self._is_readable = (
            len(file.targets) == 1 and self._form.layout.is_table and not self._form.has_composite_ids
        )
        self._is_fine = read_ordinary(file.data, self._target) is not None
        if self._is_readable and not self._is_fine:
            self._read()

    @property
    def task(self) -> str:
        return self._target.task.id

    @property
    def is_numbered(self) -> bool:
        """True where numbers stand in place of labels, in every row."""
        return (
            bool(self._rows)
            and bool(self._labels)
            and all(
                row[self._place].strip().isdecimal() and row[self._place].strip().isascii()
                for row in self._rows
            )
            and not any(label.strip().isdigit() for label in self._labels)
        )

    @property
    def number_span(self) -> tuple[int, int, int]:
        """The least and the greatest class number, and how many labels there are."""
        numbers = [int(row[self._place].strip()[:6]) for row in self._rows]
        return min(numbers), max(numbers), len(self._labels)

    @property
    def has_one_order(self) -> bool:
        """True where the labels stand in the definition as they would stand sorted: any other order is a guess."""
        return list(self._labels) == sorted(self._labels)

    def numbers(self, base: int) -> tuple[tuple[int, str], ...]:
        return tuple(enumerate(self._labels, start=base))

    def change(self) -> FileChange | None:
        """What differs; None if nothing does."""
        if self._line_count == 0 and self.name == self._file.name:
            return None
        return FileChange(
            visible(self._file.name, 200), visible(self.name, 200), self._line_count, tuple(self._pairs)
        )

    def mended(self, base: int) -> bytes:
        """The repaired file."""
        if self._is_fine or not self._is_readable:
            return self._file.data
        mark = self._form.delimiter
        lines = [] if self._form.headerless else [self._form.header_line]
        loose_ids = _only_ones(self._target.ids.ids, loose_id)
        loose_labels = _only_ones(self._labels, _loose_answer)
        reader = answer_reader(self._target.task.output, self._form)
        id_place = self._form.header.index(self._form.id_column)
        answers = [self._form.header.index(column) for column in reader.columns]
        is_numbered, label_of = self.is_numbered, dict(self.numbers(base))
        decimals = [place for place in answers if self._has_decimal_commas(place)]
        for row in self._rows:
            cells = list(row)
            if cells[id_place].encode() not in self._target.ids.index:
                cells[id_place] = loose_ids.get(loose_id(cells[id_place]), cells[id_place])
            if is_numbered:
                cells[self._place] = label_of.get(int(cells[self._place].strip()), "")
            for place in decimals:
                cells[place] = cells[place].replace(",", ".")
            if not is_numbered and reader.value([cells[place] for place in answers]) is None:
                for place in answers:
                    cells[place] = self._mended_answer(cells[place], loose_labels)
            for column, text in self._form.fixed:
                place = self._form.header.index(column)
                cells[place] = text if cells[place].strip() == text else cells[place]
            lines.append(_line(cells, mark, self._form))
        self._compare(lines)
        return "".join(f"{line}\n" for line in lines).encode(self._form.encoding)

    def _has_decimal_commas(self, place: int) -> bool:
        """Whether a column of numbers writes them with commas, and none of these can part thousands."""
        if not self._target.task.output.has_bounds:
            return False
        cells = [row[place].strip() for row in self._rows]
        written = [cell for cell in cells if "," in cell]
        return (
            bool(written)
            and all(map(_DECIMAL_COMMA.fullmatch, written))
            and not any("." in cell for cell in cells)
            and not all(map(_MAYBE_THOUSANDS.fullmatch, written))
        )

    def _mended_answer(self, cell: str, loose_labels: Mapping[str, str]) -> str:
        as_written = cell.strip() if self._labels else without_decimals(cell.strip())
        return loose_labels.get(_loose_answer(cell), as_written)

    @property
    def _labels(self) -> Sequence[str]:
        output = self._target.task.output
        return output.labels if output.is_one_label else ()

    @property
    def _place(self) -> int:
        return self._form.header.index(self._form.label_column)

    def _read(self) -> None:
        text = self._file.data.decode("utf-8-sig" if self._form.encoding == "utf-8" else self._form.encoding)
        self._lines = text.replace("\r\n", "\n").rstrip("\n").split("\n")
        if len(self._lines) - 1 > min(_MAX_ROWS, 2 * len(self._target.ids)):
            raise _AmbiguousError
        own = self._form.delimiter
        header = [column.casefold() for column in self._form.header]
        quoted = () if self._form.layout.has_quotes else (own,)  # by a program that quotes every text
        others = (*quoted, *(mark for mark in DELIMITERS if mark != own))
        for mark, is_own in ((own, True), *((mark, False) for mark in others)):
            rows = _rows(self._lines, mark, self._form.layout if is_own else None)
            if self._form.headerless:
                self._rows = list(rows)
                is_quoted = (
                    is_own and bool(quoted) and all(unquoted([cell]) != [cell] for cell in self._rows[0])
                )
                if not is_quoted and all(len(row) == len(header) for row in self._rows):
                    break
            elif [cell.strip().casefold() for cell in next(rows)] == header:
                self._rows = list(rows)
                break
        while self._rows and not any(map(str.strip, self._rows[-1])):
            self._rows.pop()  # as spreadsheets write rows that were cleared
        if not self._rows or any(len(row) != len(header) for row in self._rows):
            raise _AmbiguousError

    def _compare(self, lines: Sequence[str]) -> None:
        for number, (before, after) in enumerate(zip_longest(self._lines, lines, fillvalue=""), start=1):
            if before != after:
                self._line_count += 1
                if len(self._pairs) < _SHOWN_PAIRS:
                    self._pairs.append(LinePair(number, visible(before, 160), visible(after, 160)))


def _rows(lines: Sequence[str], mark: str, own: Layout | None) -> Iterator[list[str]]:
    """The cells of each line: by the rules of the task's own layout where its mark it is, else as programs export."""
    if own:
        return (split_cells(line, mark, has_quotes=own.has_quotes) for line in lines)
    return csv.reader(lines, delimiter=mark, strict=True)


def _line(cells: Sequence[str], mark: str, form: FileFormat) -> str:
    if form.layout.has_quotes:
        cells = [
            '"' + cell.replace('"', '""') + '"' if mark in cell or '"' in cell else cell for cell in cells
        ]
    elif any(mark in cell for cell in cells):
        raise _AmbiguousError
    return mark.join(cells)


def _number_base(tables: Sequence[_Table]) -> int:
    """Whether class numbers begin with 0 or with 1, as all files together prove; 0 without any."""
    spans = [table.number_span for table in tables if table.is_numbered]
    if not spans:
        return 0
    if not all(table.has_one_order for table in tables if table.is_numbered):
        raise _AmbiguousError
    from_zero = any(low == 0 for low, _, _ in spans) and all(high < count for _, high, count in spans)
    from_one = any(high == count for _, high, count in spans) and all(low >= 1 for low, _, _ in spans)
    if from_zero == from_one or any(high > count for _, high, count in spans):
        raise _AmbiguousError
    return int(from_one)


def _loose_answer(text: str) -> str:
    return loose_label(without_decimals(text.strip()))


def _only_ones(texts: Sequence[str], loosened: Callable[[str], str]) -> dict[str, str]:
    """The texts by their loose form, without those that share theirs."""
    forms = [loosened(text) for text in texts]
    times = Counter(forms)
    return {form: text for form, text in zip(forms, texts, strict=True) if times[form] == 1}


def _zipped(files: Sequence[tuple[str, bytes]]) -> bytes:
    """A zip of the files; the same files always give the same bytes."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, content in files:
            archive.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED)
    return buffer.getvalue()
