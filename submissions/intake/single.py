"""What a file that is sent alone answers: which task, and which split of it."""

from __future__ import annotations

from collections.abc import Sequence
from fnmatch import fnmatchcase

from benchmarks.spec import BenchmarkSpec, Dialect
from submissions.intake.bundle import Wanted, file_targets
from submissions.intake.canonical import FileTarget
from submissions.intake.fast import read_ordinary
from submissions.intake.nearest import nearest
from submissions.intake.problems import Finding, ProblemCode, visible

Files = list[tuple[str, FileTarget]]


def chosen_target(
    data: bytes,
    name: str,
    wanted: Wanted,
    task: str | None,
    split: str | None,
) -> FileTarget | Finding:
    """What a single file answers by the choice of whoever sends it and by its name, or why that cannot be told."""
    benchmark = wanted.benchmark
    files = [
        (path.removeprefix(benchmark.bundle_root), one)
        for path, several in file_targets(wanted.targets).items()
        for one in several
    ]
    tasks = list(dict.fromkeys(one.task.id for _, one in files))
    if elsewhere := _chosen_elsewhere(wanted, task, split):
        return Finding(ProblemCode.UNKNOWN_SPLIT, elsewhere, visible(split or ""))
    if task is not None and task not in tasks:
        return _unknown_task(task, tasks, benchmark)
    files = [(path, one) for path, one in files if task in (None, one.task.id)]
    splits = list(dict.fromkeys(part.split for _, one in files for part in one.splits))
    if split is not None and split not in splits:
        return _unknown_split(split, splits, task)
    files = [(path, one) for path, one in files if split in (None, *(part.split for part in one.splits))]
    path = "/" + name.replace("\\", "/")
    named = _named(files, path, has_task=task is not None, has_split=split is not None)
    if named:
        return named
    if split is None and (elsewhere := wanted.belongs_elsewhere(path.rpartition("/")[2])):
        return Finding(ProblemCode.UNKNOWN_FILE, elsewhere, visible(name))
    waiting = _waiting_task(path, benchmark, tasks) if task is None else None
    if waiting:
        return _unknown_task(waiting, tasks, benchmark)
    if len(files) == 1:
        return files[0][1]
    if task is not None:
        return files[0][1]
    return _task_not_named(data, [one for _, one in files])


def _chosen_elsewhere(wanted: Wanted, task: str | None, split: str | None) -> str:
    """Where the predictions belong whose split was chosen, in a sentence; empty where they may come here."""
    may_be = {one.split for one in wanted.targets if task in (None, one.task.id)}
    if split is None or split in may_be:
        return ""
    told = [
        text for (other, part), text in wanted.elsewhere.items() if part == split and task in (None, other)
    ]
    return told[0] if told else ""


def _named(files: Files, name: str, *, has_task: bool, has_split: bool) -> FileTarget | None:
    """The file of that name."""
    fitting = [(path, one) for path, one in files if fnmatchcase(name, f"*/{path}")]
    if fitting:
        # The one with most folders, so that `spelling/x.csv` is not taken for `x.csv`.
        return max(fitting, key=lambda one: one[0].count("/"))[1]
    if not has_task:
        fitting = [(path, one) for path, one in files if name.endswith(f"/{one.task.id}.csv")]
    if has_split and not fitting:
        # The folder would say the split, which is known; browsers leave it out.
        fitting = [(path, one) for path, one in files if fnmatchcase(name, f"*/{path.rpartition('/')[2]}")]
        return fitting[0][1] if len(fitting) == 1 else None
    return fitting[0][1] if fitting else None


def _waiting_task(name: str, benchmark: BenchmarkSpec, known: list[str]) -> str | None:
    """The task that a file of this name is for where its ids have not been loaded yet."""
    for task in benchmark.tasks:
        own = task.file.path.removeprefix(benchmark.bundle_root)
        if task.id not in known and (fnmatchcase(name, f"*/{own}") or name.endswith(f"/{task.id}.csv")):
            return task.id
    return None


def _unknown_task(task: str, known: list[str], benchmark: BenchmarkSpec) -> Finding:
    if task in {one.id for one in benchmark.tasks}:
        message = f"The organiser has not loaded the ids of {task} yet, so its file cannot be checked."
        return Finding(ProblemCode.UNKNOWN_TASK, message, task, " | ".join(known))
    closest = nearest(task, known)
    message = f"The benchmark has no task “{visible(task)}”. Nearest: {closest}."
    return Finding(ProblemCode.UNKNOWN_TASK, message, visible(task), closest)


def _unknown_split(split: str, known: list[str], task: str | None) -> Finding:
    message = (
        f"{f'The task {task}' if task else 'The benchmark'} has no split “{visible(split)}” that can be answered. "
        f"There is: {', '.join(known)}."
    )
    return Finding(ProblemCode.UNKNOWN_SPLIT, message, visible(split), nearest(split, known))


def _task_not_named(data: bytes, targets: Sequence[FileTarget]) -> Finding:
    fitting = list(dict.fromkeys(one.task.id for one in targets if read_ordinary(data, one) is not None))
    message = "Neither the file's name nor your choice says which task it answers."
    names = {target.task.id: _own_name(target) for target in reversed(targets)}
    if len(fitting) == 1:
        message += f" It reads like {fitting[0]}: name it {names[fitting[0]]}, or choose the task."
    else:
        message += f" Name it after its task, such as {names[targets[0].task.id]}, or choose the task."
    expected = " | ".join(dict.fromkeys(names[target.task.id] for target in targets))
    return Finding(ProblemCode.TASK_NOT_NAMED, message, expected=expected)


def _own_name(target: FileTarget) -> str:
    """What to call a file that is sent alone."""
    file = target.task.file
    split = target.task.split(target.splits[0].split)
    if split.made:
        return split.file.rsplit("/", 1)[-1]
    return f"{target.task.id}.csv" if file.dialect is Dialect.CSV else file.path.rsplit("/", 1)[-1]
