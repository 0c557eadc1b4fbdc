"""Who takes part in a benchmark, team by team: people, systems, what was sent, and how the team came in."""

import datetime as dt
import uuid
from collections import defaultdict
from dataclasses import dataclass

from django.db.models import Count, Max, Min, Q

from accounts.models import Membership, Team, User
from benchmarks.models import Benchmark
from submissions.models import Refusal, Submission, System
from submissions.participants import TeamRegistration


@dataclass(frozen=True, slots=True)
class Participant:
    """A team with its people; `since` is when it registered or first sent something, `last_at` when it last sent.

    `accepted` counts files that were taken, whatever became of them, `refused` those that had problems.
    """

    team: Team
    people: tuple[User, ...]
    registration: TeamRegistration | None
    systems: tuple[str, ...]
    accepted: int
    refused: int
    since: dt.datetime | None
    last_at: dt.datetime | None

    @property
    def state(self) -> str:
        """How far its registration is; empty where it needed none."""
        return "" if self.registration is None else self.registration.state.value


def participants_of(benchmark: Benchmark) -> list[Participant]:
    """Every team that has registered or sent something; who sent something last comes first. Six queries."""
    accepted, refused = _sent(Submission, benchmark), _sent(Refusal, benchmark)
    registrations = {one.team_id: one for one in TeamRegistration.objects.filter(benchmark=benchmark)}
    teams = Team.objects.filter(pk__in={*accepted, *refused, *registrations})
    people: defaultdict[uuid.UUID, list[User]] = defaultdict(list)
    for membership in (
        Membership.objects.filter(team__in=teams).select_related("user").order_by("user__email")
    ):
        people[membership.team_id].append(membership.user)
    systems: defaultdict[uuid.UUID, list[str]] = defaultdict(list)
    of_benchmark = Q(submissions__phase__benchmark=benchmark) | Q(refusals__phase__benchmark=benchmark)
    for team, name in (
        System.objects.filter(of_benchmark).order_by("name").distinct().values_list("team", "name")
    ):
        systems[team].append(name)
    rows = []
    for team in teams:
        asked = registrations.get(team.pk)
        taken, told = accepted.get(team.pk, _NOTHING), refused.get(team.pk, _NOTHING)
        instants = [instant for sent in (taken, told) for instant in (sent.first, sent.last) if instant]
        rows.append(
            Participant(
                team=team,
                people=tuple(people[team.pk]),
                registration=asked,
                systems=tuple(systems[team.pk]),
                accepted=taken.count,
                refused=told.count,
                since=asked.asked_at if asked else min(instants, default=None),
                last_at=max(instants, default=None),
            )
        )
    rows.sort(key=lambda row: (-row.last_at.timestamp() if row.last_at else 0, row.team.name))
    return rows


@dataclass(frozen=True, slots=True)
class _Sent:
    count: int
    first: dt.datetime | None
    last: dt.datetime | None


_NOTHING = _Sent(0, None, None)


def _sent(model: type[Submission | Refusal], benchmark: Benchmark) -> dict[uuid.UUID, _Sent]:
    """By team: how many, when the first one came, and the last."""
    of_benchmark = model._default_manager.filter(phase__benchmark=benchmark)  # noqa: SLF001  # Django's own name
    rows = of_benchmark.order_by().values("system__team")
    counted = rows.annotate(number=Count("pk"), first=Min("received_at"), last=Max("received_at"))
    return {row["system__team"]: _Sent(row["number"], row["first"], row["last"]) for row in counted}
