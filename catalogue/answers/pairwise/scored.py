"""Which of two candidates is preferred, told by a score for each."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from catalogue.answers.arrays import Answers
from catalogue.answers.base import AlsoWritten
from catalogue.answers.label import Label
from catalogue.answers.pairwise.preference import Preference, named_tie, names_of_two
from catalogue.answers.reading import AnswerReader, JsonCell, JsonShape
from catalogue.answers.several_numbers import NumbersReader
from catalogue.gold_column import GoldColumn
from catalogue.problems import Finding, ProblemCode, visible
from catalogue.section import Section

_COLUMNS = ("score_1", "score_2")


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


class ScoresReader(NumbersReader):
    code_together = ProblemCode.SCORES_EQUAL
    column_together = 1

    def __init__(self, kind: ScoredPreference) -> None:
        super().__init__(kind.scores, kind.dtype, kind.scores, "score", -inf, inf)
        self._has_ties = len(kind.names) > 2

    def of_numbers(self, numbers: Sequence[float]) -> int | None:
        first, second = numbers
        if first == second:
            return 2 if self._has_ties else None
        return int(first < second)

    def wrong_together(self, cells: Sequence[str]) -> Finding:
        shown = visible(cells[1])
        message = f"Both scores are {shown}, and this task has no ties. Give one of the two a higher score."
        return Finding(self.code_together, message, shown, "two different scores")

    def of_table(self, table: NDArray[np.float64]) -> Answers | None:
        first, second = table.T
        ties: NDArray[np.bool_] = first == second
        if ties.any() and not self._has_ties:
            return None
        return np.where(ties, 2, first < second).astype(self.dtype)
