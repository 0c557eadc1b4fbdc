"""Intervals, paired tests and ranges of ranks, beside the loops that one would write with scikit-learn and scipy.

Run it from the project's folder: `python -m perf.uncertainty`. Seconds are those of one core, not the clock; the loop
is measured for a few resamples and multiplied. Gold labels and predictions have RAFT's numbers of items and labels;
seven in ten answers are right. Sets of labels and numbers are like those of Affect in Tweets.
"""

import os
from collections.abc import Callable
from statistics import median
from time import process_time
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.stats import pearsonr, rankdata
from sklearn.metrics import accuracy_score, f1_score

from catalogue.answers import Label, LabelSubset, Number
from catalogue.comparison import Comparison
from scoring.core.engine import score
from scoring.core.uncertainty.paired import DRAWS, approximate_randomisation
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


def of_sets(y_true: NDArray[Any], y_pred: NDArray[Any]) -> float:
    """Macro F1 of sets."""
    return float(f1_score(bits(y_true), bits(y_pred), average="macro"))


def of_labels(y_true: NDArray[Any], y_pred: NDArray[Any]) -> float:
    """Macro F1 of one label per item."""
    return float(f1_score(y_true, y_pred, average="macro"))


def of_numbers(y_true: NDArray[Any], y_pred: NDArray[Any]) -> float:
    """Pearson's correlation."""
    return float(pearsonr(y_true, y_pred).statistic)


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
    found = []
    for _ in range(rounds):
        started = process_time()
        work()
        found.append(process_time() - started)
    return median(found)


def paired_tests() -> None:
    """Prints what an approximate randomisation of 1,000 draws costs."""
    one, other = submission(), submission(1)
    few, many = ((one[task], other[task]) for task in ("terms_of_service", "banking_77"))
    asked: list[tuple[str, Comparison, Comparison, str, Measure]] = [
        ("macro F1, 2 labels, 5,000 items", few[0], few[1], "f1_macro", of_labels),
        ("macro F1, 77 labels, 5,000 items", many[0], many[1], "f1_macro", of_labels),
        ("macro F1, sets of 11, 3,259 items", tagger(1), tagger(2), "f1_macro", of_sets),
        ("Pearson, 5,000 items", regressor(1), regressor(2), "pearson", of_numbers),
    ]  # fmt: skip
    print(f"paired test by exchanging answers, {DRAWS:,} draws, one core")
    for name, first, second, metric, measure in asked:

        def test(first: Comparison = first, second: Comparison = second, metric: str = metric) -> object:
            return approximate_randomisation(first, second, metric, rng=np.random.default_rng(0))

        test()
        ours = seconds_of(test)
        started = process_time()
        exchange_by_loop(first, second, measure)
        loop = (process_time() - started) / LOOPS * DRAWS
        print(f"  {name:34}{1000 * ours:8.1f} ms   loop {loop:8.1f} s  {loop / ours:8,.0f} times as fast")


def ranges_of_ranks(weights: dict[str, Resamples]) -> None:
    """Prints what ranges of ranks cost on the boards of all tasks and of their mean."""
    systems = [submission(seed, 0.5 + 0.004 * seed) for seed in range(SYSTEMS)]
    started = process_time()
    drawn = [
        {task: replicate_scores(one[task], ["f1_macro"], weights[task])["f1_macro"] for task in RAFT}
        for one in systems
    ]
    replicates = process_time() - started
    columns = [np.stack([one[task] for one in drawn], axis=1) for task in RAFT]
    columns.append(np.mean(columns, axis=0))

    def ranked() -> None:
        for column in columns:
            rank_sets(column.mean(axis=0), column)

    ours = seconds_of(ranked, 3)
    random = np.random.default_rng(0)
    started = process_time()
    for task in RAFT:
        items = random.integers(RAFT[task][0], size=RAFT[task][0])
        found = [of_labels(one[task].y_true[items], one[task].y_pred[items]) for one in systems]
        rankdata(found)
    loop = (process_time() - started) * 1000
    print(
        f"ranges of ranks of {SYSTEMS} systems on {len(RAFT)} tasks and their mean, 1,000 resamples, one core"
    )
    print(f"  from stored replicates          {ours:8.2f} s")
    print(f"  with making the replicates      {ours + replicates:8.2f} s   scikit-learn loop {loop:8,.0f} s")
    print(f"                                            {loop / (ours + replicates):8,.0f} times as fast")


def main() -> None:
    os.sched_setaffinity(0, {0})
    tasks = submission()
    started = process_time()
    weights = {
        task: Resamples(item_weights(task.encode(), item_count)) for task, (item_count, _) in RAFT.items()
    }
    drawn = process_time() - started
    by_shared_weights(tasks, weights)
    turns: dict[str, list[float]] = {"cells": [], "shared": [], "loop": []}
    for _ in range(ROUNDS):
        started = process_time()
        by_cells(tasks)
        turns["cells"].append(process_time() - started)
        started = process_time()
        by_shared_weights(tasks, weights)
        turns["shared"].append(process_time() - started)
        started = process_time()
        by_loop(tasks, LOOPS)
        turns["loop"].append((process_time() - started) / LOOPS)
    cells, shared, loop = (median(found) for found in turns.values())
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
