"""Which of two candidates is preferred, told by a score for each."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from math import inf
from sys import float_info
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from catalogue.answers.arrays import Answers
from catalogue.answers.base import AlsoWritten
from catalogue.answers.label import Label
from catalogue.answers.pairwise.preference import Preference, named_tie, names_of_two
from catalogue.answers.reading import (
    LONGEST_NUMBER,
    NUMBER_BYTES,
    AnswerReader,
    JsonCell,
    JsonShape,
    explain_number,
    number_fault,
    number_in,
)
from catalogue.gold_column import GoldColumn
from catalogue.problems import Fault, FaultKind, Finding, ProblemCode, visible
from catalogue.section import Section

_COLUMNS = ("score_1", "score_2")
_JSON_SIGNS = 8  # quotes, a colon, a comma and what is lost to escapes


@dataclass(frozen=True, slots=True)
class ScoredPreference(Label):
    """A finite score for each of two: the one with the higher score is preferred, and equal scores are a tie.

    Canonical array as of `Label`: the preference alone is kept. Gold labels are a `Preference`. `names` are as there;
    without a label for ties equal scores are refused. `scores` are the columns of the first and of the second.
    """

    key = "scored_preference"
    stored_name = "ScoredPreference"
    phrase = "a score for each of two"
    title = "A score for each of two"
    instruction = "Give each of the two candidates of an item a score; the higher one is preferred."
    metric = "accuracy"
    may_accept_several = False
    is_one_label = False
    is_one_text = False

    scores: tuple[str, str] = _COLUMNS

    @classmethod
    def declared(cls, task: Section, output: Section) -> Self:
        names = names_of_two(task, output)
        scores = output.texts("scores", default=_COLUMNS)
        if len(set(scores)) != 2:
            output.wrong("scores", f"expected the names of two columns, found {len(set(scores))}")
            return cls(names)
        first, second = scores
        return cls(names, scores=(first, second))

    @property
    def gold(self) -> Preference:
        return Preference(self.names)

    def outcomes(self) -> int:
        return len(self.names)

    def describe(self) -> str:
        ties = f"equal ones are a {self.names[2]}" if len(self.names) > 2 else "they may not be equal"
        return f"a score for each of two candidates; the higher one is preferred, {ties}"

    def numbers(self) -> dict[str, Any]:
        return {"output": [self.stored_name, self.declaration()]}

    @property
    def own_columns(self) -> tuple[str, ...]:
        return self.scores

    @classmethod
    def columns_beside_gold(cls, labels: tuple[str, ...]) -> tuple[str, ...]:
        return _COLUMNS

    @property
    def json_shape(self) -> JsonShape:
        return JsonShape.OBJECT

    def json_cells(self) -> tuple[JsonCell, ...]:
        return tuple(JsonCell(is_number=True, expected="a score", name=name) for name in self.scores)

    def reader(self, label_column: str, also_written: AlsoWritten = ()) -> AnswerReader:
        return ScoresReader(self)

    def written(self, answers: Answers) -> list[Any]:
        """Scores that say the same, since those of the file are not kept."""
        pairs = ((1, 0), (0, 1), (0, 0))
        return [dict(zip(self.scores, pairs[code], strict=True)) for code in answers.tolist()]

    @classmethod
    def answer_key(cls, gold_key: str) -> str:
        return "scores"

    @classmethod
    def suits(cls, cells: Sequence[str], texts: Sequence[Sequence[str]]) -> bool:
        return False  # a column of gold labels has no scores

    @classmethod
    def output_in(cls, column: GoldColumn, labels: Sequence[str]) -> dict[str, Any]:
        return named_tie(labels)


class ScoresReader(AnswerReader):
    def __init__(self, kind: ScoredPreference) -> None:
        longest = sum(LONGEST_NUMBER + len(name.encode()) + _JSON_SIGNS for name in kind.scores)
        super().__init__(kind.scores, kind.dtype, longest)
        self._has_ties = len(kind.names) > 2

    def value(self, cells: Sequence[str]) -> int | None:
        first, second = map(_score, cells)
        if first is None or second is None:
            return None
        if first == second:
            return 2 if self._has_ties else None
        return int(first < second)

    def finding(self, cell: str) -> Finding:
        return explain_number(cell, -inf, inf, "score")

    def explain(self, cells: Sequence[str]) -> Iterator[Fault]:
        wrong = [place for place, cell in enumerate(cells) if _score(cell) is None]
        for place in wrong:
            yield place, self.columns[place], partial(self.finding, cells[place])
        if not wrong:
            yield 1, self.columns[1], partial(_equal, cells[1])

    def count_faults(self, cells: Sequence[str]) -> Mapping[FaultKind, int]:
        counts: Counter[FaultKind] = Counter(
            (number_fault(cell), "") for cell in cells if _score(cell) is None
        )
        return counts or {(_equal(cells[1]).code, ""): 1}

    def of_columns(self, columns: Sequence[Sequence[bytes]]) -> Answers | None:
        if not all(all(map(NUMBER_BYTES.fullmatch, cells)) for cells in columns):
            return None
        first, second = (np.fromiter(map(float, cells), "<f8", len(cells)) for cells in columns)
        if not (np.isfinite(first).all() and np.isfinite(second).all()):
            return None
        ties: NDArray[np.bool_] = first == second
        if ties.any() and not self._has_ties:
            return None
        return np.where(ties, 2, first < second).astype(self.dtype)


def _score(cell: str) -> float | None:
    return number_in(cell, -float_info.max, float_info.max)


def _equal(cell: str) -> Finding:
    return Finding(
        ProblemCode.SCORES_EQUAL,
        f"Both scores are {visible(cell)}, and this task has no ties. Give one of the two a higher score.",
        visible(cell),
        "two different scores",
    )
