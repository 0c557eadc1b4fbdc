"""One upload, from its bytes to canonical predictions or to the problems found."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any

from benchmarks.spec import BenchmarkSpec
from catalogue.answers import Answers
from catalogue.garbage_collection import garbage_collection_paused
from catalogue.layouts.form import Source
from catalogue.problems import (
    MAX_PROBLEMS,
    FileReport,
    Finding,
    Problem,
    ProblemCode,
    RefusedError,
    Report,
    visible,
)
from submissions.intake.canonical import (
    CanonicalPredictions,
    FileTarget,
    SplitTarget,
    as_written,
    content_sha256,
)
from submissions.intake.causes import Cause, causes_of
from submissions.intake.file_read import FileRead
from submissions.intake.gzipped import bare_name, is_gzip, unpacked
from submissions.intake.predictions.bundle import read_bundle
from submissions.intake.predictions.diagnosing_reader import read_explaining, refuse_far_too_large
from submissions.intake.predictions.fast_reader import read_ordinary
from submissions.intake.predictions.log_archive import in_one_piece
from submissions.intake.predictions.shared_files import TaskReport, Told
from submissions.intake.predictions.single_file import SingleFile, chosen_target
from submissions.intake.predictions.wanted_files import Elsewhere, TaskFile, Wanted, file_targets
from submissions.intake.predictions.zip_directory import archive_kind, is_zip

MAX_UPLOAD_BYTES = 100 * 1024 * 1024
_SHOWN_FILE_NAME = 200


@dataclass(frozen=True, slots=True)
class IntakeResult:
    """What came of an upload: predictions, or the first 50 problems, how many `more` there are, and their causes.

    `predictions` is empty if there is any problem. `tasks_fine` names the tasks whose file had none, and
    `labels_read` counts the labels in those files.
    """

    predictions: tuple[CanonicalPredictions, ...]
    problems: tuple[Problem, ...]
    more: int
    tasks_fine: tuple[str, ...]
    labels_read: int
    causes: tuple[Cause, ...] = ()

    @property
    def ok(self) -> bool:
        return not self.problems

    @property
    def seeds(self) -> tuple[int, ...]:
        """The seeds that are answered, in order."""
        return tuple(sorted({one.seed for one in self.predictions}))

    @property
    def content_sha256(self) -> str:
        """Equal for equal answers, however they were packed and written."""
        return content_sha256(self.predictions)

    def beside(self, sent_along: FileRead[Any]) -> IntakeResult:
        """The same result; if the file sent along has problems, these stand first, and nothing is accepted."""
        if not sent_along.problems:
            return self
        found = (*sent_along.problems, *self.problems)
        rest = self.more + sent_along.more + max(0, len(found) - MAX_PROBLEMS)
        causes = (*sent_along.causes, *self.causes)
        return replace(self, predictions=(), problems=found[:MAX_PROBLEMS], more=rest, causes=causes)


@garbage_collection_paused()
def read_upload(
    data: bytes,
    *,
    file_name: str,
    benchmark: BenchmarkSpec,
    targets: Sequence[SplitTarget],
    task: str | None = None,
    split: str | None = None,
    elsewhere: Mapping[tuple[str, str], Elsewhere] | None = None,
) -> IntakeResult:
    """Read a zip of task files, or the file of one task.

    `task` and `split` say what a single file answers; without them the file's name must, and where that names no
    split it is the first of the task's. `elsewhere` holds, by task and split, where predictions belong that are none
    of the targets. Nothing in `data`, `file_name`, `task` or `split` makes this function raise.
    """
    report = Report()
    name = visible(file_name, _SHOWN_FILE_NAME)
    wanted = Wanted(benchmark, targets, {} if elsewhere is None else elsewhere)
    files = _task_files(SingleFile(name, data, task, split), wanted, report)
    fine = list(_read_files(files, report, wanted.elsewhere))
    return IntakeResult(
        predictions=() if report.total else tuple(fine),
        problems=tuple(report.problems),
        more=report.more,
        tasks_fine=tuple(predictions.task for predictions in fine),
        labels_read=sum(len(predictions.codes) for predictions in fine),
        causes=causes_of(report),
    )


@garbage_collection_paused()
def read_labels(data: bytes, *, file_name: str, target: SplitTarget) -> FileRead[CanonicalPredictions]:
    """Read the predictions in one split's file."""
    report = Report()
    whole = (FileTarget(target.task, (target,)),)
    fine = list(_read_files([TaskFile(visible(file_name, _SHOWN_FILE_NAME), data, whole)], report))
    return FileRead(fine[0] if fine else None, tuple(report.problems), report.more, causes_of(report))


def _read_files(
    files: Iterable[TaskFile], report: Report, elsewhere: Mapping[tuple[str, str], Elsewhere] | None = None
) -> Iterator[CanonicalPredictions]:
    for file in files:
        document: Source | None = None
        told: set[Told] = set()
        for named in file.targets:
            target = as_written(named, file.data)
            values = read_ordinary(file.data, target)
            if values is None:
                shown = visible(file.name, _SHOWN_FILE_NAME)
                task = target.task.id
                file_report = (
                    TaskReport(report, file=shown, task=task, told_before=frozenset(told), told=told)
                    if len(file.targets) > 1
                    else FileReport(report, file=shown, task=task)
                )
                file_report.entries = file.entries
                if target.task.file.layout.is_one_value:
                    try:
                        document = document or _opened(file.data, target, file_report)
                    except RefusedError as error:
                        file_report.refuse(error)
                        break
                other = _answered(document or file.data, target, elsewhere or {})
                if other is not None:
                    file_report.add(other, line=1, column=target.task.file.id_column)
                    break
                values = read_explaining(document or file.data, target, file_report)
            if values is not None:
                yield from _per_split(values, target, file.seed)


