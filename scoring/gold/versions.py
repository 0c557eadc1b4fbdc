"""Load gold labels: read strictly, seal at once, keep only what may be known."""

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from django.conf import settings
from django.db import transaction
from django.db.models import Q

from accounts.formats.numbers import grouped
from accounts.models import User
from benchmarks.models import Benchmark, Split, Task
from benchmarks.services import mark_stale, set_split_ids
from benchmarks.spec import DEV
from benchmarks.spec.tasks.gold_columns import numbers_of, unusable_columns
from catalogue.item_lines import Tokens, ids_in
from catalogue.metrics.groups.over_groups import group_asked
from catalogue.problems import counted
from scoring.core.uncertainty.intervals import FEW_CLUSTERS
from scoring.file_refusal import FileRefused
from scoring.gold.clue_check import CluesFound, check_clues
from scoring.gold.holdout_split import remainder_by
from scoring.gold.rarest_labels import too_rare
from scoring.item_sets.attacks import follow_test_gold
from scoring.item_sets.texts import TEST, answered, drop_texts, with_attacks
from scoring.log_entries import log_gold
from scoring.models import GoldVersion, SealedLabels
from submissions.intake import GoldFile, ItemIds, Problem, read_gold_file
from submissions.intake.sealing import GoldLabels, Sealed, seal
from submissions.intake.shared_stems import shared_stems
from submissions.uploads.expected_splits import item_ids

FEW_IN_A_GROUP = 50
"""With fewer items than this in a group whoever loads them is told."""


class GoldRefused(FileRefused):
    """The gold file was not taken; `sentences` name lines, never labels."""


@dataclass(frozen=True, slots=True)
class Loaded:
    """A new version of gold labels, and what the organiser should have a second look at.

    `clues` are the codes of those that tell of the labels and were confirmed.
    """

    version: GoldVersion
    warnings: tuple[str, ...]
    clues: tuple[str, ...] = ()

    @property
    def sentence(self) -> str:
        """What was done, for the audit log."""
        confirmed = f" Confirmed clues: {', '.join(self.clues)}." if self.clues else ""
        return f"Loaded gold version {self.version.number}.{confirmed}"

    @property
    def items_in_words(self) -> str:
        """How many items have labels, and how many are asked for without one."""
        scored, asked = self.version.item_count, self.version.split.item_count
        others = f" with labels, and {grouped(asked - scored)} that are not scored" if asked > scored else ""
        return f"{counted(scored, 'item')}{others}"


def load_gold(
    *,
    task: Task,
    data: bytes,
    file_name: str,
    now: dt.datetime,
    user: User | None = None,
    show_class_counts: bool = False,
    note: str = "",
    split_slug: str = "test",
    confirm_clues: bool = False,
    texts: Mapping[str, Sequence[str]] | None = None,
) -> Loaded:
    """Read a gold file of the task's own format, seal its labels and make them the current version.

    `texts` are those of the items by column, in the order of the file, where they are at hand and not loaded yet.

    The ids become the split's public ids, in an order that follows from the ids alone, and the labels stand in that
    order. Once predictions exist, a new version must answer exactly the same ids. Scores follow with the next batch.
    What attacks made of a test split gets the same version; texts of other ids are taken back.

    Raises
    ------
    GoldRefused
        If the file has problems, misses or adds ids, or no key to seal with is configured; or if its labels can be
        guessed without the items (`submissions.intake.tables.label_clues`) and `confirm_clues` is not given.
    """
    public_key()  # without one, nothing need be read
    files = read_gold_file(data, file_name=file_name, task=task.spec, split=split_slug).content_or(_refused)
    clusters = files.gold.clusters
    if clusters is not None and len(clusters) > 1 and not clusters.any():  # nothing to resample
        raise GoldRefused(
            f"{file_name}, line 2: from here on every row says the same in the column "
            f"{task.spec.gold.cluster_column}, which the definition names as cluster_column. With all items in one "
            "group no interval can be worked out. Correct the column, or name another in the definition."
        )
    if fault := unusable_columns(task.spec, files.gold.groups):
        raise GoldRefused(f"{file_name}: {fault}")
    clues = confirmed_clues(task, split_slug, files.gold, are_confirmed=confirm_clues, texts=texts)
    with transaction.atomic():
        for slug, other in files.others:
            _place(task, slug, other)  # rows of the same file that are asked for and not scored here
        loaded = keep_gold(
            task=task,
            gold=files.gold,
            now=now,
            user=user,
            show_class_counts=show_class_counts,
            note=note,
            split_slug=split_slug,
        )
    return replace(loaded, clues=clues)


