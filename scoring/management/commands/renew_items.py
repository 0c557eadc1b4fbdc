"""Renew the items of a task's test set from the command line."""

from pathlib import Path
from typing import Any

from accounts.audit.log import record_command
from accounts.server.clock import database_now
from scoring.definitions.renewal import plan_renewal, renew_items
from scoring.management.find import CONFIRM_CLUES, TableCommand, refusals, task_or_error


class Command(TableCommand):
    help = "Give a task's test set new items between two phases: those of a gold file. Says what it would do first."
    arguments = {
        "benchmark": {},
        "task": {},
        "file": {"type": Path},
        "--yes": {"action": "store_true", "help": "do it; without it, nothing is changed"},
        "--confirm-clues": CONFIRM_CLUES,
        "--note": {"default": "", "help": "why the items are renewed; public"},
    }

    def handle(self, *args: Any, benchmark: str, task: str, file: Path, **options: Any) -> None:
        row = task_or_error(benchmark, task)
        with refusals("The items were not renewed."):
            data = file.read_bytes()
            if not options["yes"]:
                plan = plan_renewal(task=row, data=data, file_name=file.name)
                self.stdout.write("\n".join((*plan.sentences, "Nothing was changed. Say --yes to do it.")))
                return
            plan, loaded = renew_items(
                task=row,
                data=data,
                file_name=file.name,
                now=database_now(),
                note=options["note"],
                confirm_clues=options["confirm_clues"],
            )
        what = f"Renewed the items. {plan.sentences[0]} {loaded.sentence}"
        record_command("renew_items", row=row, benchmark=benchmark, what=what, reason=options["note"])
        self.stdout.write("\n".join(plan.sentences))
        self.warn(loaded.warnings)
