"""Load the starter data of a task from the command line."""

from pathlib import Path
from typing import Any

from accounts.audit.log import record_command
from accounts.server.clock import database_now
from breaking.pairs.starter_data import load_starter
from scoring.management.find import TableCommand, refusals, task_or_error


class Command(TableCommand):
    help = (
        "Make a CSV or TSV file the starter data of a task: the columns id, text and label, then those that a changed "
        "sentence keeps. Everybody may download it."
    )
    arguments = {"benchmark": {}, "task": {}, "file": {"type": Path}}

    def handle(self, *args: Any, benchmark: str, task: str, file: Path, **options: Any) -> None:
        with refusals("The starter data was not taken."):
            starter = load_starter(
                task=task_or_error(benchmark, task),
                data=file.read_bytes(),
                file_name=file.name,
                now=database_now(),
            )
        told = f"Loaded, SHA-256 {starter.sha256}."
        record_command("load_starter", row=starter, benchmark=benchmark, what=told)
        self.stdout.write(f"{starter}: {starter.item_count:,} sentences, columns {', '.join(starter.header)}")
