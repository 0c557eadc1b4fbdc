"""The list of participants: a page of a benchmark, and the same as a file."""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.urls import path

from accounts.formats.instants import distance, in_words
from accounts.models import Team
from accounts.server.clock import database_now
from benchmarks.admin.asks import Ask, Done
from benchmarks.admin.organised.links import address
from benchmarks.admin.organised.organised_admin import AdminMixin, Question
from benchmarks.models import Benchmark
from benchmarks.people.rights import Right
from catalogue.csv_text import csv_bytes
from leaderboard.admin.home.acts import Act, button_of
from submissions.admin.bans import ban_address
from submissions.participants import Ban
from submissions.quota.participant_list import Participant, participants_of
from submissions.quota.slots import Quota, quotas
from submissions.quota.standing_bans import banned_teams

HEADS = (
    "team",
    "people",
    "addresses",
    "registration",
    "since",
    "systems",
    "accepted",
    "refused",
    "last_sent",
    "quota_used",
    "banned_since",
    "ban_reason",
)


@dataclass(frozen=True, slots=True)
class ParticipantRow:
    """A team as the page shows it. `people` are names with addresses, which are empty for who may not read them."""

    team: str
    url: str
    people: tuple[tuple[str, str], ...]
    state: str
    since: str
    systems: str
    accepted: int
    refused: int
    last: str
    used: tuple[str, ...]
    ban: Act | None


class ListsParticipants(AdminMixin):
    """The pages of benchmarks, with the list of participants of each."""

    def get_urls(self) -> list[Any]:
        view = self.admin_site.admin_view(self.participants)
        name = "benchmarks_benchmark_participants"
        return [path("<path:object_id>/participants/", view, name=name), *super().get_urls()]

    def participants(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """All teams of a benchmark; whoever runs it sees addresses too."""
        benchmark = self.row_or_404(request, object_id, Right.READ)
        runs, now = self.may(request, Right.RUN, [benchmark]), database_now()
        teams = participants_of(benchmark)
        used, bans = quota_used(benchmark, teams, now), banned_teams(benchmark)
        rows = [
            _row(
                one,
                used[one.team.pk],
                now,
                with_addresses=runs,
                ban=_ban(benchmark, one.team, bans, runs=runs),
            )
            for one in teams
        ]
        return self.drawn(
            request,
            "admin/participants.html",
            title=f"Participants of {benchmark}",
            row=benchmark,
            participants=rows,
            people=sum(len(row.people) for row in rows),
            runs=runs,
            download=Act("Download as CSV…", button_of(benchmark, "participants_csv")),
        )


def quota_used(benchmark: Benchmark, teams: Iterable[Participant], now: dt.datetime) -> dict[UUID, list[str]]:
    """By team, how much of its quota is used in each phase that is open: “Main: 2 of 5 this week”."""
    phases = [phase for phase in benchmark.phases.select_related("benchmark") if phase.is_open(now)]
    words: defaultdict[UUID, list[str]] = defaultdict(list)
    for quota in quotas(None, [one.team for one in teams], phases, now):
        words[quota.team.pk].append(f"{quota.phase.title}: {_used(quota)}")
    return words


def _used(quota: Quota) -> str:
    return f"{quota.used} of {quota.limit} {quota.window}" if quota.counts else "no limit"


def _ban(benchmark: Benchmark, team: Team, bans: Mapping[UUID, Ban], *, runs: bool) -> Act | None:
    """Where the ban of a team is read, or made by who may."""
    if standing := bans.get(team.pk):
        return Act("banned", address(standing), title=standing.reason)
    return Act("Ban…", ban_address(benchmark, team)) if runs else None


def _row(
    one: Participant, used: Iterable[str], now: dt.datetime, *, with_addresses: bool, ban: Act | None
) -> ParticipantRow:
    return ParticipantRow(
        team=one.team.name,
        url=address(one.team),
        people=tuple((str(person.name), person.email if with_addresses else "") for person in one.people),
        state=one.state,
        since=in_words(one.since) if one.since else "",
        systems=", ".join(one.systems),
        accepted=one.accepted,
        refused=one.refused,
        last=distance(one.last_at, now) if one.last_at else "",
        used=tuple(used),
        ban=ban,
    )


def _lines(benchmark: Benchmark, now: dt.datetime) -> Iterator[tuple[Any, ...]]:
    """A line per team as `HEADS`; instants in UTC as ISO 8601."""
    teams = participants_of(benchmark)
    used, bans = quota_used(benchmark, teams, now), banned_teams(benchmark)
    for one in teams:
        ban = bans.get(one.team.pk)
        yield (
            one.team.name,
            "; ".join(person.name for person in one.people),
            "; ".join(person.email for person in one.people),
            one.state,
            _instant(one.since),
            "; ".join(one.systems),
            one.accepted,
            one.refused,
            _instant(one.last_at),
            "; ".join(used[one.team.pk]),
            _instant(ban.banned_at if ban else None),
            ban.reason if ban else "",
        )


def _instant(at: dt.datetime | None) -> str:
    return at.astimezone(dt.UTC).strftime("%Y-%m-%dT%H:%M:%SZ") if at else ""


def _download(*, benchmark: Benchmark, now: dt.datetime) -> Done:
    lines = list(_lines(benchmark, now))
    answer = HttpResponse(
        csv_bytes(HEADS, lines, is_synthetic=benchmark.is_synthetic),
        content_type="text/csv; charset=utf-8",
        headers={
            "Content-Disposition": f'attachment; filename="{benchmark.pk}-participants.csv"',
            "Cache-Control": "no-store, private",
            "X-Content-Type-Options": "nosniff",
        },
    )
    teams = "1 team" if len(lines) == 1 else f"{len(lines)} teams"
    return Done(log=f"Downloaded the list of participants: {teams}, with addresses.", leads_to=answer)


PARTICIPANTS_CSV = Ask(
    label="Participants as CSV",
    icon="group",
    question=Question(
        title="Download the list of participants of {row}",
        sentences=(
            "A line for each team: people with their addresses, systems, what was sent when, and quota.",
            "Addresses leave the site with it: keep it where only organisers can read it. The audit log notes who "
            "downloaded it and when.",
        ),
        button="Download",
    ),
    do=_download,
)
