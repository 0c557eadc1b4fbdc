"""What happens in the phases of `tests/games.py`: predictions for the development data, sets, answers to them."""

import datetime as dt
from typing import Any

from benchmarks.models import Benchmark, Phase
from benchmarks.services import keep_made_split
from benchmarks.spec import SplitSpec
from scoring.gold.versions import load_gold
from submissions.models import Submission, System
from submissions.services import PredictionUpload, submit_predictions
from tests.games import BREAK_CLOSES, IN_BUILD, IN_SCORE, phase_of
from tests.uploads import zip_of

# Items of the development data and of the set of the breakers called North, with their gold labels.
TONE_GOLD = {"d1": "1", "d2": "-1", "d3": "1", "d4": "-1"}
NORTH_GOLD = {"11_a": "1", "11_b": "-1", "13_a": "1", "13_b": "-1"}
ALL_RIGHT = "right"
THREE_RIGHT = "three"


def labels_file(labels: dict[str, str], answers: str = ALL_RIGHT) -> bytes:
    """A file with the gold labels; by default all of them, else the last one is wrong."""
    rows = dict(labels)
    if answers != ALL_RIGHT:
        last = list(rows)[-1]
        rows[last] = {"1": "-1", "-1": "1"}[rows[last]]
    return "\n".join(["id,label", *(f"{item},{label}" for item, label in rows.items())]).encode() + b"\n"


def make_set(benchmark: Benchmark, breaker: str = "North", *, withdrawn: bool = False) -> None:
    """A breaker's set of two pairs of the tone of sentences."""
    slug = breaker.lower()
    task = benchmark.tasks.get(slug="tone")
    keep_made_split(task=task, split=SplitSpec(slug, breaker, file=f"tone_{slug}.csv", withdrawn=withdrawn))
    task = type(task).objects.get(pk=task.pk)
    load_gold(
        task=task,
        data=labels_file(NORTH_GOLD),
        file_name="north.csv",
        now=BREAK_CLOSES,
        split_slug=slug,
        confirm_clues=True,
    )


def fresh(benchmark: Benchmark, kind: str) -> Phase:
    """The phase of a kind as the database has it, with its benchmark as it is now."""
    return phase_of(Benchmark.objects.get(pk=benchmark.pk), kind)


def hand_in(
    system: System, phase: Phase, files: dict[str, bytes], at: dt.datetime, **more: Any
) -> Submission:
    """An upload by the first member of the system's team."""
    user = system.team.members.order_by("pk").first()
    assert user is not None
    data = zip_of({name: content.decode() for name, content in files.items()})
    return submit_predictions(
        PredictionUpload(
            system=system, phase=phase, user=user, data=data, file_name="all.zip", received_at=at, **more
        )
    ).submission


def build(
    system: System, benchmark: Benchmark, answers: str = ALL_RIGHT, at: dt.datetime = IN_BUILD
) -> Submission:
    """Predictions for the development data."""
    files = {"tone_dev.csv": labels_file(TONE_GOLD, answers)}
    return hand_in(system, fresh(benchmark, "build"), files, at)


def answer(
    system: System, benchmark: Benchmark, answers: str = ALL_RIGHT, at: dt.datetime = IN_SCORE
) -> Submission:
    """Predictions for the set of North."""
    files = {"tone_north.csv": labels_file(NORTH_GOLD, answers)}
    return hand_in(system, fresh(benchmark, "score"), files, at)
