"""How often the 95 % interval of a score holds what it speaks of, on simulated test sets.

Run it from the project's folder: `python -m perf.coverage [test sets per line]`. Each line draws that many test sets
from one population and asks of each interval whether it holds the mean score over test sets of that size, which is
what an interval is about: where the score would lie were as many other items drawn. The mean comes from 2,000 sets
more. Seeded: the table comes out the same each time. With 1,000 sets a coverage is itself known to 1.4 points.
"""

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from catalogue.answers import Label, LabelSubset, Number, OrderedClass
from catalogue.comparison import Comparison
from catalogue.metrics.choice import metric_for
from perf.timing import number_asked_for
from scoring.core.uncertainty.intervals import calibrated, interval
from scoring.core.uncertainty.replicates import Resamples, replicate_scores
from scoring.core.uncertainty.weights import item_weights

SIZES = (150, 516, 5_000)
SETS = 1_000
SETS_FOR_THE_MEAN = 2_000
Draw = Callable[[Generator, int], Comparison]


class Line(NamedTuple):
    """What stands in the table: a metric's score, or the mean of several tasks' scores, each with items of its own."""

    title: str
    metric: str
    draws: tuple[Draw, ...]


def labels(label_count: int, *, is_balanced: bool, accuracy: float = 0.75) -> Draw:
    """One label per item, as frequent as each other or as 1, 1/2, 1/3 …; some are found more often than others."""
    shares = np.ones(label_count) if is_balanced else 1 / np.arange(1, label_count + 1)
    shares /= shares.sum()
    found = np.clip(accuracy + np.linspace(-0.1, 0.1, label_count), 0, 1)
    output = Label(tuple(f"label {code}" for code in range(label_count)))

    def draw(random: Generator, item_count: int) -> Comparison:
        gold, other = random.choice(label_count, size=(2, item_count), p=shares)
        predicted = np.where(random.random(item_count) < found[gold], gold, other)
        return Comparison(output, gold.astype(np.uint8), predicted.astype(np.uint8))

    return draw


def numbers(correlation: float) -> Draw:
    """Numbers from 0 to 1, bent so that the two are not normal."""

    def draw(random: Generator, item_count: int) -> Comparison:
        gold, noise = random.normal(size=(2, item_count))
        predicted = correlation * gold + (1 - correlation**2) ** 0.5 * noise
        return Comparison(Number(0, 1), _squeezed(gold), _squeezed(1.5 * predicted))

    return draw


def subsets(random: Generator, item_count: int) -> Comparison:
    """Eleven labels, each on or off, of which one in eight is told wrong."""
    gold = random.random((item_count, 11)) < np.linspace(0.05, 0.4, 11)
    wrong = random.random((item_count, 11)) < 0.12
    output = LabelSubset(tuple(f"label {code}" for code in range(11)))
    return Comparison(output, _masks(gold), _masks(gold ^ wrong))


def classes(*, is_balanced: bool) -> Draw:
    """Four ordered classes; a wrong answer is one off."""
    shares = [0.25] * 4 if is_balanced else [0.7, 0.15, 0.1, 0.05]

    def draw(random: Generator, item_count: int) -> Comparison:
        gold = random.choice(4, size=item_count, p=shares)
        off = random.choice([-1, 0, 1], size=item_count, p=[0.2, 0.6, 0.2])
        predicted = np.clip(gold + off, 0, 3)
        return Comparison(OrderedClass(0, 3), gold.astype(np.int16), predicted.astype(np.int16))

    return draw


