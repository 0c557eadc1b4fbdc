"""Load several workers' responses from the command line."""

from pathlib import Path
from typing import Any

from accounts.audit.log import record_command
from accounts.server.clock import database_now
from scoring.gold.responses import load_responses
from scoring.management.find import CONFIRM_CLUES, TableCommand, refusals, task_or_error


class Command(TableCommand):
    help = "Make what most of five workers say the gold labels of a split: JSON lines, one item each."
    arguments = {
        "benchmark": {},
        "task": {},
        "split": {"help": "test, dev or another split with gold labels of its own"},
        "file": {"type": Path},
        "--confirm-clues": CONFIRM_CLUES,
        "--seed": {"type": int, "default": 1, "help": "shuffles the human estimate (default: 1)"},
    }

    def handle(
        self, *args: Any, benchmark: str, task: str, split: str, file: Path, seed: int, **options: Any
    ) -> None:
        row = task_or_error(benchmark, task)
        with refusals("The responses were not taken."):
            loaded = load_responses(
                task=row,
                split_slug=split,
                data=file.read_bytes(),
                file_name=file.name,
                now=database_now(),
                seed=seed,
                confirm_clues=options["confirm_clues"],
            )
        record_command("load_responses", row=row, benchmark=benchmark, what=loaded.sentence)
        self.stdout.write("\n".join(loaded.sentences))
        self.warn(loaded.warnings)
