"""Gold labels of which an item may have several, each as good as the first: the kind beside answers that are one."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from catalogue.answers.arrays import TEXT, Answers, check_shape, from_texts
from catalogue.answers.base import AlsoWritten, AnswerKind
from catalogue.answers.reading import AnswerReader, JsonCell, JsonShape
from catalogue.problems import Fault, FaultKind, Finding, ProblemCode, counted
from catalogue.section import Section

MOST_ACCEPTED = 100


@dataclass(frozen=True, slots=True)
class AcceptedAnswers(AnswerKind):
    """The answers to an item that are accepted, the gold label first, each an answer of the kind `alone`.

    Canonical array: the texts of the answers as a list in JSON, `["yes","maybe"]`; StringDType, shape (n_items,).
    Metrics never see it: beside answers it becomes an array of the kind `alone` (`best_match`).
    """

    key = "accepted_answers"
    stored_name = "AcceptedAnswers"
    phrase = "accepted answers"
    title = "Accepted answers"
    instruction = "Give each item the answers that are accepted, the gold label first."
    metric = "accuracy"
    dtype = TEXT
    is_of_gold_alone = True

    each: AnswerKind

    @classmethod
    def declared(cls, task: Section, output: Section) -> Self:
        raise NotImplementedError("A definition declares the answers, and that several are accepted.")

    @property
    def labels(self) -> tuple[str, ...]:
        return self.each.labels

    @property
    def classes(self) -> tuple[str, ...]:
        return ()

    def outcomes(self) -> int:
        """A gold label, with any of the others accepted or not; of very many, a list of them."""
        alone = self.each.gold.outcomes()
        return alone << (alone - 1) if alone <= MOST_ACCEPTED else int(alone ** (MOST_ACCEPTED + 1))

    def describe(self) -> str:
        return f"{self.each.describe()}, or several that are accepted, the gold label first"

    def check(self, argument: str, answers: object) -> int:
        items = check_shape(argument, answers, (TEXT,), "StringDType accepted answers")
        texts = set(items.tolist())
        try:
            listed = [accepted_in(text) for text in texts]
            is_sound = all(0 < len(set(one)) == len(one) <= MOST_ACCEPTED for one in listed)
            self.each.gold.check(argument, self._answers([text for one in listed for text in one]))
        except (ValueError, TypeError):
            is_sound = False
        if not is_sound:
            raise ValueError(
                f"`{argument}` must hold lists in JSON of 1 to {MOST_ACCEPTED} different answers, each of which is "
                f"{self.each.gold.describe()}."
            )
        return len(items)

    def best_match(self, gold: NDArray[Any], answers: NDArray[Any]) -> NDArray[Any]:
        """Of each item the accepted answer that is most like its answer, of equal ones the first."""
        listed = [accepted_in(text) for text in gold.tolist()]
        counts = np.array([len(one) for one in listed])
        accepted = self._answers([text for one in listed for text in one])
        items = np.repeat(np.arange(len(listed)), counts)
        likeness = self.each.likeness(accepted, answers[items])
        best = np.maximum.reduceat(likeness, np.cumsum(counts) - counts)
        (at,) = np.nonzero(likeness == best[items])
        return np.asarray(accepted[at[np.unique(items[at], return_index=True)[1]]])

    def accepted_texts(self, gold: str) -> list[str]:
        return accepted_in(gold)

    def _answers(self, texts: Sequence[str]) -> NDArray[Any]:
        return from_texts(texts, self.each.labels, self.each.gold.dtype)

    def json_cells(self) -> tuple[JsonCell, ...]:
        cells, is_one = self.each.gold.json_cells(), self.json_shape is JsonShape.ONE
        return tuple(replace(cell, may_be_list=True) for cell in cells) if is_one else cells

    @property
    def json_shape(self) -> JsonShape:
        return self.each.json_shape

    def reader(self, label_column: str, also_written: AlsoWritten = ()) -> AnswerReader:
        return AcceptedReader(self, self.each.gold.reader(label_column, also_written))

    def written(self, answers: Answers) -> list[Any]:
        """For each item the list of its accepted answers, each as a file holds it."""
        return [self.each.gold.written(self._answers(accepted_in(text))) for text in answers.tolist()]

    def sample(self) -> str:
        return self._as_accepted([self.each.gold.sample()])

    def examples(self, count: int, random: np.random.Generator) -> NDArray[Any]:
        alone = self.each.gold
        drawn = alone.texts(alone.examples(2 * count, random))
        pairs = zip(drawn[:count], drawn[count:], strict=True)
        return self.array(as_accepted(list(dict.fromkeys(pair))) for pair in pairs)

    def _as_accepted(self, values: Sequence[Any]) -> str:
        alone = self.each.gold
        return as_accepted(alone.texts(alone.array(values)))

    @classmethod
    def suits(cls, cells: Sequence[str], texts: Sequence[Sequence[str]]) -> bool:
        return False  # no single cell says that there may be several


class AcceptedReader(AnswerReader):
    """Reads the accepted answers of one row: one, or in JSON a list of them."""

    def __init__(self, kind: AcceptedAnswers, alone: AnswerReader) -> None:
        super().__init__(alone.columns, kind.dtype, MOST_ACCEPTED * alone.longest)
        self._kind, self._alone = kind.each.gold, alone
        self._is_one = kind.json_shape is JsonShape.ONE
        self._known: dict[tuple[str, ...], str | None] = {}

    def value(self, cells: Sequence[str]) -> str | None:
        key = tuple(cells)
        if key not in self._known:
            self._known[key] = self._read(key)
        return self._known[key]

    def _read(self, cells: tuple[str, ...]) -> str | None:
        values = [self._alone.value(one) for one in self._each(cells)]
        if not 0 < len(values) <= MOST_ACCEPTED or any(value is None for value in values):
            return None
        return as_accepted(list(dict.fromkeys(self._kind.texts(self._kind.array(values)))))

    def _each(self, cells: Sequence[str]) -> list[tuple[str, ...]]:
        return [(cell,) for cell in cells] if self._is_one else [tuple(cells)]

    def finding(self, cell: str) -> Finding:
        return self._alone.finding(cell)

    def explain(self, cells: Sequence[str]) -> Iterator[Fault]:
        wrong = [one for one in self._each(cells) if self._alone.value(one) is None]
        if wrong:
            yield from self._alone.explain(wrong[0])
        else:
            yield 0, self.columns[0], lambda: _wrong_length(len(cells))

    def count_faults(self, cells: Sequence[str]) -> Mapping[FaultKind, int]:
        wrong = [one for one in self._each(cells) if self._alone.value(one) is None]
        return self._alone.count_faults(wrong[0]) if wrong else {(ProblemCode.JSON_WRONG_LENGTH, ""): 1}

    def gives_away(self, cell: str) -> bool:
        return self._alone.gives_away(cell)

    def joined(self, before: str, further: str) -> str | None:
        """What both rows of an item accept; None where the further one says nothing new, or too much."""
        known, added = accepted_in(before), accepted_in(further)
        is_new = not set(known) & set(added) and len(known) + len(added) <= MOST_ACCEPTED
        return as_accepted([*known, *added]) if is_new else None


def as_accepted(texts: Sequence[str]) -> str:
    """Texts of accepted answers as one text."""
    return json.dumps(list(texts), ensure_ascii=False, separators=(",", ":"))


def accepted_in(gold: str) -> list[str]:
    """The texts that `as_accepted` wrote."""
    texts: list[str] = json.loads(gold)
    return texts


def _wrong_length(count: int) -> Finding:
    expected = f"1 to {MOST_ACCEPTED} accepted answers"
    message = f"{count:,} accepted answers stand here. Give {expected}."
    return Finding(ProblemCode.JSON_WRONG_LENGTH, message, counted(count, "answer"), expected)
