"""Load gold labels from the command line."""

from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from accounts.audit.log import record_command
from accounts.server.clock import database_now
from benchmarks.models import Task
from scoring.gold.deliveries import check_deliveries, hand_in
from scoring.gold.versions import load_gold
from scoring.item_sets.texts import TEST
from scoring.management.find import CONFIRM_CLUES, TableCommand, refusals, task_or_error
from submissions.intake.tables.sealed_gold import is_sealed_gold


class Command(TableCommand):
    help = "Seal a gold file and make it the current version of a task's gold labels."
    arguments = {
        "benchmark": {},
        "task": {},
        "file": {"type": Path},
        "--show-class-counts": {"action": "store_true", "help": "publish how often each label occurs"},
        "--sealed": {
            "action": "store_true",
            "help": "take nothing but a file that `heldout seal` wrote, so that no label is seen here",
        },
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
            data = file.read_bytes()
            if options["sealed"] or is_sealed_gold(data):
                self._hand_in(row, benchmark, data, options)
                return
            loaded = load_gold(
                task=row,
                data=data,
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
        self.stdout.write(f"{version}: {loaded.items_in_words} sealed, commitment {version.commitment}")
        self.warn(loaded.warnings)

    def _hand_in(self, row: Task, benchmark: str, data: bytes, options: dict[str, Any]) -> None:
        now = database_now()
        delivery = hand_in(
            task=row,
            data=data,
            now=now,
            show_class_counts=options["show_class_counts"],
            note=options["note"],
        )
        told = f"Handed in sealed gold labels, commitment {delivery.commitment}."
        record_command("load_gold", row=row, benchmark=benchmark, what=told, reason=options["note"])
        check_deliveries(now)
        delivery.refresh_from_db()
        self.stdout.write(f"{told} {delivery.told}")
        if delivery.fault:
            raise CommandError("The gold labels were not taken.")
