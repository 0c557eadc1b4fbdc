"""Load pairs of items for the equity report from the command line."""

from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from accounts.audit.log import record_command
from accounts.server.clock import database_now
from benchmarks.models import Split
from catalogue.problems import counted
from scoring.item_sets.pair_sets import PairsUpload, load_pairs, load_pairs_everywhere
from scoring.management.find import TableCommand, refusals


class Command(TableCommand):
    help = "Make a file the current pairs of one comparison, for one task or for all whose split has its ids."
    arguments = {
        "benchmark": {},
        "task": {"help": "a task, or “all” for every task whose split has the file's ids"},
        "split": {"help": "the split that the ids belong to, such as equity"},
        "comparison": {"help": "what the two groups differ in, in short: gender"},
        "file": {"type": Path, "help": "CSV with the columns pair, group, id and perhaps stratum"},
        "--title": {"default": "", "help": "what reports call the comparison"},
        "--first": {"default": "", "help": "the group whose higher answers count as positive"},
        "--second": {"default": "", "help": "the group that it is compared with"},
    }

    def handle(self, *args: Any, benchmark: str, task: str, split: str, file: Path, **options: Any) -> None:
        splits = _splits(benchmark, task, split)
        words = {key: options[key] for key in ("comparison", "title", "first", "second")}
        with refusals("The pairs were not taken."):
            upload = PairsUpload(data=file.read_bytes(), file_name=file.name, **words)
            if task == "all":
                loaded = load_pairs_everywhere(splits=splits, upload=upload, now=database_now())
            else:
                loaded = [load_pairs(split=splits[0], upload=upload, now=database_now())]
        for pair_set in loaded:
            sentence = f"Loaded pairs {pair_set.comparison} {pair_set.number}."
            record_command("load_pairs", row=pair_set.split.task, benchmark=benchmark, what=sentence)
            self.stdout.write(
                f"{pair_set}: {counted(pair_set.pair_count, 'pair')}, {pair_set.first} minus {pair_set.second}"
            )
        left_out = {split.pk for split in splits} - {pair_set.split_id for pair_set in loaded}
        if left_out:
            self.stdout.write(
                f"Left out, as the pairs do not fit them: {len(left_out)} of {len(splits)} splits."
            )


def _splits(benchmark: str, task: str, split: str) -> list[Split]:
    known = Split.objects.filter(task__benchmark=benchmark, task__is_retired=False).order_by("task__position")
    named = known.filter(slug=split).select_related("task__benchmark")
    if splits := list(named if task == "all" else named.filter(task__slug=task)):
        return splits
    names = ", ".join(f"{split.task.slug}/{split.slug}" for split in known.select_related("task"))
    raise CommandError(
        f"There is no split {benchmark}/{task}/{split} with ids. Splits with ids: {names or 'none; load gold first'}."
    )
