"""A small benchmark of the demo that its organisers made from a table: its weeks run under the protected rule."""

import datetime as dt
from collections.abc import Iterator
from functools import partial

import numpy as np

from benchmarks.models import Benchmark, Phase
from benchmarks.spec import BenchmarkSpec
from catalogue.disclosure import Protected
from demo import cast
from demo.material.answers import SyntheticAnswers
from demo.material.csv_files import csv_file
from demo.material.reviews import LABELS, reviews
from demo.stage import WEEK, Deed, Members, Stage
from scoring.definitions.task_import import NewBenchmark, Plan, open_task, plan
from submissions.intake.tables.labelled import LabelledTable, read_labelled
from submissions.intake.tables.task_proposal import Draft, labels_of, propose

WEEKS = 5  # past cut-offs, each with its release
LASTS = 10  # weeks until the phase closes, and exact scores follow
SIZE = 5000
PLACE = 9  # after the benchmarks that come with the project
FILE = "places.csv"


# What each upload is worth, from 0 (guesses) to 1, by system and week. Later tries of Siskin and Hornbeam gain nothing
# that is clear; nobody could tell Goldcrest from Dunlin in the end.
SKILLS = {
    "Siskin": {0: 0.55, 1: 0.56, 3: 0.70, 4: 0.68},
    "Dunlin": {0: 0.59, 2: 0.78},
    "Juniper": {1: 0.40, 4: 0.52},
    "Hornbeam": {0: 0.27, 2: 0.18, 3: 0.20},
    "Goldcrest": {3: 0.90},
    "Wagtail": {2: 0.72},
}


def tell(members: Members, *, now: dt.datetime, seed: int) -> None:
    beginning = now - WEEKS * WEEK
    table = _table(seed)
    made = _plan(table)
    open_task(made, table=table, user=members[cast.ORGANISERS], now=beginning, confirm_clues=True)
    stage = Stage(made.document, members, lambda spec: _material(spec, table, seed), now=beginning)
    Benchmark.objects.filter(pk=made.spec.id).update(position=PLACE)
    Phase.objects.filter(benchmark=made.spec.id).update(closes_at=beginning + LASTS * WEEK)
    stage.play("main", (_week(stage, number) for number in range(WEEKS)), since=beginning, now=now)


def _table(seed: int) -> LabelledTable:
    generator = np.random.default_rng([seed, *b"places"])
    ids = [f"p{number:04}" for number in range(SIZE)]
    labels = [str(label) for label in generator.choice(LABELS, size=SIZE, p=(0.45, 0.35, 0.2))]
    rows = zip(ids, (review.sentence for review in reviews(ids, labels, generator)), labels, strict=True)
    table = read_labelled(csv_file([("id", "text", "label"), *rows], line_end="\n"), file_name=FILE).content
    if table is None:
        raise ValueError("The demo's own table must be one that the server takes.")
    return table


def _plan(table: LabelledTable) -> Plan:
    found = propose(table, FILE)
    draft = Draft(
        kind=found.kind,
        id_column=found.id_column,
        label_columns=found.label_columns,
        text_columns=found.text_columns,
        labels=labels_of(table, found.kind, found.label_columns, ()),
        low=found.low,
        high=found.high,
        metric="accuracy",  # one label changes it by one item at most, so noise can protect labels
        metric_title="Accuracy",
        task_id="opinion",
        code="OPI",
        title="Opinions of places",
        summary="Does a sentence about a place speak well of it, badly, or neither?",
        instructions="Give each sentence exactly one of the labels.",
        licence="CC0",
        citation="Made up for this demo",
    )
    new = NewBenchmark(
        id="places",
        title="Places",
        url="",
        weekday=0,
        lasts_days=7 * LASTS,
        quota=3,
        disclosure=Protected,
    )
    return plan(draft, into=None, new=new, size=SIZE)


def _material(spec: BenchmarkSpec, table: LabelledTable, seed: int) -> SyntheticAnswers:
    """What systems answer is measured against the labels of the table."""
    (task,) = spec.tasks
    codes = {label: code for code, label in enumerate(task.output.labels)}
    gold = np.array([codes[label] for label in table.column("label")], dtype=np.uint16)
    return SyntheticAnswers(spec, seed, {task.id: table.column("id")}, given={task.id: gold})


def _week(stage: Stage, week: int) -> Iterator[Deed]:
    if week == 0:
        yield from stage.trainings("majority")
    for system, skills in SKILLS.items():
        if week in skills:
            yield partial(
                stage.send,
                system,
                [stage.material.answers(stage.spec.tasks[0], skills[week], system, str(week))],
            )
