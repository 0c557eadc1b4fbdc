"""Tests that need gold labels: made after a release by whoever has the key, and shown on the page of comparisons."""

from hashlib import sha256

import numpy as np
import pytest
from django.db import IntegrityError, connection, transaction
from django.test.utils import CaptureQueriesContext

from leaderboard.models import Release
from leaderboard.publication import paired_test_schedule
from leaderboard.publication.paired_test_schedule import make_next_tests, pairs_of
from scoring.core.uncertainty.paired import approximate_randomisation, mcnemar
from scoring.gold.versions import load_gold
from scoring.models import PairedTest, ScoringRun
from scoring.run_scoring import score_run
from scoring.uncertainty.paired_tests import make_paired_tests
from tests.conftest import NOW, TOY_DEFINITION, TOY_GOLD
from tests.leaderboard.test_chance_on_pages import ALL_WRONG, alder, compared, elm, released
from tests.weeks import ALL_RIGHT, CUT_OFF, run_batch, upload

__all__ = ["alder", "elm", "released"]  # fixtures


def test_every_two_systems_are_tested_on_every_task_once(released):
    assert make_next_tests(CUT_OFF) == 6
    assert make_next_tests(CUT_OFF) == 0

    assert PairedTest.objects.count() == 6
    assert set(PairedTest.objects.values_list("metric", flat=True)) == {"f1_macro"}


def test_a_process_without_the_key_tests_nothing(released, settings):
    settings.GOLD_PRIVATE_KEY_FILE = ""

    assert make_next_tests(CUT_OFF) == 0
    assert not PairedTest.objects.exists()


def test_the_same_runs_give_the_same_p_again(released):
    make_next_tests(CUT_OFF)
    first = {(one.first_id, one.second_id): one.exchange_p for one in PairedTest.objects.all()}
    PairedTest.objects.all().delete()

    make_paired_tests(list(first), now=CUT_OFF)

    assert {(one.first_id, one.second_id): one.exchange_p for one in PairedTest.objects.all()} == first
    assert all(p is not None and 0 < p <= 1 for p in first.values())


def test_whoever_guesses_the_labels_cannot_check_the_guess_against_a_p(released):
    """Which items are exchanged follows from nothing that others know, or a p would tell where each label stands."""
    make_next_tests(CUT_OFF)
    stored = list(PairedTest.objects.all())

    guessed = []
    for test in stored:
        runs = test.first, test.second
        known = f"{runs[0].gold_version_id} {' '.join(run.predictions.sha256 for run in runs)}"
        rng = np.random.default_rng(int.from_bytes(sha256(known.encode()).digest()[:8]))
        first, second = (score_run(run).comparison for run in runs)
        guessed.append(approximate_randomisation(first, second, test.metric, rng=rng))

    assert [test.exchange_p for test in stored] != guessed


def test_comparing_shows_what_is_stored(released, system, elm):
    assert "by exchange" not in compared(system.pk, elm.pk)

    make_next_tests(CUT_OFF)

    assert "by exchange" in compared(system.pk, elm.pk)


def test_no_test_changes_what_the_board_has_decided(released, system, elm):
    assert "Of 2 tasks Larch is surely ahead on 2 and surely behind on 0" in compared(system.pk, elm.pk)

    make_next_tests(CUT_OFF)

    assert "Of 2 tasks Larch is surely ahead on 2 and surely behind on 0" in compared(system.pk, elm.pk)


def test_runs_of_different_tasks_are_not_tested_against_each_other(released):
    mood = ScoringRun.objects.filter(split__task__slug="mood").first()
    colour = ScoringRun.objects.filter(split__task__slug="colour").first()
    assert mood is not None
    assert colour is not None

    assert make_paired_tests([tuple(sorted((mood.pk, colour.pk)))], now=CUT_OFF) == 0


def test_a_pair_is_kept_in_one_order_only(released):
    first, second = ScoringRun.objects.order_by("pk")[:2]

    with pytest.raises(IntegrityError), transaction.atomic():
        PairedTest.objects.create(first=second, second=first, metric="f1_macro", draws=1, created_at=CUT_OFF)


F1, ACCURACY = "{name: f1_macro, title: F1 macro}", "{name: accuracy, title: Accuracy}"
ACCURATE = TOY_DEFINITION.replace(f"[{F1}, {ACCURACY}]", f"[{ACCURACY}]")


def test_accuracy_is_tested_by_mcnemar_too(sync, gold_keys, system, alder):
    benchmark = sync(ACCURATE)
    for task in benchmark.tasks.all():
        load_gold(task=task, data=TOY_GOLD[task.slug], file_name="gold.csv", now=NOW)
    upload(system, benchmark.phases.get(), mood=ALL_RIGHT)
    upload(alder, benchmark.phases.get(), mood=ALL_WRONG)
    run_batch(CUT_OFF)

    make_next_tests(CUT_OFF)

    found = {one.first.split.task.slug: one.mcnemar_p for one in PairedTest.objects.all()}
    assert found == {"mood": pytest.approx(mcnemar(6, 0)), "colour": 1.0}
    assert "p .031 by McNemar" in compared(system.pk, alder.pk)


def test_only_the_first_twenty_of_a_board_are_tested(released):
    release = Release.objects.get()
    release.boards["overall"]["rows"] = release.boards["overall"]["rows"][:2]

    assert len(pairs_of(release)) == 2


def test_a_round_is_no_longer_for_many_benchmarks_than_for_one(
    released, sync, system, alder, elm, monkeypatch
):
    other = sync(TOY_DEFINITION.replace("id: toy", "id: tiny"))
    for task in other.tasks.all():
        load_gold(task=task, data=TOY_GOLD[task.slug], file_name="gold.csv", now=NOW)
    for each in (system, alder, elm):
        upload(each, other.phases.get())
    run_batch(CUT_OFF)
    monkeypatch.setattr(paired_test_schedule, "AT_ONCE", 8)
    assert [make_next_tests(CUT_OFF) for _ in range(3)] == [8, 4, 0]
    with CaptureQueriesContext(connection) as of_two:
        make_next_tests(CUT_OFF)
    assert len(of_two) == 1, "what is finished is not looked at again"
