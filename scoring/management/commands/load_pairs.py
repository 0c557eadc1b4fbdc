"""Load pairs of items for the equity report from the command line."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from accounts.audit.log import record_command
from accounts.server.clock import database_now
from benchmarks.models import Split
from scoring.item_sets.pair_sets import PairSetRefused, PairsUpload, load_pairs, load_pairs_everywhere


class Command(BaseCommand):
    help = "Make a file the current pairs of one comparison, for one task or for all whose split has its ids."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("benchmark")
        parser.add_argument("task", help="a task, or “all” for every task whose split has the file's ids")
        parser.add_argument("split", help="the split that the ids belong to, such as equity")
        parser.add_argument("comparison", help="what the two groups differ in, in short: gender")
        parser.add_argument(
            "file", type=Path, help="CSV with the columns pair, group, id and perhaps stratum"
        )
        parser.add_argument("--title", default="", help="what reports call the comparison")
        parser.add_argument("--first", default="", help="the group whose higher answers count as positive")
        parser.add_argument("--second", default="", help="the group that it is compared with")

    def handle(self, *args: Any, benchmark: str, task: str, split: str, file: Path, **options: Any) -> None:
        splits = _splits(benchmark, task, split)
        try:
            upload = PairsUpload(
                data=file.read_bytes(),
                file_name=file.name,
                **{key: options[key] for key in ("comparison", "title", "first", "second")},
            )
            if task == "all":
                loaded = load_pairs_everywhere(splits=splits, upload=upload, now=database_now())
            else:
                loaded = [load_pairs(split=splits[0], upload=upload, now=database_now())]
        except OSError as error:
            raise CommandError(f"{file} cannot be read: {error.strerror}.") from None
        except PairSetRefused as refused:
            raise CommandError("The pairs were not taken.\n" + "\n".join(refused.sentences)) from None
        for one in loaded:
            told = f"Loaded pairs {one.comparison} {one.number}."
            record_command("load_pairs", row=one.split.task, benchmark=benchmark, what=told)
            self.stdout.write(f"{one}: {one.pair_count:,} pairs, {one.first} minus {one.second}")
        left_out = {one.pk for one in splits} - {one.split_id for one in loaded}
        if left_out:
            self.stdout.write(
                f"Left out, as the pairs do not fit them: {len(left_out)} of {len(splits)} splits."
            )


def _splits(benchmark: str, task: str, split: str) -> list[Split]:
    """The splits of that name, of one task or of all."""
    known = Split.objects.filter(task__benchmark=benchmark, task__is_retired=False).order_by("task__position")
    found = known.filter(slug=split).select_related("task__benchmark")
    if task != "all":
        found = found.filter(task__slug=task)
    if found:
        return list(found)
    names = ", ".join(f"{one.task.slug}/{one.slug}" for one in known.select_related("task"))
    raise CommandError(
        f"There is no split {benchmark}/{task}/{split} with ids. Splits with ids: {names or 'none; load gold first'}."
    )
