"""Load gold labels from the command line."""

from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from accounts.audit.log import record_command
from accounts.server.clock import database_now
from scoring.gold.versions import load_gold
from scoring.item_sets.texts import TEST
from scoring.management.find import CONFIRM_CLUES, TableCommand, refusals, task_or_error


class Command(TableCommand):
    help = "Seal a gold file and make it the current version of a task's gold labels."
    arguments = {
        "benchmark": {},
        "task": {},
        "file": {"type": Path},
        "--show-class-counts": {"action": "store_true", "help": "publish how often each label occurs"},
        "--confirm-clues": CONFIRM_CLUES,
        "--note": {"default": "", "help": "why this version is loaded"},
        "--split": {
            "default": TEST,
            "help": "which of the task's sets it is of (default: test), such as dev",
        },
    }

    def handle(self, *args: Any, benchmark: str, task: str, file: Path, **options: Any) -> None:
        row, split = task_or_error(benchmark, task), options["split"]
        known = [split.id for split in row.spec.gold_splits]
        if split not in known:  # such a set would wait for predictions that no file can hold
            raise CommandError(
                f"{row.spec.id} has no split “{split}”. Name one with --split: {', '.join(known)}."
            )
        with refusals("The gold file was not taken."):
            loaded = load_gold(
                task=row,
                data=file.read_bytes(),
                file_name=file.name,
                now=database_now(),
                show_class_counts=options["show_class_counts"],
                note=options["note"],
                split_slug=split,
                confirm_clues=options["confirm_clues"],
            )
        version = loaded.version
        record_command(
            "load_gold", row=row, benchmark=benchmark, what=loaded.sentence, reason=options["note"]
        )
        self.stdout.write(f"{version}: {version.item_count:,} items sealed, commitment {version.commitment}")
        self.warn(loaded.warnings)
