"""What each baseline answers, for every kind of output; and that the same seed gives the same answers."""

import numpy as np
import pytest

from catalogue.answers import (
    LABEL_WITH_CONFIDENCE,
    AnswerKind,
    ConfidentLabel,
    Label,
    LabelSubset,
    Number,
    OrderedClass,
    Span,
)
from submissions.baselines.learners import BASELINES, Labelled, Questions

COLOURS = Label(("red", "green", "blue", "UNKNOWN"), never_right=("UNKNOWN",))
RUMOURS = ConfidentLabel(("true", "false", "unverified"), never_right=("unverified",))
EMOTIONS = LabelSubset(("anger", "joy", "trust"))
TEXT = np.dtypes.StringDType()
JOYFUL, SAD = "so happy today, I smile", "sad and grey, I cry"


def rumours(*pairs: tuple[int, float]) -> np.ndarray:
    return np.array(list(pairs), dtype=LABEL_WITH_CONFIDENCE)


LABELLED = {
    "labels": Labelled(COLOURS, np.array([2, 1, 1, 0], dtype="u1")),
    "classes": Labelled(OrderedClass(-3, 3), np.array([-2, 3, -2], dtype="<i2")),
    "subsets": Labelled(EMOTIONS, np.array([0b101, 0b001, 0b011, 0b100], dtype="<u8")),
    "numbers": Labelled(Number(0, 1), np.array([0.0, 0.25, 0.5])),
    "confidence": Labelled(RUMOURS, rumours((2, 1.0), (2, 1.0), (1, 1.0), (0, 1.0), (1, 1.0))),
    "spans": Labelled(Span(), np.array(["a cat", "dogs", "a cat"], dtype=TEXT)),
}


def answers(baseline: str, labelled: Labelled, count: int = 2, texts: tuple[str, ...] = (), seed: int = 1):
    answer = BASELINES[baseline].learn(labelled, np.random.default_rng(seed))
    return answer(Questions(len(texts) or count, texts), np.random.default_rng([seed, 2]))


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("labels", [1, 1]),
        ("classes", [-2, -2]),
        ("subsets", [0b001, 0b001]),  # anger 3 of 4, joy 1 of 4; trust, half of them, is not more than half
        ("numbers", [0.25, 0.25]),
        ("confidence", [(1, 0.4), (1, 0.4)]),  # no prediction of `unverified` is ever right
        ("spans", ["a cat", "a cat"]),
    ],
)
def test_majority_gives_every_item_the_commonest_answer(kind, expected):
    labelled = LABELLED[kind]

    found = answers("majority", labelled)

    assert found.tolist() == expected
    assert found.dtype == labelled.labels.dtype


def test_of_labels_equally_common_the_first_declared_is_the_majority():
    labelled = Labelled(COLOURS, np.array([2, 1, 2, 1], dtype="u1"))

    assert answers("majority", labelled).tolist() == [1, 1]


def test_a_mean_stays_within_the_range():
    labelled = Labelled(Number(0, 0.1), np.array([0.1, 0.1, 0.1]))

    assert answers("majority", labelled).tolist() == [0.1, 0.1]


@pytest.mark.parametrize("kind", LABELLED)
def test_guesses_are_of_the_kind_asked_for(kind):
    labelled = LABELLED[kind]

    found = answers("random", labelled, count=500)

    assert found.shape == (500,)
    assert found.dtype == labelled.labels.dtype
    assert len(set(found.tolist())) > 1


@pytest.mark.parametrize("kind", LABELLED)
def test_the_same_seed_guesses_the_same_and_another_does_not(kind):
    first, again, other = (answers("random", LABELLED[kind], count=100, seed=seed) for seed in (5, 5, 6))

    assert first.tolist() == again.tolist()
    assert first.tolist() != other.tolist()


def test_guessed_labels_are_any_that_can_be_right_equally_often():
    counts = np.bincount(answers("random", LABELLED["labels"], count=6000), minlength=4)

    assert counts[3] == 0
    assert np.all(np.abs(counts[:3] - 2000) < 200)


def test_guessed_classes_reach_both_ends():
    assert set(answers("random", LABELLED["classes"], count=500).tolist()) == set(range(-3, 4))


def test_guessed_numbers_fill_the_range():
    found = answers("random", Labelled(Number(-5, 5), np.array([0.0])), count=2000)

    assert found.min() >= -5
    assert found.max() <= 5
    assert abs(found.mean()) < 0.3


def test_guessed_subsets_hold_each_label_as_often_as_the_training_file():
    found = answers("random", LABELLED["subsets"], count=4000)

    shares = [np.mean(found >> np.uint64(bit) & np.uint64(1)) for bit in range(3)]
    assert shares == pytest.approx([0.75, 0.25, 0.5], abs=0.05)


