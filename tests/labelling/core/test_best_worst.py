from itertools import combinations

import numpy as np
import pytest

from catalogue.metrics.metric import Undefined
from labelling.core.answers import GivenAnswer, Work
from labelling.core.best_worst import (
    BestWorstAnswers,
    Reliability,
    best_worst_answers,
    best_worst_scores,
    split_half_reliability,
)
from tests.labelling.core.crowds import best_worst_crowd


def answers(*rows: tuple[int, tuple[int, ...], int, int]) -> BestWorstAnswers:
    tuples, shown, best, worst = zip(*rows, strict=True)
    return BestWorstAnswers(np.array(tuples), np.array(shown), np.array(best), np.array(worst))


def judged_by(values: np.ndarray, annotators: int) -> BestWorstAnswers:
    """Every tuple of four items, answered by annotators who see the true values."""
    rows = [
        (number, shown, max(shown, key=lambda item: values[item]), min(shown, key=lambda item: values[item]))
        for number, shown in enumerate(combinations(range(len(values)), 4))
    ]
    return answers(*(row for row in rows for _ in range(annotators)))


def test_scores_equal_the_table_computed_by_hand():
    # Item 0 is shown 4 times: best 3, worst 0 → 3/4. Item 3: best 0, worst 3 → -3/4. Item 1: best 1 → 1/4.
    # Item 2: worst 1 of 2 → -1/2; items 4 and 5 never chosen → 0. Moved to 0..1: (score + 1) / 2.
    found = best_worst_scores(
        answers(
            (0, (0, 1, 2, 3), 0, 3),
            (0, (0, 1, 2, 3), 0, 2),
            (1, (0, 1, 4, 3), 0, 3),
            (2, (0, 1, 5, 3), 1, 3),
        ),
        item_count=6,
    )

    assert found == pytest.approx([7 / 8, 5 / 8, 1 / 4, 1 / 8, 1 / 2, 1 / 2])


def test_an_item_never_shown_is_named():
    with pytest.raises(ValueError, match="item 4 never is"):
        best_worst_scores(answers((0, (0, 1, 2, 3), 0, 3)), item_count=5)


@pytest.mark.parametrize(("best", "worst"), [(0, 0), (4, 0), (0, 4)])
def test_best_and_worst_must_be_two_items_of_the_tuple(best, worst):
    with pytest.raises(ValueError, match="two different items of the tuple"):
        answers((0, (0, 1, 2, 3), best, worst))


def test_a_tuple_that_shows_the_chosen_item_twice_is_refused():
    with pytest.raises(ValueError, match="shown once"):
        answers((0, (0, 0, 1, 2), 0, 2))


def test_annotators_who_always_agree_are_fully_reliable():
    values = np.arange(8.0)

    found = split_half_reliability(judged_by(values, annotators=4), 8, np.random.default_rng(1), rounds=5)

    assert isinstance(found, Reliability)
    assert (found.spearman, found.pearson) == pytest.approx((1.0, 1.0))


def test_annotators_who_guess_are_hardly_reliable():
    rng = np.random.default_rng(2)
    shown = np.repeat([rng.permutation(60)[:4] for _ in range(300)], 4, axis=0)
    chosen = np.array([rng.permutation(row)[:2] for row in shown])
    guesses = BestWorstAnswers(np.repeat(np.arange(300), 4), shown, chosen[:, 0], chosen[:, 1])

    found = split_half_reliability(guesses, 60, np.random.default_rng(3))

    assert isinstance(found, Reliability)
    assert abs(found.pearson) < 0.3
    assert abs(found.spearman) < 0.3


def test_reliability_of_the_same_seed_is_the_same():
    judged = judged_by(np.array([0.0, 1.0, 1.0, 2.0, 2.0, 3.0]), annotators=3)

    found = [split_half_reliability(judged, 6, np.random.default_rng(7), rounds=10) for _ in range(2)]

    assert found[0] == found[1]


def test_a_tuple_answered_once_cannot_be_split():
    with pytest.raises(ValueError, match="at least two answers"):
        split_half_reliability(answers((0, (0, 1, 2, 3), 0, 3)), 4, np.random.default_rng(1))


def test_halves_in_which_all_items_score_alike_have_no_reliability():
    # Each half holds one answer to either tuple, so best and worst choices cancel for every item in every half.
    rows = [(0, (0, 1, 2, 3), 0, 1)] * 2 + [(1, (0, 1, 2, 3), 1, 0)] * 2

    assert split_half_reliability(answers(*rows), 4, np.random.default_rng(1)) == Undefined("constant_scores")


def test_answers_of_a_campaign_are_read_whatever_their_order():
    given = [
        GivenAnswer("t1", 1, ("d", "a")),
        GivenAnswer("t0", 2, ("a", "c")),
        GivenAnswer("t0", 1, ("a", "b")),
    ]
    shown = {"t0": ("a", "b", "c", "d"), "t1": ("b", "a", "d", "e"), "t2": ("a", "b", "c", "f")}

    found = [best_worst_answers(Work((), shown, order)) for order in (given, given[::-1])]

    numbers, items = found[0]
    assert items == ("a", "b", "c", "d", "e") == found[1][1]  # f was shown to nobody yet
    assert best_worst_scores(numbers, 5) == pytest.approx([2 / 3, 1 / 3, 1 / 4, 2 / 3, 1 / 2])
    assert (numbers.shown == found[1][0].shown).all()


@pytest.mark.parametrize("value", ["a", ("a",), ("a", "x"), 3])
def test_an_answer_that_names_no_two_items_is_refused_with_its_worker(value):
    work = Work((), {"t": ("a", "b", "c", "d")}, [GivenAnswer("t", 7, value)])

    with pytest.raises(ValueError, match="worker 7 about t must name two items"):
        best_worst_answers(work)


def test_halves_of_a_crowd_agree_as_two_crowds_of_that_size_do():
    values = np.random.default_rng(1).random(400)
    whole, first, other = (
        best_worst_answers(best_worst_crowd(values, 0.3, per_tuple, np.random.default_rng(seed)))[0]
        for per_tuple, seed in ((4, 2), (2, 3), (2, 4))
    )

    found = split_half_reliability(whole, 400, np.random.default_rng(5), rounds=20)

    apart = np.corrcoef(best_worst_scores(first, 400), best_worst_scores(other, 400))[0, 1]
    assert isinstance(found, Reliability)
    assert 0.6 < apart < 0.95
    assert found.pearson == pytest.approx(apart, abs=0.03)


def test_scores_of_workers_who_err_a_little_keep_the_order_of_the_true_values():
    values = np.random.default_rng(1).random(200)

    answers, _ = best_worst_answers(best_worst_crowd(values, 0.1, 4, np.random.default_rng(2)))

    assert np.corrcoef(best_worst_scores(answers, 200), values)[0, 1] > 0.95
