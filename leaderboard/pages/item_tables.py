"""The items of breakers' sets whose gold labels are public, with every system's answers.

Answers are those of the submissions that count in the newest release of the score phase.
"""

import csv
import io
import re
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from uuid import UUID

from benchmarks.models import Benchmark, Phase, Split, Task, Texts
from benchmarks.spec import RowKind
from breaking.contests.item_labels import label_changes
from breaking.contests.votes import tally
from breaking.models import BreakerSet, Contest, Pair
from leaderboard.board.tables.item_table import (
    Answerer,
    ContestedLabel,
    ItemTable,
    PublishedItem,
    PublishedPair,
    PublishedSet,
    in_order,
)
from leaderboard.models import Release, ReleaseCell
from scoring.gold.opening import labels_of, newest_opened
from scoring.models import GoldVersion
from submissions.models import Predictions
from submissions.systems.pseudonyms import public_names
from submissions.uploads.expected_splits import alignment_sha256, item_ids

Answers = Mapping[UUID, Mapping[str, str]]
"""What each system has answered, by item."""


def open_sets(benchmark: Benchmark) -> dict[Task, list[BreakerSet]]:
    """The sets whose gold labels are public, by task; withdrawn ones too."""
    rows = BreakerSet.objects.filter(
        split__task__benchmark=benchmark,
        split__task__is_retired=False,
        split__gold_versions__opened__isnull=False,
    ).distinct()
    found: dict[Task, list[BreakerSet]] = {}
    for one in rows.select_related("split__task").order_by("split__task__position", "split__slug"):
        one.split.task.benchmark = benchmark
        found.setdefault(one.split.task, []).append(one)
    return found


def item_table(benchmark: Benchmark, task: Task, sets: list[BreakerSet]) -> ItemTable:
    """These sets of a task, with the answers of the systems that stand in the newest release."""
    release = Release.objects.of(benchmark.slug).filter(phase__kind=Phase.Kind.SCORE).first()
    splits = {one.split_id: one.split for one in sets}
    answers = _answers(release, splits) if release else {}
    systems = _answerers(benchmark, release, {system for found in answers.values() for system in found})
    order = list(systems)
    shown = [_Set(task, one, order, answers.get(one.split_id, {})) for one in sets]
    answerers = tuple(systems.values())
    return ItemTable(
        benchmark=benchmark.slug,
        task=task.slug,
        title=task.title,
        release=release.number if release else 0,
        synthetic=benchmark.is_synthetic,
        systems=answerers,
        sets=tuple(one.shown(answerers) for one in shown),
    )


def _answers(release: Release, splits: Mapping[int, Split]) -> dict[int, Answers]:
    """What the systems of a release have answered, by split. Of several seeds the first counts."""
    cells = ReleaseCell.objects.filter(release=release, split__in=splits)
    chosen: dict[tuple[int, UUID], tuple[UUID, int]] = {}
    for split, system, submission, seed in cells.order_by("track", "seed").values_list(
        "split_id", "system_id", "submission_id", "seed"
    ):
        chosen.setdefault((split, system), (submission, seed))
    rows = Predictions.objects.select_related("codes").filter(
        submission__in={submission for submission, _ in chosen.values()}, split__in=splits
    )
    stored = {(one.split_id, one.submission_id, one.seed): one for one in rows}
    found: dict[int, dict[UUID, dict[str, str]]] = defaultdict(dict)
    for (split, system), (submission, seed) in chosen.items():
        one = stored.get((split, submission, seed))
        if one is not None and one.alignment_sha256 == alignment_sha256(splits[split]):
            found[split][system] = _by_item(one, splits[split])
    return dict(found)


def _by_item(stored: Predictions, split: Split) -> dict[str, str]:
    codes = stored.canonical().codes
    ids = item_ids(split.pk, split.ids_sha256).ids
    return dict(zip(ids, split.task.spec.output.texts(codes), strict=True))


def _answerers(benchmark: Benchmark, release: Release | None, systems: set[UUID]) -> dict[UUID, Answerer]:
    """The systems by their public names, numbers counted as people do; baselines last."""
    names = public_names(benchmark)
    kinds = dict(ReleaseCell.objects.filter(release=release).values_list("system_id", "system__kind"))
    found = {
        pk: Answerer(names[pk].name, names[pk].team, kinds[pk] == RowKind.SYSTEM.value) for pk in systems
    }
    return dict(sorted(found.items(), key=lambda one: _place(one[1])))