def lines() -> Iterator[Line]:
    """The rows of the table."""
    evenness = ((True, "even"), (False, "uneven"))
    for label_count in (2, 3, 11, 77):
        for is_balanced, word in evenness:
            draw = labels(label_count, is_balanced=is_balanced)
            yield Line(f"F1 macro, {label_count} labels, {word}", "f1_macro", (draw,))
    yield Line("accuracy, 97 % right", "accuracy", (labels(2, is_balanced=True, accuracy=0.95),))
    yield Line("Pearson, .8", "pearson", (numbers(0.8),))
    yield Line("Pearson, .3", "pearson", (numbers(0.3),))
    yield Line("Jaccard, 11 labels", "jaccard", (subsets,))
    for is_balanced, word in evenness:
        yield Line(f"kappa, 4 classes, {word}", "kappa_quadratic", (classes(is_balanced=is_balanced),))
    of_four = (labels(count, is_balanced=count == 77) for count in (2, 3, 11, 77))
    yield Line("mean of 4 F1 macro", "f1_macro", tuple(of_four))
    yield Line("mean of 4 Pearson", "pearson", tuple(map(numbers, (0.3, 0.5, 0.7, 0.8))))


def coverage(line: Line, item_count: int, sets: int) -> str:
    """Draw test sets for one cell of the table and count.

    Shares of intervals that hold the mean, ours and (in brackets) those of the plain bootstrap, and the mean width.
    """
    random = np.random.default_rng([item_count, *line.title.encode()])
    more = [_value(line, random, item_count) for _ in range(2 * sets if sets < SETS else SETS_FOR_THE_MEAN)]
    found = [_measured(line, random, item_count) for _ in range(sets)]
    mean = float(np.mean([*more, *(value for value, _, _ in found)]))
    low, high = (-1.0, 1.0) if line.metric in ("pearson", "kappa_quadratic") else (0.0, 1.0)
    ours, percentile, widths = 0, 0, []
    for value, spread, raw in found:
        ends = interval(value, spread, low, high)
        if ends is not None:
            ours += ends.low <= mean <= ends.high
            widths.append(ends.high - ends.low)
        first, last = np.percentile(raw, [2.5, 97.5])
        percentile += first <= mean <= last
    return f"{ours / sets:.3f} ({percentile / sets:.3f}) {np.mean(widths):.3f}   "


def _measured(line: Line, random: Generator, item_count: int) -> tuple[float, NDArray[Any], NDArray[Any]]:
    """A score on a new test set, its calibrated replicates and its raw ones; means over the line's tasks."""
    values, spreads, raws = [], [], []
    for place, draw in enumerate(line.draws):
        comparison = draw(random, item_count)
        metric = metric_for(comparison.output, line.metric)
        value = metric.value(comparison)
        assert isinstance(value, float)  # noqa: S101  # no population here leaves a metric undefined
        raw = replicate_scores(comparison, [line.metric], _resamples(item_count, place))[line.metric]
        values.append(value)
        spreads.append(calibrated(comparison, metric, value, raw))
        raws.append(raw)
    return float(np.mean(values)), np.mean(spreads, axis=0), np.mean(raws, axis=0)


def _value(line: Line, random: Generator, item_count: int) -> float:
    drawn = [draw(random, item_count) for draw in line.draws]
    return float(np.mean([metric_for(one.output, line.metric).value(one) for one in drawn]))


@cache
def _resamples(item_count: int, place: int) -> Resamples:
    return Resamples(item_weights(f"coverage {place}".encode(), item_count))


def _squeezed(values: NDArray[Any]) -> NDArray[np.float64]:
    return np.asarray(1 / (1 + np.exp(-values)))


def _masks(chosen: NDArray[np.bool_]) -> NDArray[np.uint64]:
    return np.asarray((chosen.astype(np.uint64) << np.arange(11, dtype=np.uint64)).sum(axis=1))


def main(sets: int) -> None:
    print(
        f"95 % intervals over {sets} test sets: share that holds the mean score (plain percentiles), mean width"
    )
    print(f"{'':<28}" + "".join(f"{size:>8,} items       " for size in SIZES))
    for line in lines():
        cells = (coverage(line, size, sets) for size in SIZES)
        print(f"{line.title:<28}" + "".join(cells), flush=True)


if __name__ == "__main__":
    main(number_asked_for(SETS))
