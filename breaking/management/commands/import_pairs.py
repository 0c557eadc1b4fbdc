"""Import a breaker's finished set from the command line."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from accounts.audit.log import record_command
from accounts.server.clock import database_now
from breaking.models import Contest
from breaking.sets.creation import ImportRefused, import_set
from scoring.management.find import task_or_error


class Command(BaseCommand):
    help = "Make a file in the form of a task's gold labels, whose ids pair up, the set of a breaker."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("benchmark")
        parser.add_argument("task")
        parser.add_argument("file", type=Path, help="written like the task's gold labels")
        parser.add_argument("--breaker", required=True, metavar="NAME", help="what the set is called")
        parser.add_argument(
            "--predictions",
            default="",
            metavar="NAME",
            help="what files of predictions for the set are called, such as Team1_breaker_*",
        )
        parser.add_argument(
            "--contest-repeats",
            action="store_true",
            help="ids may stand in several rows: the first counts, and an organiser decides about each",
        )

    def handle(self, *args: Any, benchmark: str, task: str, file: Path, **options: Any) -> None:
        try:
            made = import_set(
                task=task_or_error(benchmark, task),
                breaker=options["breaker"],
                data=file.read_bytes(),
                file_name=file.name,
                now=database_now(),
                user=None,
                prediction_file=options["predictions"],
                contest_repeats=options["contest_repeats"],
            )
        except OSError as error:
            raise CommandError(f"{file} cannot be read: {error.strerror}.") from None
        except ImportRefused as refused:
            raise CommandError("The set was not imported.\n" + "\n".join(refused.sentences)) from None
        told = f"Imported, commitment {made.pair_file.commitment}."
        record_command("import_pairs", row=made, benchmark=benchmark, what=told)
        self.stdout.write(f"{made}: {made.pair_file.pair_count:,} pairs of {made.pair_file.breaker}")
        contested = Contest.objects.open().filter(split=made.split).count()
        if contested:
            self.stdout.write(f"Items in several rows, which wait for an organiser's decision: {contested:,}")
