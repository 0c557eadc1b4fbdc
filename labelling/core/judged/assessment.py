"""Direct assessment: people give outputs of systems numbers, and each system has the mean of its outputs.

As at WMT: answers about one output are averaged first, then outputs. Beside that mean stands the one of z-scores, where
each number is told as how many of its worker's own standard deviations it lies from that worker's mean, so that strict
and mild people, and those who use the whole range and those who do not, count alike.

Source: Bojar et al. (2016), Findings of WMT16, doi:10.18653/v1/W16-2301, section 3; Graham et al. (2017), Can machine
translation systems be evaluated by the crowd alone, doi:10.1017/S1351324915000339.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import inf
from statistics import fmean, stdev

import numpy as np

from labelling.core.judged.figures import (
    ONE_ALONE,
    Floats,
    JudgedFigure,
    drawn_items,
    places,
    ratios,
    weights_of,
    with_range,
)
from scoring.core.uncertainty.weights import REPLICATES

FEWEST_WORKERS = 10
"""From so many on workers are drawn again with the items: of fewer, resamples say next to nothing."""


@dataclass(frozen=True, slots=True)
class JudgedNumber:
    """The number that a worker gave an output; `systems` are the numbers of those that wrote it for the item."""

    item: str
    systems: tuple[int, ...]
    worker: int
    value: float


@dataclass(frozen=True, slots=True)
class AssessedSystem:
    """How many outputs of a system were judged, by how many answers, and the means over its outputs."""

    outputs: int
    answers: int
    mean: JudgedFigure
    z: JudgedFigure


@dataclass(frozen=True, slots=True)
class DirectAssessment:
    """What came of direct assessment, by the number of the system; whether workers were drawn again with the items.

    `because` says why there are no intervals.
    """

    systems: dict[int, AssessedSystem]
    items: int
    workers: int
    are_workers_drawn: bool
    because: str = ""


def assess(
    given: Sequence[JudgedNumber],
    systems: Iterable[int],
    *,
    seed: bytes,
    ends: tuple[float, float],
    belongs: Mapping[str, int] | None = None,
    replicates: int = REPLICATES,
) -> DirectAssessment:
    """The mean of each system, and the mean of its z-scores, with intervals.

    Items are drawn again, the same for all systems, together where `belongs` says that they belong to the same; with
    them workers where there are at least `FEWEST_WORKERS`, each
    by themselves, so that an answer counts as often as its item times its worker (Owen 2007,
    doi:10.1214/07-AOAS122). `ends` are the lowest and the highest number that could be given.
    """
    drawn = drawn_items([each.item for each in given], belongs or {}, seed=seed, replicates=replicates)
    items, workers = drawn.places, places([each.worker for each in given])
    are_drawn = len(workers) >= FEWEST_WORKERS
    of_workers = (
        weights_of(seed + b"/workers", len(workers), replicates) if are_drawn else np.ones((1, len(workers)))
    )
    scores, because = z_scores(given), ONE_ALONE if drawn.units == 1 else ""

    def mean(judged: Sequence[JudgedNumber], low: float, high: float) -> JudgedFigure:
        sums, counts = np.zeros((2, len(items), len(workers)))
        answers = Counter(each.item for each in judged)
        for each in judged:
            place = items[each.item], workers[each.worker]
            sums[place] += each.value / answers[each.item]
            counts[place] += 1 / answers[each.item]
        means = ratios(*(_drawn(cells, drawn.weights, of_workers) for cells in (sums, counts)))
        return with_range(means, low, high, has_range=not because)

    found = {}
    for system in systems:
        own = [each for each in given if system in each.systems]
        standard = [each for each in scores if system in each.systems]
        outputs = len({each.item for each in own})
        found[system] = AssessedSystem(outputs, len(own), mean(own, *ends), mean(standard, -inf, inf))
    return DirectAssessment(found, len(items), len(workers), are_drawn, because)


def z_scores(given: Sequence[JudgedNumber]) -> list[JudgedNumber]:
    """Each number as its worker's standard deviations from that worker's mean.

    Whoever gave one number alone, or the same to everything, has no scale, and is left out.

    >>> [each.value for each in z_scores([JudgedNumber(item, (1,), 7, value) for item, value in [("a", 1), ("b", 3)]])]
    [-0.7071067811865475, 0.7071067811865475]
    """
    by_worker: defaultdict[int, list[float]] = defaultdict(list)
    for each in given:
        by_worker[each.worker].append(each.value)
    scales = {
        worker: (fmean(values), stdev(values))
        for worker, values in by_worker.items()
        if min(values) < max(values)
    }
    return [
        replace(each, value=(each.value - scales[each.worker][0]) / scales[each.worker][1])
        for each in given
        if each.worker in scales
    ]


def _drawn(cells: Floats, of_items: Floats, of_workers: Floats) -> Floats:
    """The sum of cells, shape (items, workers), with each weight of an item and its worker: one per resample."""
    found: Floats = ((of_items @ cells) * of_workers).sum(axis=1)
    return found
