"""Hand in pairs for tests, and load what they rest on."""

import datetime as dt

from accounts.models import Team, User
from benchmarks.models import Task
from breaking.models import PairFile, StarterData
from breaking.pairs.starter_data import load_starter
from breaking.pairs.uploads import hand_in_pairs
from tests.conftest import NOW
from tests.games import IN_BREAK, TONE_PAIRS, TONE_STARTER, WHO_PAIRS, WHO_STARTER, phase_of

STARTERS = {"tone": TONE_STARTER, "who": WHO_STARTER}
PAIRS = {"tone": TONE_PAIRS, "who": WHO_PAIRS}


def start(task: Task, data: bytes | None = None) -> StarterData:
    """Load a task's starter data, by default that of `tests.games`."""
    content = STARTERS.get(task.slug, b"") if data is None else data
    return load_starter(task=task, data=content, file_name="starter.csv", now=NOW)


def hand_in(
    task: Task, team: Team, user: User, data: bytes | None = None, *, at: dt.datetime = IN_BREAK
) -> PairFile:
    """Hand in a file of pairs in the break phase, by default that of `tests.games`."""
    return hand_in_pairs(
        team=team,
        phase=phase_of(task.benchmark, "break"),
        task=task,
        user=user,
        data=PAIRS[task.slug] if data is None else data,
        file_name="north.csv",
        received_at=at,
    )
