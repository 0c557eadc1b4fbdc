"""The stance detection benchmark in the demo: test sets first, attack sets later, and shares of the training data."""

import datetime as dt
from collections.abc import Iterator, Mapping
from functools import partial
from typing import NamedTuple

from benchmarks.models import Phase, Task
from benchmarks.spec import BenchmarkSpec, TaskSpec
from benchmarks.spec.item_order import in_public_order
from catalogue.layouts.row_ids import IdMaker
from demo.material.answers import SyntheticAnswers
from demo.material.sentences import sentences
from demo.stage import WEEK, Deed, Members, Stage
from scoring.core.attacks import GENERATORS
from scoring.item_sets.attacks import load_texts_of, make_attack
from scoring.item_sets.texts import TEST
from submissions.intake import CanonicalPredictions, ItemIds
from submissions.intake.tables.texts import TextsFile, write_texts

WEEKS = 4  # past cut-offs, each with its release; week number WEEKS is the one that is open now
ATTACKED_FROM = 2  # the week from which there are attack sets
SHARE = 40  # a test set holds one item for so many real ones, within the limits
FEWEST, MOST = 50, 80
SEEDS = 5

MAIN = "100"
# What is left of a system's skill that was trained on a share of the data.
TRACKS = {MAIN: 1.0, "70": 0.95, "30": 0.82, "10": 0.6}


class _Part(NamedTuple):
    """What a system does: `skills` maps a week to what its upload of that week is worth, from 0 (guesses) to 1.

    `drops` says which share of that an attack takes away, `seeds` how many seeds it hands in, and `shares_from` in
    which week it answers all tracks.
    """

    system: str
    skills: Mapping[int, float]
    drops: Mapping[str, float]
    seeds: int = SEEDS
    shares_from: int | None = None


PARTS = (
    _Part(
        "Siskin",
        {1: 0.71, 3: 0.82},
        {"paraphrase": 0.12, "spelling": 0.18, "negation": 0.40},
        shares_from=3,
    ),
    _Part(
        "Dunlin",
        {0: 0.62, 2: 0.70},
        {"paraphrase": 0.08, "spelling": 0.10, "negation": 0.22},
        shares_from=2,
    ),
    _Part(
        "Juniper",
        {1: 0.57, 3: 0.60},
        {"paraphrase": 0.10, "spelling": 0.24, "negation": 0.35},
    ),
    _Part(
        "Hornbeam",
        {0: 0.30, 2: 0.31},
        {"paraphrase": 0.45, "spelling": 0.60, "negation": 0.15},
    ),
    _Part(
        "Wagtail",
        {3: 0.78, WEEKS: 0.80},
        {"paraphrase": 0.14, "spelling": 0.21, "negation": 0.52},
    ),
    # Two seeds are still in training, so it stands on the board without a rank.
    _Part(
        "Larch",
        {3: 0.76},
        {"paraphrase": 0.09, "spelling": 0.14, "negation": 0.30},
        seeds=3,
    ),
)


def tell(members: Members, *, now: dt.datetime, seed: int) -> None:
    beginning = now - WEEKS * WEEK
    stage = Stage("stance", members, lambda spec: _material(spec, seed), now=beginning)
    stage.load_gold(now=beginning)
    for task in stage.benchmark.tasks.all():
        _load_texts(stage, task, TEST, beginning)
    stage.play("main", (_week(stage, number) for number in range(WEEKS + 1)), since=beginning, now=now)


def _material(spec: BenchmarkSpec, seed: int) -> SyntheticAnswers:
    return SyntheticAnswers(spec, seed, {task.id: _ids(task) for task in spec.tasks}, ceiling=0.82)


def _ids(task: TaskSpec) -> list[str]:
    """Ids in the form of the task's file; where ids may repeat, the last item carries that of the one before."""
    count = min(max(task.test_size // SHARE, FEWEST), MOST)
    maker = IdMaker(repeats=task.file.repeats)
    numbers = [*range(1, count), count - 1 if task.file.repeats else count]
    heads = [(f"Headline {number}",) if task.file.more_id_columns else () for number in numbers]
    return in_public_order(
        maker.make((*head, str(1000 + number))) for head, number in zip(heads, numbers, strict=True)
    )


def _load_texts(stage: Stage, task: Task, split: str, at: dt.datetime) -> None:
    """Give a split made-up sentences: the test split some, and a paraphrase the same in other words."""
    ids = ItemIds(stage.material.ids[task.slug])
    made = sentences(len(ids), stage.material.generator("texts", task.slug))
    rows = tuple((text if split == TEST else other,) for text, other in made)
    load_texts_of(
        task=task,
        split_slug=split,
        data=write_texts(TextsFile(("text",), rows), ids),
        file_name=f"{task.slug}.csv",
        now=at,
    )


def _attack(stage: Stage, phase: Phase, at: dt.datetime) -> None:
    """The organisers make attack sets of the texts of every task that is attacked, and upload paraphrases."""
    for task in stage.benchmark.tasks.all():
        for attack in filter(None, (split.attack for split in task.spec.splits)):
            if attack in GENERATORS:
                make_attack(task=task, attack=attack, seed=stage.material.seed, now=at)
            else:
                _load_texts(stage, task, attack, at)


def _week(stage: Stage, week: int) -> Iterator[Deed]:
    if week == ATTACKED_FROM:
        yield partial(_attack, stage)
    if week in (0, ATTACKED_FROM):
        yield from stage.trainings("majority", "random")
    for part in PARTS:
        if week in part.skills:
            for track in TRACKS if week == part.shares_from else (MAIN,):
                yield partial(
                    stage.send, part.system, list(_answers(stage.material, part, week, track)), track=track
                )


def _answers(
    material: SyntheticAnswers, part: _Part, week: int, track: str
) -> Iterator[CanonicalPredictions]:
    """The answers of every seed to the test sets and, from that week on, to the attack sets."""
    for task in material.spec.tasks:
        for split in task.splits:
            if split.attack and week < ATTACKED_FROM:
                continue
            # Less training data, more harm.
            left = 1 - part.drops[split.attack] / TRACKS[track] if split.attack else 1.0
            skill = part.skills[week] * TRACKS[track] * left
            for seed in range(1, part.seeds + 1):
                yield material.answers(task, skill, part.system, str(week), track, split=split.id, seed=seed)
