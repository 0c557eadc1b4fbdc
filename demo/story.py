"""Plays the demo's past weeks through the real path: upload, cut-off, scoring, release."""

import datetime as dt
import logging
from collections.abc import Collection

from django.db import transaction

from accounts.models import User
from accounts.services import create_team
from accounts.sign_in.addresses import confirm_address
from benchmarks.given_files import load_given_file
from benchmarks.models import Benchmark, GivenFile
from benchmarks.notices.models import Announcement
from benchmarks.notices.services import save_announcement, write_terms
from demo import cast
from demo.cast import DemoTeam
from demo.server.progress import PROGRESS
from demo.stage import WEEK
from demo.stories import affect, breaking, campaigns, dynasent, places, raft, stance
from leaderboard.publication.services import refresh_stale
from transparency.services import sign_log

logger = logging.getLogger(PROGRESS)
# What happens in each benchmark.
STORIES = {
    "raft": raft.tell,
    "ait2018": affect.tell,
    "stance": stance.tell,
    "dynasent": dynasent.tell,
    "bibi": breaking.tell,
    "places": places.tell,
}

DAY = dt.timedelta(days=1)
NEWS = {
    "raft": (
        "Name your model's size when you submit",
        "Boards can be filtered by tags and by what teams declare. Please state size, weights, training data and cost "
        "of your system, so that readers can compare like with like.",
    ),
    "stance": (
        "Please accept the terms before your next submission",
        "From now on every team accepts terms once. They say what attack sets may be used for.",
    ),
}
TERMS = {
    "stance": "The texts of test and attack sets are used to make predictions and for nothing else: not for training, "
    "not for choosing between models, not for labels by hand.\n\nWhoever publishes a result names the release.",
}

STARTER_KIT = """# Starter kit

All labels and teams of this demonstration are made up, and so is this file. A kit says what a submission holds:

- a zip with `data/<task>/predictions.csv` for each task, with the columns `ID` and `Label`;
- every id of the test set once, in any order; every label as the task's page writes it.

`heldout check predictions.zip` tells what the server would say, without sending anything.
"""


def is_told() -> bool:
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
    members = sign_up_teams(password, beginning)
    told = [benchmark for benchmark in STORIES if benchmark in only]
    for number, benchmark in enumerate(told, start=1):
        logger.info("%s, benchmark %d of %d", benchmark, number, len(told))
        STORIES[benchmark](members, now=now, seed=seed)
        # What the organiser tells those who take part, after the weeks that are over.
        if benchmark in NEWS:
            title, text = NEWS[benchmark]
            save_announcement(
                announcement=Announcement(benchmark_id=benchmark, title=title, text=text),
                is_new=True,
                now=now - 2 * DAY,
            )
        if benchmark == "raft":
            kit = GivenFile.objects.create(
                benchmark_id=benchmark,
                name="starter-kit.md",
                description="What a submission holds, on one page",
                licence="CC0",
                given_at=beginning,
            )
            load_given_file(given_file=kit, data=STARTER_KIT.encode(), now=now - 2 * DAY)
        if benchmark in TERMS:
            write_terms(
                benchmark=Benchmark.objects.get(pk=benchmark), text=TERMS[benchmark], by=None, now=now - DAY
            )
    campaigns.tell(members, told, password=password, now=now, seed=seed)
    refresh_stale()
    sign_log(now)


def sign_up_teams(password: str, now: dt.datetime) -> dict[str, User]:
    """Found every team of the cast; the member of each by the team's name."""
    return {team.name: _sign_up(team, password, now) for team in cast.TEAMS}


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
    confirm_address(member)
    create_team(name=team.name, founder=member, now=now)
    return member
