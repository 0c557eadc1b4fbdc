"""Make a file of pairs out of the table of a corpus."""

from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from catalogue.problems import counted
from scoring.file_refusal import FileRefused
from scoring.item_sets.pair_tables import PairRecipe, derive_pairs, read_table
from scoring.management.find import TableCommand


class Command(TableCommand):
    help = "Pair up the items of a corpus and write the file that load_pairs takes."
    arguments = {
        "corpus": {"type": Path, "help": "a CSV file in UTF-8, one row per item"},
        "--id": {"required": True, "help": "the column of the item's id"},
        "--by": {"required": True, "help": "the column of the groups"},
        "--first": {"required": True, "help": "the group whose higher answers count as positive"},
        "--second": {"required": True, "help": "the group that it is compared with"},
        "--cell": {
            "action": "append",
            "default": [],
            "metavar": "COLUMN",
            "help": "items are compared if they are alike in this column; repeatable",
        },
        "--cell-unless": {
            "action": "append",
            "default": [],
            "nargs": 2,
            "metavar": ("COLUMN", "OTHER"),
            "help": "as --cell, but items with something in OTHER are compared as one",
        },
        "--same": {
            "nargs": "+",
            "default": [],
            "metavar": "A=B",
            "help": "values that count as alike in the cells",
        },
        "--stratum": {"default": "", "help": "the column to report on separately"},
        "--no-stratum": {"default": "none", "help": "what to call it where that column is empty"},
        "--output": {"type": Path, "help": "where to write; by default to standard output"},
    }

    def handle(self, *args: Any, corpus: Path, output: Path | None, **options: Any) -> None:
        recipe = _recipe(options)
        try:
            text, count = derive_pairs(read_table(corpus.read_bytes(), recipe), recipe)
        except OSError as error:
            raise CommandError(f"{corpus} cannot be read: {error.strerror}.") from None
        except FileRefused as error:
            raise CommandError(f"{corpus}: {error}") from None
        if output is None:
            self.stdout.write(text, ending="")
            return
        try:
            output.write_text(text, encoding="utf-8")
        except OSError as error:
            raise CommandError(f"{output} cannot be written: {error.strerror}.") from None
        self.stdout.write(f"{output}: {counted(count, 'pair')}")


def _recipe(options: dict[str, Any]) -> PairRecipe:
    if not options["cell"] and not options["cell_unless"]:
        raise CommandError("Say with --cell in which columns items must be alike to be compared.")
    if options["first"] == options["second"]:
        raise CommandError("--first and --second name the same group.")
    wrong = [pair for pair in options["same"] if pair.count("=") != 1]
    if wrong:
        raise CommandError(f"--same takes pairs such as she=he; found {wrong[0]!r}.")
    return PairRecipe(
        id=options["id"],
        by=options["by"],
        first=options["first"],
        second=options["second"],
        cells=tuple(options["cell"]),
        cells_unless=tuple((column, other) for column, other in options["cell_unless"]),
        same=dict(pair.split("=") for pair in options["same"]),
        stratum=options["stratum"],
        no_stratum=options["no_stratum"],
    )
