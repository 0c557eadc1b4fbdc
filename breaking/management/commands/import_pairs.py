"""Import a breaker's finished set from the command line."""

from pathlib import Path
from typing import Any

from accounts.audit.log import record_command
from accounts.server.clock import database_now
from breaking.models import Contest
from breaking.sets.creation import import_set
from scoring.management.find import TableCommand, refusals, task_or_error


class Command(TableCommand):
    help = "Make a file in the form of a task's gold labels, whose ids pair up, the set of a breaker."
    arguments = {
        "benchmark": {},
        "task": {},
        "file": {"type": Path, "help": "written like the task's gold labels"},
        "--breaker": {"required": True, "metavar": "NAME", "help": "what the set is called"},
        "--predictions": {
            "default": "",
            "metavar": "NAME",
            "help": "what files of predictions for the set are called, such as Team1_breaker_*",
        },
        "--contest-repeats": {
            "action": "store_true",
            "help": "ids may stand in several rows: the first counts, and an organiser decides about each",
        },
    }

    def handle(self, *args: Any, benchmark: str, task: str, file: Path, **options: Any) -> None:
        with refusals("The set was not imported."):
            breaker_set = import_set(
                task=task_or_error(benchmark, task),
                breaker=options["breaker"],
                data=file.read_bytes(),
                file_name=file.name,
                now=database_now(),
                user=None,
                prediction_file=options["predictions"],
                contest_repeats=options["contest_repeats"],
            )
        pair_file = breaker_set.pair_file
        told = f"Imported, commitment {pair_file.commitment}."
        record_command("import_pairs", row=breaker_set, benchmark=benchmark, what=told)
        self.stdout.write(f"{breaker_set}: {pair_file.pair_count:,} pairs of {pair_file.breaker}")
        if contested := Contest.objects.open().filter(split=breaker_set.split).count():
            self.stdout.write(f"Items in several rows, which wait for an organiser's decision: {contested:,}")
