"""How many bits the published figures of one answer, and what they follow from, can have; `scoring.core.ledger` adds
them up."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite, lgamma, log, log2
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.spec.model import PAIR_MEASURES
from catalogue.answers import AnswerKind
from catalogue.metrics.choice import metric_for
from catalogue.metrics.metric import AnyMetric
from catalogue.metrics.statistics import DeterminedBy, OfGroups, OfMetrics, SumsOfGroups, SumsOfWeighted

Codes = NDArray[np.int64]

BITS_OF_A_NUMBER = 64.0  # a double has no more
# Of more labels than this, items hardly ever share one, and lgamma is not exact enough.
_MOST_SHARED = 1 << 40


@dataclass(frozen=True, slots=True)
class PublishedFigure:
    """A figure that is published of every answer: a metric's name, and how many decimals; None for all there are."""

    metric: str
    decimals: int | None = None


class FigureBits:
    """How many values the published figures of an answer, and what they follow from, can have; all in bits.

    Parameters
    ----------
    output : AnswerKind
        What an answer is.
    item_count : int
        Number of scored items, at least 1.
    shown : sequence of PublishedFigure
        What is published of every answer. Names are those of `metric_for`, or of PAIR_MEASURES.
    """

    def __init__(self, output: AnswerKind, item_count: int, shown: Sequence[PublishedFigure]) -> None:
        self.output = output
        self.n = item_count
        self.choices = output.gold.outcomes()  # the gold labels that an item can have
        self.is_binary = self.choices == 2 == len(output.labels)
        has_labels = output.is_subset or bool(output.classes)
        # How often each set of labels meets each other one follows from no counts of single labels.
        known = {DeterminedBy.RIGHT} if output.is_subset else {DeterminedBy.RIGHT, DeterminedBy.CELLS}
        # Figures made of a total, and into how many equal parts one item may cut it.
        self.sums: list[tuple[PublishedFigure, int]] = []
        self.derived: list[PublishedFigure] = []
        of_pairs = of_groups = 0.0
        self.free, self.is_from_right = 0.0, True
        for figure in shown:
            if figure.metric in PAIR_MEASURES:
                # How pairs come out follows from two of the three outcomes; there are half as many pairs as items.
                of_pairs = 2 * log2(item_count // 2 + 1)
                continue
            metric = metric_for(output, figure.metric)
            statistic = metric.statistic
            if _reads_beside_labels(output, metric):
                of_groups += self._number(figure)
            elif statistic.determined_by is DeterminedBy.TOTAL:
                parts = statistic.parts_of_item(len(output.labels))
                if statistic.is_beyond_labels:
                    # No step between labels pays for it: answers with the same labels may differ in it.
                    self.free += self._of_total(figure, parts)
                else:
                    self.sums.append((figure, parts))
            elif has_labels and statistic.determined_by in known:
                self.derived.append(figure)
                # Where several answers are accepted, how often each label is gold depends on what was answered.
                self.is_from_right &= statistic.determined_by is DeterminedBy.RIGHT and not output.several
            else:
                self.free += self._number(figure)
        # Of parts of items an interval follows from how they are spread, which no total tells.
        self.is_of_parts = any(parts > 1 for _, parts in self.sums)
        # For these figures items that everybody answers alike are not alike.
        self.unlike = of_pairs + of_groups
        self.gold_counts = self._gold_counts()

    def _gold_counts(self) -> float:
        """How many counts of gold labels there are, in bits, where F1 needs them beside what is right."""
        if not self.derived or not self.is_from_right:
            return 0.0
        if self.output.is_subset:
            return len(self.output.labels) * log2(self.n + 1)
        # Of two labels one is right where the other is wrong, so the counts follow.
        return 0.0 if self.is_binary else ways_to_share(self.n, self.choices)

    def labels(self, predictions: NDArray[Any], codes: Codes) -> NDArray[Any]:
        """What metrics of labels look at."""
        if self.output.is_subset:
            return predictions
        return self.output.positions(predictions) if self.output.classes else codes

    def of_figures(self) -> float:
        """Each published figure by itself; those that no label stands behind are in `free`."""
        sums = sum(self._of_total(figure, parts) for figure, parts in self.sums)
        return sums + sum(map(self._number, self.derived))

    def behind(self, labels: NDArray[Any]) -> float:
        """All that the figures follow from, given the predictions and, for F1, the gold counts."""
        sums = sum(log2(self.n * parts + 1) for _, parts in self.sums)
        if not self.derived:
            return sums
        if self.output.is_subset:
            return sums + self._of_each_label(labels)
        counts = np.bincount(labels)  # of classes, which are few
        counts = counts[counts > 0]
        if self.is_from_right:
            return float(np.log2(np.minimum(counts, self.n) + 1.0).sum())  # the totals follow from it as well
        return sum(ways_to_share(min(int(count), self.n), self.choices) for count in counts)

    def between(self, first: NDArray[Any], other: NDArray[Any]) -> float:
        """How much further `behind` can be, once that of `one` is known."""
        at = np.flatnonzero(first != other)
        if not len(at):
            return 0.0
        further = 0.0
        if not self.derived or self.output.is_subset:  # elsewhere totals follow from what is right
            # A total moves by as much as the items that differ: either way, but of two labels one is always right.
            ways = 1 if self.output.is_one_label and self.is_binary else 2
            further += sum(log2(ways * len(at) * parts + 1) for _, parts in self.sums)
        if self.derived and self.output.is_subset:
            further += self._of_each_label(first[at] ^ other[at])
        elif self.derived:
            pairs = np.stack([first[at], other[at]]).astype(np.int64)
            _, counts = np.unique(pairs, axis=1, return_counts=True)
            told_apart = min(3, self.choices) if self.is_from_right else self.choices
            further += sum(ways_to_share(int(count), told_apart) for count in counts)
        return min(further, len(at) * log2(self.choices))

    def _of_total(self, figure: PublishedFigure, parts: int) -> float:
        """The bits of a figure that is made of a total to which each item adds so many equal parts at most."""
        return min(self._number(figure), log2(self.n * parts + 1))

    def _number(self, shown: PublishedFigure) -> float:
        """The bits of a figure by the decimals that are shown of it."""
        metric = metric_for(self.output, shown.metric)
        if shown.decimals is None or not (isfinite(metric.low) and isfinite(metric.high)):
            return BITS_OF_A_NUMBER
        # One more value for both ends of the range, and one where it is undefined.
        return min(BITS_OF_A_NUMBER, log2((metric.high - metric.low) * 10**shown.decimals + 2))

    def _of_each_label(self, masks: NDArray[Any]) -> float:
        """The bits of how many of the masks that have a label are right, summed over the labels."""
        places = np.arange(len(self.output.labels), dtype=np.uint64)
        counts = ((masks[:, None] >> places) & np.uint64(1)).sum(axis=0) * 1.0
        return float(np.log2(counts + 1.0).sum())


def _reads_beside_labels(output: AnswerKind, metric: AnyMetric) -> bool:
    """Whether it follows from columns beside the gold labels, so that items that all answer alike are not alike."""
    if isinstance(metric.resampled, OfMetrics):
        return any(_reads_beside_labels(output, metric_for(output, name)) for name in metric.resampled.names)
    return isinstance(metric.resampled, OfGroups | SumsOfGroups | SumsOfWeighted)


def ways_to_share(items: int, labels: int) -> float:
    """log2 of the number of ways in which so many items can be spread over so many labels."""
    if not items or labels < 2:
        return 0.0
    if labels > _MOST_SHARED:
        return items * log2(labels)
    ways = (lgamma(items + labels) - lgamma(items + 1) - lgamma(labels)) / log(2)
    return min(ways, items * log2(labels))
