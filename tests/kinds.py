"""A benchmark with a task for every kind of answer, its items in an order of their own, and answers drawn by lot."""

import datetime as dt
import json
import random
from collections.abc import Callable, Sequence

from benchmarks.models import Benchmark
from scoring.gold.versions import load_gold
from scoring.item_sets.texts import load_texts
from submissions.models import Submission, System
from submissions.services import PredictionUpload, submit_predictions
from tests.conftest import NOW
from tests.uploads import zip_of

DEFINITION = """
id: kinds
title: Kinds
summary: One of each.
url: https://example.org/kinds
citation: Nobody, 2026.
bundle: {files: any}
attacks: [{id: spelling, title: Spelling, correct_share: 0.5}]
task_defaults:
  summary: What is it?
  instructions: Say what it is.
  licence: CC0
  citation: Nobody, 2026.
  test_size: 40
  file: {path: "{task}.csv", id_column: id, label_column: answer}
tasks:
  - id: thread
    code: THR
    title: Labels in clusters
    labels: [bad, good]
    gold_file: {path: t.csv, id_column: id, label_column: answer, columns: [id, thread, answer], cluster_column: thread}
    splits: [{id: test, title: Test}, {id: spelling, title: Spelling, attack: spelling}]
    metrics: [{name: f1_macro, title: F1}]
  - {id: pair, code: PAI, title: Pairs, labels: [bad, good], pairs: _, metrics: [{name: accuracy, title: Accuracy}]}
  - id: number
    code: NUM
    title: Numbers
    output: {kind: number, low: 0, high: 1}
    metrics: [{name: pearson, title: r}]
  - id: level
    code: LEV
    title: Classes
    output: {kind: ordered_classes, low: 0, high: 3}
    metrics: [{name: pearson, title: r}]
  - id: subset
    code: SUB
    title: Subsets
    output: {kind: label_subset}
    labels: [joy, fear]
    file: {path: subset.csv, dialect: csv, columns: [id, joy, fear], id_column: id}
    metrics: [{name: jaccard, title: Jaccard}]
  - {id: span, code: SPA, title: Spans, output: {kind: span}, metrics: [{name: token_f1, title: Token F1}]}
  - id: sure
    code: SUR
    title: Labels with a confidence
    labels: ["no", "yes"]
    output: {kind: label_with_confidence}
    file: {path: sure.json, dialect: json, label_column: sure}
    metrics: [{name: rmse, title: RMSE}]
phases:
  - id: main
    title: Main
    cut_off: {weekday: monday, time: "00:00", timezone: UTC}
    quota: {per_cut_off: 20}
    counting: latest
    publish_automatically: true
"""
ITEMS = random.Random(3).sample([f"{stem}_{side}" for stem in range(1, 21) for side in "ab"], 40)
"""In the order of the gold files, which is nobody's."""


def drawn(task: str, seed: int) -> list[str]:
    """Cells of answers for every item, in the order of `ITEMS`."""
    draw = random.Random(f"{task} {seed}")
    cells: dict[str, Callable[[], str]] = {
        "number": lambda: repr(draw.random()),
        "level": lambda: str(draw.randint(0, 3)),
        "subset": lambda: f"{draw.randint(0, 1)},{draw.randint(0, 1)}",
        "span": lambda: " ".join(draw.choices(["the", "old", "cook", "fed", "Ann"], k=3)),
        "sure": lambda: draw.choice(["no", "yes"]),
    }
    one = cells.get(task, lambda: draw.choice(["bad", "good"]))
    return [one() for _ in ITEMS]


def file_of(task: str, answers: Sequence[str], *, is_gold: bool) -> bytes:
    """A file of that task."""
    if task == "sure":
        of_items = dict(zip(ITEMS, answers, strict=True))
        told = {item: label if is_gold else [label, 0.75] for item, label in of_items.items()}
        return json.dumps({"sure": told}).encode()
    if task == "thread" and is_gold:
        rows = [f"{item},t{item[0]},{answer}" for item, answer in zip(ITEMS, answers, strict=True)]
        return "\n".join(["id,thread,answer", *rows, ""]).encode()
    head = "id,joy,fear" if task == "subset" else "id,answer"
    return "\n".join([head, *map(",".join, zip(ITEMS, answers, strict=True)), ""]).encode()


def make_kinds(sync: Callable[[str], Benchmark]) -> Benchmark:
    """The benchmark with its gold labels and the texts of the first task."""
    benchmark = sync(DEFINITION)
    for task in benchmark.tasks.all():
        gold = file_of(task.slug, drawn(task.slug, 0), is_gold=True)
        load_gold(task=task, data=gold, file_name="gold", now=NOW)
    test = benchmark.tasks.get(slug="thread").splits.get()
    texts = "".join(f'{item},"Said of {item},\nin two lines"\n' for item in ITEMS)
    load_texts(split=test, data=f"id,text\n{texts}".encode(), file_name="texts", now=NOW)
    return benchmark


def send_kinds(benchmark: Benchmark, system: System, seed: int, at: dt.datetime = NOW) -> Submission:
    """A submission whose answers are drawn by that seed."""
    files = {
        task.spec.path_of("test"): file_of(task.slug, drawn(task.slug, seed), is_gold=False)
        for task in benchmark.tasks.all()
    }
    files["spelling/thread.csv"] = file_of("thread", drawn("spelling", seed), is_gold=False)
    user = system.team.members.get()
    receipt = submit_predictions(
        PredictionUpload(
            system=system,
            phase=benchmark.phases.get(),
            user=user,
            data=zip_of(files),
            file_name="kinds.zip",
            received_at=at,
        )
    )
    return receipt.submission
