"""One upload, from its bytes to canonical predictions or to the problems found."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase

from benchmarks.spec import Answers, BenchmarkSpec, Dialect
from submissions.intake.archive import is_zip
from submissions.intake.bundle import TaskFile, file_targets, read_bundle
from submissions.intake.canonical import CanonicalPredictions, FileTarget, SplitTarget, content_sha256
from submissions.intake.dialects.json_object import JsonDocument
from submissions.intake.entries import archive_kind
from submissions.intake.explain import far_too_large, read_explaining
from submissions.intake.fast import read_ordinary
from submissions.intake.nearest import nearest
from submissions.intake.problems import (
    FileReport,
    Finding,
    Problem,
    ProblemCode,
    RefusedError,
    Report,
    visible,
)

MAX_UPLOAD_BYTES = 100 * 1024 * 1024
_SHOWN_FILE_NAME = 200


@dataclass(frozen=True, slots=True)
class IntakeResult:
    """What came of an upload: predictions, or the first 50 problems and how many `more` there are.

    `predictions` is empty if there is any problem. `tasks_fine` names the tasks whose file had none, and
    `labels_read` counts the labels in those files.
    """

    predictions: tuple[CanonicalPredictions, ...]
    problems: tuple[Problem, ...]
    more: int
    tasks_fine: tuple[str, ...]
    labels_read: int

    @property
    def ok(self) -> bool:
        """True if the upload was accepted."""
        return not self.problems

    @property
    def content_sha256(self) -> str:
        """Equal for equal answers, however they were packed and written."""
        return content_sha256(self.predictions)


def read_upload(
    data: bytes,
    *,
    file_name: str,
    benchmark: BenchmarkSpec,
    targets: Sequence[SplitTarget],
    task: str | None = None,
) -> IntakeResult:
    """Read a zip of task files, or the file of one task.

    `task` says what a single file answers; without it the file's name must. Nothing in `data`, `file_name` or
    `task` makes this function raise.
    """
    report = Report()
    name = visible(file_name, _SHOWN_FILE_NAME)
    files = _task_files(data, name, benchmark, targets, task, report)
    fine = list(_read_files(files, report))
    return IntakeResult(
        predictions=() if report.total else tuple(fine),
        problems=tuple(report.problems),
        more=report.more,
        tasks_fine=tuple(predictions.task for predictions in fine),
        labels_read=sum(len(predictions.codes) for predictions in fine),
    )


def read_labels(
    data: bytes, *, file_name: str, target: SplitTarget
) -> tuple[CanonicalPredictions | None, tuple[Problem, ...], int]:
    """Read one split's file: its predictions, or None with the first problems and a count of the rest."""
    report = Report()
    whole = (FileTarget(target.task, (target,)),)
    fine = list(_read_files([TaskFile(visible(file_name, _SHOWN_FILE_NAME), data, whole)], report))
    return (fine[0] if fine else None), tuple(report.problems), report.more


def _read_files(files: Iterable[TaskFile], report: Report) -> Iterator[CanonicalPredictions]:
    for file in files:
        document: JsonDocument | None = None
        for target in file.targets:
            values = read_ordinary(file.data, target)
            if values is None:
                shown = visible(file.name, _SHOWN_FILE_NAME)
                file_report = FileReport(report, file=shown, task=target.task.id)
                if target.task.file.dialect is Dialect.JSON:
                    document = document or _opened(file.data, target, file_report)
                    if document is None:
                        break
                values = read_explaining(document or file.data, target, file_report)
            if values is not None:
                yield from _per_split(values, target)


def _opened(data: bytes, target: FileTarget, report: FileReport) -> JsonDocument | None:
    """The parsed file, for all the tasks that read it; None if it cannot be parsed."""
    if len(data) > target.most_bytes:
        report.add(far_too_large(len(data), target))
        return None
    try:
        return JsonDocument(data, target.task.file, report)
    except RefusedError as error:
        report.refuse(error)
        return None


