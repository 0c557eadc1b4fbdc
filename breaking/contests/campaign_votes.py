"""What people said about labels becomes votes, once the gold labels are public; before, nothing is read of it.

An item of which most people say something else than its gold label becomes a contest. The organiser decides, as always.
"""

import datetime as dt
from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import NamedTuple
from uuid import UUID

from benchmarks.models import Split
from benchmarks.notices.services import tell_organisers
from benchmarks.services import mark_stale
from breaking.models import BreakerSet, Contest, PairFile, TakenOutcome, Vote
from breaking.pairs.campaigns import CampaignAnswers, take_each
from labelling.core.answers import Value
from labelling.models import Campaign, Outcome, Unit, Worker
from labelling.outcomes.pair_validation import PAIR_LABELS
from scoring.gold.opening import opened_labels

_LONGEST_VOTER = 160
Given = list[tuple[Worker, Value]]


class _Place(NamedTuple):
    """An item of a split."""

    split: Split
    item: str


class NotPublicYet(Exception):
    """The gold labels of something that was asked about are sealed."""


def take_labels(now: dt.datetime) -> int:
    """Make contests and votes of closed campaigns about labels that are public; returns how many were taken.

    It needs the private key, by which answers are opened. Again, it changes nothing.
    """
    return take_each(PAIR_LABELS, _take, now)


def _take(outcome: Outcome, now: dt.datetime) -> bool:
    campaign = outcome.campaign
    try:
        said = _said_of(campaign)
    except NotPublicYet:
        return False
    votes, raised = 0, []
    by_split: defaultdict[Split, dict[str, Given]] = defaultdict(dict)
    for place, given in said.items():
        by_split[place.split][place.item] = given
    for split, items in by_split.items():
        labels = opened_labels(split) or {}
        for item, given in items.items():
            if item in labels:
                contest, is_new = _contest_of(split, item, labels[item], given, campaign, now)
                raised += [item] if is_new else []
                votes += _vote(contest, given, campaign, now) if contest else 0
        mark_stale(split.task.benchmark_id)
    report = {"items": len(said), "contests": len(raised), "votes": votes}
    TakenOutcome.objects.create(outcome=outcome, report=report, taken_at=now)
    _tell(campaign, raised)
    return True


def _said_of(campaign: Campaign) -> dict[_Place, Given]:
    """What people say of each item. NotPublicYet before the labels of all of them are."""
    units = list(campaign.units.filter(part=Unit.Part.MAIN))
    files = {UUID(place["file"]) for unit in units for place in _places(unit) if "file" in place}
    sets = BreakerSet.objects.filter(pair_file__in=files).select_related("split__task")
    of_file = {made.pair_file_id: made.split for made in sets}
    if PairFile.objects.accepted().filter(pk__in=files - of_file.keys()).exists():
        raise NotPublicYet
    slugs = {place["split"] for unit in units for place in _places(unit) if "split" in place}
    named = Split.objects.filter(task=campaign.task, slug__in=slugs).select_related("task")
    by_slug = {split.slug: split for split in named}
    if any(split.gold_opened_at is None for split in (*of_file.values(), *by_slug.values())):
        raise NotPublicYet  # before an answer is opened
    said: dict[_Place, Given] = {}
    for unit, given in CampaignAnswers(campaign):
        for place in _places(unit):
            split = (
                of_file.get(UUID(place["file"])) if "file" in place else by_slug.get(place.get("split", ""))
            )
            if split is not None and given:
                said[_Place(split, place["item"])] = given
    return said


def _places(unit: Unit) -> list[dict[str, str]]:
    """Where the texts of a unit stand; those of a split are drawn without a note of that."""
    places: list[dict[str, str]] | None = unit.source.get("places")
    return places or [{"split": unit.campaign.split_slug, "item": unit.items[0]}]


def _contest_of(
    split: Split, item: str, label: str, given: Given, campaign: Campaign, now: dt.datetime
) -> tuple[Contest | None, bool]:
    """The open contest of an item, and whether it was raised now: where most people say something else."""
    contest = Contest.objects.open().filter(split=split, item=item).first()
    if contest is not None:
        return contest, False
    counts = Counter(str(value) for _, value in given)
    other, count = counts.most_common(1)[0]
    asked_before = Contest.objects.filter(split=split, item=item, campaign=campaign).exists()
    if other == label or 2 * count <= len(given) or asked_before:
        return None, False
    if Contest.objects.filter(split=split, item=item, status=Contest.Status.OPEN).exists():
        return None, False  # decided this minute, and not in the gold labels yet
    reason = f"{count} of {len(given)} people say {other}; the gold label is {label}."
    contest = Contest.objects.create(
        split=split, item=item, reason=reason, proposed_label=other, campaign=campaign, raised_at=now
    )
    return contest, True


def _vote(contest: Contest, given: Given, campaign: Campaign, now: dt.datetime) -> int:
    """Enter each answer as a vote, once; returns how many are new."""
    had = set(contest.votes.filter(worker__isnull=False).values_list("worker", flat=True))
    new = [
        Vote(
            contest=contest,
            voter=f"{worker} of {campaign.title}"[:_LONGEST_VOTER],
            worker=worker,
            label=str(value),
            entered_at=now,
        )
        for worker, value in given
        if worker.pk not in had
    ]
    Vote.objects.bulk_create(new)
    return len(new)


def _tell(campaign: Campaign, items: Sequence[str]) -> None:
    if items:
        count = f"{len(items)} label is" if len(items) == 1 else f"{len(items)} labels are"
        tell_organisers(
            campaign.benchmark,
            f"{count} contested by people who were asked",
            f"Of the items of the campaign “{campaign.title}”, {count} another for most people than in the gold "
            "labels. Their answers stand as votes; please decide:",
            f"/admin/breaking/contest/?status__exact={Contest.Status.OPEN.value}",
        )
