"""Which of its task's layouts a file has, where there are several."""

from collections.abc import Sequence
from dataclasses import replace

from benchmarks.spec import FileFormat, TaskSpec
from submissions.intake.canonical import FileTarget

_FIRST_LINE = 4096


def layout_of(data: bytes, own: FileFormat, others: Sequence[FileFormat]) -> FileFormat:
    """The layout that has most of the column names in the file's first line; `own` where none has more."""
    first = data[:_FIRST_LINE].partition(b"\n")[0].decode("utf-8-sig", errors="replace").casefold()

    def names_found(file: FileFormat) -> int:
        cells = {cell.strip().strip('"') for cell in first.split(file.layout.delimiter)}
        return len(cells & {name.casefold() for name in file.header})

    return max((own, *others), key=names_found)


def as_written(target: FileTarget, data: bytes) -> FileTarget:
    """The target with the layout that the file has."""
    task, others = target.task, target.task.also_files
    return replace(target, task=replace(task, file=layout_of(data, task.file, others))) if others else target


def gold_as_written(task: TaskSpec, data: bytes) -> TaskSpec:
    """The task with the layout that its gold file has."""
    others = task.also_files
    return replace(task, gold_file=layout_of(data, task.gold, others)) if others else task
