"""Who takes part: the teams that were active last, with how much they have sent."""

import datetime as dt
from dataclasses import dataclass

from django.urls import reverse

from accounts.formats.instants import distance
from benchmarks.admin.organised.links import address, list_address
from benchmarks.models import Benchmark, FactList
from leaderboard.admin.home.acts import Act, HomeLinks
from submissions.models import FactSheet, Refusal, System
from submissions.participants import Ban, RowClaim, TeamRegistration
from submissions.quota.participant_list import participants_of

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
    teams = participants_of(benchmark)
    rows = tuple(
        TeamRow(
            one.team.name,
            address(one.team),
            len(one.people),
            one.accepted,
            distance(one.last_at, now) if one.last_at else "nothing sent yet",
        )
        for one in teams[:_SHOWN]
    )
    return Participants(rows, max(0, len(teams) - _SHOWN), _joining(benchmark), _acts(links, len(teams)))


def _joining(benchmark: Benchmark) -> str:
    if benchmark.registration == Benchmark.Registration.APPROVAL:
        return "You approve each team before it takes part."
    if benchmark.registration == Benchmark.Registration.CODE:
        return "A team takes part once it has typed the code that you give."
    return "A team takes part at once, with its first file."


def _acts(links: HomeLinks, count: int) -> tuple[Act, ...]:
    page = reverse("admin:benchmarks_benchmark_participants", args=[links.benchmark.pk])
    return (
        *((Act(f"All teams with people and quota ({count})", page),) if count else ()),
        *(links.button("participants_csv", "Download as CSV…") if count else ()),
        Act("Systems", list_address(System)),
        *links.has(Ban, "Bans"),
        *links.has(Refusal, "Refused uploads"),
        *links.has(TeamRegistration, "Registrations"),
        *links.has(RowClaim, "Claims of rows"),
        *links.button("ask_for_approval", "Approve teams first…"),
        *links.button(
            "set_registration_code",
            "Change the code…" if links.benchmark.registration_secret else "Register by code…",
        ),
        *links.button("open_registration", "Open to all teams…"),
        *links.has(FactList, "Lists of the fact sheet"),
        *links.has(FactSheet, "Fact sheets"),
    )
