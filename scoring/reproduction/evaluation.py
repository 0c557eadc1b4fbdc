"""Score files against gold labels that lie beside them: no database, no sealing, the server's own code otherwise."""

import io
import zipfile
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.spec import AverageSpec, BenchmarkSpec, SplitSpec, TaskSpec
from benchmarks.spec.averages import AverageResult, averages
from catalogue.comparison import Comparison
from scoring.core import ScoreValue, score
from scoring.core.measures.pairs import pair_values
from scoring.core.uncertainty.intervals import Interval
from scoring.core.uncertainty.pairs import pair_clusters
from scoring.core.uncertainty.single_system import intervals_of
from scoring.file_refusal import FileRefused
from submissions.intake import (
    CanonicalPredictions,
    GoldFiles,
    SplitTarget,
    read_gold_file,
    read_upload,
)

TEST = "test"
_PAIRS = "_"
_SEED = b"evaluate"  # the same files give the same intervals

Measured = dict[str, ScoreValue]  # the values of one split by the name of their metric


@dataclass(frozen=True, slots=True)
class Evaluation:
    """The values of every split that has gold labels and predictions: by task, then split, then metric.

    `intervals` are those of the values that have one, by task and split, then metric.
    `skipped` names the tasks whose predictions were not scored, or not found, and why, in sentences.
    """

    benchmark: BenchmarkSpec
    tasks: Mapping[str, Mapping[str, Measured]]
    averages: tuple[AverageSpec, ...]
    skipped: tuple[str, ...] = ()
    intervals: Mapping[tuple[str, str], Mapping[str, Interval]] = field(default_factory=dict)

    def as_dict(self) -> dict[str, Any]:
        """The form that `manage.py evaluate --json` prints."""
        tasks = {
            task: {
                split: {
                    name: _cell(value, self.intervals.get((task, split), {}).get(name))
                    for name, value in values.items()
                }
                for split, values in splits.items()
            }
            for task, splits in self.tasks.items()
        }
        return {"benchmark": self.benchmark.id, "tasks": tasks, "aggregates": self._aggregates()}

    def _aggregates(self) -> dict[str, Any]:
        """Every average over the tasks' first metrics, and beside it over each metric that all its parts have."""
        primary = {task.id: task.primary_metric.name for task in self.benchmark.tasks}
        cells = self._averaged({task: self._value(task, name) for task, name in primary.items()})
        for name in {metric.name for task in self.benchmark.tasks for metric in task.metrics}:
            named = self._averaged({task: self._value(task, name) for task in primary})
            for average in self.averages:
                if all(name in self._metrics(part) for part in average.of):
                    cells[average.id].setdefault("metrics", {})[name] = named[average.id]
        return cells

    def _averaged(self, values: Mapping[str, float | None]) -> dict[str, dict[str, Any]]:
        return {name: _cell(result) for name, result in averages(self.averages, values).items()}

    def _value(self, task: str, metric: str) -> float | None:
        found = self.tasks.get(task, {}).get(TEST, {}).get(metric)
        return found.value if found else None

    def _metrics(self, part: str) -> set[str]:
        """The metrics of a task; those that all its parts share for an average."""
        inner = next((average for average in self.averages if average.id == part), None)
        if inner is None:
            return {metric.name for metric in self.benchmark.task(part).metrics}
        return set.intersection(*(self._metrics(each) for each in inner.of))


def _cell(result: ScoreValue | AverageResult, interval: Interval | None = None) -> dict[str, Any]:
    ends = {"ci_low": interval.low, "ci_high": interval.high} if interval else {}
    return {"value": result.value, "undefined": result.undefined} | ends


@dataclass(frozen=True, slots=True)
class _Gold:
    task: TaskSpec
    split: str
    files: GoldFiles


def evaluate_file(
    benchmark: BenchmarkSpec,
    task: TaskSpec,
    *,
    gold: tuple[str, bytes],
    predictions: tuple[str, bytes],
    split: str = TEST,
    pairs: bool = False,
) -> Evaluation:
    """Score one file, or a zip of which one task is read, against one gold file. Files are (name, bytes).

    Raises
    ------
    FileRefused
        If either file is refused.
    """
    read = _read_gold(task, split, *gold)
    return _evaluate(benchmark, [read], predictions, task=task.id, with_pairs=pairs, averages_of=())


