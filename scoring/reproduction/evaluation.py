"""Score files against gold labels that lie beside them: no database, no sealing, the server's own code otherwise."""

import io
import zipfile
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.spec import AverageSpec, BenchmarkSpec, SplitSpec, TaskSpec
from benchmarks.spec.averages import AverageResult, averages
from benchmarks.spec.tasks.gold_columns import unusable_columns
from catalogue.comparison import Comparison
from catalogue.item_groups import with_clusters
from scoring.core.engine import ScoreValue, score_comparison
from scoring.core.measures.pairs import pair_values
from scoring.core.repeated_rows import in_best_order
from scoring.core.uncertainty.derived import pair_clusters
from scoring.core.uncertainty.intervals import Interval
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

Cells = dict[str, dict[str, Any]]  # a value, or why there is none, and the ends of its interval, by name


@dataclass(frozen=True, slots=True)
class Evaluation:
    """What `manage.py evaluate --json` prints: the cells of every split, by task, split and metric, and of averages.

    `skipped` names the tasks whose predictions were not scored, or not found, and why, in sentences.
    """

    document: Mapping[str, Any]
    skipped: tuple[str, ...]


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
    gold_files = []
    for task in benchmark.tasks:
        for split in task.splits:
            name = _gold_name(task, split, gold) if task.id in (only or [task.id]) else None
            if name is not None:
                gold_files.append(_read_gold(task, split.id, name, gold[name]))
    if not gold_files:
        wanted = sorted({task.gold.path for task in benchmark.tasks if task.id in (only or [task.id])})
        raise FileRefused(f"The folder holds no gold file; expected {', '.join(wanted[:5])}, or the like.")
    return _evaluate(
        benchmark,
        gold_files,
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
    files = read.content_or(FileRefused.because_of)
    if fault := unusable_columns(task, files.gold.groups):
        raise FileRefused(fault)
    return _Gold(task, split, files)


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
        SplitTarget(gold_split.task, split, file.asked)
        for gold_split in gold
        for split, file in ((gold_split.split, gold_split.files.gold), *gold_split.files.others)
    ]
    read = read_upload(
        data, file_name=name, benchmark=tolerant(benchmark, targets), targets=targets, task=task
    )
    if not read.ok:
        raise FileRefused.because_of(read.problems, read.more)
    answers = {(predictions.task, predictions.split): predictions for predictions in read.predictions}
    tasks: dict[str, dict[str, Cells]] = {}
    skipped = []
    for gold_split in gold:
        answered = answers.get((gold_split.task.id, gold_split.split))
        if answered is None:
            skipped.append(
                f"{gold_split.task.id}, split {gold_split.split}: there are no predictions for these gold labels."
            )
        else:
            tasks.setdefault(gold_split.task.id, {})[gold_split.split] = _cells(
                gold_split, answered, with_pairs=with_pairs
            )
    without_gold = {other.id for other in benchmark.tasks} - {gold_split.task.id for gold_split in gold}
    if averages_of and without_gold:
        skipped.append(f"{', '.join(sorted(without_gold))}: there are no gold labels.")
    aggregates = _aggregates(benchmark, averages_of, tasks)
    return Evaluation({"benchmark": benchmark.id, "tasks": tasks, "aggregates": aggregates}, tuple(skipped))


def tolerant(benchmark: BenchmarkSpec, targets: Sequence[SplitTarget]) -> BenchmarkSpec:
    """The benchmark with all its files but those of the targets allowed in a zip, and not read."""
    wanted = {target.path for target in targets}
    paths = {task.path_of(split.id) for task in benchmark.tasks for split in task.splits}
    return replace(benchmark, also_allowed=(*benchmark.also_allowed, *sorted(paths - wanted)))


def _cells(gold: _Gold, predictions: CanonicalPredictions, *, with_pairs: bool) -> Cells:
    """The values of one split, those of the task's own metrics with their intervals."""
    task, labels = gold.task, gold.files.gold
    names = [use.name for use in task.metrics]
    answers = predictions.codes[: len(labels.ids)]  # the scored items come first
    answers = in_best_order(task, labels.ids.ids, labels.codes, answers)
    groups = with_clusters(labels.groups, task.output.clusters, labels.clusters)
    comparison = Comparison(task.output, labels.codes, answers, groups=groups)
    values = list(score_comparison(comparison, names).values)
    if with_pairs or task.pairs:
        values += pair_values(
            comparison.output,
            labels.ids.ids,
            task.pairs or _PAIRS,
            comparison.y_true,
            comparison.y_pred,
        )
    by_name = {value.metric: value for value in values}
    defined = {name: value for name in names if (value := by_name[name].value) is not None}
    clusters: NDArray[np.integer] | None = labels.clusters
    if task.pairs and gold.split in task.test_splits:  # the two items of a minimal pair are drawn together
        clusters = pair_clusters(labels.ids.ids, task.pairs)
    ends = intervals_of(comparison, defined, _SEED, clusters)
    return {name: _cell(value, ends.get(name)) for name, value in by_name.items()}


def _cell(result: ScoreValue | AverageResult, interval: Interval | None = None) -> dict[str, Any]:
    ends = {"ci_low": interval.low, "ci_high": interval.high} if interval else {}
    return {"value": result.value, "undefined": result.undefined} | ends


def _aggregates(
    benchmark: BenchmarkSpec, specs: Sequence[AverageSpec], tasks: Mapping[str, Mapping[str, Cells]]
) -> Cells:
    """Every average over the tasks' first metrics, and beside it over each metric that all its parts have."""

    def averaged(metrics: Mapping[str, str]) -> Cells:
        tested = {task: tasks.get(task, {}).get(TEST, {}) for task in metrics}
        values = {task: tested[task].get(metric, {}).get("value") for task, metric in metrics.items()}
        return {name: _cell(result) for name, result in averages(specs, values).items()}

    primary = {task.id: task.primary_metric.name for task in benchmark.tasks}
    cells = averaged(primary)
    for name in {metric.name for task in benchmark.tasks for metric in task.metrics}:
        named = averaged(dict.fromkeys(primary, name))
        for average in specs:
            if name in _shared_metrics(benchmark, specs, average.of):
                cells[average.id].setdefault("metrics", {})[name] = named[average.id]
    return cells


def _shared_metrics(benchmark: BenchmarkSpec, specs: Sequence[AverageSpec], parts: Sequence[str]) -> set[str]:
    """The metrics that all of these tasks have; those that all its parts share for an average."""
    inner = {average.id: average.of for average in specs}
    return set.intersection(
        *(
            _shared_metrics(benchmark, specs, inner[part])
            if part in inner
            else {metric.name for metric in benchmark.task(part).metrics}
            for part in parts
        )
    )
