"""A metric as data: what it is called, what it is computed from, and what a reader of a leaderboard must know."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVarTuple

from catalogue.answers import AnswerKind
from catalogue.comparison import Comparison
from catalogue.metrics.label_effect import LabelEffect, unbounded
from catalogue.metrics.statistics import (
    AlongCounts,
    AlongItems,
    AlongWeights,
    Correlation,
    MeanOfItems,
    OfGroups,
    OfMetrics,
    OfMoments,
    Statistic,
    SumsOfItems,
)

Read = TypeVarTuple("Read")


def nothing_lacking(kind: AnswerKind) -> str:
    return ""


@dataclass(frozen=True, slots=True)
class Undefined:
    """A metric's answer where it has no value; `code` is one of the metric's declared undefined cases."""

    code: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Metric(Generic[*Read]):
    """A formula with what it reads; a share from 0 to 1, of which more is better, unless other ends are given.

    `version` rises when the same input gives another number. `undefined` maps each code that the formula may answer
    with to a sentence for readers. `reference` is a DOI or the official scorer whose numbers the formula reproduces.
    `labels` must all be declared by a task for the metric to apply to it, and `lacking` says what else a kind has to
    declare and does not, in words; empty where nothing is lacking. `unfit` says what it must not declare otherwise, in
    words: of a kind that declares nothing but its labels it is empty. `resampled` is the formula for many resamples at
    once; a metric without one is computed resample by resample. `label_effect` is the most that one gold label can
    change a score. `libraries` are the packages beside numpy and scipy whose own code makes its numbers. `is_distance`
    says that a score is a distance between answers, so that of answers with a lowest and a highest it is at most what
    lies between them. `needs_one_gold` says that it is held against how gold labels are spread, as correlations and
    what is beyond chance are: where an item accepts several answers, each system would choose that spread for itself,
    and the metric is not on offer.
    """

    name: str
    title: str
    kinds: tuple[type[AnswerKind], ...]
    statistic: Statistic[*Read]
    formula: Callable[[*Read], float | Undefined]
    reference: str
    version: int = 1
    higher_is_better: bool = True
    low: float = 0.0
    high: float = 1.0
    resampled: (
        AlongCounts[*Read]
        | AlongWeights[*Read]
        | MeanOfItems[*Read]
        | SumsOfItems[*Read]
        | Correlation
        | OfMoments
        | AlongItems
        | OfMetrics
        | OfGroups
        | None
    ) = None
    undefined: Mapping[str, str] = field(default_factory=dict)
    labels: tuple[str, ...] = ()
    lacking: Callable[[AnswerKind], str] = nothing_lacking
    unfit: Callable[[AnswerKind], str] = nothing_lacking
    label_effect: LabelEffect = unbounded
    is_distance: bool = False
    rests_on: Callable[[Comparison], int] | None = None
    needs_one_gold: bool = False
    libraries: tuple[str, ...] = ()

    @property
    def key(self) -> str:
        """The name with the kinds of answer: kinds may share a name and differ in the formula."""
        return f"{self.name} of {' or '.join(sorted(kind.phrase for kind in self.kinds))}"

    @property
    def asks_nothing(self) -> bool:
        """Whether it applies to its kinds of answer whatever a definition declares of them."""
        return not self.labels and self.lacking is nothing_lacking

    def value(self, comparison: Comparison) -> float | Undefined:
        return self.formula(*self.statistic.collect(comparison))


# A metric whatever it reads. Tuples of new metrics are not annotated with it, so that each is checked by its own.
AnyMetric = Metric[*tuple[Any, ...]]
