"""The items of breakers' sets whose gold labels are public, with every system's answers.

Answers are those of the submissions that count in the newest release of the score phase.
"""

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from uuid import UUID

from benchmarks.models import Benchmark, Phase, Split, Task, Texts
from benchmarks.spec import RowKind
from breaking.contests.item_labels import label_changes, tally
from breaking.models import BreakerSet, Contest, Pair
from leaderboard.board.tables.item_table import (
    Answerer,
    ContestedLabel,
    ItemTable,
    PublishedItem,
    PublishedPair,
    PublishedSet,
)
from leaderboard.models import Release, ReleaseCell
from scoring.gold.opening import labels_of, newest_opened
from scoring.models import GoldVersion
from submissions.models import Predictions, System
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
    by_task: dict[Task, list[BreakerSet]] = {}
    for breaker_set in rows.select_related("split__task").order_by("split__task__position", "split__slug"):
        breaker_set.split.task.benchmark = benchmark
        by_task.setdefault(breaker_set.split.task, []).append(breaker_set)
    return by_task


def item_table(benchmark: Benchmark, task: Task, sets: list[BreakerSet]) -> ItemTable:
    """These sets of a task, with the answers of the systems that stand in the newest release."""
    release = Release.objects.of(benchmark.slug).filter(phase__kind=Phase.Kind.SCORE).first()
    answers = (
        _answers(release, {breaker_set.split_id: breaker_set.split for breaker_set in sets})
        if release
        else {}
    )
    systems = _answerers(benchmark, {system for of_split in answers.values() for system in of_split})
    answerers = tuple(systems.values())
    published = []
    for breaker_set in sets:
        of_set = answers.get(breaker_set.split_id, {})
        published.append(_published(task, breaker_set, [of_set.get(key, {}) for key in systems], answerers))
    return ItemTable(
        benchmark=benchmark.slug,
        task=task.slug,
        title=task.title,
        release=release.number if release else 0,
        synthetic=benchmark.is_synthetic,
        systems=answerers,
        sets=tuple(published),
    )


def _answers(release: Release, splits: Mapping[int, Split]) -> dict[int, Answers]:
    """What the systems of a release have answered, by split. Of several seeds the first counts."""
    cells = ReleaseCell.objects.of(release).filter(split__in=splits)
    chosen: dict[tuple[int, UUID], tuple[UUID, int]] = {}
    for split_id, system, submission, seed in cells.order_by("track", "seed").values_list(
        "split_id", "system_id", "submission_id", "seed"
    ):
        chosen.setdefault((split_id, system), (submission, seed))
    rows = Predictions.objects.select_related("codes").filter(
        submission__in={submission for submission, _ in chosen.values()},
        split__in=splits,
        codes__isnull=False,
    )
    stored = {(row.split_id, row.submission_id, row.seed): row for row in rows}
    answers: dict[int, dict[UUID, dict[str, str]]] = defaultdict(dict)
    for (split_id, system), (submission, seed) in chosen.items():
        row, split = stored.get((split_id, submission, seed)), splits[split_id]
        if row is not None and row.alignment_sha256 == alignment_sha256(split):
            texts = split.task.spec.output.texts(row.canonical().codes)
            ids = item_ids(split.pk, split.ids_sha256).ids
            answers[split_id][system] = dict(zip(ids, texts, strict=True))
    return dict(answers)


def _answerers(benchmark: Benchmark, systems: set[UUID]) -> dict[UUID, Answerer]:
    """The systems by their public names, numbers counted as people do; baselines last."""
    names = public_names(benchmark)
    kinds = dict(System.objects.filter(pk__in=systems).values_list("pk", "kind"))
    answerers = {
        pk: Answerer(names[pk].name, names[pk].team, kinds[pk] == RowKind.SYSTEM.value) for pk in systems
    }
    return dict(sorted(answerers.items(), key=lambda item: _place(item[1])))


def _place(system: Answerer) -> tuple[bool, list[tuple[int, str]], str]:
    parts = [
        (int(part or 0), "") if part.isdecimal() else (-1, part) for part in re.split(r"(\d+)", system.name)
    ]
    return not system.is_counted, parts, system.team


