"""What breakers need for each task: starter data, and how a file of pairs is written."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from benchmarks.models import Benchmark, Task
from breaking.models import StarterData
from submissions.intake.pairs.minimal_pairs import COLUMNS, layout_of_pairs, makes_pairs
from submissions.intake.pairs.starter_data import COLUMNS as STARTER_COLUMNS


@dataclass(frozen=True, slots=True)
class TaskFiles:
    """What breakers need for one task: its starter data, if they are loaded, and the form of a file."""

    task: Task
    starter: StarterData | None

    @property
    def answer(self) -> str:
        """What a label is, in words."""
        return self.task.spec.output.describe()

    @property
    def labels(self) -> tuple[str, ...]:
        """The labels that a sentence can have; none where an answer is a span."""
        return self.task.spec.output.gold_labels

    @property
    def header(self) -> str:
        """The first line of a file of pairs."""
        return layout_of_pairs(self.task.spec).delimiter.join(COLUMNS)

    @property
    def ending(self) -> str:
        """That of a file of pairs, such as `csv`."""
        return layout_of_pairs(self.task.spec).key

    @property
    def further(self) -> Sequence[str]:
        """The columns that a changed sentence keeps."""
        return self.starter.header[len(STARTER_COLUMNS) :] if self.starter else ()


def tasks_of_pairs(benchmark: Benchmark) -> list[Task]:
    """The tasks of a benchmark whose items come in minimal pairs that teams can make."""
    tasks = list(benchmark.tasks.filter(is_retired=False))
    for task in tasks:
        task.benchmark = benchmark
    return [task for task in tasks if makes_pairs(task.spec)]


def material_of(tasks: Iterable[Task]) -> list[TaskFiles]:
    rows = {row.task_id: row for row in StarterData.objects.filter(task__in=list(tasks)).defer("packed")}
    return [TaskFiles(task, rows.get(task.pk)) for task in tasks]
