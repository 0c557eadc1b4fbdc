"""The share of correctly transformed samples (c_a)."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score

from catalogue.metrics.metric import Undefined
from scoring.core.measures.correctness import (
    flesch_kincaid_grade,
    share_by_annotators,
    share_by_readability,
)


def test_the_grade_follows_its_formula():
    # 6 words in 2 sentences, each word of one syllable: 0.39 * 3 + 11.8 * 1 - 15.59
    assert flesch_kincaid_grade("The cat sat. The dog ran.") == pytest.approx(-2.62)


def test_a_text_without_words_has_a_grade_too():
    assert flesch_kincaid_grade("?!") == 0


def test_a_text_that_needs_a_higher_grade_is_incorrect():
    grades = {"a": 3.0, "harder": 3.1, "easier": 2.9, "equal": 3.0}
    texts = [("a", "harder"), ("a", "easier"), ("a", "equal"), ("a", "a")]
    share = share_by_readability(texts, grade=grades.__getitem__)
    assert (share.share, share.sample_count, share.kappa) == (0.75, 4, None)


def test_blank_texts_are_not_counted():
    assert share_by_readability([("", ""), ("The cat sat.", "The cat sat.")]).sample_count == 1


def test_readability_of_nothing_is_refused():
    with pytest.raises(ValueError, match="at least one text"):
        share_by_readability([(" ", " ")])


def test_more_syllables_need_a_higher_grade():
    assert share_by_readability([("The cat sat.", "The extraordinary cat sat.")]).share == 0


def test_the_annotators_share_is_the_mean_of_both():
    first, second = np.array([True, True, False, False]), np.array([True, False, False, False])
    made = share_by_annotators(first, second)
    assert (made.share, made.sample_count) == (3 / 8, 4)
    assert made.kappa == 0.5  # 3 of 4 agree; by chance 1/2 * 1/4 + 1/2 * 3/4 = 1/2


def test_kappa_is_undefined_where_all_is_yes():
    yes = np.array([True, True])
    made = share_by_annotators(yes, yes)
    assert (made.share, made.kappa) == (1, Undefined("one_category"))


@given(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=2, max_size=50))
def test_kappa_is_scikit_learns(answers):
    first, second = (np.array(each) for each in zip(*answers, strict=True))
    made = share_by_annotators(first, second)
    if isinstance(made.kappa, Undefined):
        assert len({*first, *second}) == 1
    else:
        assert made.kappa == pytest.approx(cohen_kappa_score(first, second), abs=1e-12)
