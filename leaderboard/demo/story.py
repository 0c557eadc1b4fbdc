"""Plays the demo's past weeks through the real path: upload, cut-off, scoring, release."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection

from django.db import transaction

from accounts.models import User
from accounts.services import create_team
from benchmarks.models import Benchmark
from leaderboard.demo import affect, breaking, cast, dynasent, raft, stance
from leaderboard.demo.cast import DemoTeam
from leaderboard.demo.stage import WEEK
from leaderboard.services import refresh_stale

STORIES = {
    "raft": raft.tell,
    "ait2018": affect.tell,
    "stance": stance.tell,
    "dynasent": dynasent.tell,
    "bibi": breaking.tell,
}
"""What happens in each benchmark."""


def is_told() -> bool:
    """Whether the demo's data are in the database."""
    return Benchmark.objects.filter(is_synthetic=True).exists()


@transaction.atomic
def tell(*, now: dt.datetime, password: str, seed: int = 1, only: Collection[str] = tuple(STORIES)) -> None:
    """Make up gold labels, teams and systems, and let the weeks of every benchmark up to `now` happen.

    One transaction, so that a start that is broken off leaves nothing half told.

    Parameters
    ----------
    password
        Of every account that signs in.
    only
        The benchmarks that there are to be.
    """
    beginning = now - raft.WEEKS * WEEK
    members = {team.name: _sign_up(team, password, beginning) for team in cast.TEAMS}
    for benchmark, story in STORIES.items():
        if benchmark in only:
            story(members, now=now, seed=seed)
    refresh_stale()


def _sign_up(team: DemoTeam, password: str, now: dt.datetime) -> User:
    is_organiser = team.name == cast.ORGANISERS
    member = User.objects.create_user(
        team.email,
        password if team.signs_in else None,
        name="Demo organiser" if is_organiser else f"{team.name.removeprefix('Demo Team ')} member",
        timezone=team.timezone,
        is_staff=is_organiser,
        is_superuser=is_organiser,
    )
    create_team(name=team.name, founder=member, now=now)
    return member
