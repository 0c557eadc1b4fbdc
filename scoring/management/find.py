"""What commands share: a table of arguments, the task that they name, and how they say what was refused."""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, ClassVar

from django.core.management.base import BaseCommand, CommandError, CommandParser

from accounts.audit.log import record_command
from benchmarks.models import Task
from scoring.file_refusal import FileRefused
from scoring.item_sets.texts import LoadedTexts

CONFIRM_CLUES: Mapping[str, Any] = {
    "action": "store_true",
    "help": "load the labels although ids, their order or texts tell of them",
}


class TableCommand(BaseCommand):
    """A command with its arguments in a table: by name, what the parser is told of each."""

    arguments: ClassVar[Mapping[str, Mapping[str, Any]]]

    def add_arguments(self, parser: CommandParser) -> None:
        for name, settings in self.arguments.items():
            parser.add_argument(name, **settings)

    def warn(self, warnings: Iterable[str]) -> None:
        for warning in warnings:
            self.stderr.write(f"Warning: {warning}")

    def note_texts(self, command: str, loaded: LoadedTexts, *, drawn_with: str = "") -> None:
        """Record that texts were kept, and tell of them."""
        texts, task = loaded.texts, loaded.texts.split.task
        sentence = f"Texts of {texts.split.slug}, {drawn_with}SHA-256 {texts.sha256}."
        record_command(command, row=task, benchmark=task.benchmark_id, what=sentence)
        self.stdout.write(f"{texts}: {texts.item_count:,} items, columns {', '.join(texts.header)}")
        self.warn(loaded.warnings)


@contextmanager
def refusals(sentence: str) -> Iterator[None]:
    """Files that cannot be read or are refused, as CommandError; of the latter the sentence says what was not done."""
    try:
        yield
    except OSError as error:
        raise CommandError(f"{error.filename} cannot be read: {error.strerror}.") from None
    except FileRefused as refused:
        raise CommandError("\n".join((sentence, *refused.sentences))) from None


def task_or_error(benchmark: str, task: str) -> Task:
    """The task of that name. CommandError, with those there are, where there is none."""
    tasks = Task.objects.select_related("benchmark").filter(benchmark_id=benchmark, is_retired=False)
    try:
        return tasks.get(slug=task)
    except Task.DoesNotExist:
        known = ", ".join(tasks.values_list("slug", flat=True)) or "none; run sync_benchmarks first"
        raise CommandError(f"There is no task {benchmark}/{task}. Known tasks: {known}.") from None
