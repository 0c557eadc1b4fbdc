"""What every kind of answer must say of itself."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, fields, replace
from itertools import pairwise
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from catalogue.ancestors import Parents
from catalogue.answers.arrays import Answers, Codes, as_codes, as_texts
from catalogue.answers.declared_metric import DeclaredMetric
from catalogue.answers.reading import JSON_NUMBER, JSON_TEXT, AnswerReader, JsonCell, JsonShape
from catalogue.gold_column import CellShape, GoldColumn
from catalogue.item_lines import Tokens
from catalogue.section import Section

# Other ways to write a label, as (written, label).
AlsoWritten = Iterable[tuple[str, str]]
_BINS = 10


@dataclass(frozen=True, slots=True)
class AnswerKind(ABC):
    """What a system answers per item of a task. An instance holds what the task's definition declares.

    Words: `key` stands for the kind in definitions, `stored_name` in digests of what was stored before, `phrase` in
    messages, `title` and `instruction` where an organiser proposes a task, and `metric` is what is proposed to
    measure it.

    Facts that others decide by, none of which holds unless a kind says so: `is_one_label`, an answer is one label of
    a set and nothing else; `gold_is_one_label`, so are gold labels, whatever is said of the labels in answers;
    `is_one_text`, one text says all of it; `is_subset`, it is any number of the labels, with a
    column for each, and its arrays are bit masks; `gold_in_columns`, a table of its gold labels has a column for each
    label; `has_bounds`, it is a number or class between a lowest and a highest;
    `is_continuous`, a number with fractions; `needs_lists`, only JSON can hold it, since it has several parts;
    `has_tokens`, it has a label for each token of the item; `is_ranking`, it is documents in an order;
    `names_labels`, a definition lists labels, and columns of gold labels show them; `labels_have_order`, it lists them
    from low to high;
    `is_of_gold_alone`, no task asks for it, it is what gold labels of another kind are; `may_accept_several`, a
    definition may say that an item can have several gold labels; `may_have_parents`, it may say what labels are kinds
    of; `is_right_or_wrong`, one answer
    by itself is either: it holds unless a kind says that answers are names of the system's own, or more or less far
    off.
    """

    key: ClassVar[str]
    stored_name: ClassVar[str]
    phrase: ClassVar[str]
    title: ClassVar[str]
    instruction: ClassVar[str]
    metric: ClassVar[str]
    is_one_label: ClassVar[bool] = False
    gold_is_one_label: ClassVar[bool] = False
    is_one_text: ClassVar[bool] = False
    is_subset: ClassVar[bool] = False
    gold_in_columns: ClassVar[bool] = False
    has_bounds: ClassVar[bool] = False
    is_continuous: ClassVar[bool] = False
    needs_lists: ClassVar[bool] = False
    has_tokens: ClassVar[bool] = False
    is_ranking: ClassVar[bool] = False
    names_labels: ClassVar[bool] = False
    labels_have_order: ClassVar[bool] = False
    is_of_gold_alone: ClassVar[bool] = False
    may_accept_several: ClassVar[bool] = False
    may_have_parents: ClassVar[bool] = False
    is_right_or_wrong: ClassVar[bool] = True

    # What is declared

    formulas: tuple[DeclaredMetric, ...] = field(default=(), kw_only=True)
    """The metrics that a definition declares for these answers alone."""
    several: bool = field(default=False, kw_only=True)
    """Whether an item may have several gold labels, each as good as the first."""

    parents: Parents = field(default=(), kw_only=True)
    """What labels, and what these are kinds of, are kinds of; none where no definition says it."""

    groups: tuple[str, ...] = field(default=(), kw_only=True)
    """The columns of the gold file that tell groups of items apart, of which metrics may be asked."""

    clusters: str = field(default="", kw_only=True)
    """The column of the gold file that says which items belong together; empty if none does."""

    @classmethod
    @abstractmethod
    def declared(cls, task: Section, output: Section) -> Self:
        """The kind as a definition states it: `task` has the labels, `output` the rest. Mistakes go to the sections."""

    @property
    def gold(self) -> "AnswerKind":
        """The kind of the gold labels: this one, unless they are told otherwise than answers are."""
        if not self.several:
            return self
        from catalogue.answers.structured.accepted import AcceptedAnswers  # it is a kind itself

        return AcceptedAnswers(self.alone)

    @property
    def alone(self) -> Self:
        """This kind where every item has one gold label."""
        return replace(self, several=False) if self.several else self

    @property
    @abstractmethod
    def labels(self) -> tuple[str, ...]:
        """The declared labels; none where an answer is a number, a class or a span."""

    @property
    def counted_labels(self) -> tuple[str, ...]:
        """The labels that metrics of single labels may be about: all, unless answers list a few of very many."""
        return self.labels if self.classes or self.is_subset else ()

    @property
    def entity_types(self) -> tuple[str, ...]:
        """The types of entities that labels of tokens mark; none where they mark none."""
        return ()

    @property
    def tuple_parts(self) -> tuple[str, ...]:
        """The names of the parts that each tuple of an answer has; none where answers are no tuples."""
        return ()

    @property
    def never_right(self) -> tuple[str, ...]:
        """The labels that are never right when predicted."""
        return ()

    @property
    def positive(self) -> str:
        """The label that is to be found, for metrics of one label; empty where a definition names none."""
        return ""

    @property
    def classes(self) -> tuple[str, ...]:
        """What an answer is one of, labels or classes from low to high; none where it is anything else."""
        return () if self.is_subset else self.labels

    @property
    def sums_to_one(self) -> bool:
        """Whether an answer has a number for each label, and these add up to 1."""
        return False

    @property
    def left_out(self) -> str:
        """What becomes of items that a file leaves out, in a sentence; empty where every item must be answered."""
        return ""

    @property
    def bounds(self) -> tuple[float, float] | None:
        """The lowest and the highest answer; None where answers are no numbers."""
        return None

    @property
    def longest_distance(self) -> float | None:
        """How far an answer can be from its gold label; None where answers are not more or less far off."""
        return self.bounds[1] - self.bounds[0] if self.bounds else None

    @property
    def gold_labels(self) -> tuple[str, ...]:
        """The labels that can be gold where an answer is one label and nothing else; elsewhere none."""
        return tuple(name for name in self.labels if self.is_one_label and name not in self.never_right)

    @abstractmethod
    def outcomes(self) -> int:
        """How many gold labels an item can have, at least: the ledger of published bits counts by it."""

    @abstractmethod
    def describe(self) -> str:
        """What an answer is, in words that go on after "Each answer is"."""

    def declaration(self) -> dict[str, Any]:
        """What the definition declares of answers, by the name of each field."""
        beside = {"formulas", "groups", "clusters", "parents"} | (set() if self.several else {"several"})
        declared = {each.name: getattr(self, each.name) for each in fields(self) if each.name not in beside}
        return declared | ({"parents": self.parents} if self.parents else {})

    def signature(self) -> str:
        """The kind and what is declared of it, as one line for digests."""
        declared = ", ".join(f"{name}={value!r}" for name, value in self.declaration().items())
        return f"{self.stored_name}({declared})"

    def numbers(self) -> dict[str, Any]:
        """What can change a number, for the fingerprint of a task."""
        return {"output": [self.stored_name, self.declaration()]}

    # Canonical arrays

    @property
    @abstractmethod
    def dtype(self) -> np.dtype[Any]:
        """The type of canonical arrays."""

    @abstractmethod
    def check(self, argument: str, answers: object) -> int:
        """The number of answers; ValueError unless they are a canonical array of this kind that is not empty.

        The message names the argument and the rule; it shows no answer to any item.
        """

    def positions(self, answers: NDArray[Any]) -> NDArray[Any]:
        """Where each answer stands among `classes`, from 0. TypeError where there are none."""
        raise TypeError(f"There are no classes where an answer is {self.describe()}.")

    def right(self, gold: NDArray[Any], answers: NDArray[Any]) -> NDArray[np.bool_]:
        """Which items are right. A label that is never right stands in no gold file, so that it equals none there."""
        return np.asarray(gold == answers)

    def is_right(self, gold: str, answer: str) -> bool:
        return gold == answer

    def is_accepted(self, gold: str, answer: str) -> bool:
        """Whether an answer is right, or one of several that are accepted; both as texts."""
        return any(self.is_right(text, answer) for text in self.gold.accepted_texts(gold))

    def likeness(self, gold: NDArray[Any], answers: NDArray[Any]) -> NDArray[np.float64]:
        """How like its gold label each answer is: the larger, the more."""
        return self.right(gold, answers).astype(np.float64)

    # Of kinds of gold labels

    def best_match(self, gold: NDArray[Any], answers: NDArray[Any]) -> NDArray[Any]:
        """The gold label that each answer is held against."""
        return gold

    def accepted_texts(self, gold: str) -> list[str]:
        """The texts of the answers that are accepted, given a gold label as text."""
        return [gold]

    def class_counts(self, answers: NDArray[Any]) -> dict[str, int] | None:
        """How often each label or class occurs; None where an answer is not just one of those."""
        return counted(self.classes, self.positions(answers)) if self.classes else None

    def has_label(self, answers: NDArray[Any], label: str) -> NDArray[np.bool_]:
        """Which answers are, or hold, one of the `counted_labels`."""
        return np.asarray(self.positions(answers) == self.labels.index(label))

    def distribution(self, answers: NDArray[Any]) -> list[tuple[str, int]]:
        """How many answers there are of each label or class, or in each tenth of a range; nothing for spans of text.

        A subset counts for each of its labels.
        """
        return list(counted(self.classes, self.positions(answers)).items()) if self.classes else []

    def array(self, values: Iterable[Any]) -> Answers:
        return np.array(list(values), dtype=self.dtype)

    def codes(self, answers: NDArray[Any]) -> Codes:
        """Answers as whole numbers, the same for the same answer and no other: int64 of shape (n_items,)."""
        return as_codes(answers)

    def texts(self, answers: Answers) -> list[str]:
        """Answers as texts, one per item; the same answers always give the same texts."""
        return as_texts(answers, self.labels)

    def only_answer(self, answers: Answers) -> str | None:
        """The answer that every item has, as a text; None where there are several, or one item alone.

        Only the label counts where there is something beside it.
        """
        parts = self.positions(answers) if self.classes else answers
        if len(parts) < 2 or bool((parts != parts[0]).any()):
            return None
        return self.classes[parts[0]] if self.classes else self.texts(answers[:1])[0] or "no label"

    # Files

    def columns(self, label_column: str) -> tuple[str, ...]:
        """The columns of a table that answers stand in: the one that the definition names, or the kind's own."""
        return self.own_columns or (label_column,)

    def columns_of_part(self, label_column: str) -> tuple[str, ...]:
        """The columns of a table that has a row for each part of an answer; none where answers have no such parts."""
        return ()

    @property
    def may_share_a_cell(self) -> bool:
        """Whether the parts of an answer, each of one text, may stand in one cell with a sign between them."""
        return len(self.columns_of_part("")) == 1

    def part(self, cells: Sequence[str]) -> str:
        """What these cells say of one part of an answer: a cell, or what stands for it in a list as JSON writes it.

        Raises
        ------
        WrongListError
            If they say nothing that can be part of an answer; it names the cell by its place.
        """
        raise TypeError(f"Answers have no parts where each is {self.describe()}.")

    @property
    def own_columns(self) -> tuple[str, ...]:
        """The columns of a table that answers stand in, where no definition names them."""
        return self.labels if self.is_subset else ()

    @classmethod
    def columns_beside_gold(cls, labels: tuple[str, ...]) -> tuple[str, ...]:
        """The columns that answers to a new task have while gold labels have one; none where both have the same."""
        return ()

    @property
    def json_shape(self) -> JsonShape:
        """How the cells of an answer stand in a JSON file."""
        return JsonShape.LIST if self.needs_lists else JsonShape.ONE

    def json_cells(self) -> tuple[JsonCell, ...]:
        """What stands for an answer in a JSON file, as `json_shape` says."""
        return (JSON_NUMBER if self.has_bounds else JSON_TEXT,)

    @abstractmethod
    def reader(self, label_column: str, also_written: AlsoWritten = ()) -> AnswerReader:
        """Reads the answers of a file; `also_written` are other ways to write a label, as (written, label)."""

    @abstractmethod
    def written(self, answers: Answers) -> list[Any]:
        """The answers as a file holds them: a text or number each, or for several cells a list of texts and numbers.

        Where each cell has a name, they are a mapping from names.
        """

    # Answers without a system

    @abstractmethod
    def sample(self) -> Any:
        """An answer that shows the form of a file alone and knows nothing but the kind."""

    def tokens_in(self, answers: Answers) -> list[Tokens]:
        """The tokens that each answer has a label for, all unknown; none where answers label no tokens."""
        return []

    def of_tokens(self, answer: Any, count: int) -> Any:
        """An answer like this one for an item of so many tokens: itself, unless it has a label for each."""
        return answer

    def shown_example(self) -> Any:
        """An answer that an organiser is shown while proposing a task."""
        return self.sample()

    @abstractmethod
    def examples(self, count: int, random: np.random.Generator) -> NDArray[Any]:
        """So many answers at random, of all that can be right: a canonical array of shape (count,)."""

    def commonest(self, labels: NDArray[Any]) -> Any:
        """The one answer for all items, given these gold labels: the commonest (of several the first), or the mean."""
        return most_frequent(labels)

    def guesses(self, labels: NDArray[Any], count: int, random: np.random.Generator) -> NDArray[Any]:
        """So many answers at random, given these gold labels."""
        return self.examples(count, random).astype(labels.dtype)

    # What an organiser's file suggests

    @classmethod
    def gold_shapes(cls) -> tuple[CellShape, ...]:
        """What a column of gold labels may hold in a cell."""
        return (CellShape.TEXT,)

    @classmethod
    def answer_key(cls, gold_key: str) -> str:
        """The key of answers in JSON beside that of gold labels, which may fit those alone."""
        return gold_key

    @classmethod
    @abstractmethod
    def suits(cls, cells: Sequence[str], texts: Sequence[Sequence[str]]) -> bool:
        """Whether a column of answers beside these columns of text suggests this kind; the last that suits counts."""

    @classmethod
    def suits_column(cls, column: GoldColumn, texts: Sequence[Sequence[str]]) -> bool:
        """The same, of a column that may hold more than one text in each cell, and that has a name."""
        return column.shape is CellShape.TEXT and cls.suits(column.cells, texts)

    @classmethod
    def labels_in(cls, column: GoldColumn) -> tuple[str, ...]:
        """The labels that a definition would list for this column of gold labels, in the order of the alphabet."""
        return tuple(sorted(set(column.words))) if cls.names_labels else ()

    @classmethod
    def columns_in(cls, columns: Sequence[GoldColumn]) -> tuple[str, ...]:
        """The columns of a table that hold its gold labels, a column for each label; none where none look like it."""
        return ()

    @classmethod
    def output_in_columns(cls, columns: Sequence[GoldColumn], labels: Sequence[str]) -> dict[str, Any]:
        """The same as `output_in`, of all columns of gold labels."""
        return cls.output_in(columns[0], labels)

    @classmethod
    def output_in(cls, column: GoldColumn, labels: Sequence[str]) -> dict[str, Any]:
        """What else a definition would say of the answers beside these labels, by its keys under `output`."""
        return {}


