"""The page of the home, and who lands on it."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from typing import Any, ClassVar

from django.contrib import admin
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import path, reverse
from django.utils.safestring import SafeString

from accounts.server.clock import database_now
from benchmarks.admin.organised.links import address
from benchmarks.admin.organised.organised_admin import AdminMixin, Table
from benchmarks.models import Benchmark
from benchmarks.people.request_rights import is_superuser, organised
from leaderboard.admin.dashboard_tables import failures_table, workers
from leaderboard.admin.home.acts import Act, HomeLinks
from leaderboard.admin.home.danger import Danger, danger
from leaderboard.admin.home.data import DataAndGold, data_and_gold
from leaderboard.admin.home.notices import PagesAndMail, pages_and_mail
from leaderboard.admin.home.overview import Overview, overview, overview_acts, who_runs
from leaderboard.admin.home.participants import Participants, participants
from leaderboard.admin.home.results import Results, results
from leaderboard.admin.home.take_home import TakeHome, take_home
from leaderboard.admin.home.timeline import Timeline, phase_acts, timeline
from leaderboard.admin.home.waiting import what_waits


@dataclass(frozen=True, slots=True)
class Home:
    """Everything that the home of one benchmark shows, section by section."""

    benchmark: Benchmark
    overview: Overview
    waiting: tuple[SafeString, ...]
    wrong: tuple[Table, ...]
    workers: str
    timeline: Timeline
    phase_acts: tuple[Act, ...]
    data: DataAndGold
    participants: Participants
    results: Results
    notices: PagesAndMail
    take_home: TakeHome
    danger: Danger
    settings: Act
    people: str
    overview_acts: tuple[Act, ...]


def home_of(benchmark: Benchmark, now: dt.datetime, buttons: frozenset[str]) -> Home:
    """The home as it is at `now`, for somebody who may press these buttons of the benchmark's page."""
    links = HomeLinks(benchmark, buttons)
    phases = list(benchmark.phases.select_related("benchmark"))
    tasks = list(benchmark.tasks.filter(is_retired=False))
    data = data_and_gold(links, tasks)
    slugs = frozenset({benchmark.pk})
    failures = failures_table(slugs)
    return Home(
        benchmark=benchmark,
        overview=overview(benchmark, phases, missing=data.missing, now=now),
        waiting=tuple(one.sentence for one in what_waits(slugs, now)),
        wrong=(failures,) if failures.rows else (),
        workers=workers(now),
        timeline=timeline(phases, now),
        phase_acts=phase_acts(links),
        data=data,
        participants=participants(links, now),
        results=results(links),
        notices=pages_and_mail(links),
        take_home=take_home(links),
        danger=danger(links, phases, now),
        settings=Act("Definition and settings", address(benchmark)),
        people=who_runs(benchmark),
        overview_acts=overview_acts(links),
    )


class HasHome(AdminMixin):
    """The pages of benchmarks, with the home of each."""

    home_template: ClassVar[str] = "admin/home.html"

    def get_urls(self) -> list[Any]:
        view = self.admin_site.admin_view(self.home)
        return [path("<path:object_id>/home/", view, name="benchmarks_benchmark_home"), *super().get_urls()]

    def home(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """What waits, what happens next and what is wrong, of one benchmark."""
        benchmark = self.row_or_404(request, object_id)
        page = home_of(benchmark, database_now(), self.buttons_of(request, benchmark))
        return self.drawn(request, self.home_template, title=benchmark.title, row=benchmark, home=page)


def home_address(slug: str) -> str:
    """Where the home of a benchmark is."""
    return reverse("admin:benchmarks_benchmark_home", args=[slug])


def first_page(request: HttpRequest) -> HttpResponse:
    """The home of the one benchmark that somebody organises; the admin's first page for everybody else."""
    slugs = organised(request)
    if len(slugs) == 1 and not is_superuser(request):
        return HttpResponseRedirect(home_address(next(iter(slugs))))
    return admin.site.admin_view(admin.site.index)(request)
