"""A table of ids, labels and whatever else an organiser has beside them, before anybody said what it is."""

from codecs import BOM_UTF16_BE, BOM_UTF16_LE, BOM_UTF32_LE
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import cycle, islice

from benchmarks.spec import TaskSpec
from catalogue.answers.reading import NUMBER
from catalogue.answers.structured.json_list import WrongListError
from catalogue.gold_column import CellShape, GoldColumn, SeenFile
from catalogue.layouts import CSV, LAYOUTS, TSV, Layout
from catalogue.layouts.cells import DELIMITERS, SEPARATOR_LINE, WholeRow, whole_rows
from catalogue.layouts.line_faults import character_code
from catalogue.layouts.many_lines.parts import answers_in
from catalogue.layouts.other_files import looks_like_json, other_text
from catalogue.layouts.text_lines import MAX_CELL, decode, first_forbidden, physical_lines
from catalogue.problems import FileReport, Finding, ProblemCode, RefusedError
from submissions.intake.canonical import ItemIds, answer_reader
from submissions.intake.file_read import FileRead, read_file
from submissions.intake.gzipped import is_gzip, unpacked
from submissions.intake.problem_rules import rule_finding
from submissions.intake.tables.gold import GoldFile, id_fault, read_gold_file

MAX_LABELLED_ROWS = 200_000
MAX_SEEN_LINES = 2_000_000
_MOST_BYTES = 32 * 2**20  # of a file that comes in gzip
TABLE = "table"
"""What stands for CSV and TSV, which are told apart by what is between the cells."""
MAX_COLUMNS = 100
IDS = ("id", "idx", "item_id", "itemid", "text_id", "uid", "uuid")
LABELS = (
    "label",
    "gold",
    "gold_label",
    "labels",
    "class",
    "answer",
    "target",
    "score",
    "stance",
    "sentiment",
    "references",
    "tags",
    "ner_tags",
    "pos_tags",
    "upos",
    "slots",
    "spans",
    "preferred",
)
TEXTS = (
    "text",
    "sentence",
    "tweet",
    "question",
    "context",
    "premise",
    "hypothesis",
    "review",
    "title",
    "body",
    "token",
    "tokens",
    "words",
)
_NAMES = frozenset({*IDS, *LABELS, *TEXTS})
_LOOKED_AT = 50
_LONGEST_NAME = 60


@dataclass(frozen=True, slots=True)
class LabelledTable:
    """The cells of a table, whose columns are named by its first line or, `is_headerless`, by their place; a column
    without a name, as pandas writes that of its index, is named by its place too.

    `lines[i]` is the physical line that `rows[i]` begins on. Participants send files of the same `layout`, with the
    same `delimiter` between the cells. A file that is no table was `seen` by its layout, and is kept as
    it came: its `data` are the gold file.
    """

    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...] = field(repr=False)
    lines: tuple[int, ...] = field(repr=False)
    layout: Layout = CSV
    delimiter: str = ","
    is_headerless: bool = False
    seen: SeenFile | None = None
    data: bytes = field(default=b"", repr=False)

    @property
    def id_columns(self) -> tuple[str, ...]:
        """The columns that can name the items."""
        return self.seen.ids if self.seen else self.header

    @property
    def text_columns(self) -> tuple[str, ...]:
        """The columns that hold one text for each item."""
        texts = (name for name in self.header if self.gold_column(name).shape is CellShape.TEXT)
        return tuple(texts) if self.seen else self.header

    def gold_column(self, name: str) -> GoldColumn:
        """A column as that of gold labels."""
        if self.seen:
            return self.seen.columns[self.header.index(name)]
        return GoldColumn(name, tuple(self.column(name)))

    def column(self, name: str) -> list[str]:
        """All cells below a name of the header."""
        place = self.header.index(name)
        return [row[place] for row in self.rows]

    def with_labels(self, names: Sequence[str]) -> "LabelledTable":
        """The table without the rows that have no label in any of these columns."""
        places = [self.header.index(name) for name in names]
        kept = [at for at, row in enumerate(self.rows) if any(row[place] for place in places)]
        if self.seen or len(kept) == len(self.rows):
            return self
        rows = tuple(self.rows[at] for at in kept)
        return replace(self, rows=rows, lines=tuple(self.lines[at] for at in kept))


