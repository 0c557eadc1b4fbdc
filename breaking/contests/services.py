"""Contest the label of an item: who may, with which reason, and how it is taken back.

Labels can be contested once they are public. Nothing here opens what is sealed.
"""

import datetime as dt

from django.db import IntegrityError, transaction
from django.db.models import Q, QuerySet
from django.urls import reverse
from django.utils.http import urlencode

from accounts.formats.numbers import grouped
from accounts.models import Team, User
from benchmarks.models import Benchmark, Split
from benchmarks.services import mark_stale
from breaking.contests.item_labels import NoSuchLabel, read_label
from breaking.mail import tell_organisers
from breaking.models import Contest, PairFile, Vote
from scoring.gold.opening import opened_labels
from submissions.exceptions import NotYourTeam, SubmissionError
from submissions.models import Submission

LONGEST_REASON = 2_000


class ContestRefused(SubmissionError):
    """What was said cannot be taken: no such item, no reason, no such label."""

    code = "contest_refused"


class NotTakingPart(SubmissionError):
    """The team neither builds nor breaks here."""

    code = "not_taking_part"


class GoldSealed(SubmissionError):
    """The labels are not public yet, so nobody can know what to contest."""

    code = "gold_sealed"


class ContestClosed(SubmissionError):
    """The contest is decided or was taken back."""

    code = "contest_closed"


class AlreadyContested(SubmissionError):
    """Somebody else contests the item; `contest` says with which reason."""

    code = "already_contested"

    def __init__(self, contest: Contest) -> None:
        super().__init__(
            f"The label of {contest.item!r} is contested already. Your team may add its voice to that contest."
        )
        self.contest = contest


def builders(benchmark: Benchmark) -> QuerySet[Team]:
    """Teams with a submission that they have not withdrawn, and nobody has disqualified."""
    live = Submission.objects.live().filter(phase__benchmark=benchmark)
    found: QuerySet[Team] = Team.objects.filter(pk__in=live.values("system__team"))
    return found


def breakers(benchmark: Benchmark) -> QuerySet[Team]:
    """Teams whose pairs count."""
    files = PairFile.objects.accepted().filter(task__benchmark=benchmark, team__isnull=False)
    found: QuerySet[Team] = Team.objects.filter(pk__in=files.values("team"))
    return found


def teams_of(user: User, benchmark: Benchmark) -> list[Team]:
    """The person's teams that build or break here, and so may contest labels."""
    takes_part = Q(pk__in=builders(benchmark).values("pk")) | Q(pk__in=breakers(benchmark).values("pk"))
    return list(Team.objects.of(user).filter(takes_part))


def contest_item(
    *,
    split: Split,
    item: str,
    reason: str,
    team: Team,
    user: User,
    now: dt.datetime,
    proposed_label: str = "",
) -> Contest:
    """Contest the label of one item in the name of a team, perhaps with the label that it should have.

    The organisers are told by mail. Of two teams at once one contests, the other is told of it.

    Raises
    ------
    GoldSealed, NotYourTeam, NotTakingPart, ContestRefused, AlreadyContested
        In this order.
    """
    current = _label_of(split, item, team, user)
    proposed = _proposed(split, item, proposed_label, current) if proposed_label else ""
    reason = _checked(reason)
    try:
        with transaction.atomic():
            contest = Contest.objects.create(
                split=split,
                item=item,
                reason=reason,
                proposed_label=proposed,
                raised_by=user,
                team=team,
                raised_at=now,
            )
            mark_stale(split.task.benchmark_id)
    except IntegrityError:
        raise AlreadyContested(Contest.objects.get(split=split, item=item, status="open")) from None
    _tell_organisers(contest)
    return contest


def add_voice(*, contest: Contest, team: Team, user: User, label: str, now: dt.datetime) -> Vote:
    """Say in the name of one more team which label a contested item should have; what it said before is replaced.

    Voices of teams are shown beside the votes of annotators and are not counted among them.

    Raises
    ------
    GoldSealed, NotYourTeam, NotTakingPart, ContestRefused, ContestClosed
        In this order.
    """
    split, item = contest.split, contest.item
    _label_of(split, item, team, user)
    said = label_of_item(split, item, label)
    with transaction.atomic():
        contest = undecided(contest)
        if contest.team_id == team.pk:
            raise ContestRefused("Your team contests this label itself, so it has no further voice.")
        values = {"voter": team.name, "label": said, "entered_by": user, "entered_at": now}
        vote, _created = Vote.objects.update_or_create(contest=contest, team=team, defaults=values)
        mark_stale(split.task.benchmark_id)
    return vote


