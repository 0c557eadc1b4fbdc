from random import Random

import pytest

from scoring.core.measures.human import human_estimate


def test_estimate_of_unanimous_answers_does_not_depend_on_how_they_are_dealt():
    # "a" for two items whose gold is a, "a" for one whose gold is b: precision of a 2/3, recall 1, F1 4/5; of b 0.
    found = human_estimate([["a"] * 5, ["a"] * 5, ["a"] * 5], ["a", "a", "b"], ["a", "b"])

    assert found.per_label["a"].precision == pytest.approx(2 / 3)
    assert found.per_label["a"].recall == pytest.approx(1.0)
    assert found.per_label["a"].f1 == pytest.approx(4 / 5)
    assert found.per_label["b"].f1 == 0.0
    assert found.macro.f1 == pytest.approx(2 / 5)


def test_recall_is_the_share_of_right_answers_for_every_seed():
    responses = [list("aaaab"), list("aaabb"), list("bbbba")]

    for seed in range(5):
        found = human_estimate(responses, ["a", "a", "b"], ["a", "b"], seeds=[seed])
        assert found.per_label["a"].recall == pytest.approx(7 / 10)
        assert found.per_label["b"].recall == pytest.approx(4 / 5)


def test_an_answer_outside_the_labels_is_wrong_but_no_label_of_its_own():
    found = human_estimate([["a", "mixed"], ["b", "b"]], ["a", "b"], ["a", "b"])

    assert found.per_label["a"].recall == pytest.approx(1 / 2)
    assert found.per_label["b"].precision == pytest.approx(1.0)


def test_the_same_seed_gives_the_same_estimate_and_another_one_another():
    responses = [list("aaab"), list("abbb"), list("aabb")]
    estimates = [
        human_estimate(responses, ["a", "b", "a"], ["a", "b"], seeds=[seed]).macro.f1 for seed in (3, 3, 4)
    ]

    assert estimates[0] == estimates[1] != estimates[2]


def test_several_seeds_are_averaged():
    responses, gold, labels = [list("aaab"), list("abbb"), list("aabb")], ["a", "b", "a"], ["a", "b"]
    single = [human_estimate(responses, gold, labels, seeds=[seed]).macro.f1 for seed in (3, 4)]

    both = human_estimate(responses, gold, labels, seeds=[3, 4])

    assert both.macro.f1 == pytest.approx(sum(single) / 2)


def test_items_with_different_numbers_of_responses_are_refused():
    with pytest.raises(ValueError, match="same number of responses"):
        human_estimate([["a"], ["a", "b"]], ["a", "b"], ["a", "b"])


def test_the_interval_holds_the_score_on_all_items_of_the_kind():
    """People who are right 8 times in 10 have an F1 of .8; of 200 samples at least 93 in 100 intervals hold it."""
    rng, held = Random(5), 0
    for _ in range(200):
        gold = [rng.choice("ab") for _ in range(150)]
        answers = [[one if rng.random() < 0.8 else "ab"[one == "a"] for _ in range(5)] for one in gold]
        found = human_estimate(answers, gold, ["a", "b"], seeds=[1]).macro_interval
        assert found is not None
        held += found.low <= 0.8 <= found.high
    assert 186 <= held <= 197


def test_intervals_hang_on_no_order_of_the_items() -> None:
    items = [
        (["a", "a"], "a"),
        (["b", "b"], "b"),
        (["b", "b"], "a"),
        (["a", "a"], "b"),
        (["b", "b"], "b"),
    ] * 4
    mixed = items[7:] + items[:7][::-1]

    one, other = (
        human_estimate(
            [answers for answers, _ in order], [label for _, label in order], ["a", "b"], seeds=[1]
        )
        for order in (items, mixed)
    )

    assert one == other
    assert one.macro_interval is not None
