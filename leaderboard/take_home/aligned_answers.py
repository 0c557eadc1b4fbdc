"""All predictions for one task beside each other: a line per item, a column per submission and seed.

The arrays of a split stand in a file of this process, not in memory, and lines are made of some items at a time.
"""

import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from typing import IO, Any

import numpy as np

from benchmarks.models import Split, Task
from catalogue.answers import Answers
from submissions.models import Predictions
from submissions.uploads.expected_splits import alignment_sha256, item_ids

_CELLS_AT_ONCE = 200_000

GoldOf = Mapping[tuple[int, int], Mapping[str, str]]
"""The gold labels by item of a split and a version, as far as they may leave."""


@dataclass(frozen=True, slots=True)
class AnswerColumn:
    """One column: whose predictions they are. `is_here` is false where the file was removed."""

    key: str
    submission: str
    system: str
    team: str
    kind: str
    seed: int
    is_here: bool

    @classmethod
    def of(cls, row: Predictions) -> "AnswerColumn":
        submission = row.submission
        key = str(submission.pk) if row.seed == 1 else f"{submission.pk}#{row.seed}"
        system = submission.system
        is_here = hasattr(row, "codes")
        return cls(key, str(submission.pk), system.name, system.team.name, system.kind, row.seed, is_here)


@dataclass(frozen=True, slots=True)
class ItemSet:
    """The items that a split has, or had until items were renewed; `version` is the newest gold labels for them."""

    split: Split
    number: int
    version: int

    @property
    def ids(self) -> Sequence[str]:
        return item_ids(self.split.pk, self.split.ids_sha256).ids


@dataclass(frozen=True, slots=True)
class ItemAnswers:
    """One line: an item with its gold label, None where that may not leave, and the answers by column."""

    item_set: ItemSet
    id: str
    gold: str | None
    answers: tuple[str | None, ...]


def item_sets(task: Task) -> list[ItemSet]:
    """All items that were ever scored in a task, set by set."""
    found = []
    for split in task.splits.order_by("slug"):
        split.task = task
        starts = [*split.renewals.order_by("gold_number").values_list("gold_number", flat=True)]
        newest = max(split.gold_versions.values_list("number", flat=True), default=0)
        ends = [*(start - 1 for start in starts), newest]
        found += [
            ItemSet(split.as_of(end) if end else split, number, end)
            for number, end in enumerate(ends, start=1)
        ]
    return found


def columns_of(task: Task) -> list[AnswerColumn]:
    """The columns of a task's table, as their files were received."""
    rows = Predictions.objects.filter(split__task=task).select_related("codes", "submission__system__team")
    rows = rows.defer("codes__packed").order_by("submission__received_at", "submission", "seed")
    return list(
        {(column := AnswerColumn.of(row)).key: column for row in rows.iterator(chunk_size=500)}.values()
    )


class AlignedAnswers:
    """The table of one task; a context, because its arrays stand in a file until it is left."""

    def __init__(self, task: Task, gold: GoldOf) -> None:
        self.task, self._gold = task, gold
        self.columns = columns_of(task)
        self.item_sets = item_sets(task)
        self._place = {column.key: at for at, column in enumerate(self.columns)}
        self._stack = ExitStack()
        self._file: IO[bytes] | None = None
        self._arrays: dict[tuple[int, int], dict[int, Answers]] = {}

    def __enter__(self) -> "AlignedAnswers":
        for item_set in self.item_sets:
            self._arrays[item_set.split.pk, item_set.number] = self._read(item_set)
        return self

    def __exit__(self, *raised: object) -> None:
        self._arrays.clear()
        self._stack.close()

    def arrays(self, item_set: ItemSet) -> Mapping[int, Answers]:
        """The canonical arrays of the columns that answer these items, by the column's place."""
        return self._arrays[item_set.split.pk, item_set.number]

    def lines(self) -> Iterator[ItemAnswers]:
        output = self.task.spec.output
        at_once = max(16, _CELLS_AT_ONCE // max(1, len(self.columns)))
        for item_set in self.item_sets:
            arrays, ids = self.arrays(item_set), item_set.ids
            gold = self._gold.get((item_set.split.pk, item_set.version))
            for start in range(0, len(ids), at_once):
                part = ids[start : start + at_once]
                texts = {at: output.texts(codes[start : start + at_once]) for at, codes in arrays.items()}
                none = [None] * len(part)
                by_column = [texts.get(at, none) for at in range(len(self.columns))]
                rows = zip(*by_column, strict=True) if by_column else iter([()] * len(part))
                for item, answers in zip(part, rows, strict=True):
                    yield ItemAnswers(item_set, item, gold.get(item) if gold else None, tuple(answers))

    def _read(self, item_set: ItemSet) -> dict[int, Answers]:
        """The arrays aligned to these items, in a file where their type has a fixed size."""
        split = item_set.split
        rows = Predictions.objects.filter(
            split=split, alignment_sha256=alignment_sha256(split), codes__isnull=False
        ).select_related("codes")
        found: dict[int, Answers] = {}
        for row in rows.order_by("pk").iterator(chunk_size=100):
            key = str(row.submission_id) if row.seed == 1 else f"{row.submission_id}#{row.seed}"
            codes = row.canonical().codes
            found[self._place[key]] = codes if codes.dtype.kind == "T" else self._on_disk(codes)
        return found

    def _on_disk(self, codes: Answers) -> Answers:
        if self._file is None:
            self._file = self._stack.enter_context(tempfile.TemporaryFile())  # noqa: SIM115  # the stack closes it
        place = -(-self._file.tell() // codes.dtype.alignment) * codes.dtype.alignment
        self._file.seek(place)
        self._file.write(np.ascontiguousarray(codes).tobytes())
        self._file.flush()
        here = self._file.tell()
        kept: Answers = np.memmap(self._file, dtype=codes.dtype, mode="r", offset=place, shape=codes.shape)
        self._file.seek(here)
        return kept


def agreement_rows(table: AlignedAnswers, kept: frozenset[str]) -> Iterator[tuple[Any, ...]]:
    """Of every two columns of `kept`: split, item set, both keys, items that both answer, share answered alike.

    Shares are from 0 to 1.
    """
    output = table.task.spec.output
    for item_set in table.item_sets:
        arrays = table.arrays(item_set)
        codes = {
            table.columns[at].key: output.codes(array)
            for at, array in arrays.items()
            if table.columns[at].key in kept
        }
        names = list(codes)
        for place, first in enumerate(names):
            for second in names[place + 1 :]:
                share = float(np.mean(codes[first] == codes[second]))
                yield (
                    item_set.split.slug,
                    item_set.number,
                    first,
                    second,
                    len(codes[first]),
                    share,
                )
