"""What stands beside gold labels is told where it gives them away, and never where it does not."""

import random
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from catalogue.answers import LABEL_WITH_CONFIDENCE
from submissions.intake.tables.label_clues import ClueKind, label_clues, telling

ITEMS = 200
BY_LOT = [f"{draw:06x}" for draw in random.Random(8).sample(range(16**6), ITEMS)]
MIXED = np.random.default_rng(4).integers(0, 2, ITEMS).astype("u1")
BY_LABEL = np.sort(MIXED)


def told(
    ids: Sequence[str], labels: NDArray[Any], texts: Mapping[str, Sequence[str]] | None = None
) -> dict[ClueKind, tuple[int, int, int]]:
    return {
        clue.kind: (clue.right, clue.expected, clue.asked)
        for clue in telling(label_clues(ids, labels, texts=texts))
    }


def test_a_file_that_was_sorted_by_label_tells_by_the_order_of_its_items():
    found = told(BY_LOT, BY_LABEL)
    assert set(found) == {ClueKind.FILE_ORDER}
    right, expected, asked = found[ClueKind.FILE_ORDER]
    assert right >= 195
    assert expected == max(np.bincount(BY_LABEL))
    assert asked == ITEMS


@pytest.mark.parametrize(
    ("ids", "labels", "kind"),
    [
        pytest.param(list(map(str, range(ITEMS))), BY_LABEL, ClueKind.ID_NUMBER, id="numbered by label"),
        pytest.param([f"x{at:04}" for at in range(ITEMS)], BY_LABEL, ClueKind.ID_ORDER, id="sorted ids"),
        pytest.param(
            [f"{'np'[label]}_{item}" for item, label in zip(BY_LOT, MIXED, strict=True)],
            MIXED,
            ClueKind.ID_BEGINNING,
            id="prefix",
        ),
        pytest.param(
            [f"{item}-{'neg' if label else 'pos'}" for item, label in zip(BY_LOT, MIXED, strict=True)],
            MIXED,
            ClueKind.ID_END,
            id="suffix",
        ),
        pytest.param(
            [f"r{random.Random(at).randrange(10**6) * 2 + int(label)}" for at, label in enumerate(MIXED)],
            MIXED,
            ClueKind.ID_NUMBER,
            id="odd and even",
        ),
        pytest.param(
            list(map(str, range(ITEMS))), np.arange(ITEMS).astype("u1") % 3, ClueKind.ID_NUMBER, id="by turns"
        ),
    ],
)
def test_ids_that_tell_of_labels_are_found(ids, labels, kind):
    right, expected, _ = told(ids, labels)[kind]
    assert right >= 0.9 * ITEMS
    assert expected <= 0.6 * ITEMS


def test_twins_of_which_one_is_always_the_other_s_opposite_are_found():
    order = np.random.default_rng(1).permutation(ITEMS)
    first = np.random.default_rng(2).integers(0, 2, ITEMS)
    ids = [f"q{BY_LOT[at // 2]}_{'ab'[at % 2]}" for at in order]
    labels = np.array([(first[at // 2] + at) % 2 for at in order], dtype="u1")

    right, expected, _ = told(ids, labels)[ClueKind.ID_ALIKE]

    assert right > 0.75 * ITEMS > 1.4 * expected


def test_lengths_of_texts_that_tell_of_labels_are_found():
    texts = ["x" * (20 + 40 * label + at % 7) for at, label in enumerate(MIXED.astype(int))]
    assert ClueKind.TEXT_LENGTH in told(BY_LOT, MIXED, {"text": texts})
    assert told(BY_LOT, MIXED, {"text": [f"{at % 7} words" for at in range(ITEMS)]}) == {}


def test_texts_that_stand_several_times_with_one_label_are_found():
    texts = [f"Text {place % 25} of label {label}" for place, label in enumerate(MIXED)]
    assert ClueKind.SAME_TEXT in told(BY_LOT, MIXED, {"text": texts})


@pytest.mark.parametrize(
    "labels",
    [
        pytest.param(np.sort(np.random.default_rng(1).normal(size=ITEMS)), id="numbers"),
        pytest.param(np.repeat(np.array([1, 2, 4, 7], dtype=np.uint64), ITEMS // 4), id="subsets"),
        pytest.param(np.repeat(np.arange(-3, 2, dtype=np.int16), ITEMS // 5), id="ordered classes"),
        pytest.param(np.repeat(np.arange(40, dtype="u1"), ITEMS // 40), id="many labels"),
        pytest.param(
            np.array([(label, 0.5) for label in BY_LABEL], dtype=LABEL_WITH_CONFIDENCE), id="with confidence"
        ),
    ],
)
def test_every_kind_of_answer_is_held_against_the_order_of_its_file(labels):
    right, expected, asked = told(BY_LOT, labels)[ClueKind.FILE_ORDER]
    assert right > expected + 0.4 * (asked - expected)
    shuffled = labels[np.random.default_rng(5).permutation(ITEMS)]
    assert told(BY_LOT, shuffled) == {}


def test_a_rare_label_that_a_prefix_gives_away_is_found():
    is_rare = np.arange(ITEMS) % 20 == 0
    ids = [f"{'p' if rare else 'n'}{item}" for item, rare in zip(BY_LOT, is_rare, strict=True)]
    assert told(ids, is_rare.astype("u1"))[ClueKind.ID_BEGINNING] == (ITEMS, 190, ITEMS)


def test_nothing_is_said_of_labels_that_were_dealt_by_lot():
    alarms = 0
    for seed in range(60):
        draw = np.random.default_rng(seed)
        items, labels = int(draw.choice([20, 60, 150, 500])), int(draw.choice([2, 3, 10]))
        ids = [f"{number:06x}" for number in random.Random(seed).sample(range(16**6), items)]
        codes = draw.choice(labels, size=items, p=draw.dirichlet(np.ones(labels))).astype("u1")
        lengths = draw.integers(1, 200, items)
        alarms += bool(told(ids, codes, {"text": ["x" * int(length) for length in lengths]}))
    assert alarms == 0


def test_few_items_tell_nothing():
    assert label_clues([f"s{at}" for at in range(19)], np.arange(19).astype("u1") // 10) == []


def test_of_a_long_file_a_part_is_looked_at_and_the_sentence_says_so():
    ids = [str(at) for at in range(12_000)]
    (clue,) = [
        clue
        for clue in telling(label_clues(ids, (np.arange(12_000) // 6000).astype("u1")))
        if clue.kind is ClueKind.ID_NUMBER
    ]
    assert clue.asked == 5000
    assert "of 5,000 labels right (of items drawn by lot)" in clue.sentence


def test_a_sentence_says_what_was_measured():
    (clue,) = telling(label_clues(BY_LOT, BY_LABEL))
    assert clue.sentence.startswith(
        f"Who knows only at which place of this file an item stands guesses {clue.right} of 200 labels right; "
        f"{clue.expected} without it."
    )