def _refused(problems: Sequence[Problem], more: int) -> GoldRefused:
    """For the problems of a gold file, told by file and line alone."""
    return GoldRefused.because_of([replace(problem, column=None) for problem in problems], more)


def confirmed_clues(
    task: Task,
    split_slug: str,
    gold: GoldFile,
    *,
    are_confirmed: bool,
    texts: Mapping[str, Sequence[str]] | None = None,
) -> tuple[str, ...]:
    """The codes of the clues that tell of these labels and are confirmed. GoldRefused where they are not."""
    try:
        clues = check_clues(task, split_slug, gold, are_confirmed=are_confirmed, texts=texts)
    except CluesFound as found:
        raise GoldRefused(*found.sentences) from None
    return tuple(clue.kind.value for clue in clues)


def public_key() -> str:
    """The key that gold labels are sealed to. GoldRefused where none is set."""
    if not settings.GOLD_PUBLIC_KEY:
        raise GoldRefused("No key to seal gold labels with is set (HELDOUT_GOLD_PUBLIC_KEY).")
    return str(settings.GOLD_PUBLIC_KEY)


def keep_gold(
    *,
    task: Task,
    gold: GoldFile,
    now: dt.datetime,
    user: User | None,
    show_class_counts: bool,
    note: str,
    split_slug: str,
) -> Loaded:
    """Seal gold labels that were read or inferred, and make them the current version, as `load_gold` does."""
    with transaction.atomic():
        ids_before = _ids(task, split_slug)
        split, placed = _place(task, split_slug, gold)
        labels = task.spec.output.gold.labels
        gold_labels = GoldLabels(placed.ids.ids, placed.codes, labels, placed.clusters, placed.groups)
        sealed = seal(gold_labels, public_key())
        version, dropped = _keep(
            task, split, placed, sealed, ids_before, (now, user, show_class_counts, note)
        )
    return Loaded(version, _warnings(task, split_slug, placed, dropped, user))


def keep_sealed(
    *,
    task: Task,
    gold: GoldFile,
    sealed: Sealed,
    others: Mapping[str, Sequence[str]],
    now: dt.datetime,
    user: User | None,
    show_class_counts: bool,
    note: str,
    split_slug: str,
) -> Loaded:
    """Make the current version of what was sealed elsewhere; `gold` is what the box holds, `others` as in its file.

    Raises
    ------
    GoldRefused
        If it misses or adds ids.
    """
    with transaction.atomic():
        for slug, ids in others.items():
            refuse_other_ids(task, slug, ids)
            _place_ids(task, slug, ids)
        ids_before = _ids(task, split_slug)
        split, placed = _place(task, split_slug, gold)
        version, dropped = _keep(
            task, split, placed, sealed, ids_before, (now, user, show_class_counts, note)
        )
    return Loaded(version, _warnings(task, split_slug, placed, dropped, user))


def _keep(
    task: Task,
    split: Split,
    gold: GoldFile,
    sealed: Sealed,
    ids_before: set[str],
    about: tuple[dt.datetime, User | None, bool, str],
) -> tuple[GoldVersion, list[str]]:
    """The version, and the splits whose texts were taken back; `about` is when, by whom, with class counts, and why."""
    now, user, show_class_counts, note = about
    _refuse_rarer_labels(task, split.slug, gold)
    version = GoldVersion.objects.create(
        split=split,
        number=GoldVersion.objects.next_number(split.pk),
        task_version=task.version,
        key_fingerprint=sealed.key_fingerprint,
        commitment=sealed.commitment,
        remainder_by=remainder_by(split, sealed),
        item_count=len(gold.ids),
        class_counts=task.spec.output.gold.class_counts(gold.codes) if show_class_counts else None,
        note=note,
        loaded_by=user,
        loaded_at=now,
    )
    SealedLabels.objects.create(version=version, ciphertext=sealed.ciphertext)
    dropped = drop_texts(with_attacks(split)) if ids_before not in (set(), set(gold.asked.ids)) else []
    if split.slug == TEST:
        try:
            follow_test_gold(version)
        except FileRefused as refused:
            raise GoldRefused(*refused.sentences) from None
    mark_stale(task.benchmark_id)
    log_gold(task, {sealed.commitment: sealed.clusters})
    return version, dropped