def _answered(
    source: Source, target: FileTarget, elsewhere: Mapping[tuple[str, str], Elsewhere]
) -> Finding | None:
    """That all ids of a file are those of a split of its task that another phase takes; None where they are not.

    All of them have to be there: whoever has only some could otherwise learn which others belong to the split.
    """
    for (task, split), other in elsewhere.items():
        if task != target.task.id or other.ids is None:
            continue
        report = Report()
        part = SplitTarget(target.task, split, other.ids)
        read_explaining(source, FileTarget(target.task, (part,)), FileReport(report, file=""))
        if not {code for code, _ in report.tallies} - _OF_ANSWERS:
            return Finding(
                ProblemCode.OTHER_PHASE,
                other.sentence,
                f"the ids of the split {split}",
                target.splits[0].split,
            )
    return None


# What may be wrong with answers to all the right ids.
_OF_ANSWERS = frozenset(
    {
        ProblemCode.EMPTY_LABEL,
        ProblemCode.UNKNOWN_LABEL,
        ProblemCode.LABEL_CASE,
        ProblemCode.LABEL_SPACING,
        ProblemCode.NOT_A_NUMBER,
        ProblemCode.NUMBER_NOT_FINITE,
        ProblemCode.NUMBER_OUT_OF_RANGE,
        ProblemCode.CLASS_WITHOUT_NUMBER,
        ProblemCode.CLASS_OUT_OF_RANGE,
        ProblemCode.NOT_ZERO_OR_ONE,
    }
)


def _opened(data: bytes, target: FileTarget, report: FileReport) -> Source:
    refuse_far_too_large(data, target)
    return target.task.file.layout.opened(data, target.task.file, report)


def _per_split(values: Answers, target: FileTarget, seed: int) -> Iterator[CanonicalPredictions]:
    at = 0
    for split in target.splits:
        own = values[at : at + len(split.ids)]
        own = own.copy() if len(target.splits) > 1 else own
        own.setflags(write=False)
        yield CanonicalPredictions(target.task.id, split.split, own, seed)
        at += len(split.ids)


def _task_files(file: SingleFile, wanted: Wanted, report: Report) -> Iterable[TaskFile]:
    targets = list(chain.from_iterable(file_targets(wanted.targets).values()))
    try:
        file = _unwrapped(file, targets)
    except RefusedError as error:
        FileReport(report, file=error.entry or file.name).refuse(error)
        return ()
    fault = _fault_of_whole(file.data, "" if file.entries else file.name)
    if fault is None and is_zip(file.data):
        return read_bundle(file.data, file_name=file.name, wanted=wanted, report=report)
    chosen = fault or chosen_target(file, wanted)
    if isinstance(chosen, Finding):
        FileReport(report, file=file.name).add(chosen)
        return ()
    several = (chosen,) if file.task else _sharing(chosen, wanted)
    return [TaskFile(file.name, file.data, several, entries=file.entries)]


def _sharing(chosen: FileTarget, wanted: Wanted) -> tuple[FileTarget, ...]:
    """All that is answered by a file of rows that answers this; of one value in JSON tasks may be left out."""
    if chosen.task.file.layout.is_one_value:
        return (chosen,)
    return next(several for several in file_targets(wanted.targets).values() if chosen in several)


def _unwrapped(file: SingleFile, targets: Sequence[FileTarget]) -> SingleFile:
    """The file without gzip around it, and a zip with an entry for each item in one piece.

    RefusedError where it does not unpack.
    """
    if is_gzip(file.data):
        most = min(MAX_UPLOAD_BYTES, max((target.most_bytes for target in targets), default=0))
        file = replace(file, name=bare_name(file.name), data=unpacked(file.data, most))
    if len(file.data) > MAX_UPLOAD_BYTES:
        return file
    of_task = [target for target in targets if file.task in (None, target.task.id)]
    log = in_one_piece(file.data, of_task)
    return file if log is None else replace(file, data=log.data, entries=log.entries, task=log.task)


def _fault_of_whole(data: bytes, name: str) -> Finding | None:
    if len(data) > MAX_UPLOAD_BYTES:
        limit = f"{MAX_UPLOAD_BYTES >> 20} MB"
        return Finding(
            ProblemCode.FILE_TOO_LARGE,
            f"The file has {len(data) / 2**20:.1f} MB; at most {limit} are read. Send prediction files only.",
            f"{len(data):,} bytes",
            f"at most {limit}",
        )
    if not data:
        return Finding(
            ProblemCode.EMPTY_FILE, "The file is empty. Send a zip of prediction files, or one CSV file."
        )
    if is_zip(data):
        return None
    kind = archive_kind(data)
    if kind is not None or name.casefold().endswith(".zip"):
        found = kind or "no zip, though its name says so"
        return Finding(
            ProblemCode.NOT_A_ZIP,
            f"The file is {found}. Send a zip archive, or the CSV file of one task.",
            found,
            "a zip archive",
        )
    return None
