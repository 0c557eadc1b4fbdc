"""An organiser's file of texts: the public inputs of a split, read as strictly as predictions."""

import csv
import io
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from benchmarks.spec import FileFormat, TaskSpec
from catalogue.layouts.cells import DELIMITERS, WholeRow, whole_rows
from catalogue.layouts.header import judge_free_columns
from catalogue.layouts.line_faults import NO_ROWS, far_too_many, forbidden, quote_finding
from catalogue.layouts.row_ids import parts_of
from catalogue.layouts.text_lines import decode, first_forbidden, physical_lines
from catalogue.problems import FileReport, Finding, ProblemCode, RefusedError, quoted, visible
from submissions.intake.canonical import ItemIds, answer_reader
from submissions.intake.file_read import FileRead, read_file
from submissions.intake.tables.table_schema import doubled_id
from submissions.intake.unknown_ids import ForeignIds, missing_ids

ID_COLUMN = "id"
MAX_TEXT = 100_000
_SPARE_ROWS = 100
_MOST_LINES = 10_000_000
_FORM = f"{ID_COLUMN},text"


@dataclass(frozen=True, slots=True)
class TextsFile:
    """The texts of a split. `rows` has one entry per id, in the split's order, with a text per name in `columns`."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    @property
    def header(self) -> tuple[str, ...]:
        return (ID_COLUMN, *self.columns)


def read_texts(
    data: bytes, *, file_name: str, task: TaskSpec, split: str, ids: ItemIds
) -> FileRead[TextsFile]:
    """Read a CSV file of the column `id` and one or more columns of text, named by the header.

    UTF-8; line breaks may stand inside quotes. The ids are exactly `ids`, in any order, each once. Where ids of the
    task repeat, an id is written as the split has it, or as often as it repeats: its n-th row is the n-th item.
    A column that holds the task's answers is refused: texts are public.
    """

    def read(report: FileReport) -> TextsFile | None:
        texts = _Texts(data, report, ids, split, repeats=task.file.repeats or task.gold.repeats)
        texts.take_all()
        if not report.is_clean:
            return None
        file = texts.file()
        _check_for_answers(file, task, report)
        return file

    return read_file(read, file_name=file_name, task=task.id)


def write_texts(file: TextsFile, ids: ItemIds) -> bytes:
    """The file as `read_texts` reads it: ids as the split has them, LF line ends, quotes where they are needed."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(file.header)
    writer.writerows((item, *row) for item, row in zip(ids.ids, file.rows, strict=True))
    return out.getvalue().encode()


class _Texts:
    def __init__(self, data: bytes, report: FileReport, ids: ItemIds, split: str, *, repeats: bool) -> None:
        self._report = report
        self._ids = ids
        self._foreign = ForeignIds(ids, split)
        self._repeats = repeats
        self._rows: dict[int, tuple[str, ...]] = {}
        self._line_of: dict[int, int] = {}
        report.lines = physical_lines(decode(data), _MOST_LINES)
        self._file = FileFormat("", ID_COLUMN, "text")
        self._found = whole_rows(report.lines, lambda code, line: quote_fault(code, line, self._file))
        header = next(self._found)
        fault = _header_fault(header, ids)
        if fault is not None:
            raise RefusedError(fault, line=1)
        self._columns = header.cells[1:]
        self._file = FileFormat("", ID_COLUMN, self._columns[0], columns=header.cells)

    def file(self) -> TextsFile:
        return TextsFile(self._columns, tuple(self._rows[place] for place in range(len(self._ids))))

    def take_all(self) -> None:
        count, most = 0, 2 * len(self._ids) + _SPARE_ROWS
        for row in self._found:
            count += 1
            if count > most:
                raise far_too_many(most, "rows", line=row.line)
            if row.text:
                self._take(row)
            else:
                self._report.add(
                    Finding(ProblemCode.BLANK_LINE, "The line is blank. Remove it."), line=row.line
                )
        if not count:
            raise RefusedError(NO_ROWS)
        missing = [item for place, item in enumerate(self._ids.ids) if place not in self._line_of]
        if missing:
            self._report.add_lazily(partial(missing_ids, missing, len(self._ids), "text"), column=ID_COLUMN)

    def _take(self, row: WholeRow) -> None:
        item, *texts = row.cells
        place = self._place(item)
        if len(row.cells) != len(self._file.header):
            self._report.add(width_fault(row, self._file.header), line=row.line)
            if place is not None:
                self._line_of.setdefault(place, row.line)  # lest one slip be told twice
            return
        for line, column, finding in text_faults(row, self._columns, texts):
            self._report.add(finding, line=line, column=column)
        if place is None:
            meant = self._foreign.meant(item)
            if meant is not None:
                self._line_of.setdefault(meant, row.line)
            self._report.add_lazily(partial(self._foreign.finding, item), line=row.line, column=ID_COLUMN)
        elif place in self._line_of:
            self._report.add(
                doubled_id(item, "Keep one of the two rows.", self._line_of[place]),
                line=row.line,
                column=ID_COLUMN,
            )
        else:
            self._line_of[place] = row.line
            self._rows[place] = tuple(texts)

    def _place(self, item: str) -> int | None:
        """Where the item stands in the split; that of its next occurrence where ids repeat."""
        place = self._ids.index.get(item.encode())
        if place is None or not self._repeats:
            return place
        cells, times = parts_of(item)
        while place in self._line_of:
            times += 1
            again = json.dumps([*cells, times], ensure_ascii=False)
            following = self._ids.index.get(again.encode())
            if following is None:
                return place
            place = following
        return place


