"""Intervals of a full RAFT submission, beside the loop over resamples that one would write with scikit-learn.

Run it from the project's folder: `python -m perf.uncertainty`. Seconds are those of one core, not the clock; the loop
is measured for a few resamples and multiplied. Gold labels and predictions have RAFT's numbers of items and labels;
seven in ten answers are right.
"""

from __future__ import annotations

import os
from statistics import median
from time import process_time

import numpy as np
from sklearn.metrics import accuracy_score, f1_score

from benchmarks.spec.outputs import LabelSet
from scoring.core.comparison import Comparison
from scoring.core.engine import score
from scoring.core.uncertainty.alone import intervals_of
from scoring.core.uncertainty.cells import REPLICATES
from scoring.core.uncertainty.replicates import Resamples, replicate_scores
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


def submission() -> dict[str, Comparison]:
    """One system's answers to all tasks."""
    random = np.random.default_rng(0)
    found = {}
    for task, (item_count, label_count) in RAFT.items():
        gold, other = random.integers(label_count, size=(2, item_count))
        predicted = np.where(random.random(item_count) < 0.7, gold, other)
        output = LabelSet(tuple(f"label {code}" for code in range(label_count)))
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


if __name__ == "__main__":
    main()