def evaluate_files(
    benchmark: BenchmarkSpec,
    *,
    gold: Mapping[str, bytes],
    predictions: tuple[str, bytes],
    only: Collection[str] = (),
    pairs: bool = False,
) -> Evaluation:
    """Score a zip, or one task's file, against a folder of gold files by name.

    Every split whose gold file is there is scored; `only` names tasks.

    Raises
    ------
    FileRefused
        If any file is refused; without problems if no gold file is there, or several could be meant.
    """
    found = []
    for task in benchmark.tasks:
        for split in task.splits:
            name = _gold_name(task, split, gold) if task.id in (only or [task.id]) else None
            if name is not None:
                found.append(_read_gold(task, split.id, name, gold[name]))
    if not found:
        wanted = sorted({task.gold.path for task in benchmark.tasks if task.id in (only or [task.id])})
        raise FileRefused(f"The folder holds no gold file; expected {', '.join(wanted[:5])}, or the like.")
    return _evaluate(
        benchmark,
        found,
        predictions,
        task=next(iter(only)) if len(only) == 1 else None,
        with_pairs=pairs,
        averages_of=() if only else benchmark.averages,
    )


def zipped(files: Mapping[str, bytes]) -> bytes:
    """Files by path as a zip, so that a folder is read as an upload is."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return buffer.getvalue()


def _gold_name(task: TaskSpec, split: SplitSpec, gold: Mapping[str, bytes]) -> str | None:
    if split.ids_with:
        return None
    patterns = [split.gold_file] if split.gold_file else [task.gold.path, f"{task.id}.*", task.file.path]
    for pattern in patterns:
        names = [name for name in gold if fnmatchcase(name, pattern)]
        if len(names) > 1:
            raise FileRefused(f"Several files could hold the gold labels of {task.id}: {', '.join(names)}.")
        if names:
            return names[0]
    return None


def _read_gold(task: TaskSpec, split: str, name: str, data: bytes) -> _Gold:
    read = read_gold_file(data, file_name=name, task=task, split=split)
    return _Gold(task, split, read.content_or(FileRefused.because_of))


def _evaluate(
    benchmark: BenchmarkSpec,
    gold: Sequence[_Gold],
    predictions: tuple[str, bytes],
    *,
    task: str | None,
    with_pairs: bool,
    averages_of: tuple[AverageSpec, ...],
) -> Evaluation:
    name, data = predictions
    targets = [
        SplitTarget(one.task, split, file.ids)
        for one in gold
        for split, file in ((one.split, one.files.gold), *one.files.others)
    ]
    read = read_upload(
        data, file_name=name, benchmark=tolerant(benchmark, targets), targets=targets, task=task
    )
    if not read.ok:
        raise FileRefused.because_of(read.problems, read.more)
    answers = {(found.task, found.split): found for found in read.predictions}
    tasks: dict[str, dict[str, Measured]] = {}
    intervals, skipped = {}, []
    for one in gold:
        found = answers.get((one.task.id, one.split))
        if found is None:
            skipped.append(
                f"{one.task.id}, split {one.split}: there are no predictions for these gold labels."
            )
        else:
            measured = _measured(one, found, with_pairs=with_pairs)
            tasks.setdefault(one.task.id, {})[one.split] = measured
            intervals[one.task.id, one.split] = _intervals(one, found, measured)
    without_gold = {other.id for other in benchmark.tasks} - {one.task.id for one in gold}
    if averages_of and without_gold:
        skipped.append(f"{', '.join(sorted(without_gold))}: there are no gold labels.")
    return Evaluation(benchmark, tasks, averages_of, tuple(skipped), intervals)


def tolerant(benchmark: BenchmarkSpec, targets: Sequence[SplitTarget]) -> BenchmarkSpec:
    """The benchmark with all its files but those of the targets allowed in a zip, and not read."""
    wanted = {target.path for target in targets}
    paths = {task.path_of(split.id) for task in benchmark.tasks for split in task.splits}
    return replace(benchmark, also_allowed=(*benchmark.also_allowed, *sorted(paths - wanted)))


def _measured(gold: _Gold, found: CanonicalPredictions, *, with_pairs: bool) -> Measured:
    task = gold.task
    report = score(task.output, [metric.name for metric in task.metrics], gold.files.gold.codes, found.codes)
    values = {value.metric: value for value in report.values}
    if with_pairs or task.pairs:
        ids, separator = gold.files.gold.ids.ids, task.pairs or _PAIRS
        paired = pair_values(task.output, ids, separator, gold.files.gold.codes, found.codes)
        values |= {value.metric: value for value in paired}
    return values


def _intervals(gold: _Gold, found: CanonicalPredictions, measured: Measured) -> dict[str, Interval]:
    """Of the task's own metrics; items that belong together, as those of a minimal pair, are drawn together."""
    task = gold.task
    values = {use.name: value for use in task.metrics if (value := measured[use.name].value) is not None}
    is_paired = bool(task.pairs) and gold.split in task.test_splits
    clusters: NDArray[np.integer] | None = gold.files.gold.clusters
    if is_paired:
        clusters = pair_clusters(gold.files.gold.ids.ids, task.pairs)
    comparison = Comparison(task.output, gold.files.gold.codes, found.codes)
    return intervals_of(comparison, values, _SEED, clusters)
