"""Intervals, paired tests and ranges of ranks, beside the loops that one would write with scikit-learn and scipy.

Run it from the project's folder: `python -m perf.uncertainty`. Seconds are those of one core, not the clock; the loop
is measured for a few resamples and multiplied. Gold labels and predictions have RAFT's numbers of items and labels;
seven in ten answers are right. Sets of labels and numbers are like those of Affect in Tweets.
"""

import os
from collections.abc import Callable
from functools import partial
from statistics import median
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.stats import pearsonr, rankdata
from sklearn.metrics import accuracy_score, f1_score

from catalogue.answers import Label, LabelSubset, Number
from catalogue.comparison import Comparison
from perf.timing import cpu_seconds
from scoring.core.engine import score
from scoring.core.uncertainty.paired import DRAWS, approximate_randomisation, mcnemar, paired_bootstrap
from scoring.core.uncertainty.rank_sets import rank_sets
from scoring.core.uncertainty.replicates import Resamples, replicate_scores
from scoring.core.uncertainty.single_system import REPLICATES, intervals_of
from scoring.core.uncertainty.weights import item_weights

RAFT = {  # items and labels of each task
    "ade_corpus_v2": (5_000, 2),
    "banking_77": (5_000, 77),
    "neurips_impact_statement_risks": (150, 2),
    "one_stop_english": (516, 3),
    "overruling": (2_350, 2),
    "semiconductor_org_types": (449, 3),
    "systematic_review_inclusion": (2_243, 2),
    "tai_safety_research": (1_639, 2),
    "terms_of_service": (5_000, 2),
    "tweet_eval_hate": (2_966, 2),
    "twitter_complaints": (3_399, 2),
}
METRICS = ("f1_macro", "accuracy")
ROUNDS = 5
LOOPS = 5  # resamples of the obvious way that are really made
SYSTEMS = 100
EMOTIONS = 11
TWEETS = 3_259

Measure = Callable[[NDArray[Any], NDArray[Any]], float]


def submission(seed: int = 0, right: float = 0.7) -> dict[str, Comparison]:
    """One system's answers to all tasks."""
    of_gold, random = np.random.default_rng(0), np.random.default_rng(seed + 1)
    found = {}
    for task, (item_count, label_count) in RAFT.items():
        gold = of_gold.integers(label_count, size=item_count)
        other = random.integers(label_count, size=item_count)
        predicted = np.where(random.random(item_count) < right, gold, other)
        output = Label(tuple(f"label {code}" for code in range(label_count)))
        found[task] = Comparison(output, gold.astype(np.uint8), predicted.astype(np.uint8))
    return found


def by_cells(tasks: dict[str, Comparison]) -> None:
    """Ten thousand resamples of one system by itself."""
    for comparison in tasks.values():
        report = score(comparison.output, METRICS, comparison.y_true, comparison.y_pred)
        values = {one.metric: one.value for one in report.values if one.value is not None}
        intervals_of(comparison, values, b"perf")


def by_shared_weights(tasks: dict[str, Comparison], weights: dict[str, Resamples]) -> None:
    """What a worker does for each submission: a thousand resamples, paired with those of all other systems."""
    for task, comparison in tasks.items():
        replicate_scores(comparison, METRICS, weights[task])


def by_loop(tasks: dict[str, Comparison], count: int) -> None:
    """The obvious way."""
    random = np.random.default_rng(0)
    for comparison in tasks.values():
        for _ in range(count):
            drawn = random.integers(len(comparison.y_true), size=len(comparison.y_true))
            gold, predicted = comparison.y_true[drawn], comparison.y_pred[drawn]
            f1_score(gold, predicted, average="macro")
            accuracy_score(gold, predicted)


def tagger(seed: int) -> Comparison:
    """Sets of emotions; one label in seven is wrong."""
    gold = np.random.default_rng(0).random((TWEETS, EMOTIONS)) < 0.25
    wrong = np.random.default_rng(seed).random((TWEETS, EMOTIONS)) < 1 / 7
    masks = [(one * (1 << np.arange(EMOTIONS))).sum(axis=1).astype(np.uint64) for one in (gold, gold ^ wrong)]
    return Comparison(LabelSubset(tuple(f"emotion {one}" for one in range(EMOTIONS))), *masks)


def regressor(seed: int) -> Comparison:
    """Numbers from 0 to 1."""
    gold = np.random.default_rng(0).random(5_000)
    noise = np.random.default_rng(seed).normal(0, 0.2, len(gold))
    return Comparison(Number(0, 1), gold, np.clip(gold + noise, 0, 1))


def bits(masks: NDArray[np.uint64]) -> NDArray[Any]:
    """Sets as scikit-learn takes them, a column of 0 and 1 for each label."""
    return (masks[:, None] >> np.arange(EMOTIONS, dtype=np.uint64)) & np.uint64(1)


def macro(y_true: NDArray[Any], y_pred: NDArray[Any]) -> float:
    """Macro F1, of one label per item or of sets."""
    sides = (bits(masks) if masks.dtype == np.uint64 else masks for masks in (y_true, y_pred))
    return float(f1_score(*sides, average="macro"))


def correlation(y_true: NDArray[Any], y_pred: NDArray[Any]) -> float:
    """Pearson's correlation."""
    return float(pearsonr(y_true, y_pred).statistic)


