"""Dawid and Skene's model on crowds whose truth is known."""

from random import Random

import numpy as np
import pytest

from labelling.core.aggregation import AGGREGATION_RULES
from labelling.core.aggregation.dawid_skene import dawid_skene
from labelling.core.answers import Work
from tests.labelling.core.crowds import answered, erring_crowd

SHARES = np.array([0.6, 0.3, 0.1])


@pytest.fixture(scope="module")
def crowd() -> tuple[np.ndarray, np.ndarray, Work]:
    """600 items, 5 answers each, by 12 workers of whom 4 are good, 4 guess and 4 take class a for b and b for a."""
    rng = np.random.default_rng(1)
    truth = rng.choice(3, 600, p=SHARES)
    good = np.full((3, 3), 0.05) + 0.85 * np.eye(3)
    guess = np.full((3, 3), 1 / 3)
    swapped = good[[1, 0, 2]]
    rates = np.array([good] * 6 + [guess] * 3 + [swapped] * 3)
    return truth, rates, erring_crowd(truth, rates, 5, rng)


def accuracy(truth: np.ndarray, key: str, work: Work) -> float:
    values = AGGREGATION_RULES[key].settle(work, {}, Random(1))
    return float(np.mean([values[f"i{item:04}"] == "abc"[true] for item, true in enumerate(truth)]))


def test_it_is_right_more_often_than_majority_and_plurality(crowd):
    truth, _, work = crowd

    found = {key: accuracy(truth, key, work) for key in ("majority", "plurality", "dawid_skene")}

    assert found["dawid_skene"] > 0.9
    assert found["dawid_skene"] > found["plurality"] + 0.05
    assert found["plurality"] >= found["majority"]


def test_it_recovers_shares_and_error_rates(crowd):
    truth, rates, work = crowd

    fit = dawid_skene(work)

    assert fit.class_shares == pytest.approx(np.bincount(truth) / len(truth), abs=0.03)
    assert np.abs(fit.error_rates[:, :2] - rates[:, :2]).mean() < 0.04
    assert fit.error_rates.sum(axis=2) == pytest.approx(np.ones((12, 3)))


def test_the_order_of_answers_changes_not_one_bit(crowd):
    work = crowd[2]
    shuffled = Random(3).sample(work.answers, len(work.answers))

    fits = [dawid_skene(each) for each in (work, Work(work.options, work.items_of, shuffled))]

    assert (fits[0].posterior == fits[1].posterior).all()
    assert fits[0].log_likelihood == fits[1].log_likelihood


def test_each_round_makes_the_answers_no_less_likely(crowd):
    fit = dawid_skene(crowd[2])

    names = list(crowd[2].options)
    likely = np.log(fit.class_shares)[None] + np.zeros((600, 3))
    with np.errstate(divide="ignore"):
        rates = np.log(fit.error_rates)
    for answer in crowd[2].answers:
        likely[int(answer.unit[1:])] += rates[answer.worker, :, names.index(answer.value)]
    assert fit.log_likelihood == pytest.approx(np.logaddexp.reduce(likely, axis=1).sum())


def test_classes_that_nobody_chose_have_no_share():
    fit = dawid_skene(answered({"i": ["a", "a"], "j": ["b", "b"]}, "abc"))

    assert fit.class_shares.tolist() == [0.5, 0.5, 0.0]


def test_a_label_less_probable_than_asked_for_is_none():
    work = answered({"i": ["a", "b"]}, "ab")

    assert AGGREGATION_RULES["dawid_skene"].settle(work, {"probability": 0.9}, Random(1)) == {"i": None}
