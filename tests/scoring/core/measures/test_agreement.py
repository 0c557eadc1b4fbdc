import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score

from catalogue.metrics.metric import Undefined
from scoring.core.measures.agreement import agreeing_pairs, cohen_kappa, fleiss_kappa


def test_fleiss_kappa_equals_the_table_computed_by_hand():
    # 3 annotators, 4 items: AAA, AAB, ABB, BBB. Agreeing pairs 3, 1, 1, 3 of 3 each: 8 / 12.
    # A and B are chosen 6 times each, so chance agrees in 1/2: (2/3 - 1/2) / (1/2).
    counts = np.array([[3, 0], [2, 1], [1, 2], [0, 3]])

    assert agreeing_pairs(counts) == pytest.approx(2 / 3)
    assert fleiss_kappa(counts) == pytest.approx(1 / 3)


def test_fleiss_kappa_of_full_agreement_on_several_categories_is_one():
    assert fleiss_kappa(np.array([[2, 0], [0, 2]])) == pytest.approx(1.0)


def test_fleiss_kappa_of_a_single_category_is_undefined():
    assert fleiss_kappa(np.array([[3, 0], [3, 0]])) == Undefined("one_category")


def test_fleiss_kappa_needs_the_same_number_of_annotators_everywhere():
    with pytest.raises(ValueError, match="found 2 to 3"):
        fleiss_kappa(np.array([[3, 0], [1, 1]]))


def test_agreeing_pairs_take_items_with_different_numbers_of_annotators():
    # 7 annotators, 5 against 2: 10 + 1 of 21 pairs agree; 2 annotators who differ: 0 of 1.
    assert agreeing_pairs(np.array([[5, 2], [1, 1]])) == pytest.approx(11 / 22)


def test_agreement_needs_two_annotators_per_item():
    with pytest.raises(ValueError, match="at least two annotators"):
        agreeing_pairs(np.array([[1, 0]]))


def test_cohen_kappa_equals_the_table_computed_by_hand():
    # 50 items: both yes 20, only the first 5, only the second 10, both no 15. Agreement 0.7, by chance 0.5.
    first = np.array([1] * 25 + [0] * 25)
    second = np.array([1] * 20 + [0] * 5 + [1] * 10 + [0] * 15)

    assert cohen_kappa(first, second) == pytest.approx(0.4)


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=1, max_size=30))
def test_cohen_kappa_equals_scikit_learn_or_is_undefined_for_one_category(pairs):
    first, second = (np.array(side) for side in zip(*pairs, strict=True))

    found = cohen_kappa(first, second)

    if len({*first.tolist(), *second.tolist()}) == 1:
        assert found == Undefined("one_category")
    else:
        assert found == pytest.approx(cohen_kappa_score(first, second), abs=1e-12)


def test_cohen_kappa_needs_answers_to_the_same_items():
    with pytest.raises(ValueError, match="found 2 and 1"):
        cohen_kappa(np.array([0, 1]), np.array([0]))
