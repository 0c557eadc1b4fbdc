"""Load published figures from the command line."""

from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from accounts.audit.log import record_command
from benchmarks.models import Benchmark
from benchmarks.services import keep_published_rows
from scoring.definitions.published_rows import load_published_rows
from scoring.management.find import TableCommand, refusals


class Command(TableCommand):
    help = "Have published figures stand on the boards of a benchmark, in place of those that were loaded before."
    arguments = {
        "benchmark": {},
        "file": {
            "type": Path,
            "nargs": "?",
            "help": "CSV with the columns system, source, date, kind, column, value, rank",
        },
        "--remove": {"action": "store_true", "help": "take away what was loaded, without a file"},
    }

    def handle(
        self, *args: Any, benchmark: str, file: Path | None, remove: bool = False, **options: Any
    ) -> None:
        row = Benchmark.objects.filter(pk=benchmark).first()
        if row is None:
            known = (
                ", ".join(Benchmark.objects.values_list("pk", flat=True)) or "none; run sync_benchmarks first"
            )
            raise CommandError(f"There is no benchmark {benchmark}. Known: {known}.")
        if (file is None) is not remove:
            raise CommandError("Name a file of published rows, or give --remove without one.")
        if file is None:
            keep_published_rows(benchmark=row, rows=())
            sentence = "The published rows that were loaded are taken away."
        else:
            with refusals("The published rows were not taken."):
                sentence = load_published_rows(
                    benchmark=row, data=file.read_bytes(), file_name=file.name
                ).sentence
        record_command("load_published", row=row, benchmark=benchmark, what=sentence)
        self.stdout.write(f"{sentence} Boards show it from the next release on.")
