"""Load the starter data of a task from the command line."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from accounts.audit.log import record_command
from accounts.server.clock import database_now
from breaking.pairs.starter_data import StarterRefused, load_starter
from scoring.management.find import task_or_error


class Command(BaseCommand):
    help = (
        "Make a CSV or TSV file the starter data of a task: the columns id, text and label, then those that a changed "
        "sentence keeps. Everybody may download it."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("benchmark")
        parser.add_argument("task")
        parser.add_argument("file", type=Path)

    def handle(self, *args: Any, benchmark: str, task: str, file: Path, **options: Any) -> None:
        try:
            starter = load_starter(
                task=task_or_error(benchmark, task),
                data=file.read_bytes(),
                file_name=file.name,
                now=database_now(),
            )
        except OSError as error:
            raise CommandError(f"{file} cannot be read: {error.strerror}.") from None
        except StarterRefused as refused:
            raise CommandError("The starter data was not taken.\n" + "\n".join(refused.sentences)) from None
        told = f"Loaded, SHA-256 {starter.sha256}."
        record_command("load_starter", row=starter, benchmark=benchmark, what=told)
        self.stdout.write(f"{starter}: {starter.item_count:,} sentences, columns {', '.join(starter.header)}")