class WithoutLabels(AnswerKind):
    __slots__ = ()

    labels = ()

    def written(self, answers: Answers) -> list[Any]:
        return list(answers.tolist())


class Bounded(WithoutLabels):
    """A kind whose answers lie in `low`..`high`, both included."""

    __slots__ = ()

    has_bounds = True

    low: float
    high: float

    def likeness(self, gold: NDArray[Any], answers: NDArray[Any]) -> NDArray[np.float64]:
        return -np.abs(gold.astype(np.float64) - answers.astype(np.float64))

    @property
    def bounds(self) -> tuple[float, float]:
        return self.low, self.high

    def shown_example(self) -> float:
        return self.low

    def distribution(self, answers: NDArray[Any]) -> list[tuple[str, int]]:
        counts, edges = np.histogram(answers.astype(float), bins=_BINS, range=(self.low, self.high))
        ranges = [f"{start} to {end}" for start, end in pairwise(f"{edge:.3g}" for edge in edges)]
        return list(zip(ranges, counts.tolist(), strict=True))


def check_order(output: Section, low: float, high: float) -> None:
    """A mistake unless `low` is less than `high`; none where another number stands in for one that is wrong."""
    is_as_written = (output.values.get("low"), output.values.get("high")) == (low, high)
    if is_as_written and low >= high:
        output.wrong("high", f"expected more than `low`, which is {low}; found {high}")


def most_frequent(labels: NDArray[Any]) -> Any:
    values, counts = np.unique(labels, return_counts=True)
    return values[counts.argmax()]


def counted(names: Sequence[str], positions: NDArray[Any]) -> dict[str, int]:
    return dict(zip(names, np.bincount(positions.astype(int), minlength=len(names)).tolist(), strict=True))