def retract(*, contest: Contest, user: User, now: dt.datetime) -> Contest:
    """Take a contest back in the name of its team, as long as it is undecided.

    Raises
    ------
    NotYourTeam
        If the person is in no team, or not in the one that contests.
    ContestClosed
        If it is decided or was taken back before.
    """
    if contest.team is None or not contest.team.memberships.filter(user=user).exists():
        raise NotYourTeam("Only the team that contests a label can take that back.")
    with transaction.atomic():
        contest = undecided(contest)
        contest.status, contest.decided_at, contest.decided_by = Contest.Status.RETRACTED, now, user
        contest.save(update_fields=["status", "decided_at", "decided_by"])
        mark_stale(contest.split.task.benchmark_id)
    return contest


def contest_address(split: Split, item: str) -> str:
    """The page on which the label of an item is contested. Ids hold any character, so it is no part of the path."""
    page = reverse("breaking:contest", args=[split.task.benchmark_id, split.task.slug, split.slug])
    return f"{page}?{urlencode({'item': item})}"


def undecided(contest: Contest) -> Contest:
    """The contest as it is now, locked for the transaction. ContestClosed where it cannot be changed any more."""
    rows = Contest.objects.select_for_update(of=("self",)).select_related("split__task__benchmark")
    found: Contest = rows.get(pk=contest.pk)
    if found.status != Contest.Status.OPEN:
        raise ContestClosed(f"This contest has ended: {found.get_status_display()}.")
    if found.decided_at is not None:
        raise ContestClosed(
            "An organiser has decided about this contest; the gold labels follow in a moment."
        )
    return found


def _label_of(split: Split, item: str, team: Team, user: User) -> str:
    """The public label of an item, if this person may contest it in the name of that team."""
    labels = opened_labels(split)
    if labels is None:
        raise GoldSealed(
            "The gold labels of this set are not public yet. They can be contested once they are."
        )
    if not team.memberships.filter(user=user).exists():
        raise NotYourTeam(f"You are no member of the team {team}.")
    benchmark = split.task.benchmark
    if team not in teams_of(user, benchmark):
        raise NotTakingPart(
            f"{team} takes no part in {benchmark}. Labels are contested by teams with a submission, "
            "or with pairs, that they have not withdrawn."
        )
    if item not in labels:
        raise ContestRefused(f"There is no item {item!r} in {split}. The table of items lists all of them.")
    return labels[item]


def _checked(reason: str) -> str:
    reason = reason.strip().replace("\r\n", "\n")
    if not reason:
        raise ContestRefused("Please say why the label is wrong.")
    if len(reason) > LONGEST_REASON:
        raise ContestRefused(
            f"The reason has {grouped(len(reason))} characters; at most {grouped(LONGEST_REASON)} are "
            "taken. Shorten it."
        )
    if "\0" in reason:
        raise ContestRefused("The reason holds a NUL character. Remove it.")
    return reason


def _proposed(split: Split, item: str, label: str, current: str) -> str:
    proposed = label_of_item(split, item, label)
    if proposed == current:
        raise ContestRefused(f"{proposed!r} is the label that the item has. Propose another, or none.")
    return proposed


def label_of_item(split: Split, item: str, label: str) -> str:
    """The label as the task lists it. ContestRefused where the item cannot have it."""
    try:
        return read_label(split, item, label)
    except NoSuchLabel as error:
        raise ContestRefused(str(error)) from None


def _tell_organisers(contest: Contest) -> None:
    """The mail names neither team nor system, which may be anonymous."""
    split = contest.split
    proposed = "\n\n" + f"Proposed instead: {contest.proposed_label}" if contest.proposed_label else ""
    opening = f"The gold label of the item {contest.item} in {split} is contested."
    tell_organisers(
        split.task.benchmark,
        f"the label of {contest.item} is contested",
        f"{opening}\n\n{contest.reason}{proposed}\n\nVotes and your decision:",
        f"/admin/breaking/contest/{contest.pk}/change/",
    )
