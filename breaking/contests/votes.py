"""Votes of annotators on contested items: entered by an organiser, or read from a file."""

import datetime as dt
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.db import transaction
from django.db.models import QuerySet

from accounts.models import User
from benchmarks.models import Split
from benchmarks.services import mark_stale
from breaking.contests.item_labels import has_labels_to_choose, item_texts, label_of_item, spans_in
from breaking.exceptions import ContestRefused, GoldSealed
from breaking.models import Contest, Vote
from scoring.file_refusal import FileRefused
from scoring.gold.opening import newest_opened
from submissions.intake.pairs.votes import FoundVote, read_votes, voter_fault


class VotesRefused(FileRefused):
    """No vote was taken; `sentences` say which line is wrong and why."""


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
    contests = {contest.item: contest for contest in _undecided(split).select_for_update()}
    for item, voter, label in votes:
        if item not in contests:
            raise ContestRefused(f"The label of {item!r} is not contested, or is decided already.")
        if fault := voter_fault(voter):
            raise ContestRefused(fault.message)
        values = {"label": label_of_item(split, item, label), "entered_by": user, "entered_at": now}
        before = Vote.objects.filter(contest=contests[item], voter=voter, team=None).first()
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
    VotesRefused
        If the file has problems, or answers of the task cannot be voted on; nothing of it was taken.
    """
    _refuse_sealed(split)
    if not has_labels_to_choose(split):
        raise VotesRefused("Votes are on one label of a set or on a span; answers of this task are neither.")
    contested = list(_undecided(split).values_list("item", flat=True))
    known = dict.fromkeys(contested) | {
        item: spans_in(texts) for item, texts in item_texts(split, contested).items()
    }
    read = read_votes(data, file_name=file_name, task=split.task.spec, contested=known)
    return add_votes(split=split, votes=read.content_or(VotesRefused.because_of), user=user, now=now)


def _undecided(split: Split) -> QuerySet[Contest]:
    return Contest.objects.open().filter(split=split)


def _refuse_sealed(split: Split) -> None:
    if newest_opened(split) is None:
        raise GoldSealed(
            "The gold labels of this set are not public yet, and votes would give some of them away. "
            "They are taken once the labels are public."
        )
