"""Runs of ranked documents and qrels of judged ones, as TREC, MS MARCO and BEIR write them."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from math import isfinite

import numpy as np

from catalogue.answers import AnswerKind
from catalogue.answers.open_ended.ranked_list import BETWEEN, grades_in, is_grade, with_grades
from catalogue.answers.reading import NUMBER
from catalogue.gold_column import CellShape, GoldColumn, SeenFile
from catalogue.layouts.form import (
    AnsweredPart,
    FileFormat,
    FileRow,
    Layout,
    OrdinaryRows,
    RowReading,
    Source,
)
from catalogue.layouts.json_object import report_doubled, report_type
from catalogue.layouts.json_text import Member, Node, NumberText, parse_json
from catalogue.layouts.line_faults import character_code, forbidden
from catalogue.layouts.many_lines.run_faults import (
    RUN_FIELDS,
    document_again,
    fields_of_another_number,
    lines_beyond,
    long_line_of_run,
    no_id_of_document,
    number_of_document,
    ranks_not_in_turn,
)
from catalogue.layouts.text_lines import MAX_CELL, decode, first_forbidden, physical_lines, pieces_of_lines
from catalogue.problems import FileReport, Finding, ProblemCode, RefusedError

_IN_ORDER = ("query", "document")
_QRELS = ("query", "iteration", "document", "grade")
_RANKED = ("query", "document", "rank")
_GRADED = ("query", "document", "grade")
_NAMES_OF_GRADED = ["query-id", "corpus-id", "score"]
_LOOKED_AT = 50
_LONGEST_RANK = 7
_IN_JSON = "an object from the ids of documents to numbers"
_TAG = "run"
_MOST_LINES = 10_000_000
_VALUES = (
    "score",
    "rank",
    "grade",
)  # of these the fields that a definition names have one, the first that there is
_ORDER = "order"  # of the lines
_OTHER = "-"  # for a field that nobody reads
_TRUE_GRADES = {"true": 1, "false": 0}

# What was read of a query: the line that it first stands on, and its documents, each with its score or grade.
_Query = tuple[int, dict[str, float]]


class Trec(Layout):
    """`query Q0 document rank score tag` for each document of a run, `query iteration document grade` in qrels.

    The order of lines and the column of ranks mean nothing: documents are ordered by score, highest first, and those
    with the same score by their ids, the last first. Scores are told apart as far as a float of 32 bits does it.

    Where lines have three fields, a run is `query document rank`, as MS MARCO's are, with the ranks from 1 on of each
    query, and qrels are `query document grade`, perhaps below BEIR's names of columns. An object in JSON, as BEIR
    writes it, leads from queries to objects from documents to scores or grades.

    Where `columns` of a definition name the fields of a line, runs and judgements have these, perhaps below a line of
    their names. Judgements whose fields have no grade among them are qrels. Where they name a query and a document and
    nothing else, the documents of a run stand in their order, the best first.
    """

    key = "trec"
    title = "TREC"
    ending = "run"
    note = "a line for each document, "
    is_table = False
    each_item = "one ranking"
    shown_id = "<query>"
    can_be_seen = True
    options = ("columns",)
    default_id_column = RUN_FIELDS[0]
    default_label_column = RUN_FIELDS[2]

    def unfit(self, output: AnswerKind) -> str:
        return (
            ""
            if output.is_ranking
            else f"{output.phrase} is read from other dialects; {self.key} holds only ranked lists"
        )

    def wrong_columns(self, columns: Sequence[str]) -> str:
        found = ", ".join(columns)
        is_in_order = len(columns) == len(_IN_ORDER)
        return (
            ""
            if is_in_order or {*_VALUES} & {*columns}
            else f"one field must be called score, rank or grade, unless there are but two; found {found}"
        )

    def looks_like(self, lines: Sequence[str]) -> bool:
        """Lines of four fields: the second the same in all, the last a grade, and several documents for some query, or
        0 and one grade in all lines, which say nothing in a table; or BEIR's names of columns.
        """
        rows = [line.split() for line in lines]
        if rows and rows[0] == _NAMES_OF_GRADED:
            return True
        if not all(len(row) == len(_QRELS) and is_grade(row[3]) for row in rows):
            return False
        if len({row[1] for row in rows}) > 1:
            return False
        queries, pairs = {row[0] for row in rows}, {(row[0], row[2]) for row in rows}
        says_one_thing = {(row[1], row[3]) for row in rows} == {("0", rows[0][3])}
        return len(rows) == len(pairs) and (len(queries) < len(rows) or says_one_thing)

    def seen(self, lines: Sequence[str], report: FileReport) -> SeenFile:
        """A row for each query; what is wrong with a line is told when the file is read as gold labels."""
        queries: dict[str, tuple[int, list[str]]] = {}
        for number, query, document, grade in _judgements(lines):
            queries.setdefault(query, (number, []))[1].append(f"{document}:{grade}")
        judged = tuple(BETWEEN.join(documents) for _, documents in queries.values())
        columns = (
            GoldColumn(RUN_FIELDS[0], tuple(queries)),
            GoldColumn(RUN_FIELDS[2], judged, CellShape.JUDGED),
        )
        return SeenFile(columns, tuple(number for number, _ in queries.values()), (RUN_FIELDS[0],))

    def rows(self, source: Source, form: FileFormat, reading: RowReading) -> Iterator[FileRow]:
        """A row for each query, in the order in which they first stand there."""
        if not isinstance(source, bytes):
            raise TypeError("TREC's files are read from their bytes.")
        most = min(_MOST_LINES, reading.max_rows * reading.answers.most_lines)
        lines = reading.report.lines = physical_lines(decode(source, form.encoding), most)
        if len(lines) > most:
            raise RefusedError(lines_beyond(most), line=most + 1)
        read = _Lines(form, reading.report, lines, is_gold=reading.is_gold)
        queries, in_doubt = read.as_json() if _is_json(lines) else read.as_lines()
        text_of = _judged if reading.is_gold else _ranked
        for query, (line, documents) in queries.items():
            yield FileRow(line, query, None if query in in_doubt else (text_of(documents),))

    def ordinary_rows(
        self, data: bytes, form: FileFormat, output: AnswerKind
    ) -> Iterator[OrdinaryRows | None]:
        """Runs in which the lines of a query stand together, which programs write: each is ranked where it ends."""
        query, documents = "", dict[str, float]()
        if form.columns:
            yield None
            return
        for piece in pieces_of_lines(data, 0, b"\n"):
            ended: list[tuple[str, str]] = []
            for cells in _fields_of_lines(piece):
                score = None if cells is None else _score(cells[4])
                if cells is None or score is None:
                    yield None
                    return
                if cells[0] != query:
                    ended += [(query, _ranked(documents))] if documents else []
                    query, documents = cells[0], {}
                if cells[2] in documents:
                    yield None
                    return
                documents[cells[2]] = score
            yield _ordinary(ended, form)
        yield _ordinary([(query, _ranked(documents))], form)

    def write(self, parts: Sequence[AnsweredPart]) -> str:
        (part,) = parts
        form, lines_of = part.form, _qrels if part.is_gold else _run
        named = _fields(form, is_gold=part.is_gold)
        of_query, of_document = (form.id_column, form.label_column) if named else ("query", "document")
        names = named or (_QRELS if part.is_gold else RUN_FIELDS)
        return "".join(
            " ".join({**fields, of_query: _in_one_piece(query)}.get(name, _OTHER) for name in names) + "\n"
            for query, value in zip(part.ids, part.values, strict=True)
            for fields in lines_of(of_document, value)
        )


def _fields_of_lines(piece: bytes) -> Iterator[list[str] | None]:
    """The fields of each line of a run; None for a line with anything unusual."""
    try:
        text = piece.decode()
    except UnicodeDecodeError:
        text = ""
    for line in text.split("\n"):
        cells = line.removesuffix("\r").replace("\t", " ").split(" ")
        is_plain = (
            len(cells) == len(RUN_FIELDS) and "" not in cells and len(line) <= MAX_CELL and line.isprintable()
        )
        yield cells if is_plain else None


def _ordinary(ranked: Sequence[tuple[str, str]], form: FileFormat) -> OrdinaryRows:
    return OrdinaryRows(
        b"", {form.id_column: [query.encode() for query, _ in ranked]}, [(text,) for _, text in ranked]
    )


class _Lines:
    """The lines of one file, read one by one; `in_doubt` are the queries of which something is wrong and reported."""

    def __init__(self, form: FileFormat, report: FileReport, lines: Sequence[str], *, is_gold: bool) -> None:
        self._form, self._report, self._lines = form, report, lines
        named = _fields(form, is_gold=is_gold)
        self._names, self._first = (
            (named, int(lines[0].split() == [*named])) if named else _names_of(lines, is_gold=is_gold)
        )
        self._is_named = bool(named)
        self._of = "grade" if is_gold else next((name for name in _VALUES if name in self._names), _ORDER)
        self._value = {"score": _score, "rank": _rank, "grade": _grade, _ORDER: _place}[self._of]
        self._queries: dict[str, _Query] = {}
        self._in_doubt: set[str] = set()

    def as_lines(self) -> tuple[dict[str, _Query], set[str]]:
        """What the lines say, of as many fields as most of them have."""
        wanted = len(self._names)
        of_value = None if self._of == _ORDER else self._names.index(self._of)
        of_query, of_document = (
            map(self._names.index, (self._form.id_column, self._form.label_column))
            if self._is_named
            else (0, self._names.index("document"))
        )
        for number, line in enumerate(self._lines[self._first :], start=self._first + 1):
            cells = line.replace("\t", " ").split(" ")
            if "" in cells:
                cells = [cell for cell in cells if cell]
            if len(cells) != wanted or len(line) > MAX_CELL or first_forbidden(line, self._form.encoding):
                self._wrong_line(number, line, cells)
            else:
                value = str(number) if of_value is None else cells[of_value]
                self._take(number, cells[of_query], cells[of_document], value)
        if self._of == "rank":
            self._check_ranks()
        return self._queries, self._in_doubt

    def as_json(self) -> tuple[dict[str, _Query], set[str]]:
        """What an object says that leads from queries to objects from documents to numbers."""
        if self._of == _ORDER:  # an object has no order, and its numbers are scores
            self._of, self._value = "score", _score
        root = parse_json("\n".join(self._lines))
        for query in root.value if isinstance(root.value, tuple) else ():
            if query.key in self._queries:
                report_doubled(query, self._queries[query.key][0], self._report)
                self._in_doubt.add(query.key)
            self._queries.setdefault(query.key, (query.line, {}))
            for document in self._members(query.key, query.value):
                self._take_member(query.key, document)
        return self._queries, self._in_doubt

    def _members(self, query: str, node: Node) -> tuple[Member, ...]:
        if isinstance(node.value, tuple):
            return node.value
        report_type(node, _IN_JSON, query, self._report)
        self._in_doubt.add(query)
        return ()

    def _take_member(self, query: str, document: Member) -> None:
        number = document.value.value
        is_sound = 0 < len(document.key) <= MAX_CELL and document.key.split() == [document.key]
        if not is_sound or first_forbidden(document.key, self._form.encoding):
            find = partial(no_id_of_document, document.key)
            self._add(find, ProblemCode.ID_SPELLING, document.line, None, query)
        elif not isinstance(number, NumberText):
            report_type(document.value, "a number", query, self._report)
            self._in_doubt.add(query)
        else:
            self._take(document.line, query, document.key, number.text)

    def _take(self, line: int, query: str, document: str, cell: str) -> None:
        """A document of a query, with its score, rank or grade."""
        _, documents = self._queries.setdefault(query, (line, {}))
        value, name = self._value(cell), self._of
        if document in documents:
            twice = partial(document_again, query, document)
            self._add(twice, ProblemCode.DOCUMENT_TWICE, line, self._form.label_column, query)
        elif value is None:
            find, code = number_of_document(cell, name, is_named=self._is_named)
            self._add(find, code, line, name, query)
        documents.setdefault(document, value or 0.0)

    def _check_ranks(self) -> None:
        """That those of each query are 1 to as many as it has documents: else they may be scores."""
        for query, (line, documents) in self._queries.items():
            if query not in self._in_doubt and sorted(documents.values()) != list(range(-len(documents), 0)):
                find = partial(ranks_not_in_turn, query, len(documents))
                self._add(find, ProblemCode.NUMBER_OUT_OF_RANGE, line, _RANKED[-1], query)

    def _add(
        self, find: Callable[[], Finding], code: ProblemCode, line: int, column: str | None, query: str
    ) -> None:
        self._report.add_lazily(find, kind=(code, ""), line=line, column=column)
        self._in_doubt.add(query)

    def _wrong_line(self, number: int, line: str, cells: Sequence[str]) -> None:
        """Reports the form of a line; its query counts as answered, lest it be reported as missing too."""
        is_query_first = not self._is_named or self._names[0] == self._form.id_column
        query, column = cells[0] if cells and is_query_first else "", None
        find: Callable[[], Finding]
        if character := first_forbidden(line, self._form.encoding):
            find, code = partial(forbidden, character, line), character_code(character)
        elif not cells:
            find, code = (
                partial(Finding, ProblemCode.BLANK_LINE, "The line is blank. Remove it."),
                ProblemCode.BLANK_LINE,
            )
        elif len(line) > MAX_CELL:
            find, code = partial(long_line_of_run, line), ProblemCode.CELL_TOO_LONG
        else:
            is_short = len(cells) < len(self._names)
            code = ProblemCode.SHORT_ROW if is_short else ProblemCode.LONG_ROW
            column = self._names[-1] if is_short else None
            find = partial(fields_of_another_number, code, line, cells, self._names)
        if query and len(query) <= MAX_CELL:
            self._queries.setdefault(query, (number, {}))
        self._add(find, code, number, column, query)


def _fields(form: FileFormat, *, is_gold: bool) -> tuple[str, ...]:
    """The fields of a line as a definition names them; none where it does not, or judgements have other ones."""
    return form.columns if ("grade" in form.columns) == is_gold else ()


def _names_of(lines: Sequence[str], *, is_gold: bool) -> tuple[tuple[str, ...], int]:
    """The fields of most of the first lines, and how many lines stand above: one where BEIR names its columns."""
    widths = [len(line.split()) for line in lines[:_LOOKED_AT]]
    is_short = widths.count(len(_RANKED)) > len(widths) / 2 and not _is_json(lines)
    if not is_gold:
        return (_RANKED if is_short else RUN_FIELDS), 0
    return (_GRADED if is_short else _QRELS), int(is_short and lines[0].split() == _NAMES_OF_GRADED)


def _judgements(lines: Sequence[str]) -> Iterator[tuple[int, str, str, str]]:
    """The line, query, document and grade of each, whatever they are."""
    if _is_json(lines):
        root = parse_json("\n".join(lines)).value
        for query in root if isinstance(root, tuple) else ():
            documents = query.value.value
            for key, line, node in documents if isinstance(documents, tuple) else ():
                yield line, query.key, key, node.value.text if isinstance(node.value, NumberText) else ""
        return
    names, first = _names_of(lines, is_gold=True)
    for number, line in enumerate(lines[first:], start=first + 1):
        cells = (line.split() + [""] * len(names))[: len(names)]
        yield number, cells[0], cells[-2], cells[-1]


def _is_json(lines: Sequence[str]) -> bool:
    return bool(lines) and lines[0].startswith("{")


def _score(text: str) -> float | None:
    if not NUMBER.fullmatch(text):
        return None
    value = float(text)
    return value if isfinite(value) else None


def _rank(text: str) -> float | None:
    """The rank below 0, so that the best document has the highest number."""
    return -float(text) if text.isascii() and text.isdigit() and len(text) <= _LONGEST_RANK else None


def _place(number: str) -> float:
    """The number of a line below 0: the sooner a document stands, the better it is."""
    return -float(number)


def _grade(text: str) -> float | None:
    return int(text) if is_grade(text) else _TRUE_GRADES.get(text)


def _ranked(documents: dict[str, float]) -> str:
    """The documents by score and then by id, both from the highest down, as trec_eval orders them."""
    with np.errstate(over="ignore"):
        scores = np.array(list(documents.values())).astype(np.float32).tolist()
    ordered = sorted(zip(scores, documents, strict=True), reverse=True)
    return BETWEEN.join([document for _, document in ordered])


def _judged(documents: dict[str, float]) -> str:
    return with_grades({document: int(grade) for document, grade in documents.items()})


def _run(document_name: str, ranked: str) -> Iterator[dict[str, str]]:
    documents = ranked.split(BETWEEN) if ranked else []
    for rank, document in enumerate(documents, start=1):
        score = str(len(documents) + 1 - rank)
        yield {"Q0": "Q0", "rank": str(rank), "score": score, "tag": _TAG, document_name: document}


def _qrels(document_name: str, judged: str) -> Iterator[dict[str, str]]:
    for document, grade in grades_in(judged).items():
        yield {"iteration": "0", "grade": str(grade), document_name: document}


def _in_one_piece(query: str) -> str:
    if not query or " " in query or "\t" in query:
        raise ValueError(f"TREC's files have no way to write a query's id with a blank: {query!r:.200}")
    return query