def exchange(first: Comparison, second: Comparison, metric: str) -> float | None:
    """One test, with the same draws each time."""
    return approximate_randomisation(first, second, metric, rng=np.random.default_rng(0))


def exchange_by_loop(first: Comparison, second: Comparison, measure: Measure) -> None:
    """The obvious way, a few draws of it."""
    random = np.random.default_rng(0)
    for _ in range(LOOPS):
        swap = random.random(len(first.y_true)) < 0.5
        own = np.where(swap, second.y_pred, first.y_pred)
        other = np.where(swap, first.y_pred, second.y_pred)
        abs(measure(first.y_true, own) - measure(first.y_true, other))


def seconds_of(work: Callable[[], object], rounds: int = ROUNDS) -> float:
    """The median of the core's seconds."""
    return median(cpu_seconds(work) for _ in range(rounds))


def paired_tests() -> None:
    """Prints what an approximate randomisation of 1,000 draws costs, and the other tests of two systems."""
    own, other = submission(), submission(1)
    few, many = ((own[task], other[task]) for task in ("terms_of_service", "banking_77"))
    tests: list[tuple[str, tuple[Comparison, Comparison], str, Measure]] = [
        ("macro F1, 2 labels, 5,000 items", few, "f1_macro", macro),
        ("macro F1, 77 labels, 5,000 items", many, "f1_macro", macro),
        ("macro F1, sets of 11, 3,259 items", (tagger(1), tagger(2)), "f1_macro", macro),
        ("Pearson, 5,000 items", (regressor(1), regressor(2)), "pearson", correlation),
    ]
    print(f"paired test by exchanging answers, {DRAWS:,} draws, one core")
    for name, pair, metric, measure in tests:
        test = partial(exchange, *pair, metric)
        test()
        ours = seconds_of(test)
        loop = cpu_seconds(partial(exchange_by_loop, *pair, measure)) / LOOPS * DRAWS
        print(f"  {name:34}{1000 * ours:8.1f} ms   loop {loop:8.1f} s  {loop / ours:8,.0f} times as fast")
    drawn = np.random.default_rng(1).normal(0.8, 0.01, (2, 1_000))
    bootstrap = seconds_of(lambda: paired_bootstrap(0.8, 0.8, (drawn[0], drawn[1])))
    print(f"  {'bootstrap of stored replicates':34}{1000 * bootstrap:8.1f} ms")
    print(f"  {'McNemar':34}{1000 * seconds_of(lambda: mcnemar(240, 260)):8.1f} ms")


def ranges_of_ranks(weights: dict[str, Resamples]) -> None:
    """Prints what ranges of ranks cost on the boards of all tasks and of their mean."""
    systems = [submission(seed, 0.5 + 0.004 * seed) for seed in range(SYSTEMS)]
    columns: list[NDArray[np.float64]] = []

    def replicated() -> None:
        for task in RAFT:
            scores = [replicate_scores(own[task], ["f1_macro"], weights[task])["f1_macro"] for own in systems]
            columns.append(np.stack(scores, axis=1))

    def ranked() -> None:
        for column in [*columns, np.mean(columns, axis=0)]:
            rank_sets(column.mean(axis=0), column)

    def looped() -> None:
        random = np.random.default_rng(0)
        for task, (item_count, _) in RAFT.items():
            items = random.integers(item_count, size=item_count)
            rankdata([macro(own[task].y_true[items], own[task].y_pred[items]) for own in systems])

    replicates, ours, loop = cpu_seconds(replicated), seconds_of(ranked, 3), cpu_seconds(looped) * 1000
    print(
        f"ranges of ranks of {SYSTEMS} systems on {len(RAFT)} tasks and their mean, 1,000 resamples, one core"
    )
    print(f"  from stored replicates          {ours:8.2f} s")
    print(f"  with making the replicates      {ours + replicates:8.2f} s   scikit-learn loop {loop:8,.0f} s")
    print(f"                                            {loop / (ours + replicates):8,.0f} times as fast")


def main() -> None:
    os.sched_setaffinity(0, {0})
    tasks = submission()
    weights: dict[str, Resamples] = {}

    def draw() -> None:
        for task, (item_count, _) in RAFT.items():
            weights[task] = Resamples(item_weights(task.encode(), item_count))

    drawn = cpu_seconds(draw)
    by_shared_weights(tasks, weights)
    turns = [
        (
            cpu_seconds(lambda: by_cells(tasks)),
            cpu_seconds(lambda: by_shared_weights(tasks, weights)),
            cpu_seconds(lambda: by_loop(tasks, LOOPS)) / LOOPS,
        )
        for _ in range(ROUNDS)
    ]
    cells, shared, loop = map(median, zip(*turns, strict=True))
    print("intervals of a full RAFT submission (11 tasks, 2 metrics, 28,712 items), one core")
    print(
        f"  {REPLICATES:,} resamples of cells       {cells:8.3f} s   scikit-learn loop {loop * REPLICATES:8,.0f} s"
    )
    print(f"                                            {loop * REPLICATES / cells:8,.0f} times as fast")
    print(f"  1,000 shared resamples          {shared:8.4f} s   scikit-learn loop {loop * 1000:8,.0f} s")
    print(f"                                            {loop * 1000 / shared:8,.0f} times as fast")
    print(f"  drawing those weights, once per split and worker  {drawn:.2f} s")
    paired_tests()
    ranges_of_ranks(weights)


if __name__ == "__main__":
    main()
