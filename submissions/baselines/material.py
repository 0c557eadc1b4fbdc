"""What baselines learn from and answer: the training files of a folder, and the texts of the splits."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath

from benchmarks.models import Benchmark, Phase, Texts
from benchmarks.spec import TaskSpec
from submissions.baselines.learners import Labelled
from submissions.intake import Problem, SplitTarget
from submissions.intake.tables.training import (
    ItemTexts,
    read_texts_file,
    read_training_file,
)
from submissions.uploads.expected_splits import split_targets

_SEPARATOR = ". "  # as Alex et al., 2021, appendix A.6, join the columns of an item
_TABLES = ("csv", "tsv", "txt")
_TEST = "test"


class MaterialError(Exception):
    """The folder lacks a file, or a file cannot be used. The message names it and says what to do."""


@dataclass(frozen=True, slots=True)
class TrainingMaterial:
    """One task: what to learn from, what to answer, and the texts by split.

    `no_texts` says why there are no texts; empty where there are.
    """

    task: TaskSpec
    labelled: Labelled
    targets: tuple[SplitTarget, ...]
    texts: dict[str, tuple[str, ...]] = field(default_factory=dict)
    no_texts: str = ""


def read_material(
    phase: Phase, folder: Path, *, partial: bool = False
) -> tuple[list[TrainingMaterial], list[str]]:
    """The material of every task that a phase takes, in the definition's order; and the tasks left out, in sentences.

    Parameters
    ----------
    partial
        Leave out tasks without a training file instead of refusing.

    Raises
    ------
    MaterialError, WrongPhase, PhaseNotReady
    """
    benchmark = phase.benchmark
    by_task: dict[str, list[SplitTarget]] = {}
    for target in split_targets(phase):
        by_task.setdefault(target.task.id, []).append(target)
    found = {task: _only_file(folder, training_names(benchmark.spec.task(task))) for task in by_task}
    lacking = [
        f"{task} has no training file; looked for {', '.join(training_names(benchmark.spec.task(task)))}."
        for task, path in found.items()
        if path is None
    ]
    if lacking and (not partial or len(lacking) == len(found)):
        advice = "Add the files, or leave these tasks out with --partial."
        raise MaterialError("\n".join([f"In {folder}:", *lacking, advice]))
    return [
        _material_of(benchmark, folder, tuple(by_task[task]), path) for task, path in found.items() if path
    ], lacking


def training_names(task: TaskSpec) -> list[str]:
    """The names that a task's training file may have in the folder; stars stand for any characters but a slash."""
    path = task.gold.path
    tables = [f"{task.id}.{ending}" for ending in (*_TABLES, "json", "jsonl")]
    return list(
        dict.fromkeys([path, PurePosixPath(path).name, *tables, f"{task.id}.train.*", f"{task.id}/train.*"])
    )


def texts_names(task: TaskSpec, split: str) -> list[str]:
    return [f"{task.id}.{split}.*", f"{task.id}/{split}.*", f"{task.id}/{split}_unlabeled.*"]


def _only_file(folder: Path, names: Sequence[str]) -> Path | None:
    found = sorted({path for name in names for path in folder.glob(name) if path.is_file()})
    if len(found) > 1:
        shown = ", ".join(str(path.relative_to(folder)) for path in found)
        raise MaterialError(f"In {folder} several files fit the same task: {shown}. Keep one of them.")
    return found[0] if found else None


def _material_of(
    benchmark: Benchmark, folder: Path, targets: tuple[SplitTarget, ...], path: Path
) -> TrainingMaterial:
    """The material of one task, whose training file stands at `path`. MaterialError for what cannot be used."""
    task = targets[0].task
    training = read_training_file(path.read_bytes(), file_name=path.name, task=task).content_or(_refused)
    for target in targets:
        # A file with exactly a split's ids is its gold file, and a baseline must not have seen it.
        if set(training.labels.ids.ids) == set(target.ids.ids):
            raise MaterialError(
                f"{path.name} has exactly the ids of {task.id}/{target.split}: these are the gold labels, "
                "not training data. Nothing was trained."
            )
    texts: dict[str, tuple[str, ...]] = {}
    labelled = Labelled(task.output, training.labels.codes)
    if not training.text_columns:
        reason = f"the training file of {task.id} has no column of text"
        return TrainingMaterial(task, labelled, targets, no_texts=reason)
    for target in targets:
        found = _texts_of(benchmark, folder, target, training.text_columns)
        if found is None:
            names = ", ".join(texts_names(task, target.split))
            reason = f"{task.id}/{target.split} has no texts: none uploaded, and no file {names}"
            return TrainingMaterial(task, labelled, targets, no_texts=reason)
        texts[target.split] = found
    joined = tuple(map(_SEPARATOR.join, training.texts))
    return TrainingMaterial(task, replace(labelled, texts=joined), targets, texts)


def _texts_of(
    benchmark: Benchmark, folder: Path, target: SplitTarget, columns: tuple[str, ...]
) -> tuple[str, ...] | None:
    """The texts of a split in the order of its ids: uploaded ones, else those of a file of the folder."""
    task = target.task
    uploaded = Texts.objects.filter(
        split__task__benchmark=benchmark, split__task__slug=task.id, split__slug=target.split
    ).first()
    if uploaded is not None:
        source = f"the uploaded texts of {task.id}/{target.split}"
        return _in_order(_unpacked(uploaded), target, columns, source)
    shares_file = any(split.id == target.split and split.ids_with for split in task.splits)
    names = texts_names(task, target.split) + (texts_names(task, _TEST) if shares_file else [])
    path = next(filter(None, (_only_file(folder, [name]) for name in names)), None)
    if path is None:
        return None
    read = read_texts_file(path.read_bytes(), file_name=path.name, task=task)
    return _in_order(read.content_or(_refused), target, columns, path.name)


def _unpacked(texts: Texts) -> ItemTexts:
    found = {item: tuple(text for _, text in cells) for item, cells in texts.by_item().items()}
    return ItemTexts(tuple(texts.header[1:]), found)


def _in_order(
    found: ItemTexts, target: SplitTarget, columns: tuple[str, ...], source: str
) -> tuple[str, ...]:
    if len(found.text_columns) != len(columns):
        raise MaterialError(
            f"{target.task.id}: the training file has the text columns {_listed(columns)}, "
            f"but {source} has {_listed(found.text_columns)}. Both must have the same."
        )
    lacking = [item for item in target.ids.ids if item not in found.of]
    if lacking:
        raise MaterialError(
            f"{target.task.id}: {source} has no text for {len(lacking):,} of the {len(target.ids):,} ids of "
            f"{target.split}, the first of them {lacking[0]!r}."
        )
    return tuple(_SEPARATOR.join(found.of[item]) for item in target.ids.ids)


def _listed(columns: Iterable[str]) -> str:
    return ", ".join(columns) or "none"


def _refused(problems: Sequence[Problem], more: int) -> MaterialError:
    lines = []
    for problem in problems:
        line = f", line {problem.line}" if problem.line else ""
        column = f", column {problem.column}" if problem.column else ""
        lines.append(f"{problem.file}{line}{column}: {problem.message}")
    return MaterialError("\n".join([*lines, *([f"{more:,} further problems were found."] if more else [])]))
