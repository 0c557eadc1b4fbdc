"""Rank sets and paired tests, beside the loops that one would write with scikit-learn.

Run it from the project's folder: `python -m perf.pairs`. Seconds are those of one core, not of the clock; the loops are
measured for a few draws and multiplied. All at 5,000 items; rank sets of 100 systems on 11 tasks with 1,000 replicates.
"""

import os
from collections.abc import Callable
from functools import partial
from statistics import median
from time import process_time

import numpy as np
from sklearn.metrics import f1_score

from catalogue.answers import Label, Number
from catalogue.comparison import Comparison
from scoring.core.uncertainty.paired import DRAWS, approximate_randomisation, mcnemar, paired_bootstrap
from scoring.core.uncertainty.rank_sets import rank_sets

ITEMS, SYSTEMS, TASKS, REPLICATES = 5_000, 100, 11, 1_000
ROUNDS, LOOPS = 5, 5


def main() -> None:
    """Print the table."""
    print(f"{'what':<44}{'ours':>10}{'loop':>12}{'times':>10}")
    rng = np.random.default_rng(1)
    for labels in (2, 77):
        pair = labellers(rng, labels)
        ours = seconds(partial(exchange, pair, "f1_macro"))
        line(f"exchange, F1 macro, {labels} labels", ours, loop_of_exchanges(pair, rng))
    numbers = regressors(rng)
    ours = seconds(partial(exchange, numbers, "pearson"))
    line("exchange, Pearson", ours, None)
    drawn = rng.normal(0.8, 0.01, (2, REPLICATES))
    line(
        "paired bootstrap from stored replicates",
        seconds(lambda: paired_bootstrap(0.8, 0.8, (drawn[0], drawn[1]))),
        None,
    )
    line("McNemar", seconds(lambda: mcnemar(240, 260)), None)
    points = rng.normal(0.8, 0.05, (TASKS, SYSTEMS))
    replicates = points[:, None] + rng.normal(0, 0.005, (TASKS, REPLICATES, SYSTEMS))
    ours = seconds(lambda: [rank_sets(*task) for task in zip(points, replicates, strict=True)])
    line(f"rank sets, {SYSTEMS} systems, {TASKS} tasks", ours, loop_of_pairs(points, replicates))


def exchange(pair: tuple[Comparison, Comparison], metric: str) -> float | None:
    """One test."""
    return approximate_randomisation(*pair, metric, rng=np.random.default_rng(2))


def line(what: str, ours: float, loop: float | None) -> None:
    """One line of the table; nothing to compare with where `loop` is None."""
    beside = "" if loop is None else f"{1000 * loop:>9.0f} ms{loop / ours:>10,.1f}"
    print(f"{what:<44}{1000 * ours:>7.1f} ms{beside}")


def seconds(do: Callable[[], object]) -> float:
    """The median of a few rounds."""
    found = []
    for _ in range(ROUNDS):
        start = process_time()
        do()
        found.append(process_time() - start)
    return median(found)


def labellers(rng: np.random.Generator, labels: int) -> tuple[Comparison, Comparison]:
    """Two systems that are right on eight of ten items."""
    output = Label(names=tuple(map(str, range(labels))))
    gold = rng.integers(0, labels, ITEMS).astype(np.uint8)
    answers = [np.where(rng.random(ITEMS) < 0.8, gold, rng.integers(0, labels, ITEMS)) for _ in range(2)]
    return Comparison(output, gold, answers[0].astype(np.uint8)), Comparison(
        output, gold, answers[1].astype(np.uint8)
    )


def regressors(rng: np.random.Generator) -> tuple[Comparison, Comparison]:
    """Two systems that correlate with the gold numbers."""
    output, gold = Number(low=-9, high=9), rng.normal(0, 1, ITEMS).clip(-4, 4)
    answers = [gold + rng.normal(0, 0.5, ITEMS).clip(-4, 4) for _ in range(2)]
    return Comparison(output, gold, answers[0]), Comparison(output, gold, answers[1])


def loop_of_exchanges(pair: tuple[Comparison, Comparison], rng: np.random.Generator) -> float:
    """Row by row with scikit-learn."""
    gold, own, other = pair[0].y_true, pair[0].y_pred, pair[1].y_pred
    start = process_time()
    for _ in range(LOOPS):
        swap = rng.random(ITEMS) < 0.5
        for one in (np.where(swap, other, own), np.where(swap, own, other)):
            f1_score(gold, one, average="macro")
    return (process_time() - start) * DRAWS / LOOPS


def loop_of_pairs(points: np.ndarray, replicates: np.ndarray) -> float:
    """The largest studentised difference by one pair of systems after the other, on one task."""
    start = process_time()
    largest = np.zeros(REPLICATES)
    for first in range(SYSTEMS):
        for second in range(first + 1, SYSTEMS):
            difference = replicates[0, :, first] - replicates[0, :, second]
            spread = difference.std(ddof=1)
            largest = np.maximum(largest, np.abs(difference - difference.mean()) / spread)
    np.abs(points[0][:, None] - points[0][None, :]) > np.quantile(largest, 0.95)  # noqa: B015  # what the loop would decide
    return (process_time() - start) * TASKS


if __name__ == "__main__":
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    main()
