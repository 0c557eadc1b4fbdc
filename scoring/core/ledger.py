"""How many bits of a split's gold labels its published scores can have given away, at most, by counting.

A figure that can take v values carries at most log2(v) bits, whoever asked for it and however cleverly. So the bound
holds for every attack, on average over the gold labels that there could be: a lucky one may know more, as whoever reads
that all is right. Counted are

- the figures of an answer by themselves: the accuracy of n items has n + 1 values, a number at full precision no more
  than a double has;
- what they follow from: given the predictions, every F1 follows from how often each predicted label is right, and
  every other metric of one label per item from the confusion matrix. Often there are fewer of these than of numbers;
- only what an answer adds to those before it: the same predictions again add nothing, and predictions that differ in d
  items from earlier ones no more than those d items can change;
- items that all answers so far treat alike cannot be told apart, and no labels carry more than there is to know.

Where answers are compared (tests, ranges of ranks, leads, intervals of averages, smallest differences) no figure is
counted: all that can be told apart is charged at once. Scores shown through noise are charged by what is proved of it.

Counting is that of coin weighing: Erdős and Rényi (1963), "On two problems of information theory"; Lindström (1965),
doi:10.4153/CMB-1965-034-2, gives the weighings that come close to it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b
from math import e, inf, log2, pi
from typing import Any

import numpy as np
from numpy.typing import NDArray

from catalogue.answers import AnswerKind, Answers
from catalogue.answers.arrays import array_to_bytes
from scoring.core.figure_bits import BITS_OF_A_NUMBER, Codes, FigureBits, PublishedFigure, ways_to_share

# Monte Carlo error of an interval's end, in half widths / sqrt(replicates); 1.38 for percentiles.
END_OF_INTERVAL = 1.4
_SPARSE = 4  # times as many numbers as values, from which on sorting is faster than a table of the numbers
_NOTHING_LEFT = 1e-9  # bits; sums of logarithms are no nearer


@dataclass(frozen=True, slots=True)
class Charge:
    """What one answer costs, in bits: `bound` if it were the only one, `carried` on top of all before it."""

    bound: float
    carried: float


@dataclass(frozen=True, slots=True)
class Beside:
    """What is shown beside the figures of an answer, in bits.

    `given_counts` where all is known that the figures follow from, `by_digits` where only the figures are.
    """

    given_counts: float = 0.0
    by_digits: float = 0.0

    def __add__(self, other: Beside) -> Beside:
        return Beside(self.given_counts + other.given_counts, self.by_digits + other.by_digits)


def interval_bits(low: float, high: float, replicates: int, decimals: int | None) -> Beside:
    """What an interval says beyond the score that it belongs to; both ends together.

    Its replicates are drawn with a secret seed, so that beyond what follows from the counts an end shows nothing but
    its Monte Carlo error. A whole number of variance v has an entropy of at most log2(2πe(v + 1/12)) / 2 (Cover and
    Thomas 2006, problem 8.7); that is the bound for each end.

    Parameters
    ----------
    low, high : float
        `low <= high`.
    replicates : int
        How many it was made of, at least 1.
    decimals : int or None
        How many are shown; None for all.

    Examples
    --------
    >>> round(interval_bits(0.786, 0.814, 1000, 3).given_counts, 1)
    3.0
    """
    steps = 2.0**52 if decimals is None else 10.0**decimals
    variance = (END_OF_INTERVAL * (high - low) / 2 * steps) ** 2 / replicates
    widest = 2 * max(1.0, abs(low), abs(high))
    an_end = BITS_OF_A_NUMBER if decimals is None else min(BITS_OF_A_NUMBER, log2(widest * steps + 2))
    return Beside(min(log2(2 * pi * e * (variance + 1 / 12)), 2 * an_end), 2 * an_end)


def further_answers(spent: float, budget: float, per_answer: float) -> int | None:
    """How many answers of `per_answer` bits are left until the budget is spent; None where answers cost nothing.

    >>> further_answers(100, 312, 22.5)
    9
    """
    if per_answer <= 0:
        return None
    return max(0, int((budget - spent) / per_answer))


NOTHING = Beside()


def answer_digest(predictions: Answers) -> bytes:
    """By which the same answer is known again, in 16 bytes."""
    return blake2b(array_to_bytes(predictions), digest_size=16).digest()


def numbered(values: NDArray[Any]) -> tuple[int, NDArray[np.int64]]:
    """How many different integers there are, and each as its place among them in their order.

    >>> numbered(np.array([7, 3, 7]))
    (2, array([1, 0, 1]))
    """
    if len(values) and values.min() >= 0 and values.max() <= _SPARSE * len(values):
        is_there = np.bincount(values) > 0
        return int(is_there.sum()), (np.cumsum(is_there) - 1)[values]
    distinct, places = np.unique(values, return_inverse=True)
    return len(distinct), places


class Ledger:
    """The running account of one set of gold labels; answers are added in the order in which they were published.

    Parameters
    ----------
    output : AnswerKind
        What an answer is.
    item_count : int
        Number of items, at least 1.
    shown : sequence of PublishedFigure
        What is published of every answer. Names are those of `metric_for`, or of PAIR_MEASURES.
    scored_count : int or None
        How many of the items are scored; None for all. Counted is what is told of labels to somebody who knows which
        items these are. Where coins that do not depend on labels decide, nobody is told more.
    in_clusters : bool
        Whether items are drawn in clusters that nobody knows: an interval then follows from how right answers lie in
        them, and is charged for all of its digits.
    in_any_order : bool
        Whether rows of one id are matched to its gold labels together. Then no two items are alike, however they are
        answered, and a changed row may change what another is worth: every answer is charged as a whole.

    Examples
    --------
    Accuracy of three items has four values; the same answers again say nothing new.

    >>> from catalogue.answers import Label
    >>> ledger = Ledger(Label(names=("no", "yes")), 3, [PublishedFigure("accuracy")])
    >>> ledger.add(np.array([0, 1, 1], dtype=np.uint8)).carried
    2.0
    >>> ledger.add(np.array([0, 1, 1], dtype=np.uint8)).carried
    0.0
    >>> ledger.spent, ledger.label_bits
    (2.0, 3.0)
    """

    def __init__(
        self,
        output: AnswerKind,
        item_count: int,
        shown: Sequence[PublishedFigure],
        *,
        scored_count: int | None = None,
        in_clusters: bool = False,
        in_any_order: bool = False,
    ) -> None:
        self.scored_count = item_count if scored_count is None else scored_count
        # All there is to know: any label for each item.
        self.label_bits = self.scored_count * log2(output.gold.outcomes())
        self.spent = 0.0
        self._bits = FigureBits(output, self.scored_count, shown)
        self._seen: set[bytes] = set()
        # A row for each answer, and room for more; none once all is known.
        self._labels: NDArray[Any] = np.empty((0, item_count), dtype=np.uint8)
        self._unpaid: list[float] = []  # by answer, what it takes to know all that its figures follow from
        self._owed_for_gold = self._bits.gold_counts
        # Items of one kind were answered alike by everybody.
        self._kinds: NDArray[Any] = np.zeros(item_count, dtype=np.uint8)
        # Bits there are, where items of a kind stay together: of each part that an answer told apart, as it did.
        self._of_kinds = ways_to_share(self.scored_count, output.gold.outcomes())
        self._in_clusters, self._in_any_order = in_clusters or in_any_order, in_any_order
        # Bits of what pairs, groups and clusters tell of items that everybody answers alike.
        self._beside = 0.0

    @property
    def is_full(self) -> bool:
        """Whether all there is to know has been told; further answers then change nothing but are still bounded."""
        return self.label_bits - self.spent < _NOTHING_LEFT

    @property
    def byte_count(self) -> int:
        """What it keeps of the answers in memory, in bytes."""
        return self._labels.nbytes + self._kinds.nbytes + sum(map(len, self._seen))

    def add(self, predictions: NDArray[Any], beside: Beside = NOTHING) -> Charge:
        """Enter one answer.

        Parameters
        ----------
        predictions : array of shape (n_items,)
            Canonical array of the output.
        beside : Beside
            What is shown beside the figures; see `interval_bits`.
        """
        bits, codes = self._bits, self._bits.output.codes(predictions)
        labels = bits.labels(predictions, codes)
        figures = bits.of_figures() + beside.by_digits
        behind = bits.behind(labels)
        is_spread = self._in_clusters or bits.is_of_parts
        at_sight = beside.by_digits if is_spread else beside.given_counts
        whole = behind + at_sight
        always = bits.free + bits.unlike
        bound = min(figures, whole + bits.gold_counts) + always
        key = answer_digest(predictions)
        if self.is_full or key in self._seen:
            return Charge(min(bound, self.label_bits), 0.0)
        self._seen.add(key)
        cost = self._cheapest(labels, figures, behind, at_sight) + always
        self._beside += bits.unlike + (at_sight if bits.unlike or self._in_clusters else 0.0)
        return self._charged(codes, bound, cost)

    def compare(self) -> float:
        """Enter that the answers so far are compared with one another, in whatever way; returns the bits this adds.

        Whatever is made of predictions, gold labels and sealed resamples depends on the labels by no more than how many
        items of each kind have each label, and a kind are items that every answer treats alike: resamples treat all
        items of a kind alike. How items came apart is charged step by step, for answers may follow what was seen. Items
        in pairs, in groups or in clusters that nobody knows are not alike, so there all is charged.
        """
        is_alike = not self._in_clusters and not self._bits.unlike
        return self._spend_up_to(self._most() if is_alike else self.label_bits)

    def tell_gold_counts(self) -> float:
        """Enter that it is published how many items have each label; returns the bits this adds."""
        told = ways_to_share(self.scored_count, self._bits.choices)
        self._owed_for_gold = 0.0
        return self._spend_up_to(min(self.spent + told, self._most()))

    def _charged(self, codes: Codes, bound: float, cost: float) -> Charge:
        self._tell_apart(codes)
        carried = self._spend_up_to(min(self.spent + cost, self._most()))
        return Charge(min(bound, self.label_bits), carried)

    def _spend_up_to(self, bits: float) -> float:
        """Returns what this adds. Of labels that are known altogether nothing of the answers is kept."""
        before, self.spent = self.spent, max(self.spent, bits)
        if self.is_full:
            self._labels = self._kinds = np.empty(0, dtype=np.uint8)
            self._unpaid = []
            self._seen.clear()
        return self.spent - before

    def _most(self) -> float:
        """All that can be known of items of which only those can be told apart that some answer tells apart."""
        if self.is_full:
            return self.spent
        if self._in_any_order:
            return self.label_bits
        return min(self._of_kinds + self._beside, self.label_bits)

    def _cheapest(self, labels: NDArray[Any], figures: float, behind: float, beside: float) -> float:
        """The least that pays for an answer: its figures, all behind them, or the step from the nearest answer."""
        whole = behind + beside + self._owed_for_gold
        nearest, step = self._nearest(labels)
        step += beside
        cost = min(figures, whole, step)
        self._unpaid.append(max(0.0, behind - figures) if cost == figures else 0.0)
        if cost < figures:
            self._owed_for_gold = 0.0
        if cost == step < min(figures, whole):
            self._unpaid[nearest] = 0.0
        return cost

    def _nearest(self, labels: NDArray[Any]) -> tuple[int, float]:
        """The earlier answer that differs least, and what the step from it costs; notes this one beside them."""
        count = len(self._unpaid)
        if count == len(self._labels):
            room = np.empty((max(1, count), len(labels)), dtype=labels.dtype)
            self._labels = np.concatenate([self._labels.astype(labels.dtype, copy=False), room])
        self._labels[count] = labels
        if not count or self._in_any_order:
            return 0, inf
        nearest = int(np.count_nonzero(self._labels[:count] != labels, axis=1).argmin())
        step = self._bits.between(self._labels[nearest], labels)
        return nearest, step + self._unpaid[nearest] + self._owed_for_gold

    def _tell_apart(self, codes: Codes) -> None:
        """Part the kinds of items by one answer more.

        Which answer comes next may depend on what was seen. So each step is charged by itself: how many items of a kind
        have each label was known, and of its parts but the largest that is new. Of the first answer all kinds are.
        """
        distinct, dense = numbered(codes)
        apart, kinds = numbered(self._kinds.astype(np.int64) * distinct + dense)
        sizes = np.bincount(kinds)
        parent = np.zeros(apart, dtype=np.int64)
        parent[kinds] = self._kinds
        order = np.lexsort((sizes, parent))  # the largest part of each former kind is the last of its parts
        is_known = np.append(parent[order][1:] != parent[order][:-1], True)
        if len(self._seen) == 1:
            is_known[:], self._of_kinds = False, 0.0
        new = np.minimum(sizes[order[~is_known]], self.scored_count)
        for size, alike in zip(*np.unique(new, return_counts=True), strict=True):
            self._of_kinds += int(alike) * ways_to_share(int(size), self._bits.choices)
        self._kinds = kinds.astype(np.min_scalar_type(apart))
