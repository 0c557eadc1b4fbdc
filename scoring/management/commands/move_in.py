"""Take another leaderboard's table over from the command line."""

from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from accounts.audit.log import record_command
from benchmarks.models import Benchmark
from scoring.definitions.moving_in import move_in, read_move
from scoring.management.find import TableCommand, refusals


class Command(TableCommand):
    help = (
        "Take over another leaderboard's table (CSV, TSV or JSON Lines: system, team, date, a column for each score) "
        "as reported rows. What differs from what was moved in before is printed; with --check nothing is written."
    )
    arguments = {
        "benchmark": {},
        "file": {"type": Path},
        "--check": {
            "action": "store_true",
            "help": "say every fault, or what would change, and write nothing",
        },
        "--source": {
            "default": "",
            "help": "what the earlier leaderboard is called, where no column says it",
        },
    }

    def handle(
        self, *args: Any, benchmark: str, file: Path, check: bool = False, source: str = "", **options: Any
    ) -> None:
        row = Benchmark.objects.filter(pk=benchmark).first()
        if row is None:
            known = ", ".join(Benchmark.objects.values_list("pk", flat=True)) or "none"
            raise CommandError(f"There is no benchmark {benchmark}. Known: {known}.")
        with refusals("The table was not taken, and nothing was changed."):
            move = read_move(row, file.read_bytes(), file_name=file.name, source=source)
        for sentence in move.changes:
            self.stdout.write(f"  {sentence}")
        self.stdout.write(move.sentence)
        if not move.changes:
            self.stdout.write("All of it stands there already. Nothing was changed.")
        elif check:
            self.stdout.write("Nothing was changed; leave out --check to move in.")
        else:
            move_in(benchmark=row, move=move)
            record_command("move_in", row=row, benchmark=benchmark, what=f"Moved in: {move.sentence}")
            self.stdout.write(
                "Moved in. Boards show it from the next release on, or within a minute before the first."
            )
