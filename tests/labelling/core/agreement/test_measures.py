"""Kappa and alpha of tables in textbooks, and of crowds that agree as far as they were made to."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from catalogue.metrics.metric import Undefined
from labelling.core.agreement import (
    AnswerScale,
    cohen_of_two,
    krippendorff_alpha,
    report_agreement,
    work_about,
)
from labelling.core.agreement.report import NO_PAIRS, ONE_CATEGORY, UNEQUAL
from labelling.core.answers import GivenAnswer, Work
from tests.labelling.core.crowds import answered, erring_crowd

# Ten items, five categories, fourteen raters: the usual example of Fleiss' kappa.
FOURTEEN = (
    (0, 0, 0, 0, 14), (0, 2, 6, 4, 2), (0, 0, 3, 5, 6), (0, 3, 9, 2, 0), (2, 2, 8, 1, 1),
    (7, 7, 0, 0, 0), (3, 2, 6, 3, 0), (2, 5, 3, 2, 2), (6, 5, 2, 1, 0), (0, 2, 2, 3, 7),
)  # fmt: skip
# Three coders and fifteen units with answers missing: the usual example of Krippendorff's alpha.
THREE = (
    ["*", "*", "*", "*", "*", "3", "4", "1", "2", "1", "1", "3", "3", "*", "3"],
    ["1", "*", "2", "1", "3", "3", "4", "3", "*", "*", "*", "*", "*", "*", "*"],
    ["*", "*", "2", "1", "3", "4", "4", "*", "2", "1", "1", "3", "3", "*", "4"],
)


def three_coders() -> tuple[list[str], list[int]]:
    given = [(f"u{n:02}", int(value)) for coder in THREE for n, value in enumerate(coder) if value != "*"]
    return [item for item, _ in given], [value for _, value in given]


@pytest.mark.parametrize(
    ("scale", "alpha"),
    [(AnswerScale.NOMINAL, 0.6914), (AnswerScale.ORDINAL, 0.8067), (AnswerScale.INTERVAL, 0.8108)],
)
def test_alpha_of_three_coders_with_gaps(scale, alpha):
    assert krippendorff_alpha(*three_coders(), scale) == pytest.approx(alpha, abs=5e-5)


@pytest.mark.parametrize("scale", AnswerScale)
def test_alpha_of_a_single_class_and_of_no_pairs_is_undefined(scale):
    assert krippendorff_alpha(["i", "i", "j", "j"], [2, 2, 2, 2], scale) == Undefined("one_category")
    assert krippendorff_alpha(["i", "j"], [1, 2], scale) == Undefined("one_category")


@given(
    st.lists(st.tuples(st.integers(0, 5), st.integers(0, 3)), min_size=2, max_size=40),
    st.sampled_from(AnswerScale),
)
def test_alpha_is_one_less_the_disagreement_within_over_that_of_all_pairs(answers, scale):
    found = krippendorff_alpha([f"i{item}" for item, _ in answers], [value for _, value in answers], scale)

    by_item = [[v for i, v in answers if i == item] for item in range(6)]
    units = [values for values in by_item if len(values) > 1]
    values = [value for unit in units for value in unit]
    total = [values.count(value) for value in range(4)]

    def distance(a: int, b: int) -> float:
        low, high = sorted((a, b))
        if scale is AnswerScale.ORDINAL:
            return (sum(total[low : high + 1]) - (total[low] + total[high]) / 2) ** 2
        return float((a - b) ** 2) if scale is AnswerScale.INTERVAL else float(a != b)

    within = sum(distance(a, b) / (len(unit) - 1) for unit in units for a in unit for b in unit)
    between = sum(distance(a, b) for a in values for b in values)
    if not between:
        assert found == Undefined("one_category")
    else:
        assert found == pytest.approx(1 - within * (len(values) - 1) / between, abs=1e-9)


def test_fleiss_of_fourteen_raters():
    work = answered(
        {f"i{n}": [label for label, count in zip("abcde", row, strict=True) for _ in range(count)]
         for n, row in enumerate(FOURTEEN)},
        options="abcde",
    )  # fmt: skip

    overall = report_agreement(work).overall

    assert overall.fleiss.value == pytest.approx(0.20993, abs=5e-6)
    assert overall.fleiss.interval is not None
    assert overall.fleiss.interval.low < 0.1
    assert (overall.items, overall.answers) == (10, 140)


def two_annotators() -> Work:
    """Both yes 20, only the first 5, only the second 10, both no 15."""
    answers = [[True, True]] * 20 + [[True, False]] * 5 + [[False, True]] * 10 + [[False, False]] * 15
    return answered({f"i{number:02}": pair for number, pair in enumerate(answers)})


def test_cohen_of_two_workers_and_of_one_group_of_items():
    work = two_annotators()

    kappa = cohen_of_two(work, 0, 1)

    assert kappa.value == pytest.approx(0.4)
    assert kappa.interval is not None
    assert 0.1 < kappa.interval.low < 0.4 < kappa.interval.high < 0.65
    agreed = work_about(work, {f"i{number:02}" for number in (*range(20), *range(35, 50))})
    assert cohen_of_two(agreed, 0, 1).value == 1.0
    assert cohen_of_two(work_about(work, {"i00", "i01"}), 0, 1).because == ONE_CATEGORY
    assert cohen_of_two(work, 0, 7).because == NO_PAIRS


def test_where_items_have_different_numbers_of_answers_alpha_stands_in_for_fleiss():
    overall = report_agreement(answered({"i": ["a", "a", "b"], "j": ["b", "b"], "k": ["a"]}, "ab")).overall

    assert (overall.fleiss.value, overall.fleiss.because) == (None, UNEQUAL)
    assert overall.alpha.value == pytest.approx(1 - (1 * 4) / (2 * 3))
    assert overall.pairs.value == pytest.approx(2 / 4)
    assert (overall.items, overall.answers) == (2, 5)


@pytest.mark.parametrize("known", [0.9, 0.6])
def test_a_crowd_agrees_as_far_as_its_workers_know(known):
    """Who knows with chance k and else guesses agrees with another by k * k beyond chance."""
    rng = np.random.default_rng(7)
    rates = np.array([known * np.eye(4) + (1 - known) / 4] * 30)
    work = erring_crowd(rng.integers(4, size=1_500), rates, 5, rng)

    overall = report_agreement(work).overall

    for figure in (overall.fleiss, overall.alpha):
        assert figure.value == pytest.approx(known**2, abs=0.03)
        assert figure.interval is not None
        assert figure.interval.low < known**2 < figure.interval.high
        assert figure.interval.high - figure.interval.low < 0.06
    assert overall.pairs.value == pytest.approx(known**2 + (1 - known**2) / 4, abs=0.03)


def test_intervals_hold_the_planted_kappa_in_about_95_of_100_crowds():
    rng = np.random.default_rng(6)
    rates = np.array([0.7 * np.eye(2) + 0.15] * 5)

    inside = 0
    for _ in range(50):
        work = erring_crowd(rng.integers(2, size=100), rates, 5, rng)
        found = report_agreement(work, replicates=200).overall.fleiss.interval
        assert found is not None
        inside += found.low <= 0.49 <= found.high
    assert inside >= 43


def test_figures_of_the_same_seed_are_the_same_and_no_order_matters():
    work = two_annotators()
    other = Work((), work.items_of, list(reversed(work.answers)))

    assert report_agreement(work) == report_agreement(other)
    assert report_agreement(work, seed=b"other").overall != report_agreement(work).overall


def test_ordered_classes_count_how_many_lie_between_and_numbers_how_far_apart_they_are():
    near = answered({f"i{n}": [n % 4, (n + 1) % 4 if n % 4 < 3 else 2] for n in range(40)}, "0123")

    names, classes = (
        report_agreement(near, scale).overall.alpha.value or 0 for scale in (AnswerScale.NOMINAL, None)
    )
    assert (
        report_agreement(near).overall.alpha.value
        == report_agreement(near, AnswerScale.ORDINAL).overall.alpha.value
    )
    assert classes > 0.3 > 0 > names
    numbers = answered({f"i{n}": [float(n), n + 0.5] for n in range(10)})
    assert (report_agreement(numbers).overall.alpha.value or 0) > 0.95
    assert report_agreement(numbers).overall.pairs.value is None


def test_each_class_stands_against_all_others():
    found = report_agreement(answered({"i": ["a", "a"], "j": ["b", "c"], "k": ["c", "b"]}, "abcd")).classes

    assert list(found) == ["a", "b", "c", "d"]
    assert found["a"].pairs.value == found["a"].fleiss.value == 1.0
    assert found["b"].pairs.value == pytest.approx(1 / 3)
    assert (found["d"].fleiss.value, found["d"].fleiss.because) == (None, ONE_CATEGORY)


def test_of_several_labels_each_is_compared_and_means_are_over_those_asked_for():
    work = answered(
        {"i": [("joy",), ("joy", "love")], "j": [("fear",), ()], "k": [("joy",), ("joy",)]},
        options=("joy", "love", "fear"),
    )

    found = report_agreement(work, means={"two": ("joy", "fear")})

    pairs = {name: each.pairs.value for name, each in found.classes.items()}
    assert pairs == {"joy": 1.0, "love": pytest.approx(2 / 3), "fear": pytest.approx(2 / 3)}
    assert found.overall.pairs.value == pytest.approx(7 / 9)
    assert found.means["two"].pairs.value == pytest.approx(5 / 6)


def test_best_and_worst_are_compared_apart():
    given = [GivenAnswer("t", 1, ("a", "d")), GivenAnswer("t", 2, ("a", "c"))]

    found = report_agreement(Work((), {"t": ("a", "b", "c", "d")}, given)).classes

    assert (found["best"].pairs.value, found["worst"].pairs.value) == (1.0, 0.0)


def test_no_answers_have_no_agreement():
    overall = report_agreement(Work(("a", "b"), {"i": ("i",)}, [])).overall

    assert (overall.items, overall.pairs.value, overall.alpha.because) == (0, None, NO_PAIRS)
