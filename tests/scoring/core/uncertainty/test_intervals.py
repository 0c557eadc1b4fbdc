"""Intervals stay in range, widen with the spread of the replicates, and are silent where nothing can be said."""

import numpy as np
import pytest

from catalogue.answers import Label, Number
from catalogue.comparison import Comparison
from catalogue.metrics.choice import metric_for
from scoring.core.uncertainty.intervals import calibrated, interval
from scoring.core.uncertainty.pairs import pair_clusters, pair_replicates
from scoring.core.uncertainty.replicates import Resamples, one_by_one, replicate_scores
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


def test_replicates_that_do_not_differ_give_none():
    assert interval(1.0, np.ones(1000)) is None


def test_mostly_undefined_replicates_give_none():
    replicates = spread(0.5, 0.1)
    replicates[:501] = np.nan

    assert interval(0.5, replicates) is None


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
    return value, raw, calibrated(comparison, metric, value, raw)


def test_replicates_stand_about_the_score_though_resamples_lack_rare_labels():
    value, raw, found = calibrated_f1(labels(77, 500))

    assert raw.mean() < value - 0.01
    assert found.mean() == pytest.approx(value)


def test_rare_labels_make_a_score_less_sure_than_its_resamples_say():
    _, raw, found = calibrated_f1(labels(77, 150))

    assert found.std() > 1.1 * raw.std()


def test_where_no_label_is_rare_the_spread_is_that_of_the_resamples():
    _, raw, found = calibrated_f1(labels(3, 500))

    assert found.std() == pytest.approx(raw.std())


def test_the_error_with_an_item_left_out_is_that_of_leaving_out_each():
    comparison = labels(30, 60)
    metric = metric_for(comparison.output, "f1_macro")
    left_out = one_by_one(metric, comparison, (1 - np.eye(60)).astype(np.uint8))
    jackknife = (59 / 60 * ((left_out - left_out.mean()) ** 2).sum()) ** 0.5

    _, raw, found = calibrated_f1(comparison)

    error = raw.std(ddof=1)
    assert found.std(ddof=1) == pytest.approx(((error**2 + jackknife**2) / 2) ** 0.5)


def test_metrics_of_numbers_keep_their_spread():
    gold, predicted = np.random.default_rng(4).random((2, 30))
    comparison = Comparison(Number(0, 1), gold, predicted)
    raw = replicate_scores(comparison, ["pearson"], item_weights(b"p", 30))["pearson"]

    found = calibrated(comparison, metric_for(comparison.output, "pearson"), 0.1, raw)

    assert found.std() == pytest.approx(raw.std())


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
