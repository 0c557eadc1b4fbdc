"""Who takes part: the teams that were active last, with how much they have sent."""

import datetime as dt
from dataclasses import dataclass

from django.db.models import Count, Max, Q

from accounts.formats.instants import distance
from accounts.models import Team
from benchmarks.admin.base import address, list_address
from benchmarks.models import Benchmark, FactList
from leaderboard.admin.home.acts import Act, HomeLinks
from submissions.models import FactSheet, Refusal, System
from submissions.participants import TeamRegistration

_SHOWN = 8


@dataclass(frozen=True, slots=True)
class TeamRow:
    """A team with its people, its files and when it sent the last one."""

    name: str
    url: str
    members: int
    files: int
    last: str


@dataclass(frozen=True, slots=True)
class Participants:
    """The teams that sent something last, how many others there are, and how teams come in."""

    rows: tuple[TeamRow, ...]
    others: int
    joining: str
    acts: tuple[Act, ...]


def participants(links: HomeLinks, now: dt.datetime) -> Participants:
    """Teams with a submission to the benchmark, the one that was active last first."""
    benchmark = links.benchmark
    of_benchmark = Q(systems__submissions__phase__benchmark=benchmark)
    teams = (
        Team.objects.filter(of_benchmark)
        .annotate(
            files=Count("systems__submissions", filter=of_benchmark, distinct=True),
            people=Count("memberships", distinct=True),
            last=Max("systems__submissions__received_at", filter=of_benchmark),
        )
        .order_by("-last")
    )
    rows = tuple(
        TeamRow(team.name, address(team), team.people, team.files, distance(team.last, now))
        for team in teams[:_SHOWN]
    )
    others = max(0, teams.count() - _SHOWN)
    return Participants(rows, others, _joining(benchmark), _acts(links))


def _joining(benchmark: Benchmark) -> str:
    if benchmark.registration == Benchmark.Registration.APPROVAL:
        return "You approve each team before it takes part."
    return "A team takes part at once, with its first file."


def _acts(links: HomeLinks) -> tuple[Act, ...]:
    return (
        Act("All teams", list_address(Team)),
        Act("Systems", list_address(System)),
        *links.has(Refusal, "Refused uploads"),
        *links.has(TeamRegistration, "Registrations"),
        *links.button("ask_for_approval", "Approve teams first…"),
        *links.button("open_registration", "Open to all teams…"),
        *links.has(FactList, "Lists of the fact sheet"),
        *links.has(FactSheet, "Fact sheets"),
    )
