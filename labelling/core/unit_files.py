"""An organiser's file of units: the texts that people are asked about, read as strictly as predictions."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from benchmarks.spec import FileFormat
from catalogue.layouts.cells import DELIMITERS, WholeRow, whole_rows
from catalogue.layouts.header import judge_free_columns
from catalogue.layouts.line_faults import forbidden
from catalogue.layouts.text_lines import decode, first_forbidden, physical_lines
from catalogue.problems import FileReport, Finding, ProblemCode, RefusedError, counted, quoted, visible
from labelling.core.questions import QUESTION_KINDS
from labelling.core.questions.question import CampaignQuestion, UnfitAnswer
from submissions.intake.file_read import FileRead, read_file
from submissions.intake.tables.table_schema import FindFault, FirstLines
from submissions.intake.tables.texts import quote_fault, text_faults, width_fault

ID, PART, ANSWER, REASON, GROUP = RESERVED = ("id", "part", "answer", "reason", "group")
MAIN, CHECK, QUALIFICATION = PARTS = ("main", "check", "qualification")
MOST, LEAST = "most", "least"
LONGEST = {ID: 240, GROUP: 120, REASON: 500}
MOST_ROWS = 400_000
_MOST_LINES = 10_000_000
_FORM = f"{ID},text"


@dataclass(frozen=True, slots=True)
class UnitRow:
    """A row of the file.

    texts : (heading, text) of every text that is not empty, in the order of the columns
    part : one of `PARTS`
    answer : as the kind of question keeps it; None of what is to be labelled. Of items of a check question about four,
        `most`, `least` or empty
    """

    line: int
    id: str
    texts: tuple[tuple[str, str], ...]
    part: str = MAIN
    group: str = ""
    answer: Any = None
    reason: str = ""


def read_units(data: bytes, *, file_name: str, question: CampaignQuestion) -> FileRead[tuple[UnitRow, ...]]:
    """Read a CSV file of units for a question.

    UTF-8; line breaks may stand inside quotes. The header names the columns, in any order: `id`, perhaps `part`,
    `answer`, `reason` and `group`, and one or more of texts, which workers see below these names. Check and
    qualification questions have an answer, written as exports write it; what is to be labelled has none. Of a question
    about four items every row is an item, and a check question is the four rows of a group.

    Nothing in `data` makes this function raise.
    """

    def read(report: FileReport) -> tuple[UnitRow, ...] | None:
        units = _Units(data, report, question)
        rows = tuple(units.rows())
        units.check_whole(rows)
        return rows if report.is_clean else None

    return read_file(read, file_name=file_name)


class _Units:
    def __init__(self, data: bytes, report: FileReport, question: CampaignQuestion) -> None:
        self._report = report
        self._question = question
        self._kind = QUESTION_KINDS[question.kind]
        self._ids = FirstLines()
        report.lines = physical_lines(decode(data), _MOST_LINES)
        self._form = FileFormat("", ID, "text")
        self._found = whole_rows(report.lines, lambda code, line: quote_fault(code, line, self._form))
        header = next(self._found)
        fault = _judge_header(header)
        if fault is not None:
            code, sentence = fault
            told = f"{sentence} The first line names the columns: {ID}, one or more of texts, and perhaps "
            told += f"{PART}, {ANSWER}, {REASON} and {GROUP}."
            raise RefusedError(Finding(code, told, visible(header.text), _FORM), line=1)
        self._header = header.cells
        self._texts = tuple(name for name in header.cells if name not in RESERVED)
        self._form = FileFormat("", ID, self._texts[0], columns=header.cells)

    def rows(self) -> Iterator[UnitRow]:
        """Rows without a fault; faults are reported."""
        count = 0
        for row in self._found:
            count += 1
            if count > MOST_ROWS:
                told = f"The file has more than {MOST_ROWS:,} rows. Reading stopped here."
                raise RefusedError(Finding(ProblemCode.TOO_MANY_ROWS, told), line=row.line)
            if not row.text:
                self._report.add(
                    Finding(ProblemCode.BLANK_LINE, "The line is blank. Remove it."), line=row.line
                )
            elif len(row.cells) != len(self._header):
                self._report.add(width_fault(row, self._header), line=row.line)
            else:
                yield from self._judged(row)
        if not count:
            told = "The file has a header and no rows. Add a row for everything that is to be labelled."
            raise RefusedError(Finding(ProblemCode.NO_ROWS, told))

    def _judged(self, row: WholeRow) -> Iterator[UnitRow]:
        cells = dict(zip(self._header, row.cells, strict=True))
        texts = [cells[name] for name in self._texts]
        part = cells.get(PART, "") or MAIN
        faults = [*text_faults(row, self._texts, texts), *self._word_faults(row, cells)]
        answer: Any = None
        if part not in PARTS:
            faults.append((row.line, PART, _no_such_part(part)))
        else:
            try:
                answer = self._answer(part, cells.get(ANSWER, ""))
            except UnfitAnswer as unfit:
                found = cells.get(ANSWER, "")
                is_there = part != MAIN and found
                code = ProblemCode.UNFIT_ANSWER if is_there else ProblemCode.UNIT_ANSWER
                faults.append((row.line, ANSWER, Finding(code, str(unfit), visible(found))))
        for line, column, finding in faults:
            self._report.add(finding, line=line, column=column)
        id_fault = self._id_fault(cells[ID], row.line)
        if id_fault is not None:
            self._report.add_lazily(id_fault, line=row.line, column=ID)
        elif not faults:
            shown = tuple((name, text) for name, text in zip(self._texts, texts, strict=True) if text.strip())
            yield UnitRow(
                row.line, cells[ID], shown, part, cells.get(GROUP, ""), answer, cells.get(REASON, "")
            )

    def _id_fault(self, item: str, line: int) -> FindFault | None:
        fault = self._ids.id_fault(item, line, "Give each unit an id of its own.")
        return fault or (partial(_too_long, ID, item) if len(item) > LONGEST[ID] else None)

    def _word_faults(self, row: WholeRow, cells: dict[str, str]) -> Iterator[tuple[int, str, Finding]]:
        for name in (GROUP, REASON):
            text = cells.get(name, "")
            if len(text) > LONGEST[name]:
                yield row.line, name, _too_long(name, text)
            elif character := first_forbidden(text):
                yield row.line, name, forbidden(character, row.text)

    def _answer(self, part: str, cell: str) -> Any:
        """The answer that a cell states, as it is kept. UnfitAnswer where there should be another, or none."""
        if part == MAIN:
            if cell:
                raise UnfitAnswer(
                    "This is to be labelled, so the file cannot state its answer. Leave the cell empty, or write "
                    f"{CHECK} or {QUALIFICATION} in the column {PART}."
                )
            return None
        if self._kind.items_per_unit > 1:
            if cell not in ("", MOST, LEAST):
                raise UnfitAnswer(f"{quoted(cell)} is neither {MOST} nor {LEAST}, nor empty.")
            return cell
        if not cell:
            raise UnfitAnswer(f"A {part} question needs its answer. Write it in the column {ANSWER}.")
        sent = self._kind.sent(dict.fromkeys(self._kind.fields, cell))
        # Workers say why they answer no; of a known answer the file says it in a column of its own.
        asked = replace(self._question, wants_reason=False)
        return self._kind.kept(self._kind.read(sent, asked, ()))

    def check_whole(self, rows: Sequence[UnitRow]) -> None:
        """Report what is wrong with the rows together."""
        if not self._report.is_clean:
            return
        main = sum(row.part == MAIN for row in rows)
        if not main:
            told = f"No row is to be labelled: all are {CHECK} or {QUALIFICATION} questions."
            self._report.add(Finding(ProblemCode.NO_ROWS, told), column=PART)
        size = self._kind.items_per_unit
        if size == 1:
            return
        if main < size:
            told = (
                f"There are {main} items to be labelled, and {size} are shown together. Give at least {size}."
            )
            self._report.add(Finding(ProblemCode.NO_ROWS, told, str(main), f"at least {size}"))
        for (part, group), members in tuples_of(rows).items():
            said = [row.answer for row in members]
            if len(members) != size or said.count(MOST) != 1 or said.count(LEAST) != 1:
                told = (
                    f"The {part} question {quoted(group)} has {counted(len(members), 'row')}, {said.count(MOST)} "
                    f"of them {MOST} "
                    f"and {said.count(LEAST)} {LEAST}; expected are {size} rows of one {GROUP}, one of each."
                )
                found = counted(len(members), "row")
                self._report.add(
                    Finding(ProblemCode.UNIT_TUPLE, told, found, counted(size, "row")),
                    line=members[0].line,
                    column=GROUP,
                )


def tuples_of(rows: Sequence[UnitRow]) -> dict[tuple[str, str], list[UnitRow]]:
    """The items of check and qualification questions about several, by part and group."""
    found: defaultdict[tuple[str, str], list[UnitRow]] = defaultdict(list)
    for row in rows:
        if row.part != MAIN:
            found[row.part, row.group].append(row)
    return dict(found)


def _judge_header(row: WholeRow) -> tuple[ProblemCode, str] | None:
    """What is wrong with the first line: a code and a sentence."""
    names = row.cells
    delimiter = next((name for mark, name in DELIMITERS.items() if mark in row.text and mark != ","), None)
    if len(names) == 1 and delimiter:
        told = f"The columns are separated by {delimiter}s; export the file with commas."
        return ProblemCode.HEADER_DELIMITER, told
    for name in names:
        meant = name.strip().casefold()
        if meant in RESERVED and name != meant:
            return ProblemCode.HEADER_SPELLING, f"{quoted(name)} must be written {quoted(meant)}."
    if ID not in names:
        return ProblemCode.HEADER_NAMES, f"There is no column {quoted(ID)}."
    known = [name for name in names if name in RESERVED]
    if len(set(known)) < len(known):
        return ProblemCode.HEADER_DOUBLED_COLUMN, "A column stands in the header twice."
    free = [name for name in names if name not in RESERVED]
    if not free:
        return ProblemCode.HEADER_NAMES, "There is no column of text."
    return judge_free_columns([*known, *free], len(known), "columns of text")


def _no_such_part(part: str) -> Finding:
    expected = f"{MAIN}, {CHECK} or {QUALIFICATION}"
    return Finding(
        ProblemCode.UNIT_PART,
        f"{quoted(part)} is no part of a campaign; these are {expected}.",
        visible(part),
        expected,
    )


def _too_long(name: str, text: str) -> Finding:
    most = LONGEST[name]
    return Finding(
        ProblemCode.UNIT_WORDS,
        f"The {name} has {len(text):,} characters, and one may have {most}.",
        visible(text),
        f"at most {most} characters",
    )