def _published(
    task: Task, breaker_set: BreakerSet, answers: Sequence[Mapping[str, str]], systems: Sequence[Answerer]
) -> PublishedSet:
    """A breaker's set with the answers of these systems, in their order."""
    split, output = breaker_set.split, task.spec.output
    opened = newest_opened(split)
    assert opened is not None  # noqa: S101  # sets that are sealed are not shown
    labels, texts, contests = labels_of(opened), _texts(split), _contests(split)

    def published(item: str, text: str) -> PublishedItem:
        given = tuple(of_system.get(item) for of_system in answers)
        rights = tuple(None if answer is None else output.is_right(labels[item], answer) for answer in given)
        return PublishedItem(item, text, labels[item], given, rights, tuple(contests.get(item, ())))

    rows = {
        pair.changed_item: pair for pair in Pair.objects.filter(pair_file__breaker_set=breaker_set).taken()
    }
    pairs = []
    for stem, items in _stems(labels, task.spec.pairs).items():
        row = next((rows[item] for item in items if item in rows), None)
        # Without its row a pair stands in the order of the set, the original first.
        first, second = (row.original_item, row.changed_item) if row else items
        sentences = (row.original_text, row.changed_text) if row else ("", "")
        original, changed = published(first, sentences[0]), published(second, sentences[1])
        context = tuple(texts.get(second, [])[1:])
        named = (row.rationale, row.category) if row else ("", "")
        pairs.append(PublishedPair(stem, original, changed, context, *named))
    return PublishedSet(
        split=split.slug,
        title=task.spec.split(split.slug).title,
        gold_version=opened.gold_version.number,
        pairs=tuple(sorted(pairs, key=lambda pair: -pair.outcomes(systems)[0])),
        withdrawn_at=breaker_set.withdrawn_at,
        withdrawal_reason=breaker_set.withdrawal_reason,
    )


def _stems(labels: Mapping[str, str], separator: str) -> dict[str, tuple[str, str]]:
    """The two items of each pair, in the order of the set; what is no pair is none."""
    by_stem: dict[str, list[str]] = defaultdict(list)
    for item in labels:
        by_stem[item.rpartition(separator)[0]].append(item)
    return {stem: (items[0], items[1]) for stem, items in by_stem.items() if len(items) == 2}


def _texts(split: Split) -> dict[str, list[tuple[str, str]]]:
    """The public texts of a split by item: columns and what stands in them, the sentence first."""
    texts = Texts.objects.filter(split=split).first()
    return texts.by_item() if texts else {}


_OUTCOMES = {
    Contest.Status.OPEN: "not decided yet",
    Contest.Status.KEPT: "the label stands",
    Contest.Status.CHANGED: "the label was changed",
}


def _contests(split: Split) -> dict[str, list[ContestedLabel]]:
    """The contests of a split by item, the oldest first; those that were taken back are left out."""
    rows = Contest.objects.filter(split=split, status__in=_OUTCOMES).select_related("gold_version")
    by_item: dict[str, list[ContestedLabel]] = defaultdict(list)
    for contest in rows.prefetch_related("votes").order_by("raised_at", "pk"):
        outcome = _OUTCOMES[Contest.Status(contest.status)]
        if contest.gold_version and contest.status == Contest.Status.CHANGED:
            outcome += _how_changed(contest, contest.gold_version)
        elif contest.status == Contest.Status.OPEN and contest.decided_at:
            outcome = "decided, and soon in the gold labels"
        by_item[contest.item].append(
            ContestedLabel(
                outcome,
                contest.reason,
                contest.proposed_label,
                tally(contest.votes.all()).counts,
                contest.note,
            )
        )
    return by_item


def _how_changed(contest: Contest, after: GoldVersion) -> str:
    """From what to what, where both versions are public, and since which version."""
    before = GoldVersion.objects.filter(split=contest.split_id, number=after.number - 1).first()
    change = (label_changes(before, after) or {}).get(contest.item) if before else None
    words = f" from {change[0]} to {change[1]}" if change else ""
    return f"{words} in version {after.number} of the gold labels"
