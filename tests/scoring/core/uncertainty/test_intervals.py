"""Intervals stay in range, widen with the spread of the replicates, and are silent where nothing can be said."""

import numpy as np
import pytest

from catalogue.answers import Label, Number, Probabilities
from catalogue.answers.arrays import as_rows
from catalogue.comparison import Comparison
from catalogue.metrics.choice import metric_for
from perf.statistics.coverage import Line, coverage
from perf.statistics.coverage import labels as drawn_labels
from perf.statistics.coverage import two_labels as drawn_two_labels
from scoring.core.uncertainty.derived import pair_clusters, pair_replicates
from scoring.core.uncertainty.intervals import Interval, _likely, interval, share_interval
from scoring.core.uncertainty.replicates import Resamples, one_by_one, replicate_scores
from scoring.core.uncertainty.smoothing import calibrated
from scoring.core.uncertainty.weights import item_weights


def spread(value: float, deviation: float) -> np.ndarray:
    return value + deviation * np.random.default_rng(0).normal(size=1000)


def test_of_a_share_of_many_items_it_is_the_textbook_interval():
    found = interval(0.8, spread(0.8, (0.8 * 0.2 / 5000) ** 0.5))

    assert found is not None
    assert (found.low, found.high) == pytest.approx((0.7887, 0.8109), abs=1e-3)


@pytest.mark.parametrize(("value", "low", "high"), [(0.99, 0.0, 1.0), (-0.95, -1.0, 1.0), (99.5, 0.0, 100.0)])
def test_it_never_leaves_the_range_of_the_metric(value, low, high):
    found = interval(value, spread(value, (high - low) / 40), low, high)

    assert found is not None
    assert low <= found.low < value < found.high <= high


def test_without_an_upper_end_it_is_cut_at_the_lower_one_alone():
    found = interval(1.0, spread(1.0, 5.0), 0.0, np.inf)

    assert found is not None
    assert found.low == 0.0
    assert found.high > 5


def test_mostly_undefined_replicates_give_the_whole_range():
    replicates = spread(0.5, 0.1)
    replicates[:501] = np.nan

    assert interval(0.5, replicates) == Interval(0.0, 1.0)


def test_undefined_replicates_are_left_out():
    replicates = spread(0.5, 0.1)

    some = np.where(np.arange(1000) < 100, np.nan, replicates)

    assert interval(0.5, some) == interval(0.5, replicates[100:])


def labels(label_count: int, item_count: int) -> Comparison:
    random = np.random.default_rng(3)
    gold = random.integers(label_count, size=item_count)
    predicted = np.where(
        random.random(item_count) < 0.75, gold, random.integers(label_count, size=item_count)
    )
    output = Label(names=tuple(f"label {code}" for code in range(label_count)))
    return Comparison(output, gold.astype(np.uint8), predicted.astype(np.uint8))


def calibrated_f1(comparison: Comparison) -> tuple[float, np.ndarray, np.ndarray]:
    metric = metric_for(comparison.output, "f1_macro")
    weights = item_weights(b"f1", len(comparison.y_true))
    raw = replicate_scores(comparison, ["f1_macro"], weights)["f1_macro"]
    value = metric.value(comparison)
    assert isinstance(value, float)
    return value, raw, calibrated(comparison, metric, value, raw, Resamples(weights).further)


def test_replicates_stand_about_the_score_though_resamples_lack_rare_labels():
    value, raw, found = calibrated_f1(labels(77, 500))

    assert raw.mean() < value - 0.01
    assert found.mean() == pytest.approx(value, abs=0.002)


def test_rare_labels_make_a_score_less_sure_than_its_resamples_say():
    _, raw, found = calibrated_f1(labels(77, 150))

    assert found.std() > 1.1 * raw.std()


def test_where_no_label_is_rare_the_spread_is_that_of_the_resamples():
    _, raw, found = calibrated_f1(labels(3, 500))

    assert found.std() == pytest.approx(raw.std(), rel=0.01)


