"""Contest the label of an item: who may, with which reason, how it is taken back, and what everybody is shown of it.

Labels can be contested once they are public. Nothing here opens what is sealed.
"""

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass

from django.db import IntegrityError, transaction
from django.db.models import Prefetch, Q
from django.urls import reverse
from django.utils.http import urlencode

from accounts.formats.numbers import grouped
from accounts.models import Team, User
from benchmarks.models import Benchmark, Split
from benchmarks.notices.services import tell_organisers
from benchmarks.services import mark_stale
from breaking.contests.item_labels import Tally, label_changes, label_of_item, tally
from breaking.exceptions import AlreadyContested, ContestClosed, ContestRefused, GoldSealed, NotTakingPart
from breaking.models import Contest, PairFile, Vote
from breaking.querysets import ContestQuerySet
from scoring.gold.opening import opened_labels
from scoring.models import GoldVersion
from submissions.exceptions import NotYourTeam
from submissions.models import Submission

LONGEST_REASON = 2_000
A_BUILDER = "a builder"


def teams_of(user: User, benchmark: Benchmark) -> list[Team]:
    """The person's teams that may contest labels: they have a live submission here, or pairs that count."""
    builders = Submission.objects.live().filter(phase__benchmark=benchmark).values("system__team")
    files = PairFile.objects.accepted().filter(task__benchmark=benchmark, team__isnull=False)
    takes_part = Q(pk__in=builders) | Q(pk__in=files.values("team"))
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
    proposed = label_of_item(split, item, proposed_label) if proposed_label else ""
    if proposed == current:
        raise ContestRefused(f"{proposed!r} is the label that the item has. Propose another, or none.")
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
    # The mail names neither team nor system, which may be anonymous.
    instead = f"\n\nProposed instead: {proposed}" if proposed else ""
    tell_organisers(
        split.task.benchmark,
        f"the label of {item} is contested",
        f"The gold label of the item {item} in {split} is contested.\n\n{reason}{instead}\n\n"
        "Votes and your decision:",
        f"/admin/breaking/contest/{contest.pk}/change/",
    )
    return contest


def add_voice(*, contest: Contest, team: Team, user: User, label: str, now: dt.datetime) -> Vote:
    """Say in the name of one more team which label a contested item should have; what it said before is replaced.

    Voices of teams are shown beside the votes of annotators and are not counted among them.

    Raises
    ------
    GoldSealed, NotYourTeam, NotTakingPart, ContestRefused, ContestClosed
        In this order.
    """
    _label_of(contest.split, contest.item, team, user)
    said = label_of_item(contest.split, contest.item, label)
    with transaction.atomic():
        contest = undecided(contest)
        if contest.team_id == team.pk:
            raise ContestRefused("Your team contests this label itself, so it has no further voice.")
        values = {"voter": team.name, "label": said, "entered_by": user, "entered_at": now}
        vote, _created = Vote.objects.update_or_create(contest=contest, team=team, defaults=values)
        mark_stale(contest.split.task.benchmark_id)
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


@dataclass(frozen=True, slots=True)
class ShownContest:
    """A contest as it is shown. `change` is its label before and after, where it was changed and both are public."""

    contest: Contest
    set_title: str
    party: str
    is_mine: bool
    tally: Tally
    voices: tuple[tuple[str, str], ...]
    change: tuple[str, str] | None

    @property
    def url(self) -> str:
        return contest_address(self.contest.split, self.contest.item)

    @property
    def can_be_retracted(self) -> bool:
        return self.is_mine and self.contest.status == "open" and self.contest.decided_at is None


def public_party(team: Team, benchmark: Benchmark) -> str:
    """The team's name; as long as the benchmark's systems are anonymous, builders have none.

    A breaker's name stands on its set anyway, so a team that builds and breaks is named as the breaker that it is. A
    set that came from another team bears the name of that.
    """
    if benchmark.is_anonymous:
        built = Submission.objects.filter(phase__benchmark=benchmark, system__team=team)
        files = PairFile.objects.filter(task__benchmark=benchmark, team=team, breaker=team.name)
        sets = files.filter(breaker_set__isnull=False)
        if built.exists() and not sets.exists():
            return A_BUILDER
    return team.name


def _nobodys(contest: Contest) -> str:
    """Who contests a label where no team does."""
    return "people who were asked" if contest.campaign_id else "the organiser"


def set_title(split: Split) -> str:
    """A set by its task and its own title, such as “Sentiment, Utrecht”."""
    task = split.task
    return str(split) if task.is_retired else f"{task.title}, {task.spec.split(split.slug).title}"


def with_all_shown(contests: ContestQuerySet) -> ContestQuerySet:
    """The same rows with all that `shown_contests` reads, and without what is sealed."""
    votes = Prefetch("votes", Vote.objects.select_related("team"))
    shown = contests.select_related("split__task", "team", "gold_version").prefetch_related(votes)
    return shown.defer("sealed_lines", "sealed_label")


def shown_contests(contests: Sequence[Contest], user: User | None) -> list[ShownContest]:
    """Contests as this reader may see them; None is somebody who is not signed in."""
    # One row for all of a benchmark's contests: reading its definition takes a while.
    benchmarks = Benchmark.objects.in_bulk({contest.split.task.benchmark_id for contest in contests})
    mine = set(Team.objects.of(user).values_list("pk", flat=True)) if user else set()
    versions = {contest.gold_version for contest in contests}
    changes = {version: _changes_of(version) if version else {} for version in versions}
    shown = []
    for contest in contests:
        benchmark = contest.split.task.benchmark = benchmarks[contest.split.task.benchmark_id]
        votes = list(contest.votes.all())
        # By what they are called: the order of the rows is that of their teams' real names.
        voices = sorted((public_party(vote.team, benchmark), vote.label) for vote in votes if vote.team)
        party = public_party(contest.team, benchmark) if contest.team else _nobodys(contest)
        change = changes[contest.gold_version].get(contest.item)
        is_mine = contest.team_id in mine
        title = set_title(contest.split)
        shown.append(ShownContest(contest, title, party, is_mine, tally(votes), tuple(voices), change))
    return shown


def _changes_of(version: GoldVersion) -> dict[str, tuple[str, str]]:
    before = GoldVersion.objects.filter(split=version.split_id, number=version.number - 1).first()
    return (label_changes(before, version) if before else None) or {}
