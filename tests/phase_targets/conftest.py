"""A benchmark whose phases are about a split each, and files for them."""

import pytest

from scoring.gold.versions import load_gold
from submissions.services import PredictionUpload, submit_predictions
from tests.conftest import NOW, synced

DEFINITION = """
id: mixed
title: Mixed
summary: Two tasks.
url: https://example.org
citation: Nobody
bundle: {files: any}
tasks:
  - id: mood
    code: M
    title: Mood
    summary: Which?
    instructions: Say.
    licence: CC0
    citation: Nobody
    labels: [bad, good]
    file: &file {path: "{task}.csv", id_column: id, label_column: label}
    metrics: &metrics [{name: accuracy, title: Accuracy}]
    splits: &splits [{id: dev, title: Development}, {id: test, title: Test}]
  - id: tone
    code: T
    title: Tone
    summary: Which?
    instructions: Say.
    licence: CC0
    citation: Nobody
    labels: [low, high]
    file: *file
    metrics: *metrics
    splits: *splits
phases:
  - id: development
    timezone: Europe/Berlin
    opens: 2026-11-01T00:00Z
    closes: 2026-12-01T00:00Z
    counting: latest
    quota: {total: 4}
    targets:
      - {task: mood, split: dev, quota: {per_day: 1}}
      - {task: tone, split: dev, quota: {per_day: 1}}
  - id: evaluation
    opens: 2026-12-01T00:00Z
    closes: 2026-12-08T00:00Z
    counting: latest
    targets: [{task: mood, split: test, quota: {total: 1}}]
"""
LABELS = {"mood": ("bad", "good"), "tone": ("low", "high")}
FIRST = {"dev": 1, "test": 11}


def answers(task, split, turned=0, count=4):
    """A file that answers a split; `turned` makes others of it."""
    labels = LABELS[task]
    rows = [f"{FIRST[split] + n},{labels[(n + turned // (n + 1)) % 2]}" for n in range(count)]
    return "\n".join(["id,label", *rows, ""]).encode()


@pytest.fixture
def mixed(db, gold_keys):
    benchmark = synced(DEFINITION)
    for task in benchmark.tasks.all():
        for split in FIRST:
            load_gold(
                task=task, data=answers(task.slug, split), file_name="gold.csv", now=NOW, split_slug=split,
                confirm_clues=True,
            )  # fmt: skip
    return benchmark


@pytest.fixture
def development(mixed):
    return mixed.phases.get(slug="development")


@pytest.fixture
def send(system, owner, development):
    def _send(task, split="dev", *, at=NOW, turned=0, to=None, count=4):
        return submit_predictions(
            PredictionUpload(
                system=system,
                phase=to or development,
                user=owner,
                received_at=at,
                task=task,
                data=answers(task, split, turned, count),
                file_name="file.csv",
            )
        ).submission

    return _send