@pytest.mark.parametrize(
    ("positive", "wider"),
    [(20, 2.0930 / 1.95996 * (20 / 19) ** 0.5), (180, 2.0930 / 1.95996 * (20 / 19) ** 0.5), (100, 1.0175)],
)
@pytest.mark.parametrize("name", ["auroc", "average_precision"])
def test_a_curve_of_few_items_of_one_side_is_as_unsure_as_so_few(name: str, positive: int, wider: float):
    """Student's t with 19 degrees of freedom, and a variance of resamples that lacks one item in 20."""
    random = np.random.default_rng(5)
    gold = (np.arange(200) < positive).astype(np.uint8)
    share = 1 / (1 + np.exp(-random.normal(size=200) - gold))
    comparison = Comparison(
        Probabilities(("no", "yes"), positive="yes"), gold, as_rows(np.stack([1 - share, share], axis=1))
    )
    metric, weights = metric_for(comparison.output, name), item_weights(b"few", 200)
    raw = replicate_scores(comparison, [name], weights)[name]
    value = metric.value(comparison)
    assert isinstance(value, float)

    found = calibrated(comparison, metric, value, raw, np.zeros((2, len(raw))))  # without a further item

    assert found.std() / raw.std() == pytest.approx(wider, abs=1e-3)


def test_the_error_with_an_item_left_out_is_that_of_leaving_out_each():
    comparison = labels(30, 60)
    metric = metric_for(comparison.output, "f1_macro")
    left_out = one_by_one(metric, comparison, (1 - np.eye(60)).astype(np.uint8))
    jackknife = (59 / 60 * ((left_out - left_out.mean()) ** 2).sum()) ** 0.5

    value, raw, _ = calibrated_f1(comparison)
    found = calibrated(comparison, metric, value, raw, np.zeros((2, len(raw))))  # without a further item

    error = raw.std(ddof=1)
    assert found.std(ddof=1) == pytest.approx(((error**2 + jackknife**2) / 2) ** 0.5, rel=0.05)


def test_metrics_of_numbers_keep_their_spread():
    gold, predicted = np.random.default_rng(4).random((2, 30))
    comparison = Comparison(Number(0, 1), gold, predicted)
    resamples = Resamples(item_weights(b"p", 30))
    raw = replicate_scores(comparison, ["pearson"], resamples)["pearson"]

    found = calibrated(comparison, metric_for(comparison.output, "pearson"), 0.1, raw, resamples.further)

    assert found.std() == pytest.approx(raw.std())


# Few errors and rare labels


def two_labels(gold: list[int], predicted: list[int]) -> Comparison:
    arrays = (np.array(codes, dtype=np.uint8) for codes in (gold, predicted))
    return Comparison(Label(names=("common", "rare")), *arrays)


def interval_of(comparison: Comparison, metric: str) -> Interval:
    resamples = Resamples(item_weights(b"few", len(comparison.y_true)))
    raw = replicate_scores(comparison, [metric], resamples)[metric]
    known = metric_for(comparison.output, metric)
    value = known.value(comparison)
    assert isinstance(value, float)
    found = interval(
        value, calibrated(comparison, known, value, raw, resamples.further), known.low, known.high
    )
    assert found is not None
    assert found.low <= value <= found.high
    return found


@pytest.mark.parametrize(
    "metric", ["accuracy", "f1_macro", "f1_micro", "f1_rare", "recall_macro", "f1_weighted"]
)
@pytest.mark.parametrize(("rare", "items"), [(3, 30), (10, 60), (1, 10), (9, 449)])
def test_where_everything_is_right_or_wrong_there_is_an_interval_too(metric, rare, items):
    gold = [1] * rare + [0] * (items - rare)

    perfect = interval_of(two_labels(gold, gold), metric)
    hopeless = interval_of(two_labels(gold, [1 - code for code in gold]), metric)

    assert perfect.low < 1 == perfect.high
    assert hopeless.high > 0 == hopeless.low


def test_a_perfect_score_says_less_the_rarer_a_label_is():
    lows = [
        interval_of(two_labels(gold, gold), "f1_macro").low
        for gold in ([1] * rare + [0] * (100 - rare) for rare in (50, 10, 3))
    ]

    assert lows == sorted(lows, reverse=True)
    assert lows[0] > 0.95
    assert lows[-1] < 0.8


@pytest.mark.parametrize("taken", [3, 5, 7])
def test_a_label_that_no_item_has_may_be_found_on_other_items_however_often_it_is_answered(taken):
    answered = interval_of(two_labels([0] * 100, [1] * taken + [0] * (100 - taken)), "f1_macro")

    assert answered.high > 0.65  # of two labels the common one alone gives .5


def test_a_label_that_is_never_found_may_be_found_on_other_items():
    gold = [1] * 10 + [0] * 90

    assert interval_of(two_labels(gold, [0] * 100), "f1_rare").high > 0.2


def test_perfect_numbers_have_an_interval_too():
    gold = np.random.default_rng(1).random(100)
    comparison = Comparison(Number(0, 1), gold, gold)

    found = interval_of(comparison, "pearson")

    assert 0.8 < found.low < found.high == 1


