"""RAFT in the demo: seven past weeks, in which systems come and get better."""

import datetime as dt
from collections.abc import Iterator
from dataclasses import dataclass

from benchmarks.spec import BenchmarkSpec
from demo.material.answers import SyntheticAnswers
from demo.stage import WEEK, Deed, Members, Sending, Stage, Training, Withdrawal

WEEKS = 7  # past cut-offs, each with its release; week number WEEKS is the one that is open now
FIRST_ID = 50  # the fifty training examples of each task carry the ids before it


@dataclass(frozen=True, slots=True)
class _Part:
    """What a system does: `skills` maps a week to what its upload of that week is worth, from 0 (guesses) to 1."""

    system: str
    skills: dict[int, float]
    only_task: str = ""


PARTS = (
    _Part("Siskin", {0: 0.30, 2: 0.47, 4: 0.66, 6: 0.81}),
    _Part("Larch", {1: 0.24, 3: 0.52, WEEKS: 0.74}),
    _Part("Dunlin", {0: 0.22, 1: 0.41, 3: 0.58, 5: 0.77, WEEKS: 0.93}),
    _Part("Sorrel", {4: 0.86}),
    _Part("Juniper", {0: 0.37, 5: 0.63}),
    _Part("Fieldfare", {2: 0.61, 6: 0.70}),
    _Part("Hornbeam", {1: 0.04, 6: 0.15}),
    _Part("Wagtail", {3: 0.71, WEEKS: 0.79}),
    _Part("Rowan", {0: 0.02, 2: 0.16, 5: 0.34}),
    _Part("Goldcrest", {5: 0.99}),
    _Part("Plover", {4: 0.90}, only_task="overruling"),
    _Part("Heron", {2: 0.55}),
)
WITHDRAWALS = {4: "Heron"}
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
    """Let the weeks up to `now` happen."""
    beginning = now - WEEKS * WEEK
    stage = Stage("raft", members, lambda spec: _material(spec, seed), now=beginning)
    stage.load_gold(now=beginning, with_class_counts=TASKS_WITH_CLASS_COUNTS)
    acts = (_week(stage.material, number) for number in range(WEEKS + 1))
    stage.play(stage.phase("main"), acts, since=beginning, now=now)


def _material(spec: BenchmarkSpec, seed: int) -> SyntheticAnswers:
    """Test sets as large as the real ones."""
    ids = {
        task.id: [str(number) for number in range(FIRST_ID, FIRST_ID + task.test_size)] for task in spec.tasks
    }
    return SyntheticAnswers(spec, seed, ids, ceilings=CEILINGS)


def _week(material: SyntheticAnswers, week: int) -> Iterator[Deed]:
    if week == 0:
        yield Training("plurality")
        yield Training("adaboost")
    for part in PARTS:
        if week in part.skills:
            yield _sending(material, part, week)
    if week in WITHDRAWALS:
        yield Withdrawal(WITHDRAWALS[week])
    if week in CUT_SHORT:
        part = next(part for part in PARTS if part.system == CUT_SHORT[week])
        yield _sending(material, part, week, is_cut_short=True)


def _sending(material: SyntheticAnswers, part: _Part, week: int, *, is_cut_short: bool = False) -> Sending:
    """The upload of a week; where the part names none, one that is worth what the last was."""
    skill = part.skills[max(known for known in part.skills if known <= week)]
    tasks = [task for task in material.spec.tasks if part.only_task in ("", task.id)]
    answers = tuple(material.answers(task, skill, part.system, str(week)) for task in tasks)
    return Sending(part.system, answers, is_cut_short=is_cut_short)
