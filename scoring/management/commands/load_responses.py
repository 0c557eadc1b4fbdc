"""Load several workers' responses from the command line."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from accounts.audit.log import record_command
from accounts.server.clock import database_now
from scoring.gold.responses import ResponsesRefused, load_responses
from scoring.management.find import task_or_error


class Command(BaseCommand):
    help = "Make what most of five workers say the gold labels of a split: JSON lines, one item each."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("benchmark")
        parser.add_argument("task")
        parser.add_argument("split", help="test, dev or another split with gold labels of its own")
        parser.add_argument("file", type=Path)
        parser.add_argument("--seed", type=int, default=1, help="shuffles the human estimate (default: 1)")

    def handle(
        self, *args: Any, benchmark: str, task: str, split: str, file: Path, seed: int, **options: Any
    ) -> None:
        row = task_or_error(benchmark, task)
        try:
            loaded = load_responses(
                task=row,
                split_slug=split,
                data=file.read_bytes(),
                file_name=file.name,
                now=database_now(),
                seed=seed,
            )
        except OSError as error:
            raise CommandError(f"{file} cannot be read: {error.strerror}.") from None
        except ResponsesRefused as refused:
            raise CommandError("The responses were not taken.\n" + "\n".join(refused.sentences)) from None
        record_command("load_responses", row=row, benchmark=benchmark, what=f"Loaded {loaded.responses}.")
        self.stdout.write("\n".join(loaded.sentences))
        for warning in loaded.warnings:
            self.stderr.write(f"Warning: {warning}")