@pytest.mark.parametrize(
    ("share", "items"), [(0.97, 30), (0.97, 100), (0.995, 30), (0.995, 100), (0.95, 60), (0.6, 20)]
)
def test_the_interval_of_a_share_holds_it_in_95_of_100_test_sets_whatever_it_is(share, items):
    from scipy.stats import binom

    held = [
        binom.pmf(right, items, share)
        for right in range(items + 1)
        if share_interval(right, items).low <= share <= share_interval(right, items).high
    ]

    assert sum(held) >= 0.95


def test_the_interval_of_a_share_lies_within_that_of_clopper_and_pearson():
    from scipy.stats import beta

    for right in range(1, 100):
        found = share_interval(right, 100)
        assert found.low >= beta.ppf(0.025, right, 101 - right) - 0.0006
        assert found.high <= beta.ppf(0.975, right + 1, 100 - right) + 0.0006


@pytest.mark.parametrize("items", [1, 2, 49, 50, 99, 100, 101, 5000])
def test_the_interval_of_a_share_of_more_right_items_is_nowhere_lower(items):
    ends = [share_interval(right, items) for right in range(0, items + 1, max(1, items // 100))]

    assert [one.low for one in ends] == sorted(one.low for one in ends)
    assert [one.high for one in ends] == sorted(one.high for one in ends)


@pytest.mark.parametrize("items", [1, 2, 49, 100, 449, 5000])
def test_how_likely_a_number_of_right_items_is_has_the_bits_that_quantiles_give(items):
    from scipy.special import bdtr
    from scipy.stats import beta, binom

    for right in {0, 1 % items, items // 3, max(0, items - 40), items - 1}:
        shares = np.linspace(beta.ppf(0.975, right + 1, items - right), right / items, 200, endpoint=False)
        below = bdtr(right, items, shares)
        above = 1 - bdtr(np.minimum(binom.ppf(1 - below, items, shares), items), items, shares)
        assert _likely(right, items, shares).tobytes() == (below + above).tobytes()


CELLS = [("f1_macro", 0.1, 30), ("f1_macro", 0.1, 60), ("f1_macro", 0.02, 449), ("f1_label 1", 0.2, 30)]


@pytest.mark.parametrize(("metric", "rare", "items"), CELLS)
def test_intervals_of_rare_labels_hold_their_word(metric, rare, items):
    draw = drawn_labels(2, accuracy=0.85, frequencies=(1 - rare, rare))

    covered = coverage(Line("few", metric, (draw,)), items, 150)

    assert covered.ours >= 0.91  # 93 of 100, less what 150 sets may be off
    assert covered.without == 0
    assert covered.width < 1.4 * covered.true_width


def test_where_little_of_a_rare_label_is_found_the_interval_holds_too():
    line = Line("finds few", "f1_macro", (drawn_two_labels(0.05, 0.3, 0.03),))

    assert coverage(line, 150, 300).ours >= 0.94  # 97 of 100; it was 90


def test_pairs_are_counted_in_every_resample():
    output = Label(names=("no", "yes"))
    ids = ["1_a", "2_a", "1_b", "3_a", "3_b", "2_b"]
    gold = np.array([0, 0, 0, 0, 0, 0], dtype=np.uint8)
    predicted = np.array([0, 0, 1, 1, 1, 0], dtype=np.uint8)  # broken, both right, none right
    clusters = pair_clusters(ids, "_")
    weights = item_weights(b"pairs", 6, 8, clusters)

    found = pair_replicates(output, clusters, gold, predicted, Resamples(weights))

    assert found["pairs_broken"].tolist() == weights[:, 0].tolist()
    assert found["pairs_both"].tolist() == weights[:, 1].tolist()
    assert found["pairs_none"].tolist() == weights[:, 3].tolist()
    assert found["pairs_broken_share"].tolist() == pytest.approx((weights[:, 0] / 3).tolist())


def test_items_without_a_partner_have_no_pairs():
    output = Label(names=("no", "yes"))
    codes = np.zeros(3, dtype=np.uint8)
    clusters = pair_clusters(["1_a", "1_b", "2_a"], "_")

    found = pair_replicates(output, clusters, codes, codes, Resamples(item_weights(b"", 3, 2, clusters)))

    assert found == {}


def test_an_end_just_below_zero_is_written_as_a_plain_zero():
    found = interval(0.2, np.array([0.2 - 0.0968, 0.2 + 0.0968] * 10), -1.0, 1.0)

    assert found is not None
    assert str(found.low) == "0.0"
