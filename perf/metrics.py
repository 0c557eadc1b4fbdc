"""How much faster single metrics are computed here than by scipy and scikit-learn, and in how little memory.

Run it from the project's folder: `python -m perf.metrics`. Both sides get the same canonical arrays, made from a
seed; where a library wants another form (a matrix of 0 and 1 for sets of labels), it gets that form ready-made.
The methods take turns within one run, so the ratios hold on a busy machine too; figures are medians over the
turns. Before anything is timed, both sides must agree to 1e-9. Memory is the peak of a fresh process that scores
the same predictions, with and without the libraries.
"""

import subprocess
import sys
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from scipy.stats import pearsonr, spearmanr
from sklearn.metrics import cohen_kappa_score, f1_score, jaccard_score

from catalogue.answers import AnswerKind, Label, LabelSubset, Number, OrderedClass
from perf.timing import by_turns
from scoring.core import score

ROUNDS = 15
TURN_SECONDS = 0.05
SIZES = (1_000, 100_000)

SCORE_HERE = """
import numpy as np
from catalogue.answers import Number
from scoring.core import score
y = np.random.default_rng(1).random((2, 100_000))
score(Number(0, 1), ["pearson", "pearson_gold_ge_0.5"], y[0], y[1])
"""
SCORE_ELSEWHERE = """
import pandas as pd
import numpy as np
from sklearn.metrics import cohen_kappa_score, f1_score, jaccard_score
from scipy.stats import pearsonr
y = np.random.default_rng(1).random((2, 100_000))
pearsonr(y[0], y[1]), pearsonr(y[0][y[0] >= 0.5], y[1][y[0] >= 0.5])
"""
PRINT_PEAK = """
import re
print(re.search(r"VmHWM:\\s+(\\d+)", open("/proc/self/status").read())[1])
"""


class MetricContest(NamedTuple):
    """One metric as we and as a library compute it."""

    metric: str
    peer: str
    ours: Callable[[], float]
    theirs: Callable[[], float]


def main() -> None:
    """Print medians, ratios and peak memory."""
    for rows in SIZES:
        print(f"{rows:,} rows, median of {ROUNDS} turns")
        for contest in contests(rows):
            difference = abs(contest.ours() - float(contest.theirs()))  # this also warms them up
            if difference > 1e-9:
                raise SystemExit(f"{contest.metric} differs by {difference}, so the times mean nothing.")
            ways = {"ours": contest.ours, "theirs": contest.theirs}
            ours, theirs = by_turns(ways, ROUNDS, TURN_SECONDS).values()
            print(
                f"  {contest.metric:<18} heldout {ours * 1e6:9.1f} µs"
                f"   {contest.peer:<26} {theirs * 1e6:11.1f} µs {theirs / ours:7.1f} x"
            )
    here, elsewhere = peak_megabytes(SCORE_HERE), peak_megabytes(SCORE_ELSEWHERE)
    print(
        f"Peak memory of a scoring process: {here:.0f} MB; of a script with the libraries: {elsewhere:.0f} MB"
    )


def contests(rows: int) -> list[MetricContest]:
    """Every metric against its library, on predictions that are right about two times in three."""
    rng = np.random.default_rng(20260729)
    keep = rng.random(rows) < 0.6

    gold = rng.integers(0, 77, rows).astype(np.uint8)
    labels = np.where(keep, gold, rng.integers(0, 77, rows)).astype(np.uint8)
    label_set = Label(names=tuple(f"label {code}" for code in range(77)))

    gold_class = rng.integers(-3, 4, rows).astype(np.int16)
    classes = np.where(keep, gold_class, rng.integers(-3, 4, rows)).astype(np.int16)

    gold_bits = rng.random((rows, 11)) < 0.22
    bits = np.where(rng.random((rows, 11)) < 0.8, gold_bits, rng.random((rows, 11)) < 0.22)
    subset = LabelSubset(names=tuple(f"label {code}" for code in range(11)))
    place = np.uint64(1) << np.arange(11, dtype=np.uint64)
    gold_mask, mask = gold_bits @ place, bits @ place

    gold_number = np.round(rng.random(rows), 3)
    numbers = np.clip(gold_number + rng.normal(0, 0.2, rows), 0, 1)

    return [
        against("f1_macro", "sklearn f1_score", label_set, gold, labels, partial(macro, gold, labels)),
        against(
            "kappa_quadratic", "sklearn cohen_kappa_score", OrderedClass(-3, 3), gold_class, classes,
            lambda: cohen_kappa_score(gold_class, classes, labels=np.arange(-3, 4), weights="quadratic"),
        ),
        against(
            "jaccard", "sklearn jaccard_score", subset, gold_mask, mask,
            lambda: jaccard_score(gold_bits, bits, average="samples", zero_division=1.0),
        ),
        against("f1_macro", "sklearn f1_score, 11 labels", subset, gold_mask, mask, partial(macro, gold_bits, bits)),
        against(
            "pearson", "scipy pearsonr", Number(0, 1), gold_number, numbers,
            lambda: float(pearsonr(gold_number, numbers)[0]),
        ),
        against(
            "spearman", "scipy spearmanr", Number(0, 1), gold_number, numbers,
            lambda: float(spearmanr(gold_number, numbers)[0]),
        ),
    ]  # fmt: skip


def macro(gold: Any, predicted: Any) -> float:
    """F1 macro by scikit-learn."""
    return float(f1_score(gold, predicted, average="macro", zero_division=0))


def against(
    metric: str, library: str, output: AnswerKind, y_true: Any, y_pred: Any, theirs: Callable[[], float]
) -> MetricContest:
    """Ours is what a worker calls: the engine, with all its checks."""

    def ours() -> float:
        value = score(output, [metric], y_true, y_pred)[metric].value
        if value is None:
            raise RuntimeError(f"The generated data have no {metric}; they are broken.")
        return value

    return MetricContest(metric, library, ours, theirs)


def peak_megabytes(program: str) -> float:
    """Peak resident memory of a fresh interpreter that runs the program, from Linux's own count in kilobytes.

    `getrusage` would not do: its peak includes the process that started the interpreter.
    """
    finished = subprocess.run(  # noqa: S603 - runs a program written above
        [sys.executable, "-c", program + PRINT_PEAK], capture_output=True, text=True, check=True
    )
    return int(finished.stdout) / 1024


if __name__ == "__main__":
    main()
