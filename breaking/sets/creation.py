"""A breaker's pairs become a split: its ids and texts public, its labels sealed."""

import datetime as dt
import re
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from itertools import chain, count

from django.utils.text import slugify

from accounts.models import User
from benchmarks.models import Benchmark, Task
from benchmarks.services import keep_made_split
from benchmarks.spec import SplitSpec
from benchmarks.spec.model import DEV
from breaking.models import BreakerSet, PairFile
from scoring.gold.versions import keep_gold
from scoring.item_sets.texts import TEST, drop_texts, pack, store
from submissions.intake import GoldFile, ItemIds
from submissions.intake.answers import answer_reader
from submissions.intake.pairs.minimal_pairs import layout_of_pairs
from submissions.intake.tables.texts import TextsFile
from submissions.uploads.expected_splits import item_ids

_LONGEST_SLUG = 40
_NAMELESS = "breaker"


@dataclass(frozen=True, slots=True)
class SetItems:
    """The items of a set. `texts` has an entry per id, with a text per name in `columns`; neither if none are known."""

    ids: tuple[str, ...]
    labels: tuple[str, ...] = field(repr=False)
    columns: tuple[str, ...] = ()
    texts: tuple[tuple[str, ...], ...] = ()


def lock_task(task_id: int) -> Task:
    """The task's row, to be held while its pairs and sets are changed: one such thing at a time."""
    tasks = Task.objects.select_for_update(of=("self",)).select_related("benchmark")
    return tasks.get(pk=task_id)


def set_of(file: PairFile) -> BreakerSet | None:
    """The set of the breaker whose file it is, made of this file or of an earlier one."""
    sets = BreakerSet.objects.select_related("split", "pair_file").defer("pair_file__sealed")
    own = {"pair_file__team": file.team_id} | ({} if file.team_id else {"pair_file__breaker": file.breaker})
    return sets.filter(split__task=file.task_id, **own).first()


def place_set(
    *, file: PairFile, items: SetItems, now: dt.datetime, user: User | None, prediction_file: str = ""
) -> BreakerSet:
    """Make the items of a file the set of its breaker; one that was made of an earlier file of his changes.

    Nobody has answered that one. Call it in a transaction that holds the task's row. `prediction_file` is what files
    of predictions for the set are called.
    """
    # Names of files are no two tasks' alike.
    Benchmark.objects.select_for_update().get(pk=file.task.benchmark_id)
    task = Task.objects.select_related("benchmark").get(pk=file.task_id)
    earlier = set_of(file)
    spec = task.spec.split(earlier.split.slug) if earlier else _new_split(task, file.breaker, prediction_file)
    if prediction_file and earlier:
        spec = replace(spec, file=prediction_file)
    keep_made_split(task=task, split=spec)
    reader = answer_reader(task.spec.output, task.spec.gold)
    codes = reader.array([reader.value((label,)) for label in items.labels])
    split = keep_gold(
        task=task,
        gold=GoldFile(ItemIds(items.ids), codes),
        now=now,
        user=user,
        show_class_counts=False,
        note="",
        split_slug=spec.id,
    ).version.split
    drop_texts([split])
    if items.columns:
        by_item = dict(zip(items.ids, items.texts, strict=True))
        rows = tuple(by_item[item] for item in item_ids(split.pk, split.ids_sha256).ids)
        store(split, pack(split, TextsFile(items.columns, rows)), seed=None, now=now)
    values = {"pair_file": file, "made_at": now}
    return BreakerSet.objects.update_or_create(split=split, defaults=values)[0]


def _new_split(task: Task, breaker: str, prediction_file: str) -> SplitSpec:
    """A split for a breaker that has none yet. Its id and the name of its files are nobody else's."""
    taken = {
        TEST,
        DEV,
        *(split.id for split in task.spec.splits),
        *task.splits.values_list("slug", flat=True),
    }
    files = {one.path_of(split.id) for one in task.benchmark.spec.tasks for split in one.splits}
    words = slugify(re.sub(r"[^\w]+", "-", breaker))
    plainest = words[:_LONGEST_SLUG].strip("-_") or _NAMELESS
    slugs = chain([plainest], (f"{plainest}-{number}" for number in count(2)))
    ending = layout_of_pairs(task.spec).ending
    names = ((slug, prediction_file or f"{task.slug}_{slug}.{ending}") for slug in slugs if slug not in taken)
    slug, file = next((slug, file) for slug, file in names if prediction_file or file not in files)
    return SplitSpec(slug, breaker, file=file)


def is_file_taken(task: Task, path: str, *, except_of: str = "") -> bool:
    """Whether a file of that name could as well be that of another set; `except_of` is the id of the own one."""
    others = [
        other.path_of(split.id)
        for other in task.benchmark.spec.tasks
        for split in other.splits
        if (other.id, split.id) != (task.slug, except_of)
    ]
    return any(fnmatchcase(path, other) or fnmatchcase(other, path) for other in others)
