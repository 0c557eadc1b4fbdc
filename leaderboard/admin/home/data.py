"""Data and gold labels: for each task its items, the state of its labels, and files for everybody."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.urls import reverse
from django.utils.http import urlencode

from accounts.formats.instants import day_in_utc
from accounts.formats.numbers import grouped
from benchmarks.admin.organised.links import address
from benchmarks.models import Attack, GivenFile, Split, Task
from breaking.models import BreakerSet, Contest, Pair, PairFile
from labelling.models import Campaign
from leaderboard.admin.home.acts import Act, HomeLinks, button_of
from scoring.definitions.task_import import may_grow
from scoring.models import GoldVersion, PairSet, ResponseSet


@dataclass(frozen=True, slots=True)
class SplitRow:
    """A split of a task with the state of its gold labels: missing, sealed or public."""

    task: str
    task_url: str
    split: str
    items: str
    state: str
    note: str
    load: Act


@dataclass(frozen=True, slots=True)
class DataAndGold:
    """`rows` by task; `missing` counts the tasks without any gold labels."""

    rows: tuple[SplitRow, ...]
    missing: int
    acts: tuple[Act, ...]


def data_and_gold(links: HomeLinks, tasks: Sequence[Task]) -> DataAndGold:
    """Every split of the tasks that are not retired."""
    splits: dict[int, list[Split]] = {}
    for split in Split.objects.filter(task__in=tasks).order_by("task__position", "-slug"):
        splits.setdefault(split.task_id, []).append(split)
    newest: dict[int, GoldVersion] = {}
    for version in GoldVersion.objects.filter(split__task__in=tasks).order_by("number"):
        newest[version.split_id] = version
    rows = [
        row
        for task in tasks
        for row in (
            [_row(task, split, newest.get(split.pk)) for split in splits[task.pk]]
            if task.pk in splits
            else [_without_items(task)]
        )
    ]
    missing = sum(not any(split.pk in newest for split in splits.get(task.pk, ())) for task in tasks)
    return DataAndGold(tuple(rows), missing, _acts(links))


def _acts(links: HomeLinks) -> tuple[Act, ...]:
    """What belongs to the data: files for everybody, versions of labels, the definition, and sets made of items."""
    files = links.has(GivenFile, "Files for participants")
    new_task = f"{reverse('admin:benchmarks_task_new')}?{urlencode({'into': links.benchmark.pk})}"
    return (
        *(
            [Act("Add a task", new_task)]
            if "add_phase" in links.buttons and may_grow(links.benchmark)
            else []
        ),
        *(files or (Act("Give a file…", links.add(GivenFile)),)),
        *links.has(GoldVersion, "Gold versions"),
        *links.button("import_definition", "Import an edited definition…"),
        *links.button("load_published", "Published rows…"),
        *(links.has(Campaign, "Labelling") or (Act("Ask people for labels…", links.add(Campaign)),)),
        *links.has(Attack, "Attacks"),
        *links.has(PairSet, "Pairs"),
        *links.has(ResponseSet, "Responses of annotators"),
        *links.has(PairFile, "Breakers' files"),
        *links.has(Pair, "Breakers' pairs"),
        *links.has(BreakerSet, "Breakers' sets"),
        *links.has(Contest, "Contested labels"),
    )


def _row(task: Task, split: Split, gold: GoldVersion | None) -> SplitRow:
    load = Act("Correct labels" if gold else "Load labels", button_of(task, "load_gold"))
    state, note = "missing", ""
    if split.gold_opened_at:
        state, note = "public", f"since {day_in_utc(split.gold_opened_at)}"
    elif gold:
        state, note = "sealed", f"version {gold.number}, {gold.commitment[:12]}"
    return SplitRow(task.title, address(task), split.slug, grouped(split.item_count), state, note, load)


def _without_items(task: Task) -> SplitRow:
    load = Act("Load labels", button_of(task, "load_gold"))
    return SplitRow(task.title, address(task), "", "none yet", "missing", "", load)
