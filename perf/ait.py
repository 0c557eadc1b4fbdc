"""A full Affect in Tweets bundle, from zip to averages: 33 files and about 40,000 rows, against pandas.

The files are generated from a seed, with tweets of ordinary length. Ours unzips, hashes, checks and aligns; theirs
starts from unzipped bytes, joins by id and checks nothing. Every round runs both, so that the ratio holds though the
machine's speed drifts.

Run: python -m perf.ait [rounds]
"""

import io
from hashlib import sha256

import numpy as np
import pandas as pd
from scipy.stats import pearsonr
from sklearn.metrics import cohen_kappa_score, f1_score, jaccard_score

from benchmarks.spec import TaskSpec
from benchmarks.spec.averages import averages
from catalogue.answers import Answers
from perf.reading.intake import specification, zipped
from perf.timing import by_turns, number_asked_for
from scoring.core import score
from submissions.intake import SplitTarget, read_gold_file, read_upload

EQUITY_ROWS = 2_250
WORDS = (
    "so",
    "happy",
    "today",
    "caf\u00e9",
    "I",
    "cannot",
    "believe",
    "#monday",
    "\U0001f622",
    "\u0633\u0639\u064a\u062f",
    '"wow"',
)


class Workload:
    """Gold labels and one system's files for all 33 tasks."""

    def __init__(self) -> None:
        self.spec = specification("ait2018.yaml")
        self.random = np.random.default_rng(0)
        self.files: dict[str, bytes] = {}
        self.gold_files: dict[str, bytes] = {}
        self.gold: dict[str, Answers] = {}
        self.targets: list[SplitTarget] = []
        for task in self.spec.tasks:
            self._add(task)

    def _add(self, task: TaskSpec) -> None:
        ids = [f"2018-{number:05}" for number in range(task.test_size)]
        if task.output.is_continuous and "-en" in task.id:
            ids += [f"2018-En-mystery-{number:05}" for number in range(EQUITY_ROWS)]
        self.gold_files[task.id] = self._table(task, ids)
        self.files[task.file.path] = self._table(task, ids)
        read = read_gold_file(self.gold_files[task.id], file_name="gold.txt", task=task)
        if read.content is None:
            raise SystemExit(f"The generated gold file was refused: {read.problems[0]}")
        gold = read.content.gold
        self.gold[task.id] = gold.codes
        self.targets.append(SplitTarget(task, "test", gold.ids))
        self.targets += [SplitTarget(task, split, other.ids) for split, other in read.content.others]

    def _table(self, task: TaskSpec, ids: list[str]) -> bytes:
        rows = [task.file.header_line]
        for item in ids:
            tweet = " ".join(self.random.choice(WORDS, 14))
            rows.append("\t".join([item, tweet, *self._answer(task)]))
        return ("\n".join(rows) + "\n").encode()

    def _answer(self, task: TaskSpec) -> list[str]:
        if task.output.is_subset:
            return [str(bit) for bit in self.random.integers(2, size=len(task.output.labels))]
        ((_, dimension),) = task.file.fixed
        if task.output.is_continuous:
            return [dimension, f"{self.random.random():.3f}"]
        number = self.random.choice(task.output.classes)
        return [dimension, f"{number}: so much {dimension} can be inferred"]


def ours(work: Workload, data: bytes) -> dict[str, float | None]:
    """The whole path: the zip and its hash, canonical predictions, every metric, every average."""
    sha256(data).hexdigest()
    read = read_upload(data, file_name="ait.zip", benchmark=work.spec, targets=work.targets)
    if not read.ok:
        raise SystemExit(f"The generated files were refused: {read.problems[0]}")
    values: dict[str, float | None] = {}
    for found in read.predictions:
        if found.split == "test":
            task = work.spec.task(found.task)
            names = [metric.name for metric in task.metrics]
            report = score(task.output, names, work.gold[task.id], found.codes)
            values[task.id] = report[names[0]].value
    return values | {name: mean.value for name, mean in averages(work.spec.averages, values).items()}


def by_pandas(work: Workload, task: TaskSpec) -> float:
    """The primary and secondary metrics of a task as a short script would compute them."""
    gold, found = (
        pd.read_csv(io.BytesIO(data), sep="\t", quoting=3)
        for data in (work.gold_files[task.id], work.files[task.file.path])
    )
    both = gold.merge(found, on="ID", suffixes=("_gold", "_found"))
    both = both[~both.ID.str.contains("mystery")]
    if task.output.is_subset:
        y_true, y_pred = (
            both[[f"{name}_{side}" for name in task.output.labels]].to_numpy() for side in ("gold", "found")
        )
        f1_score(y_true, y_pred, average="micro"), f1_score(y_true, y_pred, average="macro")
        return float(jaccard_score(y_true, y_pred, average="samples", zero_division=1))
    column = task.file.label_column
    y_true, y_pred = both[f"{column}_gold"], both[f"{column}_found"]
    if task.output.is_continuous:
        some = y_true >= 0.5
        pearsonr(y_true[some], y_pred[some])
        return float(pearsonr(y_true, y_pred)[0])
    y_true, y_pred = (side.str.split(":").str[0].astype(int) for side in (y_true, y_pred))
    some = y_true != 0
    pearsonr(y_true[some], y_pred[some])
    cohen_kappa_score(y_true, y_pred, weights="quadratic")
    cohen_kappa_score(y_true[some], y_pred[some], weights="quadratic")
    return float(pearsonr(y_true, y_pred)[0])


def main(rounds: int) -> None:
    """Print the median of both ways and their ratio."""
    work = Workload()
    data = zipped(work.files)
    found = ours(work, data)
    for task in work.spec.tasks:
        if abs((found[task.id] or 0.0) - by_pandas(work, task)) > 1e-9:
            raise SystemExit(f"The two ways disagree on {task.id}, so their times mean nothing.")
    spent = by_turns(
        {
            "ours": lambda: ours(work, data),
            "theirs": lambda: [by_pandas(work, task) for task in work.spec.tasks],
        },
        rounds,
    )
    rows = sum(len(target.ids) for target in work.targets)
    print(
        f"Affect in Tweets: {len(work.files)} files, {rows:,} rows, zip of {len(data):,} bytes, {rounds} rounds"
    )
    print(f"  intake, all metrics and averages {1000 * spent['ours']:9.1f} ms")
    print(f"  pandas, scipy and scikit-learn   {1000 * spent['theirs']:9.1f} ms")
    print(f"  {spent['theirs'] / spent['ours']:.1f} x faster")


if __name__ == "__main__":
    main(number_asked_for(9))
