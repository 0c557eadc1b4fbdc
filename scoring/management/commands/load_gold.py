"""Load gold labels from the command line."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from accounts.audit.log import record_command
from accounts.server.clock import database_now
from benchmarks.spec import TaskSpec
from scoring.gold.versions import GoldRefused, load_gold
from scoring.item_sets.texts import TEST
from scoring.management.find import task_or_error


class Command(BaseCommand):
    help = "Seal a gold file and make it the current version of a task's gold labels."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("benchmark")
        parser.add_argument("task")
        parser.add_argument("file", type=Path)
        parser.add_argument(
            "--show-class-counts", action="store_true", help="publish how often each label occurs"
        )
        parser.add_argument("--note", default="", help="why this version is loaded")
        parser.add_argument(
            "--split", default=TEST, help="which of the task's sets it is of (default: test), such as dev"
        )

    def handle(self, *args: Any, benchmark: str, task: str, file: Path, **options: Any) -> None:
        row = task_or_error(benchmark, task)
        _check_split(row.spec, options["split"])
        try:
            loaded = load_gold(
                task=row,
                data=file.read_bytes(),
                file_name=file.name,
                now=database_now(),
                show_class_counts=options["show_class_counts"],
                note=options["note"],
                split_slug=options["split"],
            )
        except OSError as error:
            raise CommandError(f"{file} cannot be read: {error.strerror}.") from None
        except GoldRefused as error:
            raise CommandError("The gold file was not taken.\n" + "\n".join(error.sentences)) from None
        version = loaded.version
        told = f"Loaded gold version {version.number}."
        record_command("load_gold", row=row, benchmark=benchmark, what=told, reason=options["note"])
        self.stdout.write(f"{version}: {version.item_count:,} items sealed, commitment {version.commitment}")
        for warning in loaded.warnings:
            self.stderr.write(f"Warning: {warning}")


def _check_split(task: TaskSpec, split: str) -> None:
    """A set that the definition does not name would wait for predictions that no file can hold."""
    known = [one.id for one in task.gold_splits]
    if split not in known:
        raise CommandError(f"{task.id} has no split “{split}”. Name one with --split: {', '.join(known)}.")