def _refuse_rarer_labels(task: Task, slug: str, gold: GoldFile) -> None:
    """GoldRefused where a label is rarer than the definition states, or could be among the displayed items."""
    rare = too_rare(task.spec, gold.codes, gold.clusters) if slug in task.spec.test_splits else None
    if rare is not None:
        at_random = "at random" if gold.clusters is None else "at random and cluster by cluster"
        raise GoldRefused(
            f"The definition states a `rarest_label_share` of {task.spec.rarest_label_share:g} for {task.title}, and "
            f"noise relies on it. In this file {grouped(rare.count)} of {grouped(len(gold.ids))} items have the label "
            f"{rare.name}, which is less, or so near to it that half of the items, drawn {at_random}, could have "
            "less. Please state a smaller share, or none."
        )


def _ids(task: Task, slug: str) -> set[str]:
    split = Split.objects.select_for_update().filter(task=task, slug=slug).first()
    return set(ids_in(split.ids_text())) if split else set()


def _place(task: Task, slug: str, gold: GoldFile) -> tuple[Split, GoldFile]:
    """The split with its public ids, and the gold labels in their order; ids are fixed once predictions exist."""
    given, kind = gold.asked, task.spec.output.gold
    if kind.has_tokens and not given.tokens:  # how many there are is known of any labels
        given = ItemIds(given.ids, kind.tokens_in(gold.codes))
    split = _place_ids(task, slug, given.ids, given.tokens_of)
    ids = item_ids(split.pk, split.ids_sha256)
    places = _positions(ids.ids, given.ids)
    _refuse_other_tokens(ids, given)
    if gold.unscored:  # the scored ones come first among all that are asked for
        places = [place for place in places if place < len(gold.ids)]
        ids = ItemIds([gold.ids.ids[place] for place in places])
    return split, gold.in_order(ids, places)


def _place_ids(
    task: Task, slug: str, ids: Sequence[str], tokens: Mapping[str, Tokens] | None = None
) -> Split:
    """The split with these ids; with those it has once predictions exist."""
    split = Split.objects.select_for_update().filter(task=task, slug=slug).first()
    if split is None or not answered(with_attacks(split)):
        split = set_split_ids(task=task, slug=slug, ids=ids, tokens=tokens)
    return split


def _refuse_other_tokens(ids: ItemIds, given: ItemIds) -> None:
    """GoldRefused where an item of these gold labels has other tokens than those that answers were taken for."""
    for item, tokens in given.tokens_of.items():
        known = ids.tokens_of.get(item, ())
        is_known = len(known) == len(tokens) and all(
            one == other or not (one and other) for one, other in zip(known, tokens, strict=True)
        )
        if not is_known:
            raise GoldRefused(
                "Predictions have been accepted for this split, so its tokens are fixed. "
                f"Those of {item} are others in this file. Please upload a file with exactly the same tokens."
            )


def refuse_other_ids(task: Task, slug: str, ids: Sequence[str]) -> None:
    """GoldRefused if predictions exist for a split and these are not its ids. Nothing is changed."""
    split = task.splits.filter(slug=slug).first()
    if split is not None and answered(with_attacks(split)):
        _positions(item_ids(split.pk, split.ids_sha256).ids, ids)


def _positions(wanted: Sequence[str], given: Sequence[str]) -> list[int]:
    """Where each wanted id stands among the given ones; both must be the same set."""
    index = {item: position for position, item in enumerate(given)}
    missing = [item for item in wanted if item not in index]
    if missing or len(given) != len(wanted):
        extra = set(given) - set(wanted)
        raise GoldRefused(
            "Predictions have been accepted for this split, so its ids are fixed. "
            f"{len(missing)} of them are missing from this file and {len(extra)} are new in "
            "it. Please upload a file with exactly the same ids."
        )
    return [index[item] for item in wanted]