def test_guessed_confidences_are_never_of_a_label_that_cannot_be_right():
    found = answers("random", LABELLED["confidence"], count=500)

    assert set(found["label"].tolist()) == {0, 1}
    assert 0 <= found["confidence"].min() <= found["confidence"].max() <= 1


def by_texts(output: AnswerKind, labels: np.ndarray) -> Labelled:
    """Joyful and sad texts in turn, with these labels."""
    texts = tuple(f"{JOYFUL if place % 2 == 0 else SAD} {place}" for place in range(len(labels)))
    return Labelled(output, labels, texts)


@pytest.mark.parametrize("baseline", ["svm_unigrams", "adaboost"])
@pytest.mark.parametrize(
    ("output", "labels", "expected"),
    [
        (COLOURS, np.array([2, 0] * 5, dtype="u1"), [2, 0]),
        (OrderedClass(-3, 3), np.array([3, -3] * 5, dtype="<i2"), [3, -3]),
        (EMOTIONS, np.array([0b010, 0b101] * 5, dtype="<u8"), [0b010, 0b101]),
    ],
    ids=["labels", "classes", "subsets"],
)
def test_words_tell_labels_apart(baseline, output, labels, expected):
    found = answers(baseline, by_texts(output, labels), texts=(f"{JOYFUL} 99", f"{SAD} 99"))

    assert found.tolist() == expected
    assert found.dtype == labels.dtype


def test_words_tell_high_numbers_from_low_ones():
    labelled = by_texts(Number(0, 1), np.array([0.9, 0.1] * 10))

    high, low = answers("svm_unigrams", labelled, texts=(JOYFUL, SAD)).tolist()

    # Neither is more than the .1 that costs nothing away, and the cost of weights beside it.
    assert high == pytest.approx(0.9, abs=0.13)
    assert low == pytest.approx(0.1, abs=0.13)


def test_the_regression_is_drawn_by_an_outlier_as_one_with_a_squared_loss_is():
    """Of three numbers at .2 and one at .9, a loss that is not squared answers the .2 that most of them have."""
    labelled = Labelled(Number(0, 1), np.array([0.2, 0.2, 0.2, 0.9]), ("same",) * 4)

    (found,) = answers("svm_unigrams", labelled, count=1, texts=("same",)).tolist()

    # The least sum of squares beyond .1: 3 (p - .3) = .8 - p, and a little less for the weights' own cost.
    assert found == pytest.approx(0.425, abs=0.06)


def test_a_regression_never_leaves_the_range():
    labelled = Labelled(Number(0, 1), np.array([1.0, 0.0] * 5), ("up", "down") * 5)

    found = answers("svm_unigrams", labelled, texts=("up up UP and more up", "nothing known", "down"))

    assert found.min() >= 0
    assert found.max() <= 1


@pytest.mark.parametrize("baseline", ["svm_unigrams", "adaboost"])
def test_without_any_word_there_is_only_the_commonest_answer(baseline):
    labelled = Labelled(COLOURS, np.array([0, 1, 1], dtype="u1"), ("", " ", "\n"))

    assert answers(baseline, labelled, texts=("red", "green")).tolist() == [1, 1]


@pytest.mark.parametrize("baseline", ["svm_unigrams", "adaboost"])
def test_a_label_that_never_varies_is_answered_as_it_is(baseline):
    labelled = by_texts(EMOTIONS, np.array([0b011, 0b001] * 5, dtype="<u8"))

    assert answers(baseline, labelled, texts=(JOYFUL, SAD)).tolist() == [0b011, 0b001]


def test_trees_learn_from_nearly_as_many_labels_as_examples():
    output = Label(tuple(f"intent {number}" for number in range(77)))
    texts = tuple(f"word{number} word{number} and so on" for number in range(40))
    labelled = Labelled(output, np.arange(40, dtype="u1"), texts)

    found = answers("adaboost", labelled, texts=texts)

    assert len(set(found.tolist())) > 1


def test_trees_that_tell_nothing_apart_give_the_commonest_label():
    labelled = Labelled(COLOURS, np.array([0, 1, 0, 1], dtype="u1"), ("same",) * 4)

    assert answers("adaboost", labelled, texts=("same",)).tolist() == [0]


@pytest.mark.parametrize("baseline", ["svm_unigrams", "adaboost"])
def test_a_learner_of_words_answers_alike_for_the_same_seed(baseline):
    random = np.random.default_rng(3)
    words = ["one", "two", "three", "four", "five", "six", "seven", "eight"]
    texts = tuple(" ".join(random.choice(words, 6)) for _ in range(60))
    labelled = Labelled(COLOURS, random.integers(3, size=60).astype("u1"), texts)

    first, again = (answers(baseline, labelled, texts=texts[::-1]) for _ in range(2))

    assert first.tolist() == again.tolist()


def test_every_baseline_says_what_it_is():
    for baseline in BASELINES.values():
        assert baseline.name
        assert baseline.description.endswith(".")
