"""RAFT in the demo: seven past weeks in which systems come and get better, four of an edition that is over."""

import datetime as dt
from collections.abc import Iterator
from functools import partial

from benchmarks.spec import BenchmarkSpec
from demo.material.answers import SyntheticAnswers
from demo.stage import WEEK, Deed, Members, Stage

WEEKS = 7  # past cut-offs, each with its release; week number WEEKS is the one that is open now
EDITION = 4  # weeks of the edition that is over; those after it belong to the one that runs
FIRST_ID = 50  # the fifty training examples of each task carry the ids before it


# What each upload is worth, from 0 (guesses) to 1, by system and week.
SKILLS = {
    "Siskin": {0: 0.30, 2: 0.47, 4: 0.66, 6: 0.81},
    "Larch": {1: 0.24, 3: 0.52, WEEKS: 0.74},
    "Dunlin": {0: 0.22, 1: 0.41, 3: 0.72, 5: 0.84, WEEKS: 0.93},
    "Sorrel": {4: 0.70},
    "Juniper": {0: 0.37, 5: 0.63},
    "Fieldfare": {2: 0.61, 6: 0.70},
    "Hornbeam": {1: 0.04, 6: 0.15},
    "Wagtail": {3: 0.71, WEEKS: 0.79},
    "Rowan": {0: 0.02, 2: 0.16, 5: 0.34},
    "Goldcrest": {3: 0.99, 6: 0.97},
    "Plover": {1: 0.90, 4: 0.90},
    "Heron": {2: 0.55},
    "Curlew": {1: 0.45, 5: 0.50},
    "Medlar": {2: 0.35},
    "Harrier": {3: 0.80, 4: 0.82},
    "Teal": {0: 0.10, 5: 0.28},
}
ONLY_TASK = {"Plover": "overruling"}
WITHDRAWALS = {3: "Heron"}
CUT_SHORT = {5: "Siskin", WEEKS: "Dunlin"}

# The macro F1 that skill 1 reaches: tasks differ in how hard they are.
CEILINGS = {
    "ade_corpus_v2": 0.83,
    "banking_77": 0.70,
    "neurips_impact_statement_risks": 0.86,
    "one_stop_english": 0.70,
    "overruling": 0.96,
    "semiconductor_org_types": 0.91,
    "systematic_review_inclusion": 0.62,
    "tai_safety_research": 0.77,
    "terms_of_service": 0.71,
    "tweet_eval_hate": 0.74,
    "twitter_complaints": 0.90,
}

TASKS_WITH_CLASS_COUNTS = ("overruling",)


def tell(members: Members, *, now: dt.datetime, seed: int) -> None:
    beginning = now - WEEKS * WEEK
    stage = Stage("raft", members, lambda spec: _material(spec, seed), now=beginning)
    stage.load_gold(now=beginning, with_class_counts=TASKS_WITH_CLASS_COUNTS)
    stage.end("main", after=EDITION, since=beginning)
    stage.play("main", (_week(stage, number) for number in range(WEEKS + 1)), since=beginning, now=now)


def _material(spec: BenchmarkSpec, seed: int) -> SyntheticAnswers:
    ids = {
        task.id: [str(number) for number in range(FIRST_ID, FIRST_ID + task.test_size)] for task in spec.tasks
    }
    return SyntheticAnswers(spec, seed, ids, ceilings=CEILINGS)


def _week(stage: Stage, week: int) -> Iterator[Deed]:
    if week in (0, EDITION):
        yield from stage.trainings("plurality", "adaboost")
    for system, skills in SKILLS.items():
        if week in skills:
            yield _sending(stage, system, week)
    if week in WITHDRAWALS:
        yield partial(stage.withdraw, WITHDRAWALS[week])
    if week in CUT_SHORT:
        yield _sending(stage, CUT_SHORT[week], week, is_cut_short=True)


def _sending(stage: Stage, system: str, week: int, *, is_cut_short: bool = False) -> Deed:
    """The upload of a week; where none is named, one that is worth what the last was."""
    skill = SKILLS[system][max(known for known in SKILLS[system] if known <= week)]
    tasks = [task for task in stage.spec.tasks if ONLY_TASK.get(system, task.id) == task.id]
    return partial(
        stage.send,
        system,
        [stage.material.answers(task, skill, system, str(week)) for task in tasks],
        is_cut_short=is_cut_short,
    )