def read_given(
    data: bytes, *, file_name: str, headerless: bool | None = None, layout: str = ""
) -> FileRead[LabelledTable]:
    """Read an organiser's file in the `layout` of that key, or as a TABLE; in the one that it looks like where empty.

    It may come in gzip, and in UTF-16 with its mark, as spreadsheet programs save it. Problems name line and rule,
    never a value of the file.
    """

    def read(report: FileReport) -> LabelledTable:
        content = _in_utf8(unpacked(data, _MOST_BYTES) if is_gzip(data) else data)
        lines = physical_lines(decode(content), MAX_SEEN_LINES)
        if not layout and (other := other_text(lines)) is not None:
            raise RefusedError(other, line=1)
        found = _layout_of(lines[:_LOOKED_AT], layout)
        if found is None:
            return labelled_table(content, headerless, report)
        if len(lines) > MAX_SEEN_LINES:
            raise RefusedError(rule_finding(ProblemCode.TOO_MANY_ROWS), line=MAX_SEEN_LINES + 1)
        report.lines = lines
        return _seen_table(found, found.seen(lines, report), content)

    return read_file(read, file_name=file_name).without_values()


def _in_utf8(data: bytes) -> bytes:
    """The same text where it is in UTF-16 and says so."""
    if data.startswith((BOM_UTF16_LE, BOM_UTF16_BE)) and not data.startswith(BOM_UTF32_LE):
        with suppress(UnicodeDecodeError):
            return data.decode("utf-16").encode()
    return data


def _layout_of(lines: Sequence[str], key: str) -> Layout | None:
    """The layout of that key, or the last that the lines look like; None for a table."""
    known = [one for one in LAYOUTS if one.can_be_seen]
    if key:
        return next((one for one in known if one.key == key), None)
    first = lines[0]
    is_exported = SEPARATOR_LINE.fullmatch(first) or ("\t" in first and _are_quoted(first.split("\t")))
    if is_exported or first.strip().casefold() in _NAMES:
        return None  # the name of a column, or what a spreadsheet program writes
    return next((one for one in reversed(known) if one.looks_like(lines)), None)


def _seen_table(layout: Layout, seen: SeenFile, data: bytes) -> LabelledTable:
    names = tuple(column.name for column in seen.columns)
    if not seen.lines:
        raise RefusedError(rule_finding(ProblemCode.NO_ROWS))
    if len(seen.lines) > MAX_LABELLED_ROWS:
        raise RefusedError(rule_finding(ProblemCode.TOO_MANY_ROWS), line=seen.lines[MAX_LABELLED_ROWS])
    if not seen.ids or len(names) < 2:
        raise RefusedError(rule_finding(ProblemCode.HEADER_DELIMITER), line=1)
    rows = tuple(zip(*(column.cells for column in seen.columns), strict=True))
    return LabelledTable(names, rows, seen.lines, layout, layout.delimiter, seen=seen, data=data)


def read_labelled(data: bytes, *, file_name: str, headerless: bool | None = False) -> FileRead[LabelledTable]:
    """Read a table (UTF-8): CSV with quotes as RFC 4180 has them, with semicolons or vertical bars too, or TSV.

    The delimiter is found by the rows. Whether the first line is an item already (`headerless`) is
    found as well where nobody says: None.

    Every row has a cell per column; no line is blank; a quoted cell may run over several lines. Problems name line and
    rule, never a value of the file.
    """
    return read_file(partial(labelled_table, data, headerless), file_name=file_name).without_values()


def _are_quoted(cells: Sequence[str]) -> bool:
    """Whether all names of a header stand in quotes, as where a program quotes every text."""
    return all(len(cell) > 2 and cell[0] == cell[-1] == '"' for cell in cells)


def _has_doubled_quotes(lines: Sequence[str]) -> bool:
    """Whether cells between tabs are quoted as in CSV, and a quote in one stands twice, as in Excel's text files."""
    if not any('""' in line for line in lines):
        return False
    try:
        rows = whole_rows(lines, _finding, "\t", has_quotes=True)
        return sum('"' in cell for row in rows for cell in row.cells) > 0  # and no quote is wrong, to the end
    except RefusedError:
        return False


