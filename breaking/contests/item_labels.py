"""What a label of one item can be: one of the task's, or a part of the item's text; and what annotators say that it is.

Votes are entered by an organiser, or read from a file.
"""

import datetime as dt
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from django.db import transaction

from accounts.models import User
from benchmarks.models import Split
from benchmarks.services import mark_stale
from breaking.exceptions import ContestRefused, GoldSealed
from breaking.models import Contest, Vote
from scoring.file_refusal import FileRefused
from scoring.gold.opening import labels_of, newest_opened
from scoring.item_sets.texts import texts_of
from scoring.models import GoldVersion, OpenedGold
from submissions.intake.pairs.pair_faults import PairLabels
from submissions.intake.pairs.votes import FoundVote, read_votes, voter_fault


def item_texts(split: Split, items: Collection[str]) -> dict[str, dict[str, str]]:
    """The texts of these items by the names of their columns; none where no texts are loaded."""
    texts = texts_of(split)
    found = texts.by_item() if texts else {}
    return {item: dict(found[item]) for item in items if item in found}


def label_of_item(split: Split, item: str, label: str) -> str:
    """The label as the task lists it. ContestRefused if it is none of the task's, or no part of the item's text."""
    if not split.task.spec.output.is_one_text:
        raise ContestRefused(
            "An answer of this task is neither one label of a set nor a span, so no other can be named "
            "here. Say in words what is wrong with it."
        )
    labels = PairLabels(split.task.spec)
    # A span stands in one column; it cannot reach from one into the next.
    texts = item_texts(split, [item]).get(item)
    found = labels.read(label, label if texts is None else "\n".join(texts.values()))
    if found is None:
        raise ContestRefused(labels.explain(label).message)
    return found


def label_changes(before: GoldVersion, after: GoldVersion) -> dict[str, tuple[str, str]] | None:
    """The items whose labels differ between two versions, with both labels; None unless both are public."""
    opened = {
        one.gold_version_id: labels_of(one)
        for one in OpenedGold.objects.filter(gold_version__in=[before.pk, after.pk])
    }
    if {before.pk, after.pk} - opened.keys():
        return None
    old, new = opened[before.pk], opened[after.pk]
    return {item: (old[item], label) for item, label in new.items() if item in old and old[item] != label}


@dataclass(frozen=True, slots=True)
class VotesTaken:
    """How many votes are new, and how many replace another one of the same annotator."""

    new: int
    changed: int


@dataclass(frozen=True, slots=True)
class Tally:
    """The votes of annotators on one item, the commonest label first.

    `majority` is the label of more than half of them, or empty; `agreement` the share of pairs of votes that agree,
    None of fewer than two votes.
    """

    counts: tuple[tuple[str, int], ...]
    majority: str
    agreement: float | None

    @property
    def total(self) -> int:
        return sum(count for _, count in self.counts)


def tally(votes: Iterable[Vote]) -> Tally:
    """Count the votes on one item. Voices of teams, which are a party to it, are left out."""
    counts = Counter(vote.label for vote in votes if vote.team_id is None)
    total = counts.total()
    pairs = total * (total - 1)
    agreeing = sum(count * (count - 1) for count in counts.values())
    majority = next((label for label, count in counts.items() if 2 * count > total), "")
    ordered = Counter(dict(sorted(counts.items()))).most_common()
    return Tally(tuple(ordered), majority, agreeing / pairs if pairs else None)


@transaction.atomic
def add_votes(*, split: Split, votes: Sequence[FoundVote], user: User, now: dt.datetime) -> VotesTaken:
    """Take annotators' votes on undecided contests of a split; an annotator's earlier vote on an item is replaced.

    Raises
    ------
    GoldSealed
        As long as the labels are sealed: what annotators say would give them away.
    ContestRefused
        If a vote is on an item that is not contested, by a voter without a fit name, or for no label of the item.
    """
    _refuse_sealed(split)
    new = changed = 0
    contests = {
        contest.item: contest for contest in Contest.objects.open().filter(split=split).select_for_update()
    }
    for item, voter, label in votes:
        if item not in contests:
            raise ContestRefused(f"The label of {item!r} is not contested, or is decided already.")
        if fault := voter_fault(voter):
            raise ContestRefused(fault.message)
        values = {"label": label_of_item(split, item, label), "entered_by": user, "entered_at": now}
        before = Vote.objects.filter(contest=contests[item], voter=voter, team=None, worker=None).first()
        if before is None:
            Vote.objects.create(contest=contests[item], voter=voter, **values)
            new += 1
        elif before.label != values["label"]:
            Vote.objects.filter(pk=before.pk).update(**values)
            changed += 1
    mark_stale(split.task.benchmark_id)
    return VotesTaken(new, changed)


def load_votes(*, split: Split, data: bytes, file_name: str, user: User, now: dt.datetime) -> VotesTaken:
    """Take a CSV file of votes, `item,voter,label`, on undecided contests of a split.

    Raises
    ------
    GoldSealed
        As `add_votes`.
    FileRefused
        If the file has problems, or answers of the task cannot be voted on; nothing of it was taken.
    """
    _refuse_sealed(split)
    if not split.task.spec.output.is_one_text:
        raise FileRefused("Votes are on one label of a set or on a span; answers of this task are neither.")
    contested = list(Contest.objects.open().filter(split=split).values_list("item", flat=True))
    known = dict.fromkeys(contested) | {
        item: "\n".join(texts.values()) for item, texts in item_texts(split, contested).items()
    }
    read = read_votes(data, file_name=file_name, task=split.task.spec, contested=known)
    return add_votes(split=split, votes=read.content_or(FileRefused.because_of), user=user, now=now)


def _refuse_sealed(split: Split) -> None:
    if newest_opened(split) is None:
        raise GoldSealed(
            "The gold labels of this set are not public yet, and votes would give some of them away. "
            "They are taken once the labels are public."
        )
