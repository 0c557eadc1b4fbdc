"""Make an attack set from the command line."""

from typing import Any

from accounts.server.clock import database_now
from scoring.item_sets.attacks import make_attack
from scoring.management.find import TableCommand, refusals, task_or_error


class Command(TableCommand):
    help = "Make the texts of an attack's split from those of the test split."
    arguments = {
        "benchmark": {},
        "task": {},
        "attack": {"help": "as the definition calls it: negation or spelling"},
        "--seed": {"type": int, "default": 1, "help": "what the errors are drawn with (default 1)"},
    }

    def handle(self, *args: Any, benchmark: str, task: str, attack: str, seed: int, **options: Any) -> None:
        row = task_or_error(benchmark, task)
        with refusals("The set was not made."):
            loaded = make_attack(task=row, attack=attack, seed=seed, now=database_now())
        self.note_texts("make_attack", loaded, drawn_with=f"seed {seed}, ")