def _warnings(
    task: Task, split_slug: str, gold: GoldFile, dropped: Sequence[str], user: User | None
) -> tuple[str, ...]:
    stated, item_count = task.spec.test_size if split_slug == TEST else 0, len(gold.asked)
    warnings = []
    if stated not in (0, item_count):
        warnings.append(
            f"The definition states {grouped(stated)} test items and this file has {grouped(item_count)}. If that is "
            "not meant, load the whole file; it becomes the next version."
        )
    clusters = None if gold.clusters is None else int(gold.clusters.max()) + 1
    if clusters is not None and clusters < FEW_CLUSTERS:
        warnings.append(
            f"The column {task.spec.gold.cluster_column} puts the items into {clusters} groups. "
            f"Intervals from fewer than {FEW_CLUSTERS} groups are narrower than they should be."
        )
    warnings += [
        f"By the column {column} the smallest group has {smallest} items. With fewer than {FEW_IN_A_GROUP} the worst "
        "group can be the worst by chance alone."
        for column, groups in gold.groups.items()
        if column not in numbers_of(task.spec) and (smallest := min(groups.sizes())) < FEW_IN_A_GROUP
    ]
    warnings += [
        f"{use.title} is of the group {group!r} of the column {column}, and no item of this file is in it. It has no "
        "value until the definition or the column says otherwise."
        for use in task.spec.metrics
        for column, group in [group_asked(task.spec.output, use.name)]
        if column in gold.groups and group not in gold.groups[column].names
    ]
    stems = shared_stems(gold.ids.ids) if clusters is None and split_slug == TEST else None
    if stems is not None and not task.spec.pairs:  # the two items of a pair belong together already
        warnings.append(str(stems))
    if told := _told_openly(task, split_slug, gold):
        warnings.append(
            f"{grouped(told)} of these items are development data of {task.title} and in another set of it. Scores of "
            "development data are exact at any time, so the labels of these items are as good as public. Please take "
            "them out of one of the two."
        )
    warnings += [_told_by(twin, task) for twin in _twins(task, split_slug, user)]
    if dropped:
        warnings.append(
            f"The ids have changed, so these texts were taken back: {', '.join(dropped)}. Please upload those "
            "of the new ids, and make the attack sets again."
        )
    return tuple(warnings)


def _told_openly(task: Task, slug: str, gold: GoldFile) -> int:
    """How many items are development data, which guard nothing, and in another set of the task as well."""
    others = task.splits.exclude(slug=DEV) if slug == DEV else task.splits.filter(slug=DEV)
    elsewhere = {item for other in others.filter(ids__isnull=False) for item in ids_in(other.ids_text())}
    return len(elsewhere.intersection(gold.ids.ids))


def _twins(task: Task, slug: str, user: User | None) -> list[Task]:
    """Other tasks that ask the same of the same items, in benchmarks whose pages the person may open; none: in all."""
    items = task.splits.filter(slug=slug).values("ids_sha256")
    seen = Benchmark.objects.seen_by(user) if user else Benchmark.objects.all()
    others = Task.objects.filter(splits__ids_sha256__in=items, is_retired=False).exclude(pk=task.pk)
    near = others.filter(Q(benchmark=task.benchmark_id) | Q(benchmark__in=seen)).distinct()
    return [other for other in near.select_related("benchmark") if other.spec.output == task.spec.output]


def _told_by(twin: Task, task: Task) -> str:
    """What another task with the same items may tell, for whoever loads the labels."""
    if twin.benchmark_id == task.benchmark_id:
        return (
            f"{twin.title} has the same items and the same labels to choose from. If its gold labels are the same, it "
            "tells what the rule of a phase hides of these, and each of the two has a budget of judged answers. One "
            "task with the metrics of both keeps what is promised."
        )
    return (
        f"{twin.title} of {twin.benchmark.title} has items of the same ids and the same labels to choose from. If "
        "these are the same items, it tells what the rule of a phase hides here: it draws another half, and neither "
        "account of published bits knows of the other. Let one of the two take submissions, or choose “sealed”."
    )
