"""Teams of the games that hand in pairs, as they do it, and what their sets then hold."""

import datetime as dt
from typing import Any

from accounts.models import Team, User
from accounts.services import create_team
from benchmarks.models import Benchmark, Split
from breaking.models import BreakerSet, PairFile
from breaking.pairs.starter_data import load_starter
from breaking.pairs.uploads import hand_in_pairs
from catalogue.answers import as_texts
from scoring.gold.box_opening import open_version
from scoring.models import GoldVersion
from tests.conftest import NOW, person
from tests.games import IN_BREAK, TONE_PAIRS, TONE_STARTER, WHO_STARTER, phase_of

HEAD = b"id,original_id,text,label,rationale\n"
# The rule of the games allows half of the words to change.
LONG = HEAD + b"14_b,14,Please come and help us all!,1,an outlier\n"
LONG_AND_SHORT = TONE_PAIRS + b"14_b,14,Please come and help us all!,1,an outlier\n"
OTHER = HEAD + b"12_b,12,You are on my way again.,1,a preposition\n"


def load_starters(benchmark: Benchmark) -> None:
    """What breakers may start from."""
    for slug, data in (("tone", TONE_STARTER), ("who", WHO_STARTER)):
        load_starter(task=benchmark.tasks.get(slug=slug), data=data, file_name=f"{slug}.csv", now=NOW)


def breaker(name: str) -> Team:
    """A team of one."""
    found = Team.objects.filter(name=name).first()
    return found or create_team(name=name, founder=person(f"user{User.objects.count()}"), now=NOW)


def hand_in(
    benchmark: Benchmark,
    team: Team,
    data: bytes = TONE_PAIRS,
    *,
    task: str = "tone",
    at: dt.datetime = IN_BREAK,
) -> PairFile:
    """An accepted file of that team."""
    user = team.members.first()
    assert user is not None
    arguments: dict[str, Any] = {"file_name": "pairs.csv", "data": data, "received_at": at}
    return hand_in_pairs(
        team=team,
        phase=phase_of(benchmark, "break"),
        task=benchmark.tasks.get(slug=task),
        user=user,
        **arguments,
    )


def sets() -> dict[str, str]:
    """The sets that there are: titles by split."""
    made = BreakerSet.objects.select_related("split__task__benchmark")
    return {
        f"{one.split.task.slug}/{one.split.slug}": one.split.task.spec.split(one.split.slug).title
        for one in made
    }


def gold_of(split: Split) -> dict[str, str]:
    """The sealed labels of a split, opened."""
    version = GoldVersion.objects.current().get(split=split)
    opened = open_version(version)[1]
    return dict(zip(opened.ids, as_texts(opened.codes, opened.labels), strict=True))
