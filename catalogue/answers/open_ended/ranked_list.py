"""A ranked list of documents for each query, and what people judged of documents."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from catalogue.answers.arrays import TEXT, check_shape
from catalogue.answers.base import AlsoWritten, WithoutLabels
from catalogue.answers.reading import AnswerReader, JsonCell, looks_like_list
from catalogue.gold_column import CellShape, GoldColumn
from catalogue.problems import FaultKind, Finding, ProblemCode, quoted, visible
from catalogue.section import Section

MOST_DOCUMENTS = 10_000
"""Of one query."""
BETWEEN = " "
_OF_GRADE = ":"
_USUAL_DEPTH = 1_000
_HIGHEST_LEVEL = 100
_LONGEST_DOCUMENT = 64  # bytes, with what stands beside it on its line
_FEW = 5


class Missing(StrEnum):
    """What becomes of a query that a file leaves out."""

    REFUSED = "refused"
    ZERO = "zero"
    LEFT_OUT = "left_out"


@dataclass(frozen=True, slots=True)
class RankedList(WithoutLabels):
    """Documents in the order in which a system puts them, the best first; an item is a query.

    Canonical array: the documents joined by blanks, StringDType, shape (n_items,); empty for a query that the file
    leaves out, which `missing` allows or not. A document is relevant from the grade `level` on; a list has at most
    `depth` documents.
    """

    key = "ranked_list"
    stored_name = "RankedList"
    phrase = "a ranked list of documents"
    title = "A ranked list of documents for each query"
    instruction = "Give each query the ids of documents, the best first."
    metric = "ndcg_cut_10"
    dtype = TEXT
    is_ranking = True

    missing: str = Missing.REFUSED.value
    level: int = 1
    depth: int = _USUAL_DEPTH

    @classmethod
    def declared(cls, task: Section, output: Section) -> Self:
        level = output.number("level", low=1, high=_HIGHEST_LEVEL) if output.has("level") else 1
        depth = output.number("depth", low=1, high=MOST_DOCUMENTS) if output.has("depth") else _USUAL_DEPTH
        return cls(output.choice("missing", Missing, Missing.REFUSED).value, level, depth)

    @property
    def gold(self) -> "JudgedDocuments":
        return JudgedDocuments(self.missing, self.level, self.depth)

    def outcomes(self) -> int:
        """As many as there are ways to call each of the most documents that a query can have relevant, or not."""
        return 1 << MOST_DOCUMENTS

    def describe(self) -> str:
        return f"a list of up to {self.depth:,} documents, the best first"

    @property
    def left_out(self) -> str:
        counted = {Missing.ZERO: "counts as 0", Missing.LEFT_OUT: "is no part of the mean"}.get(
            Missing(self.missing)
        )
        return f"A query that a file leaves out {counted}." if counted else ""

    def check(self, argument: str, answers: object) -> int:
        return len(check_shape(argument, answers, (TEXT,), "StringDType lists of documents"))

    def right(self, gold: NDArray[Any], answers: NDArray[Any]) -> NDArray[np.bool_]:
        """Where the first document is relevant."""
        return np.array(list(map(self.is_right, gold.tolist(), answers.tolist())), dtype=np.bool_)

    def is_right(self, gold: str, answer: str) -> bool:
        return grades_in(gold).get(answer.partition(BETWEEN)[0], 0) >= self.level

    def json_cells(self) -> tuple[JsonCell, ...]:
        return (JsonCell(is_number=False, expected="text", longest=_LONGEST_DOCUMENT * self.depth),)

    def reader(self, label_column: str, also_written: AlsoWritten = ()) -> AnswerReader:
        return RankingReader(self, label_column)

    def sample(self) -> str:
        return "document"

    def examples(self, count: int, random: np.random.Generator) -> NDArray[Any]:
        lists = (random.permutation(4 * _FEW)[:_FEW] for _ in range(count))
        return self.array(BETWEEN.join(f"d{number}" for number in numbers.tolist()) for numbers in lists)

    def commonest(self, labels: NDArray[Any]) -> Any:
        """The documents that are relevant to most queries."""
        relevant = Counter(
            document
            for judged in labels.tolist()
            for document, grade in grades_in(judged).items()
            if grade >= self.level
        )
        return BETWEEN.join(name for name, _ in relevant.most_common(self.depth)) or self.sample()

    def guesses(self, labels: NDArray[Any], count: int, random: np.random.Generator) -> NDArray[Any]:
        """Documents that were judged for any query, in any order."""
        known = sorted({document for judged in labels.tolist() for document in grades_in(judged)})
        size = min(len(known), self.depth)
        lists = (random.permutation(len(known))[:size] for _ in range(count))
        return self.array(BETWEEN.join(known[place] for place in places) for places in lists)

    @classmethod
    def suits(cls, cells: Sequence[str], texts: Sequence[Sequence[str]]) -> bool:
        return False  # judgements and runs are no tables with a row for each query

    @classmethod
    def gold_shapes(cls) -> tuple[CellShape, ...]:
        return (CellShape.JUDGED,)

    @classmethod
    def suits_column(cls, column: GoldColumn, texts: Sequence[Sequence[str]]) -> bool:
        return column.shape is CellShape.JUDGED


class JudgedDocuments(RankedList):
    """The documents that were judged for a query, each with its grade: `d7:2 d3:1 d9:0`, the highest grades first."""

    __slots__ = ()

    is_of_gold_alone = True

    def describe(self) -> str:
        return "documents with the grades that people gave them"

    def reader(self, label_column: str, also_written: AlsoWritten = ()) -> AnswerReader:
        return JudgedReader(self, label_column)

    def sample(self) -> str:
        return "document:1"

    def examples(self, count: int, random: np.random.Generator) -> NDArray[Any]:
        lists = RankedList.examples(self, count, random).tolist()
        return self.array(
            with_grades(
                dict(zip(documents.split(BETWEEN), random.integers(3, size=_FEW).tolist(), strict=True))
            )
            for documents in lists
        )

    def commonest(self, labels: NDArray[Any]) -> Any:
        return labels[0]


class RankingReader(AnswerReader):
    """Reads documents that stand in their order, with blanks between them."""

    def __init__(self, kind: RankedList, label_column: str) -> None:
        longest = min(kind.depth, MOST_DOCUMENTS) * _LONGEST_DOCUMENT
        super().__init__((label_column,), kind.dtype, longest)
        self.most_lines = kind.depth
        self.unanswered = None if kind.missing == Missing.REFUSED else ""
        self._depth = kind.depth

    def value(self, cells: Sequence[str]) -> str | None:
        documents = cells[0].split(BETWEEN) if cells[0] else []
        if not documents:
            return None if self.unanswered is None else str(self.unanswered)
        is_fine = "" not in documents and len(set(documents)) == len(documents) <= self._depth
        return cells[0] if is_fine and not (looks_like_list(cells[0]) or _has_commas(documents)) else None

    def finding(self, cell: str) -> Finding:
        code, pattern = self.fault_kind(cell)
        documents = cell.split(BETWEEN)
        expected = f"up to {self._depth:,} documents, each once, with one blank between them"
        if code is ProblemCode.EMPTY_LABEL:
            return Finding(code, f"There are no documents. Give {expected}.", "", expected)
        if code is ProblemCode.LABEL_SPACING:
            what = "Commas or semicolons stand between documents" if pattern else "There is a blank too many"
            return Finding(code, f"{what}. Give {expected}.", visible(cell), expected, pattern)
        if code is ProblemCode.JSON_WRONG_TYPE:
            message = (
                f"This is a list as Python or JSON writes it. Give {expected}, without brackets and quotes."
            )
            return Finding(code, message, visible(cell), expected)
        if code is ProblemCode.LONG_ROW:
            message = f"There are {len(documents):,} documents for this query. Keep the best {self._depth:,}."
            return Finding(code, message, f"{len(documents):,} documents", expected)
        twice = next(name for name, times in Counter(self.names_of(documents)).items() if times > 1)
        message = f"The document {quoted(twice)} stands twice for this query. Keep it where it ranks best."
        return Finding(code, message, visible(twice), expected)

    def names_of(self, parts: Iterable[str]) -> Iterable[str]:
        """The documents that the parts of a cell are about."""
        return parts

    def fault_kind(self, cell: str) -> FaultKind:
        documents = cell.split(BETWEEN)
        if not cell.strip(BETWEEN):
            return ProblemCode.EMPTY_LABEL, ""
        if looks_like_list(cell):
            return ProblemCode.JSON_WRONG_TYPE, ""
        if "" in documents:
            return ProblemCode.LABEL_SPACING, ""
        if _has_commas(documents):
            return ProblemCode.LABEL_SPACING, "commas"
        return (ProblemCode.LONG_ROW if len(documents) > self._depth else ProblemCode.DOCUMENT_TWICE), ""

    def looks_like_answer(self, cells: Sequence[str]) -> bool:
        return False  # any text could be a document

    def gives_away(self, cell: str) -> bool:
        return False


def _has_commas(documents: Sequence[str]) -> bool:
    """Whether all documents but the last end in the same comma or semicolon, which then is no part of their ids."""
    ends = {document[-1:] for document in documents[:-1]}
    return len(ends) == 1 and ends <= {",", ";"}


class JudgedReader(RankingReader):
    """Reads documents with their grades, in any order."""

    def __init__(self, kind: RankedList, label_column: str) -> None:
        super().__init__(kind, label_column)
        self.most_lines = self._depth = MOST_DOCUMENTS
        self.unanswered = None

    def value(self, cells: Sequence[str]) -> str | None:
        found = super().value(cells)
        if found is None:
            return None
        pairs = [pair.rpartition(_OF_GRADE) for pair in found.split(BETWEEN)]
        grades = {document: grade for document, _, grade in pairs}
        if len(grades) < len(pairs) or "" in grades or not all(map(is_grade, grades.values())):
            return None
        return with_grades({document: int(grade) for document, grade in grades.items()})

    def names_of(self, parts: Iterable[str]) -> Iterable[str]:
        return (part.rpartition(_OF_GRADE)[0] for part in parts)

    def fault_kind(self, cell: str) -> FaultKind:
        pairs = [pair.rpartition(_OF_GRADE) for pair in cell.split(BETWEEN)]
        is_paired = all(document and is_grade(grade) for document, _, grade in pairs)
        return (
            super().fault_kind(cell)
            if is_paired or not cell.strip(BETWEEN)
            else (ProblemCode.NOT_A_GRADE, "")
        )

    def finding(self, cell: str) -> Finding:
        code, _ = self.fault_kind(cell)
        if code is not ProblemCode.NOT_A_GRADE:
            return super().finding(cell)
        expected = "document:grade, with one blank between two of them and grades that are whole numbers"
        return Finding(
            code, f"This is no list of judged documents. Give {expected}.", visible(cell), expected
        )


def is_grade(text: str) -> bool:
    """True for a whole number of up to four digits, as qrels have them."""
    digits = text.removeprefix("-")
    return 0 < len(digits) <= 4 and digits.isascii() and digits.isdigit()


def with_grades(grades: dict[str, int]) -> str:
    """Judged documents as one text, the same for the same grades: the highest first, of equal ones by their ids."""
    ordered = sorted(grades.items(), key=lambda pair: (-pair[1], pair[0]))
    return BETWEEN.join(f"{document}{_OF_GRADE}{grade}" for document, grade in ordered)


def grades_in(judged: str) -> dict[str, int]:
    """The grade of each document that was judged, in the order of `with_grades`."""
    pairs = (pair.rpartition(_OF_GRADE) for pair in judged.split(BETWEEN))
    return {document: int(grade) for document, _, grade in pairs}