def _delimiter_of(lines: Sequence[str]) -> str:
    """What separates the cells: the first with which all rows have as many, two or more; else the commonest.

    Only the beginning is looked at. Without any, a comma.
    """
    best, most = ",", 0
    for delimiter in DELIMITERS:
        widths = _widths(lines, delimiter)
        alike = sum(width == widths[0] for width in widths) if widths and widths[0] > 1 else 0
        if alike and alike == len(widths):
            return delimiter
        if alike > most or (alike == most and alike and delimiter == ","):
            best, most = delimiter, alike
    return best


def _looks_headerless(rows: Sequence[Sequence[str]]) -> bool:
    """Whether the first row seems to be an item and no names of columns.

    It does not where a cell is what columns are often called. It does where a cell is empty, stands there twice, is a
    number or a long text, or comes again in its column, as a label does.
    """
    if not rows:
        return False
    first = list(rows[0])
    if any(cell.strip().casefold() in _NAMES for cell in first):
        return False
    if len(set(first)) < len(first) or any(_is_no_name(cell) for cell in first):
        return True
    below = [row for row in islice(rows, 1, None) if len(row) == len(first)]
    return any(cell in {row[place] for row in below} for place, cell in enumerate(first))


def check_labelled(
    table: LabelledTable, *, task: TaskSpec, id_column: str, label_columns: tuple[str, ...], file_name: str
) -> FileRead[LabelledTable]:
    """The table, if these columns can be the ids and gold labels of a task; else what keeps them from it.

    Ids are there, each once. Every answer is one that the task allows, written as a cell of a file can hold it.
    Problems name line, column and rule, never a value of the file.
    """
    if table.seen:
        read_gold = read_gold_file(table.data, file_name=file_name, task=task)
        return FileRead(table if read_gold.content else None, read_gold.problems, read_gold.more)
    reader = answer_reader(task.output.gold, task.gold)

    def read(report: FileReport) -> LabelledTable:
        seen: set[str] = set()
        answers = zip(*(table.column(name) for name in label_columns), strict=True)
        rows = answers_in(answers, task.gold, task.output.gold)
        for item, cells, line in zip(table.column(id_column), rows, table.lines, strict=True):
            fault = id_fault(item, seen)
            if fault is not None:
                report.add(rule_finding(fault), line=line, column=id_column)
            seen.add(item)
            if isinstance(cells, WrongListError):
                report.add(rule_finding(cells.finding.code), line=line, column=label_columns[0])
                continue
            if task.gold.is_unscored(cells):
                continue
            in_cells = (
                (name, _cell_fault(cell, reader.most_characters))
                for name, cell in zip(cycle(label_columns), cells, strict=False)
            )
            column, code = next(((name, code) for name, code in in_cells if code), ("", None))
            if code is not None:
                report.add(rule_finding(code), line=line, column=column)
            elif reader.value(cells) is None:
                report.add_all(reader.explain(cells), partial(_same_line, line))
        return table

    return read_file(read, file_name=file_name).without_values()


def scored_rows(table: LabelledTable, task: TaskSpec, label_columns: Sequence[str]) -> LabelledTable:
    """The rows of a table that have gold labels: an empty cell is one, unless the task says otherwise."""
    return table.with_labels(label_columns) if task.gold.empty_labels else table


def gold_in(
    table: LabelledTable, *, task: TaskSpec, id_column: str, label_columns: tuple[str, ...]
) -> GoldFile:
    """The gold labels of a table that was checked."""
    if table.seen:
        read = read_gold_file(table.data, file_name="gold labels", task=task)
        return read.content_or(lambda *_: ValueError("The file was not checked.")).gold
    reader = answer_reader(task.output.gold, task.gold)
    scored = scored_rows(table, task, label_columns)
    cells = zip(*(scored.column(name) for name in label_columns), strict=True)
    ids = ItemIds(tuple(scored.column(id_column)))
    known = set(ids.ids)
    unscored = tuple(item for item in table.column(id_column) if item not in known)
    rows = (
        cells
        for cells in answers_in(cells, task.gold, task.output.gold)
        if not isinstance(cells, WrongListError)
    )
    return GoldFile(ids, reader.array(map(reader.value, rows)), unscored=unscored)


