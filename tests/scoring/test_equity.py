"""Predictions are tested on current pairs as they come in, once, and nothing holds up a batch."""

from math import inf

import pytest

from scoring.core.measures.equity import BiasGroup
from scoring.item_sets.equity import assess_due, has_report, report_for
from scoring.models import EquityResult
from scoring.queue.batches import finish_batches
from submissions.models import PredictionCodes, Predictions
from submissions.systems.status_transitions import withdraw
from tests.conftest import NOW
from tests.feelings import (
    DEFINITION,
    FAIR,
    FAVOURS_HE,
    FAVOURS_SHE,
    MIXED,
    PAIRS,
    load_all_gold,
    load_gender,
    submit_joy,
)


@pytest.fixture
def feelings(sync, gold_keys):
    benchmark = sync(DEFINITION)
    load_all_gold(benchmark)
    return benchmark


def overall(submission):
    (comparison,) = report_for(submission)
    return comparison.rows[0]


def test_a_test_of_all_pairs_and_of_each_stratum_is_made(feelings, system, owner):
    load_gender(feelings)
    submission = submit_joy(system, owner, MIXED)
    assert assess_due(NOW) == 1
    (comparison,) = report_for(submission)
    assert [(row.stratum, row.test.pair_count) for row in comparison.rows] == [
        ("", 4),
        ("calm", 2),
        ("wild", 2),
    ]


def test_differences_are_the_first_group_minus_the_second(feelings, system, owner):
    load_gender(feelings)
    submission = submit_joy(system, owner, MIXED)
    assess_due(NOW)
    test = overall(submission).test
    assert test.mean_difference == pytest.approx((0.1 + 0 - 0.2 + 0.4) / 4, abs=1e-12)
    assert (test.first_higher_count, test.equal_count) == (2, 1)
    # Sample deviation 0.25 of four differences: t = 0.075 / (0.25 / 2).
    assert test.t == pytest.approx(0.6, abs=1e-12)


@pytest.mark.parametrize(
    ("mystery", "t", "group"),
    [
        (FAIR, None, BiasGroup.EQUAL),
        (FAVOURS_SHE, inf, BiasGroup.FIRST_HIGHER),
        (FAVOURS_HE, -inf, BiasGroup.SECOND_HIGHER),
        (MIXED, pytest.approx(0.6), BiasGroup.EQUAL),
    ],
)
def test_the_group_follows_from_the_test(feelings, system, owner, mystery, t, group):
    load_gender(feelings)
    submission = submit_joy(system, owner, mystery)
    assess_due(NOW)
    row = overall(submission)
    assert (row.test.t, row.group) == (t, group)


def test_asking_twice_tests_once(feelings, system, owner):
    load_gender(feelings)
    submit_joy(system, owner, MIXED)
    assess_due(NOW)
    assert assess_due(NOW) == 0
    assert EquityResult.objects.count() == 3


def test_each_comparison_of_each_submission_is_tested(feelings, system, owner):
    load_gender(feelings)
    load_gender(feelings, task="level")
    for mystery in (MIXED, FAIR):
        submit_joy(system, owner, mystery)
    assert assess_due(NOW) == 2  # nobody has answered `level`


def test_new_pairs_are_tested_anew_and_take_the_place_of_the_old_ones(feelings, system, owner):
    load_gender(feelings)
    submission = submit_joy(system, owner, FAVOURS_SHE)
    assess_due(NOW)
    load_gender(feelings, first="he", second="she")
    assert report_for(submission)[0].rows == ()
    assert assess_due(NOW) == 1
    assert overall(submission).group is BiasGroup.SECOND_HIGHER


def test_pairs_without_strata_give_one_test(feelings, system, owner):
    lines = PAIRS.decode().splitlines()
    load_gender(feelings, "\n".join(line.rpartition(",")[0] for line in lines).encode())
    submission = submit_joy(system, owner, MIXED)
    assess_due(NOW)
    assert [row.stratum for row in report_for(submission)[0].rows] == [""]


def test_a_withdrawn_submission_is_not_tested(feelings, system, owner):
    load_gender(feelings)
    withdraw(submission=submit_joy(system, owner, MIXED), user=owner, now=NOW)
    assert assess_due(NOW) == 0


def test_the_sweep_that_finishes_batches_tests_as_well(feelings, system, owner):
    load_gender(feelings)
    submission = submit_joy(system, owner, MIXED)
    finish_batches(NOW)
    assert overall(submission).test.pair_count == 4


def test_testing_needs_no_private_key(feelings, system, owner, settings):
    settings.GOLD_PRIVATE_KEY_FILE = ""
    load_gender(feelings)
    submit_joy(system, owner, MIXED)
    assert assess_due(NOW) == 1


def test_damaged_predictions_hold_up_no_others(feelings, system, owner):
    load_gender(feelings)
    broken = submit_joy(system, owner, FAIR)
    PredictionCodes.objects.filter(predictions__submission=broken).update(packed=b"nothing")
    submit_joy(system, owner, MIXED)
    assert assess_due(NOW) == 1


def test_predictions_of_another_time_of_the_task_are_left_alone(feelings, system, owner):
    load_gender(feelings)
    submission = submit_joy(system, owner, MIXED)
    Predictions.objects.filter(submission=submission).update(alignment_sha256="0" * 64)
    assert assess_due(NOW) == 0
    assert report_for(submission)[0].rows == ()


def test_a_submission_has_a_report_only_where_there_are_pairs(feelings, system, owner):
    submission = submit_joy(system, owner, MIXED)
    assert not has_report(submission)
    assert report_for(submission) == []
    load_gender(feelings)
    assert has_report(submission)


def test_correction_for_many_assessments_can_take_a_system_out_of_its_group(feelings, system, owner):
    load_gender(feelings)
    submission = submit_joy(system, owner, (0.75, 0.5, 0.5, 0.25, 1.0, 0.75, 0.25, 0.05))
    assess_due(NOW)
    alone, corrected = (report_for(submission, assessments=count)[0].rows[0].group for count in (1, 1000))
    assert (alone, corrected) == (BiasGroup.FIRST_HIGHER, BiasGroup.EQUAL)
