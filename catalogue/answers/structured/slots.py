"""A frame: one intent of a set, and named slots with texts in them."""

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from catalogue.answers.arrays import TEXT, Answers, check_shape
from catalogue.answers.base import AlsoWritten, AnswerKind
from catalogue.answers.label import declared_labels
from catalogue.answers.label_names import LabelNames
from catalogue.answers.reading import AnswerReader, JsonCell, JsonShape
from catalogue.answers.span import SPANS_OF_A_SENTENCE
from catalogue.answers.structured.json_list import compact_json, unknown_name
from catalogue.gold_column import CellShape, GoldColumn
from catalogue.problems import Fault, FaultKind, Finding, ProblemCode, visible
from catalogue.section import Section

INTENT, SLOTS = "intent", "slots"
_LONGEST = 20_000


class SlotFrame(NamedTuple):
    """One answer: its intent, and the texts of each slot that has any."""

    intent: str
    slots: dict[str, list[str]]


@dataclass(frozen=True, slots=True)
class Frames(AnswerKind):
    """One of a set of labels, the intent, and texts in any of the slots.

    Canonical array: JSON of the intent and of the slots, which stand in the order of their names and their texts in
    order, `["Book",{"city":["Bath"]}]`; StringDType, shape (n_items,). A slot may stand with any intent: where it is
    none of the intent's it is wrong, as it would be elsewhere.
    """

    key = "frames"
    stored_name = "Frames"
    phrase = "an intent with slots"
    title = "An intent and named slots with texts, in JSON"
    instruction = (
        "Give each item its intent and, for each slot that it has, the text or the list of texts in it."
    )
    metric = "slot_f1"
    dtype = TEXT
    needs_lists = True
    may_accept_several = True
    names_labels = True

    names: tuple[str, ...]
    slots: tuple[str, ...]

    @classmethod
    def declared(cls, task: Section, output: Section) -> Self:
        slots = output.texts("slots")
        if not slots or not all(map(str.strip, slots)):
            output.wrong("slots", "expected the names of the slots, at least one and none of them empty")
        return cls(declared_labels(task), slots)

    @property
    def labels(self) -> tuple[str, ...]:
        return self.names

    @property
    def classes(self) -> tuple[str, ...]:
        return ()

    def outcomes(self) -> int:
        """A slot has a span of a sentence of 25 tokens, or none: the texts are not looked at."""
        return int(len(self.names) * (1 + SPANS_OF_A_SENTENCE) ** len(self.slots))

    def describe(self) -> str:
        slots = ", ".join(self.slots)
        return f"one of {len(self.names)} intents with texts in any of {len(self.slots)} slots ({slots})"

    def check(self, argument: str, answers: object) -> int:
        texts = check_shape(argument, answers, (TEXT,), "StringDType frames").tolist()
        for text in set(texts):
            if self._canonical(text) != text:
                raise ValueError(
                    f"`{argument}` must hold frames with declared intents and slots, as JSON in order."
                )
        return len(texts)

    def _canonical(self, text: str) -> str | None:
        try:
            intent, slots = json.loads(text)
            is_known = intent in self.names and slots.keys() <= set(self.slots)
            return frame_text(intent, slots) if is_known else None
        except (ValueError, TypeError, AttributeError):
            return None

    def distribution(self, answers: NDArray[Any]) -> list[tuple[str, int]]:
        return Counter(frame_of(text).intent for text in answers.tolist()).most_common()

    def likeness(self, gold: NDArray[Any], answers: NDArray[Any]) -> NDArray[np.float64]:
        """F1 of the parts of each frame: its intent, and the pairs of a slot and a text."""
        pairs = [
            (_parts(frame_of(one)), _parts(frame_of(other)))
            for one, other in zip(gold.tolist(), answers.tolist(), strict=True)
        ]
        return np.array([2 * (one & other).total() / (one.total() + other.total()) for one, other in pairs])

    def json_cells(self) -> tuple[JsonCell, ...]:
        return (
            JsonCell(is_number=False, expected="an intent in quotes", name=INTENT),
            JsonCell(is_number=False, expected="an object from slot to text or list of texts", name=SLOTS),
        )

    @property
    def json_shape(self) -> JsonShape:
        return JsonShape.FRAME

    def reader(self, label_column: str, also_written: AlsoWritten = ()) -> AnswerReader:
        return FramesReader(self, also_written)

    def written(self, answers: Answers) -> list[Any]:
        return [
            {
                INTENT: frame.intent,
                SLOTS: {slot: texts[0] if len(texts) == 1 else texts for slot, texts in frame.slots.items()},
            }
            for frame in map(frame_of, answers.tolist())
        ]

    def sample(self) -> str:
        return frame_text(self.labels[0], {})

    def examples(self, count: int, random: np.random.Generator) -> NDArray[Any]:
        drawn = []
        for place in random.integers(len(self.names), size=count):
            kept = {slot: [f"word {random.integers(9)}"] for slot in self.slots if random.random() < 0.5}
            drawn.append(frame_text(self.names[place], kept))
        return self.array(drawn)

    def guesses(self, labels: NDArray[Any], count: int, random: np.random.Generator) -> NDArray[Any]:
        """What the gold labels of any item are, each item's alike."""
        return np.asarray(labels[random.integers(len(labels), size=count)])

    @classmethod
    def suits(cls, cells: Sequence[str], texts: Sequence[Sequence[str]]) -> bool:
        return False  # a column of a table has no objects

    @classmethod
    def gold_shapes(cls) -> tuple[CellShape, ...]:
        return (CellShape.FRAME,)

    @classmethod
    def suits_column(cls, column: GoldColumn, texts: Sequence[Sequence[str]]) -> bool:
        return column.shape is CellShape.FRAME

    @classmethod
    def labels_in(cls, column: GoldColumn) -> tuple[str, ...]:
        return tuple(sorted({intent for intent, *_ in column.parts}))

    @classmethod
    def output_in(cls, column: GoldColumn, labels: Sequence[str]) -> dict[str, Any]:
        return {"slots": sorted({slot for _, *slots in column.parts for slot in slots})}


