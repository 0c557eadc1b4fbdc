"""Load the public texts of a split from the command line."""

from pathlib import Path
from typing import Any

from accounts.server.clock import database_now
from scoring.item_sets.attacks import load_texts_of
from scoring.item_sets.texts import TEST
from scoring.management.find import TableCommand, refusals, task_or_error


class Command(TableCommand):
    help = "Make a CSV file the public texts of a split: id, then one or more columns of text."
    arguments = {
        "benchmark": {},
        "task": {},
        "file": {"type": Path},
        "--split": {
            "default": TEST,
            "help": "the test split, or that of an attack, such as paraphrase",
        },
    }

    def handle(self, *args: Any, benchmark: str, task: str, file: Path, split: str, **options: Any) -> None:
        with refusals("The texts were not taken."):
            loaded = load_texts_of(
                task=task_or_error(benchmark, task),
                split_slug=split,
                data=file.read_bytes(),
                file_name=file.name,
                now=database_now(),
            )
        self.note_texts("load_texts", loaded)
