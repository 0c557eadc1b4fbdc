"""Paired tests of two systems: against scipy and plain loops, and their false alarms on systems that are equal."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest, norm, pearsonr
from sklearn.metrics import f1_score

from catalogue.answers import Label, LabelSubset, Number, OrderedClass
from catalogue.comparison import Comparison
from scoring.core.uncertainty.exchange import exchanged
from scoring.core.uncertainty.paired import approximate_randomisation, mcnemar, paired_bootstrap
from scoring.core.uncertainty.replicates import replicate_scores
from scoring.core.uncertainty.weights import item_weights

LABELS = Label(names=("no", "maybe", "yes"))
NUMBERS = Number(low=-100, high=100)
CLASSES = OrderedClass(low=-3, high=3)
SETS = LabelSubset(names=("joy", "fear", "anger"))


def two_equal_labellers(rng: np.random.Generator, items: int = 200) -> tuple[Comparison, Comparison]:
    """Right on an item with the same chance, which differs from item to item."""
    gold = rng.integers(0, 3, items).astype(np.uint8)
    chance = rng.choice([0.55, 0.95], items)
    pair = [np.where(rng.random(items) < chance, gold, rng.integers(0, 3, items)) for _ in range(2)]
    return Comparison(LABELS, gold, pair[0].astype(np.uint8)), Comparison(
        LABELS, gold, pair[1].astype(np.uint8)
    )


def two_equal_regressors(rng: np.random.Generator, items: int = 200) -> tuple[Comparison, Comparison]:
    """The second answers on a scale three times as wide."""
    gold, shared = rng.normal(0, 1, items), rng.normal(0, 0.3, items)
    own, other = (gold + shared + rng.normal(0, 0.7, items) for _ in range(2))
    return Comparison(NUMBERS, gold, own), Comparison(NUMBERS, gold, 3 * other + 5)


def two_equal_taggers(rng: np.random.Generator, items: int = 200) -> tuple[Comparison, Comparison]:
    gold = rng.integers(0, 8, items).astype(np.uint64)
    flips = [rng.integers(0, 8, items) & rng.integers(0, 8, items) for _ in range(2)]
    return Comparison(SETS, gold, gold ^ flips[0].astype(np.uint64)), Comparison(
        SETS, gold, gold ^ flips[1].astype(np.uint64)
    )


def two_equal_graders(rng: np.random.Generator, items: int = 200) -> tuple[Comparison, Comparison]:
    gold = rng.integers(-3, 4, items).astype(np.int16)
    pair = [np.clip(gold + rng.integers(-2, 3, items), -3, 3).astype(np.int16) for _ in range(2)]
    return Comparison(CLASSES, gold, pair[0]), Comparison(CLASSES, gold, pair[1])


EQUAL = pytest.mark.parametrize(
    ("draw", "metric"),
    [
        (two_equal_labellers, "accuracy"),
        (two_equal_labellers, "f1_macro"),
        (two_equal_regressors, "pearson"),
        (two_equal_regressors, "spearman"),
        (two_equal_taggers, "jaccard"),
        (two_equal_taggers, "f1_micro"),
        (two_equal_graders, "kappa_quadratic"),
    ],
)


def alarms_expected(count: int, trials: int) -> bool:
    """Whether so many alarms at the level of 5 % are what chance makes of 5 % (1 run of 1,000 falls outside)."""
    return bool(binomtest(count, trials, 0.05).pvalue > 0.001)


@EQUAL
def test_exchanging_answers_raises_a_false_alarm_as_often_as_its_level_says(draw, metric):
    rng = np.random.default_rng(11)

    ps = []
    for _ in range(300):
        first, second = draw(rng)
        ps.append(approximate_randomisation(first, second, metric, rng=rng, draws=199))

    assert alarms_expected(sum(p is not None and p <= 0.05 for p in ps), len(ps))


@pytest.mark.thorough
@EQUAL
def test_the_paired_bootstrap_raises_a_false_alarm_as_often_as_its_level_says(draw, metric):
    rng, alarms = np.random.default_rng(13), 0
    for trial in range(300):
        pair = draw(rng)
        weights = item_weights(b"%d" % trial, len(pair[0].y_true), 200)
        replicates = [replicate_scores(one, [metric], weights)[metric] for one in pair]
        ones = np.ones((1, len(pair[0].y_true)), dtype=np.uint8)
        scores = [float(replicate_scores(one, [metric], ones)[metric][0]) for one in pair]
        found = paired_bootstrap(scores[0], scores[1], (replicates[0], replicates[1]))
        alarms += found is not None and found.p < 0.05

    # A normal interval of 200 items is a little short; 8 % is what is called nominal here.
    assert alarms / 300 <= 0.08
    assert alarms >= 4


def test_mcnemar_raises_no_more_false_alarms_than_its_level_says():
    rng = np.random.default_rng(17)
    both = rng.binomial(200, 0.2, 2000)
    first = rng.binomial(both, 0.5)

    alarms = np.mean([mcnemar(int(a), int(n - a)) < 0.05 for a, n in zip(first, both, strict=True)])

    assert 0.01 < alarms <= 0.05 + 0.015


@given(st.integers(0, 60), st.integers(0, 60))
def test_mcnemar_is_scipys_exact_binomial_test(first, second):
    expected = binomtest(first, first + second).pvalue if first + second else 1.0

    assert mcnemar(first, second) == pytest.approx(expected)


def test_exchanging_answers_agrees_with_mcnemar_on_accuracy():
    gold = np.ones(100, dtype=np.uint8)
    own, other = gold.copy(), gold.copy()
    own[:4], other[4:20] = 0, 2

    p = approximate_randomisation(
        Comparison(LABELS, gold, own),
        Comparison(LABELS, gold, other),
        "accuracy",
        rng=np.random.default_rng(2),
        draws=20_000,
    )

    assert p == pytest.approx(mcnemar(4, 16), abs=0.003)


def all_exchanges(gold: np.ndarray, own: np.ndarray, other: np.ndarray, measure) -> np.ndarray:
    found = []
    for swap in product([False, True], repeat=len(gold)):
        first, second = np.where(swap, other, own), np.where(swap, own, other)
        found.append(measure(gold, first) - measure(gold, second))
    return np.array(found)


@pytest.mark.thorough
def test_drawn_differences_are_spread_as_those_of_all_exchanges_are():
    gold = np.array([0, 0, 0, 1, 1, 1, 2, 2, 2, 2], dtype=np.uint8)
    own = np.array([0, 0, 1, 1, 1, 2, 2, 2, 2, 0], dtype=np.uint8)
    other = np.array([0, 1, 1, 1, 0, 1, 2, 0, 1, 0], dtype=np.uint8)
    every = all_exchanges(gold, own, other, lambda true, pred: f1_score(true, pred, average="macro"))

    drawn = exchanged(
        Comparison(LABELS, gold, own),
        Comparison(LABELS, gold, other),
        "f1_macro",
        rng=np.random.default_rng(3),
        draws=40_000,
    )

    assert set(np.round(drawn, 9)) <= set(np.round(every, 9))
    for size in (0.1, 0.2, 0.3, 0.4):
        assert np.mean(np.abs(drawn) >= size) == pytest.approx(np.mean(np.abs(every) >= size), abs=0.01)


@pytest.mark.parametrize("average", ["macro", "micro"])
def test_sets_of_labels_are_exchanged_as_scikit_learn_would_count_them(average):
    rng = np.random.default_rng(6)
    gold, own, other = rng.integers(0, 8, (3, 7)).astype(np.uint64)

    def f1(true: np.ndarray, pred: np.ndarray) -> float:
        bits = [(one[:, None] >> np.arange(3, dtype=np.uint64)) & np.uint64(1) for one in (true, pred)]
        return float(f1_score(*bits, average=average, zero_division=0))

    every = all_exchanges(gold, own, other, f1)
    drawn = exchanged(
        Comparison(SETS, gold, own), Comparison(SETS, gold, other), f"f1_{average}", rng=rng, draws=3000
    )

    assert set(np.round(drawn, 9)) <= set(np.round(every, 9))
    assert drawn.std() == pytest.approx(every.std(), rel=0.05)


def test_correlations_are_exchanged_as_scipy_would_on_one_scale():
    rng = np.random.default_rng(4)
    gold, own, other = rng.normal(0, 1, (3, 9))
    scaled = [(one - one.mean()) / one.std() for one in (own, other)]
    every = all_exchanges(gold, scaled[0], scaled[1], lambda true, pred: pearsonr(true, pred).statistic)

    drawn = exchanged(
        Comparison(NUMBERS, gold, own), Comparison(NUMBERS, gold, other), "pearson", rng=rng, draws=3000
    )

    assert set(np.round(drawn, 9)) <= set(np.round(every, 9))
    assert drawn.std() == pytest.approx(every.std(), rel=0.05)


def test_equal_predictions_have_no_difference_to_find():
    gold = np.array([0, 1, 2, 1], dtype=np.uint8)
    same = Comparison(LABELS, gold, gold)

    assert approximate_randomisation(same, same, "f1_macro", rng=np.random.default_rng(0)) == 1.0


def test_an_undefined_score_has_no_test():
    gold = np.zeros(5)
    one = Comparison(NUMBERS, gold, gold)

    assert approximate_randomisation(one, one, "pearson", rng=np.random.default_rng(0)) is None


def test_two_systems_of_different_gold_labels_are_refused():
    first, second = (Comparison(NUMBERS, np.array(gold), np.array(gold)) for gold in ([0.0, 1.0], [0.0, 2.0]))

    with pytest.raises(ValueError, match="same gold labels"):
        approximate_randomisation(first, second, "pearson", rng=np.random.default_rng(0))


def test_the_interval_leaves_out_zero_exactly_where_p_is_below_five_percent():
    noise = np.random.default_rng(5).normal(0, 0.01, 1000)

    for effect in (0.0, 0.015, 0.019, 0.02, 0.05):
        found = paired_bootstrap(0.5 + effect, 0.5, (0.5 + effect + noise, np.full(1000, 0.5)))
        assert found is not None
        assert (found.low > 0) == (found.p < 0.05)
        assert found.p == pytest.approx(2 * norm.sf(effect / noise.std(ddof=1)))


def test_undefined_replicates_are_passed_over_and_too_few_say_nothing():
    first, second = np.random.default_rng(6).normal(0.5, 0.01, (2, 150))
    first[:50] = np.nan

    assert paired_bootstrap(0.5, 0.5, (first, second)) is not None
    first[50] = np.nan
    assert paired_bootstrap(0.5, 0.5, (first, second)) is None


def test_equal_replicates_have_no_difference():
    same = np.random.default_rng(7).normal(0.5, 0.01, 1000)

    found = paired_bootstrap(0.5, 0.5, (same, same))

    assert found is not None
    assert found.p == 1.0