class FramesReader(AnswerReader):
    """Reads the intent of an item, then name and text of each slot in turn."""

    def __init__(self, kind: Frames, also_written: AlsoWritten) -> None:
        super().__init__((INTENT, SLOTS), kind.dtype, _LONGEST)
        self._intents = LabelNames(kind.labels, also_written)
        self._kind = kind

    def value(self, cells: Sequence[str]) -> str | None:
        intent, *rest = cells
        code = self._intents.code_of.get(intent)
        if code is None or self._unknown(rest):
            return None
        slots: dict[str, list[str]] = {}
        for slot, text in zip(rest[::2], rest[1::2], strict=True):
            slots.setdefault(slot, []).append(text)
        return frame_text(self._kind.names[code], slots)

    def finding(self, cell: str) -> Finding:
        return self._intents.explain(cell)

    def explain(self, cells: Sequence[str]) -> Iterator[Fault]:
        intent, *rest = cells
        if intent not in self._intents.code_of:
            yield 0, INTENT, partial(self.finding, intent)
        for slot in self._unknown(rest):
            yield 0, f"{SLOTS}.{visible(slot)}", partial(unknown_name, slot, "slot", self._kind.slots, "slot")

    def count_faults(self, cells: Sequence[str]) -> Mapping[FaultKind, int]:
        intent, *rest = cells
        counts: Counter[FaultKind] = Counter()
        if intent not in self._intents.code_of:
            counts[self._intents.kind(intent)] += 1
        if unknown := self._unknown(rest):
            counts[ProblemCode.UNKNOWN_LABEL, "slot"] += len(unknown)
        return counts

    def gives_away(self, cell: str) -> bool:
        return self._intents.is_like_a_name(cell)

    def _unknown(self, rest: Sequence[str]) -> list[str]:
        """The slots that there are not, each once."""
        return [slot for slot in dict.fromkeys(rest[::2]) if slot not in self._kind.slots]


def frame_text(intent: str, slots: Mapping[str, Sequence[str]]) -> str:
    """A frame as canonical text."""
    ordered = {slot: sorted(slots[slot]) for slot in sorted(slots) if slots[slot]}
    return compact_json([intent, ordered])


def frame_of(text: str) -> SlotFrame:
    """The frame of a canonical text."""
    return SlotFrame(*json.loads(text))


def _parts(frame: SlotFrame) -> Counter[tuple[str, str]]:
    return Counter(
        [("", frame.intent), *((slot, text) for slot, texts in frame.slots.items() for text in texts)]
    )
