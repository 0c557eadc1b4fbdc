"""What organisers have systems and teams called on the boards of their own benchmark, whatever others call them."""

import datetime as dt
import uuid

from django.db import transaction
from django.db.models import Q

from accounts.mail.outbox import tell_at_once
from accounts.models import Team, User
from benchmarks.log_entries import append_public
from benchmarks.models import Benchmark
from submissions.models import BoardName, Submission, System
from submissions.systems.name_texts import PublicName, tombstone
from transparency.core.entries import EntryKind


class CannotName(Exception):
    """A name that cannot be given; the message says why. Nothing was changed."""


def names_on_boards(benchmark: Benchmark) -> dict[uuid.UUID, PublicName]:
    """What systems are called on this benchmark's boards by its organisers' word, by id; two queries at most."""
    given = list(BoardName.objects.filter(benchmark=benchmark))
    if not given:
        return {}
    of_system = {one.system_id: one.name for one in given if one.system_id}
    of_team = {one.team_id: one.name for one in given if one.team_id}
    systems = System.objects.filter(Q(pk__in=of_system) | Q(team__in=of_team)).select_related("team")
    return {
        system.pk: PublicName(
            of_system.get(system.pk, system.name), of_team.get(system.team_id, system.team.name)
        )
        for system in systems
    }


def team_names_on_boards(benchmark: Benchmark) -> dict[uuid.UUID, str]:
    """What stands in place of teams' names on this benchmark's boards by its organisers' word, by id."""
    given = BoardName.objects.filter(benchmark=benchmark, team__isnull=False)
    return {one.team_id: one.name for one in given if one.team_id}


@transaction.atomic
def call_system(
    *, benchmark: Benchmark, system: System, name: str, reason: str, by: User, now: dt.datetime
) -> str:
    """Call a system by another name on all boards of a benchmark, also of releases that are out; returns it.

    Raises
    ------
    CannotName
        If another system there is called so, or the system stands on no board of the benchmark.
    """
    Benchmark.objects.select_for_update().get(pk=benchmark.pk)
    there = System.objects.filter(submissions__phase__benchmark=benchmark).distinct()
    if not there.filter(pk=system.pk).exists():
        raise CannotName(f"{system} has sent nothing to {benchmark}.")
    same_team = there.filter(team=system.team_id).exclude(pk=system.pk)
    taken = {one.name for one in same_team} | {
        one.name for one in BoardName.objects.filter(benchmark=benchmark, system__in=same_team)
    }
    if name in taken:
        raise CannotName(f"The team has another system called {name} there. Please choose another name.")
    _give(benchmark, name, reason, by, now, system=system)
    _tell(benchmark, system.team, reason, f"Your system {system} is called {name}")
    return name


@transaction.atomic
def take_team_name_off(*, benchmark: Benchmark, team: Team, reason: str, by: User, now: dt.datetime) -> str:
    """Have when and why stand in place of a team's name on all boards of a benchmark; returns what stands there.

    The same for those of its systems whose names hold the team's.

    Raises
    ------
    CannotName
        If the team has sent nothing to the benchmark.
    """
    Benchmark.objects.select_for_update().get(pk=benchmark.pk)
    systems = list(System.objects.filter(team=team, submissions__phase__benchmark=benchmark).distinct())
    if not systems:
        raise CannotName(f"{team} has sent nothing to {benchmark}.")
    called = tombstone(team.pk, reason, now)
    for system in systems:
        if team.name.casefold() in system.name.casefold():
            _give(benchmark, tombstone(system.pk, reason, now), reason, by, now, system=system)
    _give(benchmark, called, reason, by, now, team=team)
    _tell(benchmark, team, reason, f"The name of your team {team} is replaced by “{called}”")
    return called


def _give(
    benchmark: Benchmark,
    name: str,
    reason: str,
    by: User,
    now: dt.datetime,
    *,
    system: System | None = None,
    team: Team | None = None,
) -> None:
    """Keep the name, have pages drawn again, and have the log say that they change for a reason."""
    BoardName.objects.update_or_create(
        benchmark=benchmark,
        system=system,
        team=team,
        defaults={"name": name, "reason": reason, "named_by": by, "named_at": now},
    )
    Benchmark.objects.filter(pk=benchmark.pk).mark_stale(archive=True)
    append_public(kind=EntryKind.NAMES, benchmark=benchmark.pk, facts={"removed": True, "reason": reason})


def _tell(benchmark: Benchmark, team: Team, reason: str, what: str) -> None:
    members = team.members.all()
    text = f"{what} on the boards of {benchmark} from now on, by the word of its organisers: {reason}"
    transaction.on_commit(
        lambda: tell_at_once(people=members, subject=f"{benchmark}: another name on its boards", text=text)
    )


def stands_elsewhere(team: Team, user: User) -> bool:
    """Whether something of a team was sent to a benchmark that this person does not run."""
    own = Benchmark.objects.organised_by(user)
    return Submission.objects.filter(system__team=team).exclude(phase__benchmark__in=own).exists()
