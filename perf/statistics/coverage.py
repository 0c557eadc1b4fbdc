"""How often the 95 % interval of a score holds what it speaks of, on simulated test sets, and how wide it is.

Run it from the project's folder: `python -m perf.statistics.coverage [test sets per line]`. Each line draws that many
test sets from one population and asks of each interval whether it holds the mean score over test sets of that size,
which is what an interval is about: where the score would lie were as many other items drawn. The mean comes from 4,000
sets more, and so does the width between the 2.5 and the 97.5 percentile of their scores, by which the median width of
the intervals is divided. Seeded: the table comes out the same each time. With 1,000 sets a coverage is itself known to
1.4 points. A second table is of systems that err seldom, and of labels that are rare.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from catalogue.answers import Label, LabelSubset, Number, OrderedClass
from catalogue.comparison import Comparison
from catalogue.metrics.choice import metric_for
from catalogue.metrics.metric import Undefined
from perf.timing import number_asked_for
from scoring.core.uncertainty.intervals import interval, share_interval
from scoring.core.uncertainty.replicates import Resamples, replicate_scores
from scoring.core.uncertainty.smoothing import calibrated
from scoring.core.uncertainty.weights import item_weights

SIZES = (150, 516, 5_000)
SETS = 1_000
SETS_FOR_THE_MEAN = 4_000
Draw = Callable[[Generator, int], Comparison]


class Line(NamedTuple):
    """What stands in a table: a metric's score, or the mean of several tasks' scores, each with items of its own."""

    title: str
    metric: str
    draws: tuple[Draw, ...]
    sizes: tuple[int, ...] = SIZES


class Covered(NamedTuple):
    """Of the intervals of one cell of a table.

    Shares that hold the mean, of ours and of the plain bootstrap's percentiles, the median width, the width between
    the same percentiles of the true distribution, and how many test sets had no interval.
    """

    ours: float
    percentiles: float
    width: float
    true_width: float
    without: int


def labels(
    label_count: int, *, is_balanced: bool = True, accuracy: float = 0.75, frequencies: Sequence[float] = ()
) -> Draw:
    """One label per item, as frequent as each other or as 1, 1/2, 1/3 …; some are found more often than others."""
    shares = np.ones(label_count) if is_balanced else 1 / np.arange(1, label_count + 1)
    shares = np.array(frequencies or shares, dtype=np.float64)
    shares /= shares.sum()
    found = np.clip(accuracy + np.linspace(-0.1, 0.1, label_count), 0, 1)
    output = Label(tuple(f"label {code}" for code in range(label_count)))

    def draw(random: Generator, item_count: int) -> Comparison:
        gold, other = random.choice(label_count, size=(2, item_count), p=shares)
        predicted = np.where(random.random(item_count) < found[gold], gold, other)
        return Comparison(output, gold.astype(np.uint8), predicted.astype(np.uint8))

    return draw


def two_labels(rare: float, found: float, taken: float) -> Draw:
    """Two labels, one of them `rare`: which share of it is `found`, and which share of the other is `taken` for it."""
    output = Label(("common", "rare"))

    def draw(random: Generator, item_count: int) -> Comparison:
        gold = random.random(item_count) < rare
        predicted = random.random(item_count) < np.where(gold, found, taken)
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


RARE = (
    (0.5, (30, 60, 100)),
    (0.2, (30, 60, 150)),
    (0.1, (30, 60, 100)),
    (0.05, (60, 150)),
    (0.02, (100, 449)),
)


def lines_of_few() -> Iterator[Line]:
    """The rows of the second table: few errors, rare labels, and systems that err on one label alone."""
    for accuracy in (0.6, 0.9, 0.97, 0.995, 0.0, 1.0):
        draw = two_labels(0.5, accuracy, 1 - accuracy)
        yield Line(f"accuracy {accuracy}", "accuracy", (draw,), (30, 60, 100, 516, 2_350))
    for rare, sizes in RARE:
        share = f"{100 * (1 - rare):.0f}/{100 * rare:.0f}"
        for accuracy in (0.75, 0.85):
            draw = labels(2, accuracy=accuracy, frequencies=(1 - rare, rare))
            yield Line(f"F1 macro {share}, {accuracy} known", "f1_macro", (draw,), sizes)
            yield Line(f"F1 of the rarer {share}, {accuracy} known", "f1_label 1", (draw,), sizes)
        for title, found, taken in (
            ("misses 3 of 10 rare", 0.7, 0.0),
            ("takes 3 of 100 for rare", 1.0, 0.03),
        ):
            yield Line(f"F1 macro {share}, {title}", "f1_macro", (two_labels(rare, found, taken),), sizes)
        yield Line(f"F1 macro {share}, finds 3 of 10", "f1_macro", (two_labels(rare, 0.3, 0.03),), sizes)
        yield Line(f"F1 macro {share}, all right", "f1_macro", (two_labels(rare, 1.0, 0.0),), sizes)
        yield Line(f"F1 macro {share}, all wrong", "f1_macro", (two_labels(rare, 0.0, 1.0),), sizes)
    for label_count in (11, 77):
        draw = labels(label_count, is_balanced=False, accuracy=0.98)
        yield Line(f"F1 macro, {label_count} labels, uneven, .98 known", "f1_macro", (draw,), (150, 516))
    for metric in ("jaccard", "f1_macro", "f1_micro"):
        yield Line(f"{metric} of subsets", metric, (subsets,), (30, 60))


def coverage(line: Line, item_count: int, sets: int) -> Covered:
    """Draw test sets for one cell of a table and count."""
    random = np.random.default_rng([item_count, *line.title.encode()])
    more = [_value(line, random, item_count) for _ in range(2 * sets if sets < SETS else SETS_FOR_THE_MEAN)]
    measured = [_measured(line, random, item_count) for _ in range(sets)]
    all_values = [*more, *(value for value, _, _ in measured)]
    mean = float(np.nanmean(all_values))
    lower, upper = np.nanquantile(all_values, [0.025, 0.975])
    low, high = (-1.0, 1.0) if line.metric in ("pearson", "kappa_quadratic") else (0.0, 1.0)
    ours, percentile, widths, counted = 0, 0, [], 0
    for value, spread, raw in measured:
        if np.isnan(value):
            continue
        counted += 1
        is_exact = line.metric == "accuracy" and len(line.draws) == 1
        ends = (
            share_interval(round(value * item_count), item_count)
            if is_exact
            else interval(value, spread, low, high)
        )
        if ends is not None:
            ours += ends.low <= mean <= ends.high
            widths.append(ends.high - ends.low)
        first, last = np.nanquantile(raw, [0.025, 0.975])
        percentile += first <= mean <= last
    width = float(np.median(widths)) if widths else np.nan
    return Covered(ours / counted, percentile / counted, width, upper - lower, counted - len(widths))


def _measured(line: Line, random: Generator, item_count: int) -> tuple[float, NDArray[Any], NDArray[Any]]:
    """A score on a new test set, its calibrated replicates and its raw ones; means over the line's tasks."""
    values, spreads, raws = [], [], []
    for place, draw in enumerate(line.draws):
        comparison = draw(random, item_count)
        metric = metric_for(comparison.output, line.metric)
        value, resamples = _number(metric.value(comparison)), _resamples(item_count, place)
        raw = replicate_scores(comparison, [line.metric], resamples)[line.metric]
        values.append(value)
        spreads.append(calibrated(comparison, metric, value, raw, resamples.further))
        raws.append(raw)
    return float(np.mean(values)), np.mean(spreads, axis=0), np.mean(raws, axis=0)


