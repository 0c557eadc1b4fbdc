"""How a file of predictions or gold labels is written: its layout, and what the layout has to know of the file."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, NamedTuple

from catalogue.answers import AnswerKind
from catalogue.answers.reading import JSON_BOOLEAN, JSON_NUMBER, AnswerReader, JsonCell, WholeJson
from catalogue.gold_column import SeenFile
from catalogue.item_lines import Tokens
from catalogue.layouts.cells import DELIMITERS
from catalogue.problems import FileReport

NUMBERS, BOOLEANS = "numbers", "booleans"
UNSCORED = "unscored"
"""An item without a gold label: it is asked for, and counts nowhere."""
_LABELS_AS = {NUMBERS: JSON_NUMBER, BOOLEANS: JSON_BOOLEAN}
_BOOLEANS = {"true": True, "false": False}


class FileRow(NamedTuple):
    """One row. `cells` is None where the row's form is wrong and has been reported.

    `cell_lines` says on which line each cell stands, if not all on the row's own. `cluster` is what stands in the
    column of what items belong to, if there is one, `groups` what stands in the columns of groups. `tokens` are the
    item's, where the layout writes them.
    """

    line: int
    id: str
    cells: tuple[str, ...] | None
    cell_lines: tuple[int, ...] = ()
    cluster: str = ""
    tokens: Tokens = ()
    groups: tuple[str, ...] = ()

    def line_of(self, cell: int) -> int:
        return self.cell_lines[cell] if self.cell_lines else self.line


@dataclass(frozen=True, slots=True)
class RowReading:
    """What a file is read for: answers of a kind, told apart by `answers`; its faults go to `report`.

    `max_rows` bounds the work that a hostile file can cause. `ids` are those that a file without any is about, in
    their public order; a gold file has none. `tokens` are the items' by id, where there are any.
    """

    output: AnswerKind
    answers: AnswerReader
    report: FileReport
    max_rows: int
    is_gold: bool = False
    ids: Sequence[str] = ()
    tokens: Mapping[str, Tokens] = field(default_factory=dict)


class OrdinaryRows(NamedTuple):
    """Rows that follow each other in a file and have nothing unusual: their bytes, and the cells of each column.

    Where answers have no columns, `answers` are the cells of each row's answer. Where no column has ids, rows stand in
    the order of the ids.
    """

    data: bytes
    columns: dict[str, list[bytes]]
    answers: Sequence[tuple[str, ...]] | None = None


@dataclass(frozen=True, slots=True)
class AnsweredPart:
    """One task's part of a file to be written: ids, and the answer of each as `AnswerKind.written` has it.

    `columns` are those that an answer of several cells stands in, `tokens` the items' where they have any.
    `is_whole_line` says that answers are objects whose keys are those of a line, `is_gold` that they are gold labels.
    """

    form: FileFormat
    ids: Sequence[str]
    values: Sequence[Any]
    columns: tuple[str, ...]
    tokens: Sequence[Tokens] = ()
    is_whole_line: bool = False
    is_gold: bool = False


@dataclass(frozen=True, slots=True)
class Layout(ABC):
    """A way to write rows of id and answer.

    Words: `key` stands for the layout in definitions, `title` in sentences, `ending` in names of files, `note`,
    `each_item` and `row_order` in what a task's page says of the file, `shown_id` in the form that it shows.

    `left_out` says what becomes of items that a file leaves out, whatever the kind of answer; empty if that says it.

    Facts that others decide by: `is_table`, a header names columns; `has_quotes`, a cell may stand in quotes;
    `has_ids`, every row says which item it answers; `may_be_shared`, several tasks may stand in it, each with a column
    or key of its own; `is_one_value`, the file is read as a whole, and tasks that share it have all their items
    under a key of theirs; `has_lists`, an answer may be a list or an object; `has_tokens`, a line is
    a token and its label, so that only answers with a label for each token fit;
    `has_row_for_each_part`, an answer is a list and has a row for each of what is in it;
    `options` are the fields of `FileFormat` that mean nothing in some other layout and something here.
    `default_id_column`, `default_label_column` and `default_id_line` serve where a definition names none;
    `all_columns`, `column_of_tokens` and `comments`, the beginnings of lines beside them, are fixed by a layout that
    has any. `unread_bytes` are what may stand beside each answer, `task_ending` behind a task's id, as another name
    of its file; either may be empty. An organiser may hand in gold labels of which nothing was said yet in a layout
    that `can_be_seen`.
    """

    key: ClassVar[str]
    title: ClassVar[str]
    ending: ClassVar[str]
    is_table: ClassVar[bool]
    options: ClassVar[tuple[str, ...]]
    note: ClassVar[str] = ""
    each_item: ClassVar[str] = "one row"
    row_order: ClassVar[str] = " in any order"
    delimiter: ClassVar[str] = ","
    has_quotes: ClassVar[bool] = False
    has_ids: ClassVar[bool] = True
    may_be_shared: ClassVar[bool] = False
    is_one_value: ClassVar[bool] = False
    has_lists: ClassVar[bool] = False
    has_tokens: ClassVar[bool] = False
    has_row_for_each_part: ClassVar[bool] = False
    can_be_seen: ClassVar[bool] = False
    shown_id: ClassVar[str] = "<id of a test item>"
    left_out: ClassVar[str] = ""
    default_id_column: ClassVar[str | None] = None
    default_label_column: ClassVar[str | None] = None
    all_columns: ClassVar[tuple[str, ...]] = ()
    column_of_tokens: ClassVar[str] = ""
    default_id_line: ClassVar[str] = ""
    comments: ClassVar[tuple[str, ...]] = ()
    unread_bytes: ClassVar[int] = 0
    task_ending: ClassVar[str] = ""

    def __str__(self) -> str:
        return self.key

    @abstractmethod
    def rows(self, source: Source, form: FileFormat, reading: RowReading) -> Iterator[FileRow]:
        """The rows in file order; faults go to the report. RefusedError where reading cannot go on."""

    @abstractmethod
    def write(self, parts: Sequence[AnsweredPart]) -> str:
        """The file that holds these parts, several only where the file may be shared.

        ValueError if a text cannot be written in the layout.
        """

    def looks_like(self, lines: Sequence[str]) -> bool:
        """Whether a file that begins with these lines seems to be such a one; the last layout that says so counts."""
        return False

    def seen(self, lines: Sequence[str], report: FileReport) -> SeenFile:
        """What columns the file has; lines of another form are reported. For gold labels alone."""
        raise NotImplementedError(f"Nothing is proposed for a file of the dialect {self.key}.")

    def unfit(self, output: AnswerKind) -> str:
        """What keeps answers of that kind from standing in such a file, in words; empty if nothing does."""
        return ""

    def answer_columns(self, output: AnswerKind, label_column: str) -> tuple[str, ...]:
        """The columns that answers of that kind stand in, or the parts of one; none where it does not fit."""
        return output.columns(label_column)

    def unanswered(self, output: AnswerKind, answers: AnswerReader) -> Any:
        """The value of an item that a file leaves out; None where it may leave out none."""
        return answers.unanswered

    def wrong_columns(self, columns: Sequence[str]) -> str:
        """What is wrong with these as all columns of a file, in words; empty if nothing is."""
        return ""

    def wrong_path(self, path: str) -> str:
        """What is wrong with this as the path of a file, in words; empty if nothing is."""
        return ""

    def zipped_rows(self, names: Sequence[str], form: FileFormat) -> dict[str, str]:
        """Where a file may also be a zip with an entry for each row: their names and ids, of those in such a zip.

        None for a zip of anything else. An id is empty where the entry itself says it.
        """
        return {}

    def of_entries(self, rows: Mapping[str, bytes], ids: Mapping[str, str], form: FileFormat) -> bytes:
        """The file that such a zip stands for, from its rows' entries by name; each becomes one line."""
        raise NotImplementedError(f"A file of the dialect {self.key} is no zip.")

    def opened(self, data: bytes, form: FileFormat, report: FileReport) -> Source:
        """The file as `rows` takes it: parsed once, whoever reads it. RefusedError where it cannot be parsed."""
        return data

    def ordinary_rows(
        self, data: bytes, form: FileFormat, output: AnswerKind
    ) -> Iterator[OrdinaryRows | None]:
        """The file piece by piece, where that is quick; None, and then no more, for a piece with anything unusual."""
        yield None

    def id_place(self, form: FileFormat) -> str:
        """What holds an item's id: its column, or the key that holds all ids and answers."""
        return form.id_column


