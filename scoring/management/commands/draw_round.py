"""Draw dev and test of a benchmark's next round from the command line."""

import tempfile
from argparse import ArgumentParser
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError

from benchmarks.models import Task
from catalogue.problems import counted
from scoring.core.rounds import FOR_GOLD
from scoring.item_sets.next_round import (
    DEV,
    TEST,
    TRAIN,
    DrawnRound,
    NamedFile,
    in_a_line,
    open_round,
    submissions_answering,
)
from scoring.management.find import refusals, task_or_error
from submissions.models import Submission

_SHOWN_SUBMISSIONS = 5


class Command(BaseCommand):
    help = (
        "Draw balanced dev and test on which a system is at chance, out of candidates that were written with prompts "
        "and have five responses each."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("benchmark")
        parser.add_argument(
            "task", help="the task whose labels and file formats the round has: an earlier round"
        )
        parser.add_argument("--responses", type=Path, required=True, help="the candidates, as JSON lines")
        system = parser.add_mutually_exclusive_group(required=True)
        system.add_argument("--system", type=Path, help="the chosen system's predictions for all candidates")
        system.add_argument(
            "--submission", metavar="ID", help="a submission of that system which answers the candidates here"
        )
        parser.add_argument("--dev", type=int, default=720, help="items of dev (default 720)")
        parser.add_argument("--test", type=int, default=720, help="items of test (default 720)")
        parser.add_argument("--seed", type=int, default=1, help="what is drawn with (default 1)")
        parser.add_argument("--out", type=Path, required=True, help="a new folder for the files")

    def handle(self, *args: Any, benchmark: str, task: str, out: Path, **options: Any) -> None:
        earlier = task_or_error(benchmark, task)
        if out.is_symlink() or (out.exists() and (not out.is_dir() or any(out.iterdir()))):
            raise CommandError(f"{out} is there already. Nothing is overwritten: name a new folder.")
        system = options["system"]
        with refusals("No round was drawn."):
            predictions = _file(system) if system else _submission(earlier, options["submission"])
            drawn = open_round(
                task=earlier.spec,
                responses=_file(options["responses"]),
                predictions=predictions,
                size_dev=options["dev"],
                size_test=options["test"],
                seed=options["seed"],
            )
        try:
            _write(out, drawn.files)
        except OSError as error:
            raise CommandError(
                f"{out} cannot be written: {error.strerror}. Nothing was left there."
            ) from None
        self._tell(out, drawn)

    def _tell(self, out: Path, drawn: DrawnRound) -> None:
        report = drawn.report
        self.stdout.write(f"{out}: {', '.join(sorted(drawn.files))}")
        for part in (DEV, TEST):
            self.stdout.write(_part_line(part, report[part]))
        train = report[TRAIN]["items"]
        left_out = report["candidates"]["items"] - sum(report[part]["items"] for part in (DEV, TEST, TRAIN))
        aside = len(report["set_aside"])
        self.stdout.write(f"{TRAIN}: {train:,} items with at least {FOR_GOLD} responses for one category")
        self.stdout.write(
            f"In no part: {counted(left_out - aside, 'item')} without a majority, and {counted(aside, 'item')} "
            "with the prompt of an item of dev or test."
        )
        self.stdout.write(
            f"{DEV}.jsonl and {TEST}.jsonl give the gold labels away: keep them to yourself until they are loaded."
        )


def _part_line(part: str, counts: Mapping[str, Any]) -> str:
    right = {label: row[label] for label, row in counts["predicted"].items()}
    balance = ", ".join(f"{label} {counts['categories'][label]:,}" for label in right)
    scores = ", ".join(f"{metric} {_shown(value)}" for metric, value in counts["scores"].items())
    return (
        f"{part}: {counts['items']:,} items ({balance}); the system is right on "
        f"{next(iter(right.values())):,} of each: {scores}; Fleiss' kappa {_shown(counts['kappa'])}"
    )


def _shown(value: float | None) -> str:
    return "undefined" if value is None else f"{value:.4f}"


def _submission(task: Task, submission: str) -> Submission:
    listed = submissions_answering(task)
    try:
        return listed.get(pk=submission)
    except (Submission.DoesNotExist, ValidationError):
        newest = [f"  {submission.pk}  {in_a_line(submission)}" for submission in listed[:_SHOWN_SUBMISSIONS]]
        there_are = ["The newest that do:", *newest] if newest else ["None does yet."]
        sentence = f"No submission {submission} answers {task}, or it was withdrawn or disqualified."
        raise CommandError("\n".join([sentence, *there_are])) from None


def _file(path: Path) -> NamedFile:
    return path.name, path.read_bytes()


def _write(folder: Path, files: Mapping[str, bytes]) -> None:
    """All the files or none, in a folder that only its owner may enter."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent, prefix=f".{folder.name}-") as scratch:
        whole = Path(scratch) / folder.name
        whole.mkdir(mode=0o700)
        for name, data in files.items():
            (whole / name).write_bytes(data)
        whole.rename(folder)  # in place of an empty folder, never of one that holds anything
