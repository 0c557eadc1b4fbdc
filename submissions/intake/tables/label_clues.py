"""Takes ids, gold labels and texts; says how many labels somebody guesses right who knows one clue and no item.

A clue is what stands beside a label without being the item: the place in the file, the id, the length of the text, what
another item like it is labelled. Whoever guesses has learned from four fifths of the items how the clue goes with the
labels, and is asked about the other fifth; so all items are asked about once. What a clue seems to tell by chance is
measured alike, on labels that were dealt out anew.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import partial
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.spec.item_order import in_public_order
from catalogue.answers.arrays import LABEL_WITH_CONFIDENCE, Answers, has_bit, is_continuous

LEAST_GAIN = 0.1
"""Of the labels that the commonest label alone gets wrong: so many more must be right before a clue is told.

Below it a leak is small beside what a few released scores tell, and honest data sets have such traces: questions tend
to be shorter than complaints.
"""
BEYOND_CHANCE = 5.0
"""Standard deviations; of a thousand files without a clue fewer than one gets there by chance."""

MOST_ITEMS = 5000
"""Of a longer file so many items, drawn by lot, are looked at."""

FEWEST_ITEMS = 20
"""Of fewer nothing can be told from chance."""

_FOLDS = 5
_DEALS = 20
_MOST_LABELS = 100  # the commonest; the others count as never guessed
_THIRDS = 3
_SMALLEST_SPREAD = 1.0
_LONGEST_NUMBER = 15  # digits
_SEED = 20_180_531
_SEPARATORS = re.compile(r"[-_.:/#\s]+")
_DIGITS = re.compile(r"[0-9]+")

Codes = NDArray[np.int64]
Partition = Codes
"""The cell of each item; alike in a cell are items that the clue does not tell apart."""


class ClueKind(StrEnum):
    """What is known of an item. The values are codes that a worker may report."""

    FILE_ORDER = "file_order"
    ID_ORDER = "id_order"
    ID_NUMBER = "id_number"
    ID_BEGINNING = "id_beginning"
    ID_END = "id_end"
    ID_ALIKE = "id_alike"
    TEXT_LENGTH = "text_length"
    SAME_TEXT = "same_text"


_KNOWS = {
    ClueKind.FILE_ORDER: "at which place of this file an item stands",
    ClueKind.ID_ORDER: "at which place the sorted ids have an item's id",
    ClueKind.ID_NUMBER: "the number in an item's id",
    ClueKind.ID_BEGINNING: "how an item's id begins, or which words it holds",
    ClueKind.ID_END: "how an item's id ends, or how long it is",
    ClueKind.ID_ALIKE: "the labels of items whose ids are alike but for their last part",
    ClueKind.TEXT_LENGTH: "how long an item's text is",
    ClueKind.SAME_TEXT: "the labels of other items with the same text",
}
_DO = {
    ClueKind.FILE_ORDER: (
        "Nothing on this server shows the order of the file, but whoever has its items from elsewhere in that order "
        "knows it."
    ),
    ClueKind.ID_ORDER: "Ids are public. Give out new ones, drawn by lot.",
    ClueKind.ID_NUMBER: "Ids are public. Give out new ones, drawn by lot.",
    ClueKind.ID_BEGINNING: "Ids are public. Give out new ones, drawn by lot.",
    ClueKind.ID_END: "Ids are public. Give out new ones, drawn by lot.",
    ClueKind.ID_ALIKE: "Ids are public. Give out new ones, drawn by lot, or see whether these items are one.",
    ClueKind.TEXT_LENGTH: "Texts are public. A system may learn their length in place of the task.",
    ClueKind.SAME_TEXT: "Texts are public. See whether these items should all be in the test set.",
}


@dataclass(frozen=True, slots=True)
class LabelClue:
    """How much one clue tells.

    Attributes
    ----------
    right : int
        Labels guessed right by somebody who knows the clue, of `asked`.
    expected : int
        Labels guessed right without it: by always saying the commonest label or, where that is more, with the clue on
        labels dealt out anew. The latter is looked at only where `right` is beyond the former.
    asked : int
        Items; for subsets of labels, items times labels, each a guess of yes or no.
    spread : float
        Standard deviation of `right` on labels dealt out anew, at least 1.
    of : str
        What is guessed, to go on after "of so many".
    """

    kind: ClueKind
    right: int
    expected: int
    asked: int
    spread: float
    of: str

    @property
    def tells(self) -> bool:
        """Whether an organiser is asked before these labels are loaded."""
        gain = self.right - self.expected
        return gain > BEYOND_CHANCE * self.spread and gain >= LEAST_GAIN * (self.asked - self.expected)

    @property
    def sentence(self) -> str:
        """What was measured, and what to do."""
        return (
            f"Who knows only {_KNOWS[self.kind]} guesses {self.right:,} of {self.asked:,} {self.of}; "
            f"{self.expected:,} without it. {_DO[self.kind]}"
        )


def in_words(kind: ClueKind) -> str:
    """What somebody knows who has the clue, to go on after "knows only"."""
    return _KNOWS[kind]


def label_clues(
    ids: Sequence[str],
    answers: Answers,
    *,
    texts: Mapping[str, Sequence[str]] | None = None,
) -> list[LabelClue]:
    """How much each clue tells of gold labels.

    Parameters
    ----------
    ids : sequence of str
        One for each item, in the order of the organiser's file.
    answers : array of shape (n_items,)
        Canonical gold labels of any kind. Of numbers it is asked in which third of all values each lies; of a
        subset of labels, for each label whether it is in.
    texts : mapping of str to sequence of str, optional
        By column, the text of each item.

    Returns
    -------
    list of LabelClue
        One for each kind that these items have, whether it tells or not; none of fewer than `FEWEST_ITEMS`.
    """
    if len(ids) < FEWEST_ITEMS:
        return []
    drawn = np.arange(len(ids))
    if len(ids) > MOST_ITEMS:
        drawn = np.sort(np.random.default_rng(_SEED).choice(len(ids), MOST_ITEMS, replace=False))
    columns, of = _columns(answers[drawn])
    of += " (of items drawn by lot)" if len(drawn) < len(ids) else ""
    rank = {item: place for place, item in enumerate(in_public_order(ids))}
    known = [ids[place] for place in drawn.tolist()]
    own_texts = {name: [cells[place] for place in drawn.tolist()] for name, cells in (texts or {}).items()}
    clues = []
    for kind, partitions in _partitions(known, [rank[item] for item in known], drawn, own_texts):
        told = [each for each in partitions if _is_of_use(each)]
        if told:
            clues.append(_measured(kind, told, columns, of))
    return clues


def telling(clues: Sequence[LabelClue]) -> list[LabelClue]:
    """Those that tell, the loudest first."""
    return sorted((clue for clue in clues if clue.tells), key=lambda clue: clue.expected - clue.right)


# What is guessed


def _columns(answers: NDArray[Any]) -> tuple[list[Codes], str]:
    """What is guessed, as columns of small whole numbers, and what each guess is called."""
    if answers.dtype == np.uint64:
        bits = range(int(np.bitwise_or.reduce(answers)).bit_length())
        return [has_bit(answers, bit).astype(np.int64) for bit in bits], "answers of yes or no right"
    if is_continuous(answers):
        edges = np.quantile(answers, np.arange(1, _THIRDS) / _THIRDS)
        third = np.searchsorted(edges, answers.astype(float), side="left").astype(np.int64)
        return [third], "numbers right as low, middle or high"
    labels = answers["label"] if answers.dtype == LABEL_WITH_CONFIDENCE else answers
    values, dense, counts = np.unique(labels, return_inverse=True, return_counts=True)
    # The commonest come first; what comes after the last that is counted is one label that nobody guesses.
    place = np.empty(len(values), dtype=np.int64)
    place[np.argsort(-counts, kind="stable")] = np.arange(len(values))
    return [np.minimum(place[dense], _MOST_LABELS)], "labels right"


# What is known


def _partitions(
    ids: Sequence[str], ranks: Sequence[int], places: NDArray[np.intp], texts: Mapping[str, Sequence[str]]
) -> Iterator[tuple[ClueKind, list[Partition]]]:
    """By kind of clue, the ways in which it parts the items."""
    yield ClueKind.FILE_ORDER, [*_by_size(places), *_by_turns(places)]
    order = np.array(ranks)
    yield ClueKind.ID_ORDER, [*_by_size(order), *_by_turns(order)]
    numbers = np.array([_last_number(item) for item in ids], dtype=np.int64)
    yield ClueKind.ID_NUMBER, [*_by_size(numbers), *_by_turns(numbers)]
    yield ClueKind.ID_BEGINNING, [_cells(map(part, ids)) for part in _BEGINNINGS]
    yield ClueKind.ID_END, [_cells(map(part, ids)) for part in _ENDS]
    yield ClueKind.ID_ALIKE, [_cells(map(part, ids)) for part in _STEMS]
    if texts:
        lengths = [np.array([len(text) for text in cells]) for cells in texts.values()]
        yield ClueKind.TEXT_LENGTH, [each for length in lengths for each in _by_size(length)]
        plain = [[" ".join(text.casefold().split()) for text in cells] for cells in texts.values()]
        yield ClueKind.SAME_TEXT, [_cells(zip(*plain, strict=True)), *map(_cells, plain)]


def _first(count: int, item: str) -> str:
    return item[:count].casefold()


def _last(count: int, item: str) -> str:
    return item[-count:].casefold()


def _shape(item: str) -> str:
    """The id without its numbers: what words it holds, and how they are joined."""
    return _DIGITS.sub("0", item).casefold()


def _without_end(item: str) -> str:
    """The id up to its last separator; the id itself where there is none."""
    parts = list(_SEPARATORS.finditer(item))
    return item[: parts[-1].start()] if parts else item


def _with_plain_numbers(item: str) -> str:
    """The id in small letters, its numbers without leading zeros."""
    return _DIGITS.sub(lambda found: str(int(found[0])), item).casefold()


_BEGINNINGS: tuple[Callable[[str], str], ...] = (
    *(partial(_first, count) for count in range(1, 7)),
    lambda item: _SEPARATORS.split(item)[0].casefold(),
    lambda item: _DIGITS.split(item)[0].casefold(),
    _shape,
)
_ENDS: tuple[Callable[[str], str], ...] = (
    *(partial(_last, count) for count in range(1, 4)),
    lambda item: _SEPARATORS.split(item)[-1].casefold(),
    lambda item: str(len(item)),
)
_STEMS: tuple[Callable[[str], str], ...] = (_without_end, _with_plain_numbers, lambda item: item[:-1])


def _last_number(item: str) -> int:
    found = _DIGITS.findall(item)
    return int(found[-1][-_LONGEST_NUMBER:]) if found else -1


def _by_size(values: NDArray[np.integer[Any]]) -> Iterator[Partition]:
    """Neighbours by size in one cell: halves, quarters and so on, down to some four items."""
    order = np.unique(values, return_inverse=True)[1]
    ranks = np.argsort(np.argsort(order, kind="stable"), kind="stable")
    first = np.full(order.max() + 1, len(order))
    np.minimum.at(first, order, ranks)  # equal values share a cell
    parts = 2
    while parts * 4 <= len(order):
        yield first[order] * parts // len(order)
        parts *= 2


def _by_turns(values: NDArray[np.integer[Any]]) -> Iterator[Partition]:
    """Every second, third ... tenth in one cell, as where labels take turns."""
    for turn in range(2, 11):
        yield values.astype(np.int64) % turn


def _cells(names: Iterable[object]) -> Partition:
    """One cell for each name; what stands alone tells nobody anything, and is one cell together."""
    numbers: dict[object, int] = {}
    cells = np.array([numbers.setdefault(name, len(numbers)) for name in names], dtype=np.int64)
    is_alone = np.bincount(cells)[cells] == 1
    return np.unique(np.where(is_alone, -1, cells), return_inverse=True)[1].astype(np.int64)


def _is_of_use(cells: Partition) -> bool:
    return bool(len(cells)) and bool((cells != cells[0]).any())


# How well it is guessed


def _measured(
    kind: ClueKind, partitions: Sequence[Partition], columns: Sequence[Codes], of: str
) -> LabelClue:
    # Each kind has random numbers of its own, so that one more column of text changes nothing else.
    random = np.random.default_rng([_SEED, list(ClueKind).index(kind)])
    items = len(columns[0])
    folds = random.permutation(items) % _FOLDS

    def right(order: NDArray[np.intp] | None = None) -> int:
        dealt = columns if order is None else [column[order] for column in columns]
        return sum(_guessed_right(partitions, column, folds) for column in dealt)

    commonest = sum(int(np.bincount(column, minlength=1)[:_MOST_LABELS].max()) for column in columns)
    clue = LabelClue(kind, right(), commonest, items * len(columns), _SMALLEST_SPREAD, of)
    if not clue.tells:
        return clue
    by_chance = np.array([right(random.permutation(items)) for _ in range(_DEALS)])
    return replace(
        clue,
        expected=max(commonest, round(float(by_chance.mean()))),
        spread=max(_SMALLEST_SPREAD, float(by_chance.std(ddof=1))),
    )


def _guessed_right(partitions: Sequence[Partition], labels: Codes, folds: NDArray[np.intp]) -> int:
    """How many labels are guessed right.

    How to guess each fold is learned from the other four, and by what, from how well each of these is guessed by three.
    """
    size = int(labels.max()) + 1
    best = np.full(_FOLDS, -1)
    right = np.zeros(_FOLDS, dtype=np.int64)
    for cells in partitions:
        rows = int(cells.max()) + 1
        flat = np.bincount((folds * rows + cells) * size + labels, minlength=_FOLDS * rows * size)
        counts = flat.reshape(_FOLDS, rows, size)
        for guess in (_most, _least):
            tried = np.zeros(_FOLDS, dtype=np.int64)
            for one, other in combinations(range(_FOLDS), 2):
                known = guess(counts.sum(axis=0) - counts[one] - counts[other])
                tried[one] += _right_in(counts[other], known)
                tried[other] += _right_in(counts[one], known)
            for fold in np.flatnonzero(tried > best).tolist():
                best[fold] = tried[fold]
                right[fold] = _right_in(counts[fold], guess(counts.sum(axis=0) - counts[fold]))
    return int(right.sum())


def _right_in(counts: Codes, known: Codes) -> int:
    return int(counts[np.arange(len(known)), known].sum())


def _most(counts: Codes) -> Codes:
    """The label that a cell has most; of several, and of none, the one that is commonest of all."""
    common = counts.sum(axis=0)
    return _first_best(counts * (common.sum() + 1) + common)


def _least(counts: Codes) -> Codes:
    """The commonest of the labels that a cell has least, as where twins have different ones."""
    common = counts.sum(axis=0)
    return _first_best(common - counts * (common.sum() + 1))


def _first_best(scores: Codes) -> Codes:
    return np.asarray(scores[:, :_MOST_LABELS].argmax(axis=1), dtype=np.int64)