# A file as it came; or what reads its rows, as it was parsed already because several tasks read it.
Source = bytes | Callable[["FileFormat", RowReading], Iterator[FileRow]]


def _csv() -> Layout:
    from catalogue.layouts.delimited import CSV  # layouts read forms

    return CSV


@dataclass(frozen=True, slots=True)
class FileFormat:
    """One task's file: where it stands in a zip and how it is written.

    `path` may hold `*`, which stands for any characters but a slash.

    Tables only: `columns` is the header in full (id and label column alone if empty); with `headerless` it names the
    cells of a row, and the first line is a row. `also_headers` are other headers of the same meaning. `delimiter` is
    what stands between two cells: that of the layout unless it is given.
    `more_id_columns` make up the id together with `id_column`, and so do `loose_columns`, in which neither white space
    nor control characters count (`row_ids.loosened`); with `repeats` an id may stand in several rows, and
    its n-th row answers the n-th in the gold file, or with `repeats_in_any_order` any row of
    the same id. `fixed` names columns in which every row must say the same, as
    (column, text). What stands in the remaining columns is read and not compared. `line_breaks` allows them inside
    quoted cells. `cluster_column` of a gold file says which items belong together, such as posts of one thread: those
    with the same text in it, while an item whose cell is empty stands by itself. `group_columns` of it say in which
    groups items are, of which metrics may be asked; an item whose cell is empty is in none. `separator` stands between
    the parts of an answer that is a list; without it a list is written as JSON has it, or not in tables at all.

    `empty_labels` of a gold file says what a row without a label is: UNSCORED, or a mistake if it is empty.

    CoNLL only: `columns` names the cells of a line, of which `token_column` holds the token; `blanks` part cells
    instead of tabs. Between sentences lines that begin with one of `skipped` are not read. With `id_line` a line that
    begins so names the sentence after it; without, its id is its number, from 1.

    JSON only: `other_keys` may stand beside `label_column` and are somebody else's, or nobody's. With `numeric_ids`
    ids are whole numbers without quotes. `labels_as` says that labels are no texts: NUMBERS, or BOOLEANS. `log_filter`
    names the filter whose lines of a run's log count.

    `also_written` are other ways to write a label, as (written, label).
    """

    path: str
    id_column: str
    label_column: str
    encoding: str = "utf-8"
    layout: Layout = field(default_factory=_csv)
    columns: tuple[str, ...] = ()
    also_headers: tuple[tuple[str, ...], ...] = ()
    more_id_columns: tuple[str, ...] = ()
    loose_columns: tuple[str, ...] = ()
    repeats: bool = False
    repeats_in_any_order: bool = False
    fixed: tuple[tuple[str, str], ...] = ()
    line_breaks: bool = False
    other_keys: tuple[str, ...] = ()
    also_written: tuple[tuple[str, str], ...] = ()
    cluster_column: str = ""
    group_columns: tuple[str, ...] = ()
    empty_labels: str = ""
    headerless: bool = False
    delimiter: str = ""
    separator: str = ""
    numeric_ids: bool = False
    labels_as: str = ""
    log_filter: str = ""
    token_column: str = ""
    blanks: bool = False
    skipped: tuple[str, ...] = ()
    id_line: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "delimiter", self.delimiter or self.layout.delimiter)

    @property
    def id_columns(self) -> tuple[str, ...]:
        """The columns that together name an item."""
        return (self.id_column, *self.more_id_columns, *self.loose_columns)

    @property
    def has_composite_ids(self) -> bool:
        """True if an item's id is made up here instead of standing in a single cell."""
        return len(self.id_columns) > 1 or self.repeats

    @property
    def header(self) -> tuple[str, ...]:
        first = (self.token_column or "token",) if self.layout.has_tokens else self.id_columns
        return self.columns or (*first, self.label_column)

    @property
    def header_line(self) -> str:
        return self.delimiter.join(self.header)

    @property
    def note(self) -> str:
        """What a task's page says of the file beside its layout."""
        is_own = self.delimiter == self.layout.delimiter
        return self.layout.note if is_own else f"{DELIMITERS[self.delimiter]}s between the cells, "

    @property
    def first_line(self) -> str:
        """What every file begins with; empty where the first line is a row."""
        return "" if self.headerless else self.header_line

    def is_unscored(self, cells: Sequence[str]) -> bool:
        """Whether a row of a gold file with these cells has no label, so that its item is not scored."""
        return bool(self.empty_labels and cells) and not any(cells)

    def json_cells(self, output: AnswerKind) -> tuple[JsonCell, ...]:
        """What stands for an answer of that kind in a JSON file; several cells are a list."""
        cells = output.json_cells()
        if not self.labels_as:
            return cells
        return (replace(_LABELS_AS[self.labels_as], may_be_list=cells[0].may_be_list),)

    def json_value(self, value: Any) -> Any:
        """An answer, as `AnswerKind.written` has it, as JSON writes it. ValueError where it cannot be written so."""
        if isinstance(value, WholeJson):
            return json.loads(value)
        if isinstance(value, list) and self.labels_as:
            return list(map(self.json_value, value))
        if self.labels_as == BOOLEANS:
            return _BOOLEANS.get(value, value)
        return json.loads(value) if self.labels_as and isinstance(value, str) else value

    def numbers(self) -> list[Any]:
        """All that can change what a file is read as, for a fingerprint; what has its default is left out."""
        basic = [self.path, self.id_column, self.label_column, self.encoding]
        further = {
            "dialect": self.layout.key if self.layout != _csv() else "",
            "columns": self.columns,
            "also_headers": self.also_headers,
            "more_id_columns": self.more_id_columns,
            "loose_columns": self.loose_columns,
            "repeats": self.repeats,
            "repeats_in_any_order": self.repeats_in_any_order,
            "fixed": self.fixed,
            "line_breaks": self.line_breaks,
            "other_keys": self.other_keys,
            "also_written": self.also_written,
            "cluster_column": self.cluster_column,
            "group_columns": self.group_columns,
            "empty_labels": self.empty_labels,
            "headerless": self.headerless,
            "delimiter": self.delimiter if self.delimiter != self.layout.delimiter else "",
            "separator": self.separator,
            "numeric_ids": self.numeric_ids,
            "labels_as": self.labels_as,
            "log_filter": self.log_filter,
            "token_column": self.token_column,
            "blanks": self.blanks,
            "skipped": self.skipped,
            "id_line": self.id_line,
        }
        changed = {key: value for key, value in further.items() if value}
        return [*basic, changed] if changed else basic