def labelled_table(data: bytes, headerless: bool | None, report: FileReport) -> LabelledTable:
    """The table; faults go to the report. RefusedError where reading cannot go on."""
    lines = physical_lines(decode(data), 10 * MAX_LABELLED_ROWS)
    if looks_like_json(lines[0]):
        raise RefusedError(rule_finding(ProblemCode.JSON_NOT_BY_LINES), line=1)
    named = SEPARATOR_LINE.fullmatch(lines[0]) if len(lines) > 1 else None
    delimiter = named[1] if named else _delimiter_of(lines)
    is_quoted = delimiter == "\t" and (
        _are_quoted(lines[bool(named)].split("\t")) or _has_doubled_quotes(lines)
    )
    whole = whole_rows(lines, _finding, delimiter, has_quotes=is_quoted or delimiter != "\t")
    read = list(islice(whole, int(bool(named)), MAX_LABELLED_ROWS + 2))
    if headerless is None:
        headerless = _looks_headerless([row.cells for row in read])
    first = read[0].cells if read[0].text.strip() else ()
    header = tuple(
        f"column {place}" if headerless or not name else name for place, name in enumerate(first, start=1)
    )
    fault = _header_fault(header)
    if fault is not None:
        raise RefusedError(rule_finding(fault), line=read[0].line)
    rows = read if headerless else read[1:]
    while rows and _is_blank(rows[-1]):
        rows.pop()  # what spreadsheet programs write of rows that were emptied
    if len(rows) > MAX_LABELLED_ROWS:
        raise RefusedError(rule_finding(ProblemCode.TOO_MANY_ROWS), line=rows[MAX_LABELLED_ROWS].line)
    if not rows:
        raise RefusedError(rule_finding(ProblemCode.NO_ROWS))
    for row in rows:
        if (code := _row_fault(row, first)) is not None:
            report.add(rule_finding(code), line=row.line)
    cells, starts = tuple(row.cells for row in rows), tuple(row.line for row in rows)
    layout = TSV if delimiter == "\t" and not is_quoted else CSV
    return LabelledTable(header, cells, starts, layout, delimiter, bool(headerless))


def _finding(code: ProblemCode, line: str) -> Finding:
    return rule_finding(code)


def _is_blank(row: WholeRow) -> bool:
    return not any(map(str.strip, row.cells))


def _row_fault(row: WholeRow, first: Sequence[str]) -> ProblemCode | None:
    """What is wrong with a row, where `first` are the cells of the first line."""
    if _is_blank(row):
        return ProblemCode.BLANK_LINE
    if len(row.cells) != len(first):
        return ProblemCode.LONG_ROW if len(row.cells) > len(first) else ProblemCode.SHORT_ROW
    return (
        ProblemCode.HEADER_REPEATED
        if row.line > 1 and row.cells == first and any(map(str.isalpha, first))
        else None
    )


def _same_line(line: int, cell: int) -> int:
    return line


def _cell_fault(cell: str, most_characters: int) -> ProblemCode | None:
    rules = (
        (not cell.strip(), ProblemCode.EMPTY_LABEL),
        (cell != cell.strip(), ProblemCode.LABEL_SPACING),
        (len(cell) > max(MAX_CELL, most_characters), ProblemCode.CELL_TOO_LONG),
        (first_forbidden(cell), ProblemCode.CONTROL_CHARACTER),
    )
    return next((code for is_broken, code in rules if is_broken), None)


def _header_fault(header: Sequence[str]) -> ProblemCode | None:
    character = first_forbidden("".join(header).replace("\n", " "))
    rules = (
        (character is not None, character_code(character or "")),
        (len(header) < 2, ProblemCode.HEADER_DELIMITER),
        (len(header) > MAX_COLUMNS, ProblemCode.HEADER_EXTRA_COLUMN),
        (
            any(len(name) > MAX_CELL or "\n" in name for name in header),
            ProblemCode.HEADER_NAMES,
        ),
        (any(name != name.strip() for name in header), ProblemCode.HEADER_SPELLING),
        (len(set(header)) < len(header), ProblemCode.HEADER_DOUBLED_COLUMN),
    )
    return next((code for is_broken, code in rules if is_broken), None)


def _widths(lines: Sequence[str], delimiter: str) -> list[int]:
    """How many cells each of the first rows has; of those before a wrong quote."""
    widths: list[int] = []
    found = whole_rows(lines, _finding, delimiter)
    try:
        for row in islice(found, _LOOKED_AT):
            widths += [len(row.cells)] if row.text.strip() else []
    except RefusedError:
        pass
    return widths


def _is_no_name(cell: str) -> bool:
    return not cell.strip() or bool(NUMBER.fullmatch(cell.strip())) or len(cell) > _LONGEST_NAME