def _per_split(values: Answers, target: FileTarget) -> Iterator[CanonicalPredictions]:
    """The values of the splits that share a file, apart again."""
    at = 0
    for split in target.splits:
        own = values[at : at + len(split.ids)]
        own = own.copy() if len(target.splits) > 1 else own
        own.setflags(write=False)
        yield CanonicalPredictions(target.task.id, split.split, own)
        at += len(split.ids)


def _task_files(
    data: bytes,
    name: str,
    benchmark: BenchmarkSpec,
    targets: Sequence[SplitTarget],
    task: str | None,
    report: Report,
) -> Iterable[TaskFile]:
    fault = _fault_of_whole(data, name)
    if fault is not None:
        FileReport(report, file=name).add(fault)
        return ()
    if is_zip(data):
        return read_bundle(data, file_name=name, benchmark=benchmark, targets=targets, report=report)
    chosen = _chosen_target(data, name, benchmark, targets, task)
    if isinstance(chosen, Finding):
        FileReport(report, file=name).add(chosen)
        return ()
    return [TaskFile(name, data, (chosen,))]


def _fault_of_whole(data: bytes, name: str) -> Finding | None:
    """What is wrong before the file is opened."""
    if len(data) > MAX_UPLOAD_BYTES:
        limit = f"{MAX_UPLOAD_BYTES >> 20} MB"
        message = (
            f"The file has {len(data) / 2**20:.1f} MB; at most {limit} are read. Send prediction files only."
        )
        return Finding(ProblemCode.FILE_TOO_LARGE, message, f"{len(data):,} bytes", f"at most {limit}")
    if not data:
        return Finding(
            ProblemCode.EMPTY_FILE, "The file is empty. Send a zip of prediction files, or one CSV file."
        )
    if is_zip(data):
        return None
    kind = archive_kind(data)
    if kind is not None or name.casefold().endswith(".zip"):
        found = kind or "no zip, though its name says so"
        message = f"The file is {found}. Send a zip archive, or the CSV file of one task."
        return Finding(ProblemCode.NOT_A_ZIP, message, found, "a zip archive")
    return None


def _chosen_target(
    data: bytes, name: str, benchmark: BenchmarkSpec, targets: Sequence[SplitTarget], task: str | None
) -> FileTarget | Finding:
    """What a single file answers, or why that cannot be told."""
    files = [(path, one) for path, several in file_targets(targets).items() for one in several]
    tasks = list(dict.fromkeys(one.task.id for _, one in files))
    if task is not None and task not in tasks:
        return _unknown_task(task, tasks)
    files = [(path, one) for path, one in files if task in (None, one.task.id)]
    if len(files) == 1:
        return files[0][1]
    shown = "/" + name.replace("\\", "/")
    for path, one in files:
        own_path = path.removeprefix(benchmark.bundle_root)
        if fnmatchcase(shown, f"*/{own_path}") or (shown.endswith(f"/{one.task.id}.csv") and task is None):
            return one
    if task is not None:
        return files[0][1]
    return _task_not_named(data, [one for _, one in files])


def _unknown_task(task: str, known: list[str]) -> Finding:
    closest = nearest(task, known)
    message = f"The benchmark has no task “{visible(task)}”. Nearest: {closest}."
    return Finding(ProblemCode.UNKNOWN_TASK, message, visible(task), closest)


def _task_not_named(data: bytes, targets: Sequence[FileTarget]) -> Finding:
    fitting = [target.task.id for target in targets if read_ordinary(data, target) is not None]
    message = "Neither the file's name nor your choice says which task it answers."
    names = {target.task.id: _own_name(target) for target in targets}
    if len(fitting) == 1:
        message += f" It reads like {fitting[0]}: name it {names[fitting[0]]}, or choose the task."
    else:
        message += f" Name it after its task, such as {names[targets[0].task.id]}, or choose the task."
    expected = " | ".join(dict.fromkeys(names.values()))
    return Finding(ProblemCode.TASK_NOT_NAMED, message, expected=expected)


def _own_name(target: FileTarget) -> str:
    """What to call a file that is sent alone."""
    file = target.task.file
    return f"{target.task.id}.csv" if file.dialect is Dialect.CSV else file.path.rsplit("/", 1)[-1]
