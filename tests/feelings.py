"""A small benchmark whose files hold rows beside the test items that pairs are made of."""

import datetime as dt
from collections.abc import Sequence

from accounts.models import Team, User
from accounts.services import create_team
from benchmarks.models import Benchmark, Split
from leaderboard.publication.services import publish_ready
from scoring.gold.versions import load_gold
from scoring.item_sets.pair_sets import PairsUpload, load_pairs
from scoring.models import PairSet
from scoring.queue.batches import close_due, finish_batches
from scoring.queue.runs import score_all_due
from submissions.models import Submission, System
from submissions.services import PredictionUpload, submit_predictions
from tests.conftest import NOW

CUT_OFF = dt.datetime(2026, 11, 23, tzinfo=dt.UTC)
DEFINITION = """
id: feelings
title: Feelings
summary: How much of it?
url: https://example.org/feelings
citation: Nobody, 2026.
bundle: {files: any}
task_defaults:
  summary: How much?
  instructions: Say how much.
  licence: CC0
  citation: Nobody, 2026.
  test_size: 4
  splits: [{id: test, title: Test}, {id: equity, title: Equity, ids_with: mystery}]
  file: {path: "{task}.csv", id_column: ID, label_column: Answer}
tasks:
  - {id: joy, code: JOY, title: Joy, output: {kind: number, low: 0, high: 1}, metrics: [{name: pearson, title: r}]}
  - id: level
    code: LEV
    title: Level
    output: {kind: ordered_classes, low: 0, high: 3}
    metrics: [{name: pearson, title: r}]
  - id: words
    code: WOR
    title: Words
    output: {kind: label_subset}
    labels: [joy, fear]
    file: {path: words.csv, dialect: csv, columns: [ID, joy, fear], id_column: ID}
    metrics: [{name: jaccard, title: Jaccard}]
phases:
  - id: main
    title: Main
    cut_off: {weekday: monday, time: "00:00", timezone: UTC}
    quota: {per_cut_off: 20}
    counting: latest
    publish_automatically: true
"""
TESTED = {"t1": 0.1, "t2": 0.4, "t3": 0.7, "t4": 0.8}
MYSTERY = tuple(f"mystery-{number}" for number in range(1, 9))
PAIRS = b"""pair,group,id,stratum
a,she,mystery-1,calm
a,he,mystery-2,calm
b,she,mystery-3,calm
b,he,mystery-4,calm
c,she,mystery-5,wild
c,he,mystery-6,wild
d,she,mystery-7,wild
d,he,mystery-8,wild
"""
FAIR = (0.5, 0.5, 0.25, 0.25, 0.75, 0.75, 1.0, 1.0)
FAVOURS_SHE = (0.75, 0.5, 0.5, 0.25, 1.0, 0.75, 0.25, 0.0)
FAVOURS_HE = (0.5, 0.75, 0.25, 0.5, 0.75, 1.0, 0.0, 0.25)
MIXED = (0.5, 0.4, 0.5, 0.5, 0.5, 0.7, 0.5, 0.1)
"""Differences of 0.1, 0, -0.2 and 0.4."""


def answers(mystery: Sequence[float]) -> bytes:
    """A file for the task `joy`: the right answers, and these on the items of pairs."""
    rows = [*TESTED.items(), *zip(MYSTERY, mystery, strict=True)]
    return "".join(f"{item},{answer}\n" for item, answer in [("ID", "Answer"), *rows]).encode()


def load_all_gold(benchmark: Benchmark) -> None:
    """Gold labels for every task; all three have the same ids."""
    items = (*TESTED, *MYSTERY)
    levels = "".join(f"{item},{place % 4}\n" for place, item in enumerate(items))
    words = "".join(f"{item},{place % 2},1\n" for place, item in enumerate(items))
    files = {
        "joy": answers(FAIR),
        "level": f"ID,Answer\n{levels}".encode(),
        "words": f"ID,joy,fear\n{words}".encode(),
    }
    for task in benchmark.tasks.all():
        load_gold(task=task, data=files[task.slug], file_name=f"{task.slug}.csv", now=NOW)


def equity_split(benchmark: Benchmark, task: str = "joy") -> Split:
    return Split.objects.get(task__benchmark=benchmark, task__slug=task, slug="equity")


def load_gender(benchmark: Benchmark, data: bytes = PAIRS, task: str = "joy", **said: str) -> PairSet:
    """Load the pairs of she and he."""
    upload = PairsUpload("gender", data, "gender.csv", **said)
    return load_pairs(split=equity_split(benchmark, task), upload=upload, now=NOW)


def submit_joy(system: System, user: User, mystery: Sequence[float]) -> Submission:
    receipt = submit_predictions(
        PredictionUpload(
            system=system,
            phase=Benchmark.objects.get(pk="feelings").phases.get(),
            user=user,
            data=answers(mystery),
            file_name="joy.csv",
            received_at=NOW,
            task="joy",
        )
    )
    return receipt.submission


def team_of(user: User, name: str, system: str = "") -> tuple[Team, System]:
    """A team with a system, by default of the same name."""
    team = create_team(name=name, founder=user, now=NOW)
    return team, System.objects.create(team=team, name=system or name, created_at=NOW)


def run_batch(now: dt.datetime = CUT_OFF) -> None:
    """Close, score and publish."""
    close_due(now)
    score_all_due(now)
    finish_batches(now)
    publish_ready(now)
