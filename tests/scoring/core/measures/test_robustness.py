"""Attack measures, computed by hand; the correct shares are the stance paper's own."""

import pytest

from catalogue.metrics.metric import Undefined
from scoring.core.measures.robustness import (
    potency,
    raw_potency,
    relative_drop,
    relative_resilience,
    resilience,
)

PARAPHRASE, SPELLING, NEGATION = 0.484, 0.584, 1.0
SHARES = [PARAPHRASE, SPELLING, NEGATION]


def test_potency_is_raw_potency_times_the_share_of_correct_samples():
    # Two systems left with 0.60 and 0.55: they lose 0.40 and 0.45 of a perfect score.
    assert raw_potency([0.60, 0.55]) == pytest.approx(0.425)
    assert potency(SPELLING, [0.60, 0.55]) == pytest.approx(0.584 * 0.425)


def test_paper_rates_negation_as_potent_as_its_raw_potency_and_spelling_below():
    # Published raw potencies: 41.1 % for negation, 43.3 % for spelling.
    negation, spelling = potency(NEGATION, [1 - 0.411]), potency(SPELLING, [1 - 0.433])

    assert negation == pytest.approx(0.411)
    assert spelling == pytest.approx(0.252872)
    assert negation > spelling


def test_resilience_weights_each_attack_by_its_share_of_correct_samples():
    # (0.484 * 0.60 + 0.584 * 0.50 + 1.0 * 0.55) / (0.484 + 0.584 + 1.0) = 1.1324 / 2.068
    assert resilience(SHARES, [0.60, 0.50, 0.55]) == pytest.approx(1.1324 / 2.068)


def test_relative_resilience_takes_the_weighted_mean_drop_from_one():
    # Drops from 0.65: 0.05, 0.15, 0.10; (0.484 * 0.05 + 0.584 * 0.15 + 1.0 * 0.10) / 2.068 = 0.2118 / 2.068
    assert relative_resilience(SHARES, 0.65, [0.60, 0.50, 0.55]) == pytest.approx(1 - 0.2118 / 2.068)


def test_relative_resilience_to_one_attack_does_not_depend_on_its_correctness():
    assert relative_resilience([SPELLING], 0.65, [0.50]) == pytest.approx(0.85)
    assert relative_resilience([NEGATION], 0.65, [0.50]) == pytest.approx(0.85)


def test_relative_resilience_is_lowered_by_gains_as_by_drops():
    assert relative_resilience([1.0], 0.5, [0.6]) == pytest.approx(relative_resilience([1.0], 0.6, [0.5]))


def test_relative_resilience_lets_drops_and_gains_cancel():
    assert relative_resilience([1.0, 1.0], 0.5, [0.4, 0.6]) == pytest.approx(1.0)


def test_relative_drop_is_a_share_of_the_score_on_the_test_split():
    assert relative_drop(0.8, 0.6) == pytest.approx(0.25)
    assert relative_drop(0.5, 0.6) == pytest.approx(-0.2)


def test_relative_drop_from_nothing_is_undefined():
    assert relative_drop(0.0, 0.0) == Undefined("nothing_to_lose")


@pytest.mark.parametrize(
    ("shares", "scores"), [([1.0], [0.5, 0.5]), ([0.0], [0.5]), ([1.5], [0.5]), ([], [])]
)
def test_resilience_refuses_shares_that_cannot_weight_the_attacks(shares, scores):
    with pytest.raises(ValueError, match="correct"):
        resilience(shares, scores)
