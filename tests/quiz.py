"""A benchmark of one task with enough items for chance to be small, and systems that are right on given items."""

import datetime as dt
from collections.abc import Callable, Iterable

from accounts.models import User
from accounts.services import create_team
from benchmarks.models import Benchmark, Phase
from catalogue.disclosure import RULES
from leaderboard.publication.services import refresh_stale
from scoring.gold.versions import load_gold
from submissions.models import Submission, System
from submissions.services import PredictionUpload, submit_predictions
from tests.conftest import NOW, person
from tests.weeks import CUT_OFF, WEEK

ITEMS = 2000
GOLD = ["yes" if at % 2 else "no" for at in range(ITEMS)]
OTHER = {"yes": "no", "no": "yes"}
WEEKS = 10
END = CUT_OFF + WEEKS * WEEK
"""When a phase with a rule closes: with a cut-off."""

DEFINITION = """
id: quiz
title: Quiz
summary: Yes or no?
url: https://example.org/quiz
citation: Nobody, 2026.
bundle: {files: any}
task_defaults:
  instructions: Say yes or no.
  licence: CC0
  citation: Nobody, 2026.
  file: {path: "{task}.csv", id_column: ID, label_column: Label}
tasks:
  - id: quiz
    code: QUI
    title: Quiz
    summary: Yes or no?
    test_size: 2000
    labels: ["no", "yes"]
    metrics: [{name: accuracy, title: Accuracy}, {name: f1_macro, title: F1 macro}]
averages: [{id: overall, title: Overall, of: all tasks, missing: unranked}]
phases:
  - id: main
    title: Main
    cut_off: {CUT_OFF}
    quota: {per_cut_off: 100}
    counting: best
    one_per_team: true
    lasts_days: 76
    disclosure: RULE
"""
WEEKLY = 'weekday: monday, time: "00:00", timezone: UTC'
AT_ITS_CLOSE = "at: close"


def make_quiz(
    sync: Callable[[str], Benchmark], rule: str, gold: Iterable[str] = GOLD, definition: str = DEFINITION
) -> Phase:
    """The benchmark's phase with a rule of disclosure; weekly until `END`, or closed there alone where it is sealed."""
    cut_off = WEEKLY if RULES[rule].shows_before_end else AT_ITS_CLOSE
    benchmark = sync(definition.replace("RULE", rule).replace("CUT_OFF", cut_off))
    Phase.objects.filter(benchmark=benchmark).update(closes_at=END)
    if not RULES[rule].shows_before_end:
        Phase.objects.filter(benchmark=benchmark).update(next_cut_off_at=END)
    load_gold(
        task=benchmark.tasks.get(),
        data=as_file(gold),
        file_name="quiz.csv",
        now=NOW,
        confirm_clues=True,
    )
    return benchmark.phases.get()


def end_now(at: dt.datetime) -> None:
    """The quiz closes at that cut-off, and its pages say so."""
    phase = Phase.objects.get(benchmark="quiz")
    phase.closes_at = at
    phase.save()
    Benchmark.objects.filter(pk="quiz").mark_stale(archive=True)
    refresh_stale()


def as_file(labels: Iterable[str]) -> bytes:
    """A file of labels for the items in order."""
    return ("ID,Label\n" + "".join(f"q{at},{label}\n" for at, label in enumerate(labels))).encode()


def answers(wrong: Iterable[int]) -> bytes:
    """A file that is right but for these items."""
    at_fault = set(wrong)
    return as_file(OTHER[label] if at in at_fault else label for at, label in enumerate(GOLD))


def new_system(name: str) -> System:
    """A system of a team of its own."""
    founder: User = person(name.lower())
    team = create_team(name=f"{name}s", founder=founder, now=NOW)
    return System.objects.create(team=team, name=name, created_at=NOW)


def send(system: System, phase: Phase, wrong: Iterable[int], at: dt.datetime = NOW) -> Submission:
    """A submission that is wrong on these items."""
    user = system.team.members.first()
    assert user is not None
    receipt = submit_predictions(
        PredictionUpload(
            system=system, phase=phase, user=user, data=answers(wrong), file_name="quiz.csv", received_at=at
        )
    )
    return receipt.submission
