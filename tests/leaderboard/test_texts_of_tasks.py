"""Texts to download: in the same order on a task's page and on the page for uploads, and asked for once."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from benchmarks.models import Task
from leaderboard.pages.benchmark_pages import render_benchmark
from scoring.item_sets.attacks import load_texts_of
from submissions.guides.phase_guides import guides
from tests.attacks import REWORDED, load_attacked
from tests.conftest import NOW


@pytest.fixture
def task(sync, gold_keys) -> Task:
    task = load_attacked(sync)
    load_texts_of(task=task, split_slug="reworded", data=REWORDED, file_name="texts.csv", now=NOW)
    return task


def test_the_test_splits_texts_come_first_on_both_pages(task):
    page = next(
        page for page in render_benchmark(task.benchmark) if page.path == "/benchmarks/debates/tasks/claims/"
    )
    body = page.body.decode()
    (guide,) = guides(list(task.benchmark.phases.all()), [])
    guided = {of_task.spec.id: [texts.split.slug for texts in of_task.texts] for of_task in guide.tasks}

    assert -1 < body.find("/texts/claims/test.csv") < body.find("/texts/claims/reworded.csv")
    assert guided["claims"] == ["test", "reworded"]


def test_the_pages_of_a_benchmark_read_texts_once(task):
    with CaptureQueriesContext(connection) as captured:
        render_benchmark(task.benchmark)

    assert sum('FROM "benchmarks_texts"' in query["sql"] for query in captured) == 1
