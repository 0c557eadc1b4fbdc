"""How much faster a full RAFT submission is scored here than by what one would otherwise write.

Run it from the project's folder: `python -m perf.scoring`. The data are generated from a seed, with RAFT's
numbers of rows and labels. All methods take turns within one run, so the ratios hold on a busy machine too.
In its turn a method scores the submission over and over for a fixed time, as a worker scores a batch; the
figures are medians over the turns. Before anything is timed, all methods must agree to 1e-12.
"""

import csv
from collections.abc import Callable
from pathlib import Path
from statistics import fmean, median
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.metrics import f1_score

from benchmarks.spec import AverageSpec, MissingTask
from benchmarks.spec.averages import averages
from catalogue.answers import Label
from scoring.core import score

ROUNDS = 15
TURN_SECONDS = 0.05
# Test rows and number of labels of the eleven tasks.
SIZES = (
    (5000, 2), (5000, 77), (150, 2), (518, 3), (2350, 2), (449, 3),
    (2244, 2), (1639, 2), (5000, 2), (2966, 2), (3399, 2),
)  # fmt: skip


class ScoringTask(NamedTuple):
    """One task's data as each method wants them: codes, label names, files."""

    output: Label
    y_true: NDArray[np.uint8]
    y_pred: NDArray[np.uint8]
    gold_names: list[str]
    predicted_names: list[str]
    gold_file: Path
    predictions_file: Path


def main() -> None:
    """Print the median time of each method and its ratio to ours."""
    with TemporaryDirectory() as folder:
        tasks = make_tasks(Path(folder))
        methods: dict[str, Callable[[list[ScoringTask]], float]] = {
            "heldout, from canonical codes": score_here,
            "sklearn f1_score on the same codes": score_codes_by_sklearn,
            "sklearn f1_score on label names": score_names_by_sklearn,
            "pandas read_csv + merge + f1_score": score_files_by_pandas,
        }
        check_agreement(tasks, methods)
        times = measure(tasks, methods)
    print(
        f"One RAFT submission: {len(SIZES)} tasks, {sum(rows for rows, _ in SIZES):,} rows, {ROUNDS} rounds"
    )
    ours, *_others = times.values()
    for name, seconds in times.items():
        print(f"{name:<36} {seconds * 1000:9.3f} ms {seconds / ours:8.1f} x")


def make_tasks(folder: Path) -> list[ScoringTask]:
    """Eleven tasks with about three right predictions in four; prediction files in another row order."""
    rng = np.random.default_rng(20260729)
    tasks = []
    for number, (rows, label_count) in enumerate(SIZES):
        names = tuple(f"label number {code}" for code in range(label_count))
        y_true = rng.integers(label_count, size=rows).astype(np.uint8)
        guess = rng.integers(label_count, size=rows).astype(np.uint8)
        y_pred = np.where(rng.random(rows) < 0.75, y_true, guess)
        task = ScoringTask(
            Label(names=names),
            y_true,
            y_pred,
            [names[code] for code in y_true],
            [names[code] for code in y_pred],
            folder / f"gold_{number}.csv",
            folder / f"predictions_{number}.csv",
        )
        write_csv(task.gold_file, task.gold_names, np.arange(rows))
        write_csv(task.predictions_file, task.predicted_names, rng.permutation(rows))
        tasks.append(task)
    return tasks


def write_csv(path: Path, labels: list[str], order: NDArray[np.intp]) -> None:
    """An `ID,Label` file whose ids start at 50, as RAFT's do."""
    with path.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["ID", "Label"])
        writer.writerows((row + 50, labels[row]) for row in order)


def score_here(tasks: list[ScoringTask]) -> float:
    """The overall score by way of the engine and the averages."""
    values: dict[str, float | None] = {}
    for number, task in enumerate(tasks):
        report = score(task.output, ["f1_macro"], task.y_true, task.y_pred)
        values[str(number)] = report["f1_macro"].value
    overall = AverageSpec(id="overall", title="Overall", of=tuple(values), missing=MissingTask.UNRANKED)
    value = averages([overall], values)["overall"].value
    if value is None:
        raise RuntimeError("A generated task has no score; the data are broken.")
    return value


def score_codes_by_sklearn(tasks: list[ScoringTask]) -> float:
    """The overall score by scikit-learn from integer codes."""
    return fmean(float(f1_score(task.y_true, task.y_pred, average="macro")) for task in tasks)


def score_names_by_sklearn(tasks: list[ScoringTask]) -> float:
    """The overall score by scikit-learn from lists of label names."""
    return fmean(float(f1_score(task.gold_names, task.predicted_names, average="macro")) for task in tasks)


def score_files_by_pandas(tasks: list[ScoringTask]) -> float:
    """The overall score as an evaluation script would compute it, from two files per task."""
    scores = []
    for task in tasks:
        gold, predictions = pd.read_csv(task.gold_file), pd.read_csv(task.predictions_file)
        both = gold.merge(predictions, on="ID", suffixes=("_gold", "_predicted"))
        scores.append(float(f1_score(both["Label_gold"], both["Label_predicted"], average="macro")))
    return fmean(scores)


def check_agreement(
    tasks: list[ScoringTask], methods: dict[str, Callable[[list[ScoringTask]], float]]
) -> None:
    """Stop if the methods do not compute the same number; this also warms them up."""
    answers = [method(tasks) for method in methods.values()]
    if max(answers) - min(answers) > 1e-12:
        raise SystemExit(f"The methods disagree, so their times mean nothing: {answers}")


def measure(
    tasks: list[ScoringTask], methods: dict[str, Callable[[list[ScoringTask]], float]]
) -> dict[str, float]:
    """Median seconds of each method over interleaved rounds."""
    seconds: dict[str, list[float]] = {name: [] for name in methods}
    for _ in range(ROUNDS):
        for name, method in methods.items():
            seconds[name].append(take_turn(tasks, method))
    return {name: median(values) for name, values in seconds.items()}


def take_turn(tasks: list[ScoringTask], method: Callable[[list[ScoringTask]], float]) -> float:
    """Mean seconds per submission over at least `TURN_SECONDS`."""
    start = perf_counter()
    done, elapsed = 0, 0.0
    while elapsed < TURN_SECONDS:
        method(tasks)
        done += 1
        elapsed = perf_counter() - start
    return elapsed / done


if __name__ == "__main__":
    main()
