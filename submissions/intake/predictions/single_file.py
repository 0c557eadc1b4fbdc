"""What a file that is sent alone answers: which task, and which split of it."""

from collections.abc import Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase

from benchmarks.spec import BenchmarkSpec
from catalogue.problems import Finding, ProblemCode, visible
from catalogue.suggestions import nearest
from submissions.intake.canonical import FileTarget
from submissions.intake.predictions.fast_reader import read_ordinary
from submissions.intake.predictions.wanted_files import Wanted, file_targets

# What files may answer, with the path of each below the root of a zip.
Targets = list[tuple[str, FileTarget]]


@dataclass(frozen=True, slots=True)
class SingleFile:
    """A file that is sent alone, with the task and the split that its sender chose, if any.

    `entries` are those of a zip that its lines were, if it came so.
    """

    name: str
    data: bytes
    task: str | None = None
    split: str | None = None
    entries: tuple[str, ...] = ()

    @property
    def path(self) -> str:
        return "/" + self.name.replace("\\", "/")


def chosen_target(file: SingleFile, wanted: Wanted) -> FileTarget | Finding:
    """What a single file answers by the choice of whoever sends it and by its name, or why that cannot be told."""
    root = wanted.benchmark.bundle_root
    targets = [
        (path.removeprefix(root), target)
        for path, several in file_targets(wanted.targets).items()
        for target in several
    ]
    tasks = list(dict.fromkeys(target.task.id for _, target in targets))
    of_task = [(path, target) for path, target in targets if file.task in (None, target.task.id)]
    if fault := _fault_of_choice(file, wanted, [target for _, target in of_task], tasks):
        return fault
    targets = [
        (path, target)
        for path, target in of_task
        if file.split in (None, *(part.split for part in target.splits))
    ]
    if named := _named(targets, file):
        return named
    is_plain = len(targets) == 1 or file.task is not None
    return _fault_of_name(file, wanted, tasks) or (
        targets[0][1] if is_plain else _task_not_named(file.data, [target for _, target in targets])
    )


def _fault_of_choice(
    file: SingleFile, wanted: Wanted, of_task: Sequence[FileTarget], tasks: list[str]
) -> Finding | None:
    chosen = file.split
    if chosen is not None and all(
        chosen != target.split for target in wanted.targets if file.task in (None, target.task.id)
    ):
        for (task, split), other in wanted.elsewhere.items():
            if split == chosen and file.task in (None, task):
                return Finding(ProblemCode.UNKNOWN_SPLIT, other.sentence, visible(chosen))
    if file.task is not None and file.task not in tasks:
        for (task, _), other in wanted.elsewhere.items():
            if file.task == task:
                return Finding(ProblemCode.OTHER_PHASE, other.sentence, task, " | ".join(tasks))
        return _unknown_task(file.task, tasks, wanted.benchmark)
    splits = list(dict.fromkeys(part.split for target in of_task for part in target.splits))
    if chosen is None or chosen in splits:
        return None
    return Finding(
        ProblemCode.UNKNOWN_SPLIT,
        f"{f'The task {file.task}' if file.task else 'The benchmark'} has no split “{visible(chosen)}” that can be "
        f"answered. There is: {', '.join(splits)}.",
        visible(chosen),
        nearest(chosen, splits),
    )


def _fault_of_name(file: SingleFile, wanted: Wanted, tasks: list[str]) -> Finding | None:
    """Whether it is called like one that goes elsewhere, or like that of a task whose ids are not loaded yet."""
    if file.split is None and (elsewhere := wanted.belongs_elsewhere(file.path.rpartition("/")[2])):
        return Finding(ProblemCode.UNKNOWN_FILE, elsewhere, visible(file.name))
    for task in wanted.benchmark.tasks if file.task is None else ():
        own = task.file.path.removeprefix(wanted.benchmark.bundle_root)
        is_named = fnmatchcase(file.path, f"*/{own}") or file.path.endswith(f"/{task.id}.csv")
        if task.id not in tasks and is_named:
            return _unknown_task(task.id, tasks, wanted.benchmark)
    return None


def _named(targets: Targets, file: SingleFile) -> FileTarget | None:
    fitting = [(path, target) for path, target in targets if fnmatchcase(file.path, f"*/{path}")]
    if fitting:
        # The one with most folders, so that `spelling/x.csv` is not taken for `x.csv`.
        return max(fitting, key=lambda found: found[0].count("/"))[1]
    if file.task is None:
        fitting = [(path, target) for path, target in targets if file.path.endswith(f"/{target.task.id}.csv")]
    if file.split is not None and not fitting:
        # The folder would say the split, which is known; browsers leave it out.
        names = ((path.rpartition("/")[2], target) for path, target in targets)
        alike = [target for name, target in names if fnmatchcase(file.path, f"*/{name}")]
        return alike[0] if len(alike) == 1 else None
    return fitting[0][1] if fitting else None


def _unknown_task(task: str, known: list[str], benchmark: BenchmarkSpec) -> Finding:
    if task in {one.id for one in benchmark.tasks}:
        return Finding(
            ProblemCode.UNKNOWN_TASK,
            f"The organiser has not loaded the ids of {task} yet, so its file cannot be checked.",
            task,
            " | ".join(known),
        )
    closest = nearest(task, known)
    return Finding(
        ProblemCode.UNKNOWN_TASK,
        f"The benchmark has no task “{visible(task)}”. Nearest: {closest}.",
        visible(task),
        closest,
    )


def _task_not_named(data: bytes, targets: Sequence[FileTarget]) -> Finding:
    fitting = list(dict.fromkeys(one.task.id for one in targets if read_ordinary(data, one) is not None))
    message = "Neither the file's name nor your choice says which task it answers."
    names = {target.task.id: _own_name(target) for target in reversed(targets)}
    if len(fitting) == 1:
        message += f" It reads like {fitting[0]}: name it {names[fitting[0]]}, or choose the task."
    else:
        message += f" Name it after its task, such as {names[targets[0].task.id]}, or choose the task."
    return Finding(
        ProblemCode.TASK_NOT_NAMED,
        message,
        expected=" | ".join(dict.fromkeys(names[target.task.id] for target in targets)),
    )


def _own_name(target: FileTarget) -> str:
    file = target.task.file
    split = target.task.split(target.splits[0].split)
    if split.made:
        return split.file.rsplit("/", 1)[-1]
    named = target.task.id + file.layout.task_ending
    return named if file.layout.task_ending else file.path.rsplit("/", 1)[-1]
