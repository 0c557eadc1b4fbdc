"""Answers made to look alike to the ledger: whatever they are made of, what they tell is charged."""

import numpy as np
import pytest

from catalogue.answers import LABEL_WITH_CONFIDENCE, AnswerKind, ConfidentLabel, FreeText, Span
from catalogue.answers.arrays import TEXT
from scoring.core import score
from scoring.core.figure_bits import PublishedFigure
from scoring.core.ledger import Ledger
from scoring.core.noised_ledger import NoisedLedger

ITEMS = 8
# Once `bits * 257 + label` was the code of a label with a confidence: these two had the same.
UNSURE_NO, UNSURE_YES = (0, 4.946518732879876e-10), (1, 3.0517578125e-05)
# And the first six bytes of SHA-256 that of a text: so had these, which half a minute finds.
TWINS = ("the answer is 6998811", "the answer is 19120701")


def test_labels_with_confidences_that_were_chosen_for_it_are_read_at_their_price():
    """Each answer turns one item round, so that all labels follow from the accuracies."""
    rumours = ConfidentLabel(names=("no", "yes"))
    gold = np.array([(at % 3 == 0, 1) for at in range(ITEMS)], dtype=LABEL_WITH_CONFIDENCE)
    ledger = Ledger(rumours, ITEMS, [PublishedFigure("accuracy")])
    right = []
    for turned in range(-1, ITEMS):
        cells = [UNSURE_YES if at == turned else UNSURE_NO for at in range(ITEMS)]
        answer = np.array(cells, dtype=LABEL_WITH_CONFIDENCE)
        ledger.add(answer)
        right.append(round((score(rumours, ["accuracy"], gold, answer).values[0].value or 0) * ITEMS))

    read = [int(count > right[0]) for count in right[1:]]
    assert read == gold["label"].tolist()
    assert ledger.label_bits == ITEMS
    assert ledger.spent == pytest.approx(ITEMS)


@pytest.mark.parametrize("kind", [Span(), FreeText()], ids=["spans", "texts"])
def test_texts_that_were_searched_for_are_no_answer_of_before(kind: AnswerKind):
    ledger = Ledger(kind, ITEMS, [PublishedFigure("exact_match")])
    first, other = (ledger.add(np.array([text] * ITEMS, dtype=TEXT)) for text in TWINS)
    assert first.carried > 0
    assert other.carried > 0


def test_texts_of_the_same_lengths_are_judged_through_noise_one_by_one():
    ledger = NoisedLedger(2, 1_000, 9.0)
    texts = ("needs more evidence", "needs more examples", "needs more evidence")
    charges = [ledger.add(np.array([text] * ITEMS, dtype=TEXT)).carried for text in texts]
    assert charges[1] > 0
    assert charges[2] == 0