def text_faults(
    row: WholeRow, columns: Sequence[str], texts: Sequence[str]
) -> Iterator[tuple[int, str, Finding]]:
    """What is wrong with the texts of a row: each fault with its line and column."""
    if not any(text.strip() for text in texts):
        message = "The row has no text. Give the input of every item."
        yield row.line, columns[0], Finding(ProblemCode.TEXT_MISSING, message)
    for column, text in zip(columns, texts, strict=True):
        if len(text) > MAX_TEXT:
            message = f"The text has {len(text):,} characters, and one may have {MAX_TEXT:,}."
            expected = f"at most {MAX_TEXT:,} characters"
            yield row.line, column, Finding(ProblemCode.TEXT_TOO_LONG, message, visible(text), expected)
        # As in Latin-1: what systems are given may hold the characters U+0080 to U+009F and U+2028.
        character = first_forbidden(text.replace("\n", ""), "latin-1")
        if character is not None:
            line = row.line + row.text.count("\n", 0, row.text.index(character))
            yield line, column, forbidden(character, row.text)


def quote_fault(code: ProblemCode, line: str, file: FileFormat) -> Finding:
    """What is wrong with the quotes of a row whose cells may run over lines."""
    if code is not ProblemCode.UNCLOSED_QUOTE:
        return quote_finding(code, line, file)
    return Finding(
        code,
        "A quote opens in this row and is not closed in the rest of the file. Close it, or double it.",
        visible(line),
        file.header_line,
    )


def width_fault(row: WholeRow, header: Sequence[str]) -> Finding:
    """What is wrong with a row that has more or fewer cells than the header."""
    wanted, found = len(header), len(row.cells)
    code = ProblemCode.LONG_ROW if found > wanted else ProblemCode.SHORT_ROW
    message = f"The row has {found} cell{'' if found == 1 else 's'} where {wanted} are expected."
    if found > wanted:
        message += ' If a comma belongs to a text, put the text in quotes: "first, second".'
    return Finding(code, message, visible(row.text), visible(",".join(header)))


def _header_fault(row: WholeRow, ids: ItemIds) -> Finding | None:
    fault = _judge_header(row, ids)
    if fault is None:
        return None
    code, sentence = fault
    return Finding(
        code,
        f"{sentence} The first line names the columns: {ID_COLUMN}, then one or more of text.",
        visible(row.text),
        _FORM,
    )


def _judge_header(row: WholeRow, ids: ItemIds) -> tuple[ProblemCode, str] | None:
    first, *columns = row.cells
    if first.encode() in ids.index:
        return ProblemCode.HEADER_MISSING, "The first line begins with an id: the header is missing."
    delimiter = next((name for mark, name in DELIMITERS.items() if mark in row.text and mark != ","), None)
    if not columns and delimiter:
        return (
            ProblemCode.HEADER_DELIMITER,
            f"The columns are separated by {delimiter}s; export the file with commas.",
        )
    if first != ID_COLUMN:
        is_spelling = first.strip().casefold() == ID_COLUMN
        code = ProblemCode.HEADER_SPELLING if is_spelling else ProblemCode.HEADER_NAMES
        return code, f"The first column is called {quoted(first)}."
    if not columns:
        return ProblemCode.HEADER_NAMES, "There is no column of text."
    return judge_free_columns(row.cells, 1, "columns of text")


def _check_for_answers(file: TextsFile, task: TaskSpec, report: FileReport) -> None:
    """Refuse gold labels that were taken for texts; the sentence does not repeat them."""
    reader = answer_reader(task.output.gold, task.gold)
    named = {name.casefold() for name in (*reader.columns, task.file.label_column)}
    for place, column in enumerate(file.columns):
        cells = {row[place] for row in file.rows} - {""}
        if column.casefold() in named or (cells and all(map(reader.gives_away, cells))):
            report.add(
                Finding(
                    ProblemCode.TEXTS_HOLD_ANSWERS,
                    f"The column {quoted(column)} holds answers of this task, or is called so. Everybody may read "
                    "texts: send the inputs alone.",
                ),
                column=column,
            )