def _value(line: Line, random: Generator, item_count: int) -> float:
    drawn = [draw(random, item_count) for draw in line.draws]
    return float(np.mean([_number(metric_for(one.output, line.metric).value(one)) for one in drawn]))


def _number(value: float | Undefined) -> float:
    return np.nan if isinstance(value, Undefined) else value


@cache
def _resamples(item_count: int, place: int) -> Resamples:
    return Resamples(item_weights(f"coverage {place}".encode(), item_count))


def _squeezed(values: NDArray[Any]) -> NDArray[np.float64]:
    return np.asarray(1 / (1 + np.exp(-values)))


def _masks(chosen: NDArray[np.bool_]) -> NDArray[np.uint64]:
    return np.asarray((chosen.astype(np.uint64) << np.arange(11, dtype=np.uint64)).sum(axis=1))


def main(sets: int) -> None:
    print(
        f"95 % intervals over {sets} test sets: of 100, how many hold the mean score (plain percentiles); x median"
    )
    print("width over that of the true distribution; - test sets without an interval, where there are any")
    for line in (*lines(), *lines_of_few()):
        print(f"{line.title:<42}", end="")
        for size in line.sizes:
            of_cell = coverage(line, size, sets)
            ratio = of_cell.width / of_cell.true_width if of_cell.true_width else np.nan
            without = f" -{of_cell.without}" if of_cell.without else ""
            shares = f"{100 * of_cell.ours:5.1f} ({100 * of_cell.percentiles:4.1f}) x{ratio:.2f}{without}"
            print(f"{size:>7,}: {shares}", end="", flush=True)
        print()


if __name__ == "__main__":
    main(number_asked_for(SETS))
