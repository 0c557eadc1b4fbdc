"""The worst group of a column, the gap to the best and the mean of all, held against scikit-learn group by group."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import kendalltau, pearsonr
from sklearn.metrics import accuracy_score, f1_score, mean_absolute_error

from catalogue.answers import AnswerKind, Label, Number
from catalogue.comparison import Comparison
from catalogue.item_groups import ItemGroups
from catalogue.metrics.choice import UnknownMetricError, metric_for, metrics_for
from catalogue.metrics.metric import Undefined
from scoring.core.uncertainty.exchange import exchanged
from scoring.core.uncertainty.paired import approximate_randomisation
from scoring.core.uncertainty.replicates import Resamples, replicate_scores, replicate_scores_together
from scoring.core.uncertainty.single_system import intervals_of
from scoring.core.uncertainty.weights import item_weights
from tests.catalogue.answer_facts import CASES, EACH_KIND
from tests.catalogue.metrics.oracles import ORACLES, Case

LABELS = Label(names=("no", "yes", "unsure"), groups=("language",))
NUMBERS = Number(low=0, high=5, groups=("language",))
LANGUAGES = ["de", "en", "en", "fr", "fr", "fr", ""]
F1 = partial(f1_score, average="macro")
OF_LIBRARIES = [
    (LABELS, "f1_macro", F1, min),
    (LABELS, "accuracy", accuracy_score, min),
    (NUMBERS, "mae", mean_absolute_error, max),
]
EACH_ORACLE = pytest.mark.parametrize(("kind", "name", "oracle", "worst"), OF_LIBRARIES)


def answered(kind: AnswerKind, count: int = 70, seed: int = 1, right: float = 0.5) -> Comparison:
    random = np.random.default_rng(seed)
    gold, guesses = kind.examples(count, np.random.default_rng(0)), kind.examples(count, random)
    answers = np.where(random.random(count) < right, gold, guesses)
    return Comparison(
        kind, gold, answers, groups={"language": ItemGroups.of_cells((LANGUAGES * count)[:count])}
    )


def value(comparison: Comparison, name: str) -> float | Undefined:
    return metric_for(comparison.output, name).value(comparison)


@pytest.mark.parametrize("kind", [LABELS, NUMBERS])
def test_one_group_is_measured_by_its_items_alone(kind):
    compared = answered(kind)
    (plain, *_) = [name for name, of in (("f1_macro", LABELS), ("mae", NUMBERS)) if of is kind]
    items = np.flatnonzero(np.array(compared.groups["language"].cells()) == "fr")
    alone = Comparison(kind, compared.y_true[items], compared.y_pred[items])
    weights = item_weights(b"french", len(compared.y_true), 50)
    name = f"in_group[{plain},language,fr]"

    found = replicate_scores(compared, [name], weights)[name]

    assert value(compared, name) == value(alone, plain)
    assert found.tolist() == replicate_scores(alone, [plain], weights[:, items])[plain].tolist()
    other = answered(kind, seed=2)
    both = approximate_randomisation(compared, other, name, rng=np.random.default_rng(1), draws=20)
    assert both is not None
    assert 0 < both <= 1


def test_a_group_without_items_has_no_value_and_no_interval():
    compared, name = answered(LABELS), "in_group[f1_macro,language,xx]"
    weights = item_weights(b"nobody", len(compared.y_true), 5)

    assert value(compared, name) == Undefined("no_item_in_group")
    assert np.isnan(replicate_scores(compared, [name], weights)[name]).all()
    assert intervals_of(compared, {}, b"nobody") == {}


@pytest.mark.parametrize(
    "name", ["in_group[f1_macro,language]", "in_group[f1_macro,region,fr]", "in_group[x,language,fr]"]
)
def test_a_group_is_asked_of_a_metric_a_column_and_its_name(name):
    with pytest.raises(UnknownMetricError, match=r"in_group\[<metric>,language,<group>\]"):
        metric_for(LABELS, name)


def by_language(comparison: Comparison, oracle: Callable[..., float], drawn: Any = None) -> list[float]:
    """What the oracle says of the items of each language, each as often as it is drawn."""
    said = np.array(comparison.groups["language"].cells())
    often = np.ones(len(said), dtype=int) if drawn is None else drawn
    items = (np.repeat(np.arange(len(said)), often * (said == name)) for name in ("de", "en", "fr"))
    return [oracle(comparison.y_true[chosen], comparison.y_pred[chosen]) for chosen in items if len(chosen)]


@EACH_ORACLE
def test_worst_gap_and_mean_are_those_of_the_groups(kind, name, oracle, worst):
    comparison = answered(kind)

    of_groups = by_language(comparison, oracle)

    assert value(comparison, f"worst[{name},language]") == pytest.approx(worst(of_groups), abs=1e-12)
    assert value(comparison, f"gap[{name},language]") == pytest.approx(
        max(of_groups) - min(of_groups), abs=1e-12
    )
    assert value(comparison, f"mean_over[{name},language]") == pytest.approx(sum(of_groups) / 3, abs=1e-12)


@EACH_ORACLE
def test_resamples_are_of_the_items_that_each_group_has_in_them(kind, name, oracle, worst):
    comparison, weights = answered(kind), item_weights(b"groups", 70, 12)

    names = [f"{stem}[{name},language]" for stem in ("worst", "gap", "mean_over")]
    found = replicate_scores(comparison, names, weights)

    each = [by_language(comparison, oracle, drawn) for drawn in weights]
    assert found[f"worst[{name},language]"] == pytest.approx([worst(values) for values in each], abs=1e-9)
    assert found[f"gap[{name},language]"] == pytest.approx(
        [max(values) - min(values) for values in each], abs=1e-9
    )
    assert found[f"mean_over[{name},language]"] == pytest.approx([*map(np.mean, each)], abs=1e-9)


@EACH_KIND
@settings(max_examples=2)
@given(data=st.data())
def test_every_metric_has_a_worst_group_and_a_mean(kind, data):
    case = data.draw(CASES[kind])
    cells = data.draw(
        st.lists(st.sampled_from(["a", "b"]), min_size=len(case.y_true), max_size=len(case.y_true))
    )
    output = replace(case.output, groups=("language",))
    comparison = Comparison(output, case.y_true, case.y_pred, groups={"language": ItemGroups.of_cells(cells)})
    groups = [np.flatnonzero(np.array(cells) == name) for name in sorted(set(cells))]
    for metric in metrics_for(type(output)):
        if metric.labels or metric.lacking(output):
            continue
        said = [
            ORACLES[kind][metric.name](Case(case.output, case.y_true[at], case.y_pred[at])) for at in groups
        ]

        found = value(comparison, f"worst[{metric.name},language]")

        mean = metric_for(output, f"mean_over[{metric.name},language]")
        assert (mean.low, mean.high, mean.higher_is_better) == (
            metric.low,
            metric.high,
            metric.higher_is_better,
        )
        if len(said) < 2 or None in said:
            assert isinstance(found, Undefined)
            assert isinstance(mean.value(comparison), Undefined)
        else:
            known = [number for number in said if number is not None]
            wanted = min(known) if metric.higher_is_better else max(known)
            assert found == pytest.approx(wanted, abs=1e-9), metric.name
            assert mean.value(comparison) == pytest.approx(np.mean(known), abs=1e-9), metric.name


def test_a_group_that_a_resample_lacks_is_left_out_of_it():
    comparison = answered(LABELS, 7)
    weights = np.array([[0, 1, 1, 1, 1, 1, 1], [0, 0, 0, 1, 1, 1, 1], [1, 1, 1, 1, 1, 1, 1]], dtype=np.uint8)
    name = "worst[accuracy,language]"

    without_german, french_alone, all_of_them = replicate_scores(comparison, [name], weights)[name]
    means = replicate_scores(comparison, ["mean_over[accuracy,language]"], weights)[
        "mean_over[accuracy,language]"
    ]

    assert means[0] == pytest.approx(np.mean(by_language(comparison, accuracy_score, weights[0])))
    assert np.isnan(means[1])
    assert without_german == min(by_language(comparison, accuracy_score, weights[0]))
    assert np.isnan(french_alone)  # one group is no worst
    assert all_of_them == value(comparison, name)


def test_items_of_no_group_count_for_none():
    comparison = answered(LABELS, 7)
    answers = comparison.y_pred.copy()
    answers[6] = (answers[6] + 1) % 3
    other = Comparison(LABELS, comparison.y_true, answers, groups=comparison.groups)

    assert value(other, "worst[accuracy,language]") == value(comparison, "worst[accuracy,language]")
    assert value(other, "accuracy") != value(comparison, "accuracy")


def test_systems_together_have_the_bits_of_each_alone():
    systems = [answered(LABELS, seed=seed) for seed in (1, 2, 3)]
    names = ["worst[f1_macro,language]", "gap[mean[f1_macro,kappa],language]", "mean_over[f1_macro,language]"]
    weights = item_weights(b"together", 70, 30)

    together = replicate_scores_together(systems, names, Resamples(weights))

    for place, system in enumerate(systems):
        for name, alone in replicate_scores(system, names, weights).items():
            assert together[name][place].tobytes() == alone.tobytes()


def test_answers_are_exchanged_item_by_item_in_every_group():
    cells, gold = ["a", "a", "b", "b"], np.zeros(4, dtype=np.uint8)
    groups = {"language": ItemGroups.of_cells(cells)}
    answers = np.array([[0, 0, 0, 1], [1, 0, 1, 1]], dtype=np.uint8)
    first, second = (Comparison(LABELS, gold, own, groups=groups) for own in answers)

    drawn = exchanged(first, second, "worst[accuracy,language]", rng=np.random.default_rng(1), draws=200)

    possible = set()
    for swapped in product([False, True], repeat=4):
        own, other = (np.where(swapped, answers[1 - side], answers[side]) == 0 for side in (0, 1))
        sides = [min(right[:2].mean(), right[2:].mean()) for right in (own, other)]
        possible.add(sides[0] - sides[1])
    assert set(drawn.tolist()) == possible


def test_who_is_far_ahead_in_the_worst_group_is_found_to_be():
    good, bad = answered(LABELS, 210, right=0.95), answered(LABELS, 210, seed=2, right=0.2)
    p = approximate_randomisation(
        good, bad, "worst[f1_macro,language]", rng=np.random.default_rng(1), draws=200
    )

    assert p is not None
    assert p < 0.01


@pytest.mark.parametrize("right", [0.5, 1.0])
def test_scores_of_groups_have_intervals_that_hold_them(right):
    comparison = answered(LABELS, 210, right=right)
    names = [f"{stem}[accuracy,language]" for stem in ("worst", "gap", "mean_over")] + ["accuracy"]
    values = {name: found for name in names if isinstance(found := value(comparison, name), float)}

    ends = intervals_of(comparison, values, b"seed")

    assert all(ends[name].low <= values[name] <= ends[name].high for name in names)
    widths = {name: ends[name].high - ends[name].low for name in names}
    # The smallest group has a seventh of the items.
    assert widths["worst[accuracy,language]"] > 1.5 * widths["accuracy"]
    assert widths["gap[accuracy,language]"] > 0


def test_without_groups_there_is_no_value():
    comparison = answered(LABELS)
    ungrouped = Comparison(LABELS, comparison.y_true, comparison.y_pred)
    one = Comparison(
        LABELS, comparison.y_true, comparison.y_pred, groups={"language": ItemGroups.of_cells(["de"] * 70)}
    )
    rare = Comparison(
        LABELS,
        comparison.y_true,
        comparison.y_true,
        groups={"language": ItemGroups.of_cells(["de", "fr"] * 35)},
    )

    codes = [value(ungrouped, "worst[accuracy,language]"), value(one, "gap[accuracy,language]")]

    assert codes == [Undefined("no_groups"), Undefined("fewer_than_two_groups")]
    assert value(rare, "gap[accuracy,language]") == 0


def test_a_group_in_which_the_metric_has_no_value_leaves_the_worst_without_one():
    gold = np.array([0, 1, 0, 0], dtype=np.uint8)
    groups = {"language": ItemGroups.of_cells(["a", "a", "b", "b"])}

    found = value(Comparison(LABELS, gold, gold, groups=groups), "worst[f1_yes,language]")

    assert found == Undefined("undefined_in_a_group")


def rated_segments(seed: int = 1) -> Comparison:
    """Four segments of eight ratings: gold labels of `a` are all the same, and answers of `b` are."""
    random = np.random.default_rng(seed)
    gold = np.random.default_rng(0).integers(0, 6, 32).astype(np.float64)
    answers = np.where(random.random(32) < 0.5, gold, random.integers(0, 6, 32)).astype(np.float64)
    gold[:8], answers[8:16] = 3, 2
    kind = Number(low=0, high=5, groups=("segment",))
    cells = [name for name in "abcd" for _ in range(8)]
    return Comparison(kind, gold, answers, groups={"segment": ItemGroups.of_cells(cells)})


RATED = [("pearson", lambda gold, found: pearsonr(gold, found).statistic)]
RATED += [("kendall_tau_b", lambda gold, found: kendalltau(gold, found).statistic)]


def of_segments(comparison: Comparison, oracle: Callable[..., float], drawn: Any = 1) -> list[float]:
    """What the oracle says of each segment that is drawn; NaN where it says nothing, or warns."""
    often = np.broadcast_to(drawn, 32).reshape(4, 8)
    pairs = zip(comparison.y_true.reshape(4, 8), comparison.y_pred.reshape(4, 8), often, strict=True)
    both = [(np.repeat(gold, count), np.repeat(found, count)) for gold, found, count in pairs if count.any()]
    return [oracle(*pair) if all(np.ptp(side) > 0 for side in pair) else np.nan for pair in both]


@pytest.mark.parametrize(("name", "oracle"), RATED)
def test_groups_in_which_a_correlation_has_no_value_are_left_out_or_count_0(name, oracle):
    """As mt-metrics-eval averages correlations item by item; where only the answers are all the same they count 0."""
    comparison = rated_segments()
    said = of_segments(comparison, oracle)
    assert np.isnan(said).tolist() == [True, True, False, False]

    assert value(comparison, f"mean_over[{name},segment]") == Undefined("undefined_in_a_group")
    assert value(comparison, f"mean_over_defined[{name},segment]") == pytest.approx(
        sum(said[2:]) / 3, abs=1e-12
    )
    assert value(comparison, f"mean_over_undefined_as_0[{name},segment]") == pytest.approx(
        sum(said[2:]) / 4, abs=1e-12
    )


@pytest.mark.parametrize(("name", "oracle"), RATED)
def test_such_groups_are_left_out_or_count_0_in_every_resample(name, oracle):
    comparison, weights = rated_segments(), item_weights(b"segments", 32, 30)
    names = [f"mean_over_defined[{name},segment]", f"mean_over_undefined_as_0[{name},segment]"]

    defined, as_0 = replicate_scores(comparison, names, weights).values()

    each = [of_segments(comparison, oracle, drawn) for drawn in weights]
    assert as_0 == pytest.approx([np.nan_to_num(values).mean() for values in each], abs=1e-9)
    of_gold = [np.nanmean([0, *values[2:]]) for values in each]
    assert defined == pytest.approx(of_gold, abs=1e-9)


def test_two_systems_are_compared_over_the_groups_that_gold_labels_allow():
    good, bad = rated_segments(), rated_segments(seed=2)
    bad = Comparison(bad.output, bad.y_true, 5 - bad.y_true, groups=bad.groups)
    name = "mean_over_defined[kendall_tau_b,segment]"
    found = value(good, name)
    assert isinstance(found, float)

    p = approximate_randomisation(good, bad, name, rng=np.random.default_rng(1), draws=200)
    ends = intervals_of(good, {name: found}, b"seed")[name]

    assert p is not None
    assert p < 0.05
    assert ends.low < found < ends.high


def test_no_system_gains_by_leaving_a_group_without_a_value():
    comparison = rated_segments()
    fewer = comparison.y_pred.copy()
    said = of_segments(comparison, RATED[1][1])
    worst = 2 + int(np.argmin(said[2:]))
    assert said[worst] > 0
    fewer[8 * worst : 8 * worst + 8] = 1
    hidden = Comparison(comparison.output, comparison.y_true, fewer, groups=comparison.groups)

    name = "mean_over_defined[kendall_tau_b,segment]"

    before, after = value(comparison, name), value(hidden, name)
    assert isinstance(before, float)
    assert isinstance(after, float)
    assert after < before


def test_one_group_alone_that_gold_labels_allow_has_no_mean():
    comparison = rated_segments()
    gold = np.where(np.arange(32) < 24, 3.0, comparison.y_true)
    left = Comparison(comparison.output, gold, comparison.y_pred, groups=comparison.groups)

    assert value(left, "mean_over_defined[pearson,segment]") == Undefined("fewer_than_two_groups")


@pytest.mark.parametrize("stem", ["mean_over_defined", "mean_over_undefined_as_0"])
def test_of_errors_no_group_counts_as_perfect(stem):
    with pytest.raises(UnknownMetricError):
        metric_for(NUMBERS, f"{stem}[mae,language]")


@pytest.mark.parametrize(
    "name",
    [
        "worst[accuracy,year]",
        "worst[pearson,language]",
        "worst[worst[accuracy,language],language]",
        "mean_over[accuracy]",
        "worst[language]",
    ],
)
def test_what_is_no_metric_in_groups_is_refused_with_what_is(name):
    with pytest.raises(UnknownMetricError, match=r"worst\[<metric>,language\], gap\[<metric>,language\]"):
        metric_for(LABELS, name)
