"""Labels that are public and argued over: the games when their score phase is over."""

import datetime as dt
import json
from typing import Any

from django.conf import settings

from accounts.models import Team, User
from accounts.services import create_team
from benchmarks.models import Benchmark, Split
from breaking.contests.services import contest_item
from breaking.jobs import do_what_is_due
from breaking.models import BreakerSet, Contest, PairFile
from submissions.intake.sealing import seal_file
from submissions.models import System
from tests.broken import NORTH, SOUTH, WHO, answer, answer_dev, make_set, run
from tests.conftest import NOW, person
from tests.games import AFTERWARDS, BREAK_CLOSES

TONE = {
    "tone_north.csv": {"11_a": "1", "11_b": "1", "13_a": "1", "13_b": "-1"},
    "tone_south.csv": {"12_a": "-1", "12_b": "1"},
}
WHO_ANSWERS = {"who_west.csv": {"21_a": "The cook", "21_b": "The cook"}}
LATER = AFTERWARDS + dt.timedelta(hours=1)


def play(games: Benchmark, system: System) -> Benchmark:
    """Everything up to the first release of the score phase and the opening of its labels."""
    answer_dev(system, games)
    run(BREAK_CLOSES)
    make_set(games, "north", NORTH)
    make_set(games, "south", SOUTH)
    make_set(games, "west", WHO, task="who")
    answer(system, games, TONE | WHO_ANSWERS)
    run(AFTERWARDS)
    do_what_is_due(AFTERWARDS)
    games.refresh_from_db()
    return games


def split_of(games: Benchmark, task: str, slug: str) -> Split:
    """One set of the games."""
    return Split.objects.select_related("task__benchmark").get(
        task__benchmark=games, task__slug=task, slug=slug
    )


def breaker_team(name: str, breaker_set: BreakerSet) -> tuple[Team, User]:
    """A team, with its founder, that handed in the pairs of a set."""
    user = person(name.lower())
    team = create_team(name=name, founder=user, now=NOW)
    PairFile.objects.filter(pk=breaker_set.pair_file_id).update(team=team)
    return team, user


def contested(split: Split, item: str, team: Team, **more: Any) -> Contest:
    """A contest by the first member of a team."""
    user = team.members.order_by("pk").first()
    assert user is not None
    arguments = {"reason": "It is friendly.", "now": LATER, **more}
    return contest_item(split=split, item=item, team=team, user=user, **arguments)


def repeated(split: Split, item: str, *labels: str) -> Contest:
    """An item that a file gives on several lines, as an import leaves it."""
    lines = [{"line": line, "label": label} for line, label in enumerate(labels, 2)]
    sealed = seal_file(json.dumps(lines).encode(), settings.GOLD_PUBLIC_KEY)
    return Contest.objects.create(
        split=split,
        item=item,
        reason="Lines 2 and 3 both give it.",
        raised_at=LATER,
        sealed_lines=sealed.ciphertext,
        sealed_lines_commitment=sealed.commitment,
    )
