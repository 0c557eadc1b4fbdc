"""Bans: a team or a person is kept from one benchmark, with whoever belongs to it, and let in again."""

import datetime as dt
import uuid
from collections.abc import Collection
from dataclasses import dataclass

from django.conf import settings
from django.db import transaction
from django.db.models import Q

from accounts.audit.log import record
from accounts.mail.outbox import tell_at_once
from accounts.models import Membership, Team, User
from benchmarks.models import Benchmark
from submissions.models import Submission
from submissions.participants import Ban
from submissions.querysets import SubmissionQuerySet
from submissions.quota.groups import linked_with
from submissions.systems.status_transitions import ENDED, disqualify


class CannotBan(Exception):
    """A ban that cannot be made or lifted; the message says why. Nothing was changed."""


@dataclass(frozen=True, slots=True)
class Banned:
    """A ban that was made, and how many submissions were disqualified with it."""

    ban: Ban
    disqualified: int


@dataclass(frozen=True, slots=True)
class Circle:
    """Whom a ban would keep out, by keys: a team with its members or a person, and who shares a quota with them."""

    teams: frozenset[uuid.UUID]
    people: frozenset[int]


def circle_of(*, benchmark: Benchmark, who: Team | User, with_linked: bool) -> Circle:
    """The team with its members, or the person; with whoever shares a quota with them in a phase of the benchmark."""
    teams: set[uuid.UUID] = set()
    people: set[int] = set()
    if isinstance(who, Team):
        teams.add(who.pk)
        people.update(Membership.objects.filter(team=who).values_list("user_id", flat=True))
    else:
        people.add(who.pk)
    if with_linked:
        teams, people = linked_with(benchmark, teams, people)
    return Circle(frozenset(teams), frozenset(people))


def still_counting(
    *, benchmark: Benchmark, who: Team | User, teams: Collection[uuid.UUID]
) -> SubmissionQuerySet:
    """What of the benchmark would be disqualified with a ban: of the teams, or what the person has sent."""
    sent = Q(system__team__in=teams)
    if isinstance(who, User):
        sent |= Q(submitted_by=who)
    return Submission.objects.filter(sent, phase__benchmark=benchmark).exclude(status__in=ENDED)


@transaction.atomic
def ban(
    *,
    benchmark: Benchmark,
    who: Team | User,
    reason: str,
    with_linked: bool,
    disqualifies: bool,
    by: User,
    now: dt.datetime,
) -> Banned:
    """Keep a team with its members, or a person with every team that they are in, from a benchmark; they get a mail.

    What they have sent stays, unless it is disqualified with it, for the same reason.

    Raises
    ------
    CannotBan
        If they are banned already, or one of them has a role in the benchmark.
    """
    Benchmark.objects.select_for_update().get(pk=benchmark.pk)
    circle = circle_of(benchmark=benchmark, who=who, with_linked=with_linked)
    _refuse_to_ban(benchmark, who, circle)
    made = Ban.objects.create(
        benchmark=benchmark,
        team=who if isinstance(who, Team) else None,
        person=who if isinstance(who, User) else None,
        reason=reason,
        banned_by=by,
        banned_at=now,
    )
    made.teams.set(Team.objects.filter(pk__in=circle.teams))
    made.people.set(User.objects.filter(pk__in=circle.people))
    ended = 0
    if disqualifies:
        for submission in still_counting(benchmark=benchmark, who=who, teams=circle.teams):
            disqualify(submission=submission, reason=reason, now=now)
            record(
                row=submission,
                kind="disqualify",
                by="ban",
                actor=by,
                benchmark=benchmark.pk,
                what=f"Disqualified with the ban of {who}.",
                reason=reason,
            )
            ended += 1
    stays = f"Disqualified with it: {ended}." if ended else "What was sent before stays as it is."
    _write(
        made,
        f"{who} is banned from {benchmark}",
        f"The organisers of {benchmark} have banned {who} from it. Their reason:\n\n{reason}\n\nNothing that you send "
        f"there is taken from now on, for whatever team. {stays} If the reason can be settled, write to the "
        f"organisers; they can lift the ban.\n\n{settings.SITE_URL}/benchmarks/{benchmark.pk}/",
    )
    return Banned(made, ended)


@transaction.atomic
def lift(*, ban: Ban, by: User, now: dt.datetime) -> None:
    """Let them take part again; they get a mail. What was disqualified stays so.

    Raises
    ------
    CannotBan
        If it was lifted before.
    """
    locked: Ban = Ban.objects.select_for_update(of=("self",)).get(pk=ban.pk)
    if locked.lifted_at is not None:
        raise CannotBan("This ban was lifted already; nothing was changed.")
    locked.lifted_at, locked.lifted_by = now, by
    locked.save(update_fields=["lifted_at", "lifted_by"])
    _write(
        locked,
        f"{locked.whom} is no longer banned from {locked.benchmark}",
        f"The organisers of {locked.benchmark} have lifted the ban of {locked.whom}. You may send files there "
        f"again:\n\n{settings.SITE_URL}/submit/?benchmark={locked.benchmark_id}",
    )


def _refuse_to_ban(benchmark: Benchmark, who: Team | User, circle: Circle) -> None:
    standing = Ban.objects.filter(benchmark=benchmark, lifted_at=None)
    known = standing.filter(teams=who) if isinstance(who, Team) else standing.filter(people=who)
    if known.exists():
        raise CannotBan(f"{who} is banned from {benchmark} already; nothing was changed.")
    role = benchmark.roles.filter(user__in=circle.people).select_related("user").first()
    if role is not None:
        raise CannotBan(f"{role.user} is {role.role} of {benchmark}. Take that role away first.")


def _write(ban: Ban, subject: str, text: str) -> None:
    """A mail to each of them by itself, so that nobody learns who else gets it."""
    people = list(ban.people.all())

    def send() -> None:
        for person in people:
            tell_at_once(people=[person], subject=subject, text=text)

    transaction.on_commit(send)
