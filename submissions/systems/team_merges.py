"""Two teams become one: people, systems and submissions of the second go over, and what both have used is added up."""

import datetime as dt
from collections.abc import Callable, Sequence

from django.db import transaction

from accounts.mail.outbox import tell_at_once
from accounts.models import Membership, Team, User
from accounts.services import revoke_invitations
from benchmarks.models import Benchmark
from submissions.models import BoardName, Submission, System
from submissions.participants import RowClaim, TeamRegistration
from submissions.quota.groups import link_teams

LONGEST_NAME = 80
REASON = "Its team became a part of another."


Bring = Callable[[Team, Team], None]
_BROUGHT_BESIDES: list[Bring] = []


def also_brings(bring: Bring) -> Bring:
    """Register what brings over more of a team, for apps of which this one knows nothing; called in the transaction."""
    _BROUGHT_BESIDES.append(bring)
    return bring


class CannotMerge(Exception):
    """The teams cannot become one; the message says why."""


@transaction.atomic
def merge_teams(*, team: Team, into: Team, now: dt.datetime) -> Team:
    """Bring everything of `team` over to `into`; returns that. Releases that are out stay as they are.

    In phases that are not over the two share one quota from now on, and what both have used counts together. A system
    whose name the other team has too is called by its former team as well. A name of the team that was removed from
    boards stays away from them. Where organisers have decided about one team alone, that holds for both. What other
    apps keep of a team goes over as they say (`also_brings`). The team that is left is empty, and its invitation links
    are useless.

    Raises
    ------
    CannotMerge
        If it is the same team, or the one to be merged has nobody and nothing.
    """
    _hold_people((team, into))
    teams = {
        row.pk: row
        for row in Team.objects.select_for_update().filter(pk__in=[team.pk, into.pk]).order_by("pk")
    }
    if len(teams) < 2:
        raise CannotMerge("A team cannot be merged with itself. Please choose another one.")
    people, systems = list(team.memberships.select_related("user")), list(team.systems.all())
    if not people and not systems:
        raise CannotMerge(f"{team} has neither members nor systems, so there is nothing to merge.")
    link_teams(teams=[into, team], now=now)
    for membership in people:
        Membership.objects.get_or_create(team=into, user=membership.user, defaults={"joined_at": now})
    team.memberships.all().delete()
    revoke_invitations(team)
    _bring_registrations(team, into)
    _keep_names_away(teams[team.pk], systems, now)
    taken = set(into.systems.values_list("name", flat=True))
    shown = "" if BoardName.objects.filter(team=team).exists() else str(team)
    for system in systems:
        system.name = _free(system.name, shown, taken)
        system.team = into
        system.save(update_fields=["name", "team"])
        taken.add(system.name)
    _bring_claims(team, into)
    for bring in _BROUGHT_BESIDES:
        bring(teams[team.pk], into)
    answered = Submission.objects.filter(system__in=systems).order_by()
    for benchmark in answered.values_list("phase__benchmark", flat=True).distinct():
        Benchmark.objects.filter(pk=benchmark).mark_stale()
    members = into.members.all()
    text = (
        f"{team} has become a part of {into}: its members, systems and submissions belong to {into} now, and what both "
        "have used of a quota counts together. Releases that are out stay as they are."
    )
    transaction.on_commit(
        lambda: tell_at_once(people=members, subject=f"{team} is part of {into} now", text=text)
    )
    return into


def _hold_people(teams: Sequence[Team]) -> None:
    """Lock who is in the teams, before the teams are: who is erased is locked first, too, so neither waits for both."""
    people = Membership.objects.filter(team__in=teams).values("user")
    list(User.objects.select_for_update(no_key=True).filter(pk__in=people).order_by("pk").values_list("pk"))


def _bring_registrations(team: Team, into: Team) -> None:
    """Have what organisers have decided about a team hold for the other, where they have not decided about that."""
    there = {one.benchmark_id: one for one in TeamRegistration.objects.filter(team=into)}
    for brought in TeamRegistration.objects.filter(team=team):
        own = there.get(brought.benchmark_id)
        if own is not None and own.state != TeamRegistration.State.WAITING:
            continue
        if own is not None:
            own.delete()
        brought.team = into
        brought.save(update_fields=["team"])


_WEIGHT = (RowClaim.State.WAITING, RowClaim.State.REFUSED, RowClaim.State.ACCEPTED)


def _bring_claims(team: Team, into: Team) -> None:
    """Have a row that both teams claim be the other's by what organisers have decided about either.

    Rows that a team has name it, so pages are drawn again where they name the other from now on.
    """
    there = {(one.benchmark_id, *one.name): one for one in RowClaim.objects.filter(team=into)}
    for brought in RowClaim.objects.filter(team=team):
        own = there.get((brought.benchmark_id, *brought.name))
        if own is not None and _WEIGHT.index(own.state) >= _WEIGHT.index(brought.state):
            brought.delete()
            continue
        if own is not None:
            own.delete()
        brought.team = into
        brought.save(update_fields=["team"])
        if brought.state == RowClaim.State.ACCEPTED:
            Benchmark.objects.filter(pk=brought.benchmark_id).mark_stale(archive=True)


def _keep_names_away(team: Team, systems: Sequence[System], now: dt.datetime) -> None:
    """Have boards call systems by names of their own, on which the name of their team stands no more.

    Boards that are out have it frozen, and what stands in its place is looked up by a system's team, which is another
    from now on.
    """
    placed = Submission.objects.filter(system__in=systems).order_by()
    if team.name_removed_at is None:
        placed = placed.filter(phase__benchmark__board_names__team=team)
    for system, benchmark in set(placed.values_list("system", "phase__benchmark")):
        called = {"name": System.objects.get(pk=system).name, "reason": REASON, "named_at": now}
        BoardName.objects.get_or_create(benchmark_id=benchmark, system_id=system, defaults=called)


def _free(name: str, team: str, taken: set[str]) -> str:
    """A name that is not taken: as it is, with the team behind it where that may be shown, or with a number too."""
    numbered = [f"{team} {number}".strip() for number in range(2, len(taken) + 3)]
    endings = ["", *(f" ({one})" for one in (team, *numbered) if one)]
    names = (f"{name[: LONGEST_NAME - len(ending)]}{ending}" for ending in endings)
    return next(one for one in names if one not in taken)