def _place(system: Answerer) -> tuple[bool, list[tuple[int, str]], str]:
    parts = [
        (int(part or 0), "") if part.isdecimal() else (-1, part) for part in re.split(r"(\d+)", system.name)
    ]
    return not system.is_counted, parts, system.team


@dataclass(frozen=True, slots=True)
class _Set:
    """One set as rows, with the answers of these systems."""

    task: Task
    row: BreakerSet
    systems: list[UUID]
    answers: Answers

    def shown(self, answerers: tuple[Answerer, ...]) -> PublishedSet:
        """The set, ready to be printed."""
        split = self.row.split
        opened = newest_opened(split)
        assert opened is not None  # noqa: S101  # sets that are sealed are not shown
        labels, texts, contests = labels_of(opened), _texts(split), _contests(split)
        about = {
            pair.changed_item: pair for pair in Pair.objects.filter(pair_file__breaker_set=self.row).taken()
        }
        pairs = []
        for stem, items in _stems(labels, self.task.spec.pairs).items():
            row = next((about[item] for item in items if item in about), None)
            # Without its row a pair stands in the order of the set, the original first.
            first, second = (row.original_item, row.changed_item) if row else items
            sentences = (row.original_text, row.changed_text) if row else ("", "")
            original, changed = (
                self._item(item, sentence, labels[item], contests)
                for item, sentence in zip((first, second), sentences, strict=True)
            )
            context = tuple(texts.get(second, [])[1:])
            pairs.append(PublishedPair(stem, original, changed, context, row.rationale if row else ""))
        return PublishedSet(
            split=split.slug,
            title=self.task.spec.split(split.slug).title,
            gold_version=opened.gold_version.number,
            pairs=in_order(pairs, answerers),
            withdrawn_at=self.row.withdrawn_at,
            withdrawal_reason=self.row.withdrawal_reason,
        )

    def _item(
        self, item: str, text: str, label: str, contests: Mapping[str, tuple[ContestedLabel, ...]]
    ) -> PublishedItem:
        output = self.task.spec.output
        answers = tuple(self.answers.get(system, {}).get(item) for system in self.systems)
        rights = tuple(None if answer is None else output.is_right(label, answer) for answer in answers)
        return PublishedItem(item, text, label, answers, rights, contests.get(item, ()))


def _stems(labels: Mapping[str, str], separator: str) -> dict[str, tuple[str, str]]:
    """The two items of each pair, in the order of the set; what is no pair is none."""
    found: dict[str, list[str]] = defaultdict(list)
    for item in labels:
        found[item.rpartition(separator)[0]].append(item)
    return {stem: (items[0], items[1]) for stem, items in found.items() if len(items) == 2}


def _texts(split: Split) -> dict[str, list[tuple[str, str]]]:
    """The public texts of a split by item: columns and what stands in them, the sentence first."""
    texts = Texts.objects.filter(split=split).first()
    if texts is None:
        return {}
    (_, *columns), *rows = csv.reader(io.StringIO(texts.csv().decode(), newline=""))
    return {item: list(zip(columns, cells, strict=True)) for item, *cells in rows}


_OUTCOMES = {
    Contest.Status.OPEN: "not decided yet",
    Contest.Status.KEPT: "the label stands",
    Contest.Status.CHANGED: "the label was changed",
}


def _contests(split: Split) -> dict[str, tuple[ContestedLabel, ...]]:
    """The contests of a split by item, the oldest first; those that were taken back are left out."""
    rows = Contest.objects.filter(split=split, status__in=_OUTCOMES).select_related("gold_version")
    found: dict[str, list[ContestedLabel]] = defaultdict(list)
    for one in rows.prefetch_related("votes").order_by("raised_at", "pk"):
        outcome = _OUTCOMES[Contest.Status(one.status)]
        if one.gold_version and one.status == Contest.Status.CHANGED:
            outcome += _how_changed(one, one.gold_version)
        elif one.status == Contest.Status.OPEN and one.decided_at:
            outcome = "decided, and soon in the gold labels"
        found[one.item].append(
            ContestedLabel(outcome, one.reason, one.proposed_label, tally(one.votes.all()).counts, one.note)
        )
    return {item: tuple(some) for item, some in found.items()}


def _how_changed(contest: Contest, after: GoldVersion) -> str:
    """From what to what, where both versions are public, and since which version."""
    before = GoldVersion.objects.filter(split=contest.split_id, number=after.number - 1).first()
    change = (label_changes(before, after) or {}).get(contest.item) if before else None
    words = f" from {change[0]} to {change[1]}" if change else ""
    return f"{words} in version {after.number} of the gold labels"
