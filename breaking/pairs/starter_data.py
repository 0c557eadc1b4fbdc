"""Starter data: the sentences, with their labels, that breakers change. Public from the moment they are loaded.

With them stands what else breakers need for each task: how a file of pairs is written.
"""

import datetime as dt
import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256

from django.db import transaction

from accounts.models import User
from benchmarks.models import Benchmark, Task
from benchmarks.spec import TaskSpec
from breaking.models import PairFile, StarterData
from breaking.querysets import lock_task
from scoring.file_refusal import FileRefused
from submissions.intake.pairs.minimal_pairs import COLUMNS, layout_of_pairs, makes_pairs
from submissions.intake.pairs.starter_data import COLUMNS as STARTER_COLUMNS
from submissions.intake.pairs.starter_data import StarterFile, read_starter, write_starter

_LONGEST_FILE_NAME = 255


@dataclass(frozen=True)
class PairMaterial:
    """What breakers need for one task: its starter data, None if they are not loaded, and the form of a file of pairs.

    `further` are the columns that a changed sentence keeps; `header` is the first line of a file, `ending` its name's.
    """

    task: Task
    starter: StarterData | None
    further: Sequence[str]
    header: str
    ending: str


def load_starter(
    *, task: Task, data: bytes, file_name: str, now: dt.datetime, user: User | None = None
) -> StarterData:
    """Make a file the starter data of a task. The same data again changes nothing.

    Raises
    ------
    FileRefused
        If the task's items do not come in minimal pairs, if the file has problems, or if accepted pairs rest on
        other starter data.
    """
    if not makes_pairs(task.spec):
        raise FileRefused(
            f"{task} takes no minimal pairs: its definition needs `pairs`, and one label of a set or "
            "a span as answer."
        )
    file = _read(task.spec, data, file_name)
    csv = write_starter(file)
    digest = sha256(csv).hexdigest()
    with transaction.atomic():
        # `hand_in_pairs` waits for the same lock.
        lock_task(task.pk)
        before = StarterData.objects.filter(task=task).first()
        if before is not None and before.sha256 == digest:
            return before
        if PairFile.objects.accepted().filter(task=task, team__isnull=False).exists():
            raise FileRefused(
                "Pairs have been accepted that rest on the starter data as it is, so it cannot be "
                "replaced. Their teams would have to withdraw them first."
            )
        starter, _created = StarterData.objects.update_or_create(
            task=task,
            defaults={
                "header": list(file.header),
                "packed": zlib.compress(csv),
                "sha256": digest,
                "item_count": len(file.items),
                "file_name": file_name[-_LONGEST_FILE_NAME:],
                "loaded_by": user,
                "loaded_at": now,
            },
        )
    return starter


def starter_file(task: Task) -> StarterFile:
    """A task's starter data with its further columns.

    Raises
    ------
    FileRefused
        If none is loaded, or it does not fit the task's definition any more.
    """
    starter = StarterData.objects.filter(task=task).first()
    if starter is None:
        raise FileRefused(
            f"The organiser has not loaded the starter data of {task.title} yet, the sentences that pairs "
            "are made of."
        )
    return _parsed(bytes(starter.packed), task.spec)  # read once per process


def kept_texts(task: Task, original_id: str) -> list[tuple[str, str]]:
    """What every sentence that is made of an original keeps of it, such as a question, by column; often nothing."""
    try:
        starter = starter_file(task)
    except FileRefused:
        return []
    row = starter.items.get(original_id)
    return list(zip(starter.further_columns, row.further, strict=True)) if row else []


@lru_cache(maxsize=8)
def _parsed(packed: bytes, task: TaskSpec) -> StarterFile:
    return _read(task, zlib.decompress(packed), "the starter data")


def _read(task: TaskSpec, data: bytes, file_name: str) -> StarterFile:
    return read_starter(data, file_name=file_name, task=task).content_or(FileRefused.because_of)


def tasks_of_pairs(benchmark: Benchmark) -> list[Task]:
    """The tasks of a benchmark whose items come in minimal pairs that teams can make."""
    tasks = list(benchmark.tasks.filter(is_retired=False))
    for task in tasks:
        task.benchmark = benchmark
    return [task for task in tasks if makes_pairs(task.spec)]


def material_of(tasks: Iterable[Task]) -> list[PairMaterial]:
    """What breakers need for each of these tasks, in their order."""
    loaded = {row.task_id: row for row in StarterData.objects.filter(task__in=list(tasks)).defer("packed")}
    material = []
    for task in tasks:
        starter, layout = loaded.get(task.pk), layout_of_pairs(task.spec)
        further = starter.header[len(STARTER_COLUMNS) :] if starter else ()
        material.append(PairMaterial(task, starter, further, layout.delimiter.join(COLUMNS), layout.key))
    return material
