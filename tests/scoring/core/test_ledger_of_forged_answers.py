"""Answers made to look alike to the ledger: whatever they are made of, what they tell is charged."""

from dataclasses import replace
from itertools import combinations_with_replacement, product
from math import log2

import numpy as np
import pytest

from benchmarks.spec.document import parse_yaml
from benchmarks.spec.loader import build_spec
from catalogue.answers import (
    LABEL_WITH_CONFIDENCE,
    AnswerKind,
    ConfidentLabel,
    FreeText,
    Label,
    LabelSubset,
    Span,
)
from catalogue.answers.arrays import TEXT
from catalogue.comparison import Comparison
from catalogue.metrics.choice import metric_for
from scoring.core import score
from scoring.core.figure_bits import PublishedFigure
from scoring.core.ledger import Ledger, interval_bits
from scoring.core.noised_ledger import NoisedLedger
from scoring.core.repeated_rows import in_best_order
from scoring.core.uncertainty.intervals import Interval, interval
from scoring.core.uncertainty.replicates import replicate_scores
from scoring.core.uncertainty.weights import REPLICATES, item_weights
from tests.conftest import TOY_DEFINITION

ITEMS = 8
# Once `bits * 257 + label` was the code of a label with a confidence: these two had the same.
UNSURE_NO, UNSURE_YES = (0, 4.946518732879876e-10), (1, 3.0517578125e-05)
# And the first six bytes of SHA-256 that of a text: so had these, which half a minute finds.
TWINS = ("the answer is 6998811", "the answer is 19120701")

SPEC_OF_ROWS = build_spec(parse_yaml(TOY_DEFINITION, "toy.yaml"), "toy.yaml").task("mood")


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


def test_the_interval_of_a_mean_of_parts_is_charged_for_how_the_parts_are_spread():
    """The same answer everywhere: its score is how many labels are wrong, its interval how they lie among items.

    Seeds are secret, so that which item has how many wrong ones is not told.
    """
    subsets, items = LabelSubset(names=("joy", "fear")), 5
    always = np.full(items, 0, dtype=np.uint64)
    weights = item_weights(b"secret", items)
    widths: dict[tuple[int, ...], float] = {}
    charges = []
    for wrong in combinations_with_replacement(range(3), items):
        gold = np.array([(0, 1, 3)[count] for count in wrong], dtype=np.uint64)
        comparison = Comparison(subsets, gold, always)
        value = metric_for(subsets, "hamming_loss").value(comparison)
        assert isinstance(value, float)
        (drawn,) = replicate_scores(comparison, ["hamming_loss"], weights).values()
        ends = interval(value, drawn) or Interval(value, value)
        widths[wrong] = ends.high - ends.low
        ledger = Ledger(subsets, items, [PublishedFigure("hamming_loss")])
        charges.append(ledger.add(always, interval_bits(ends.low, ends.high, REPLICATES, 3)).carried)

    assert widths[0, 0, 0, 2, 2] > widths[0, 0, 1, 1, 2] + 0.05 > widths[0, 1, 1, 1, 1] + 0.1
    assert log2(len(widths)) <= min(charges)


def test_rows_of_one_id_in_any_order_are_charged_for_how_their_labels_come_together():
    """Every id is given one pair of labels, in each answer another: items are of two kinds, first rows and second ones.

    How many ids have which pair of gold labels follows from agreement beyond chance, and from no count of two kinds.
    """
    groups, labels = 24, ("a", "b", "c")
    pairs = np.array(list(combinations_with_replacement(range(len(labels)), 2)), dtype=np.uint8)
    task = replace(SPEC_OF_ROWS, file=replace(SPEC_OF_ROWS.file, repeats=True, repeats_in_any_order=True))
    cells = np.zeros((len(pairs), len(pairs), len(labels), len(labels)))  # by gold pair and answered pair
    for (true, gold), (given, answer) in product(enumerate(pairs), enumerate(pairs)):
        matched = in_best_order(task, ["i", '["i", 2]'], gold, answer)
        for label, named in zip(gold.tolist(), matched.tolist(), strict=True):
            cells[true, given, label, named] += 1
    ledger = Ledger(
        Label(names=labels),
        2 * groups,
        [PublishedFigure(name) for name in ("kappa", "accuracy")],
        in_any_order=True,
    )
    for answer in pairs:
        ledger.add(np.tile(answer, groups))

    ways = [way for way in product(range(groups + 1), repeat=len(pairs) - 1) if sum(way) <= groups]
    of_pairs = np.array([(*way, groups - sum(way)) for way in ways])
    matrices = np.einsum("wt,tajk->wajk", of_pairs, cells)
    right = np.trace(matrices, axis1=2, axis2=3)
    by_chance = (matrices.sum(axis=2) * matrices.sum(axis=3)).sum(axis=2) / (2 * groups)
    kappas = (right - by_chance) / np.maximum(2 * groups - by_chance, 1e-9)
    boards = np.unique(np.round(np.hstack([right, kappas]), 9), axis=0)

    assert log2(len(boards)) <= ledger.spent <= ledger.label_bits
    ledger.compare()
    assert ledger.spent == ledger.label_bits
