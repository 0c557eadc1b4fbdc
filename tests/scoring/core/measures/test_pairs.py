"""Pair measures on the answers printed in the Build It Break It paper (Table 4) and on a small hand-made matrix."""

from typing import Any

import numpy as np
import pytest

from catalogue.answers import LABEL_WITH_CONFIDENCE, AnswerKind, ConfidentLabel, Label, Span
from scoring.core.measures.pairs import (
    PairOutcomes,
    breaker_score,
    pair_outcomes,
    pair_values,
    pooled_share,
)

# Table 4: gold and six systems, a before b; two pairs each of three breakers and one of the fourth.
GOLD = [+1, +1, -1, +1, -1, +1, +1, -1, +1, +1, +1, -1, -1, +1]
ANSWERS = {
    "Strawman": [+1, -1, -1, +1, -1, -1, +1, +1, +1, -1, -1, -1, -1, +1],
    "PCNN": [+1, +1, -1, +1, -1, -1, -1, -1, +1, +1, +1, +1, -1, +1],
    "Bag-of-ngrams": [+1, -1, +1, +1, -1, -1, +1, +1, -1, -1, -1, +1, -1, -1],
    "SCNN": [+1, +1, -1, -1, -1, -1, +1, -1, +1, +1, -1, -1, -1, +1],
    "DCNN": [+1, +1, +1, +1, -1, -1, +1, +1, +1, +1, -1, -1, +1, +1],
    "RNTN": [-1, -1, -1, -1, -1, -1, +1, -1, +1, 0, -1, 0, +1, +1],
}
PAIRS = np.arange(14).reshape(7, 2)


def outcomes_of(system: str) -> PairOutcomes:
    return pair_outcomes(np.array(ANSWERS[system]) == np.array(GOLD), PAIRS)


@pytest.mark.parametrize(
    ("system", "outcomes"),
    [
        # Both right: Utrecht 2, Team 4; none right: none; the other five break it.
        ("Strawman", PairOutcomes(both=2, broken=5, none=0)),
        ("PCNN", PairOutcomes(both=4, broken=3, none=0)),
        ("Bag-of-ngrams", PairOutcomes(both=0, broken=5, none=2)),
        ("SCNN", PairOutcomes(both=4, broken=3, none=0)),
        ("DCNN", PairOutcomes(both=2, broken=5, none=0)),
        ("RNTN", PairOutcomes(both=1, broken=4, none=2)),
    ],
)
def test_paper_table_has_these_outcomes(system, outcomes):
    assert outcomes_of(system) == outcomes


def test_paper_says_that_the_comparative_breaks_every_system():
    third_pair = PAIRS[2:3]

    for answers in ANSWERS.values():
        assert pair_outcomes(np.array(answers) == np.array(GOLD), third_pair).broken_share == 1.0


def test_breaker_score_weights_breaks_by_accuracy_on_the_development_data():
    # Breaker with 4 pairs: breaks 3 of them for a system of accuracy 0.8, 1 for one of 0.6; (0.6 + 0.15) / 2.
    pairs = [PairOutcomes(both=1, broken=3, none=0), PairOutcomes(both=2, broken=1, none=1)]

    assert breaker_score([0.8, 0.6], pairs) == pytest.approx(0.375)


def test_share_of_broken_pairs_pools_the_pairs_of_all_breakers():
    # 6 of 40 and 10 of 60 pairs broken: 16 of 100, not the mean of the two shares.
    pairs = [PairOutcomes(both=30, broken=6, none=4), PairOutcomes(both=45, broken=10, none=5)]

    assert pooled_share(pairs) == pytest.approx(0.16)


def test_breaker_score_refuses_another_number_of_figures_than_of_sets_of_pairs():
    with pytest.raises(ValueError, match="there are"):
        breaker_score([0.5, 0.5, 0.5], [PairOutcomes(1, 0, 0), PairOutcomes(1, 0, 0)])


def test_outcomes_of_no_pairs_are_refused():
    with pytest.raises(ValueError, match="at least one pair"):
        pair_outcomes(np.array([True]), np.empty((0, 2), dtype=np.intp))


# What is stored of a comparison

IDS = ("1_a", "2_a", "1_b", "2_b")


def counts(output: AnswerKind, gold: Any, found: Any, ids: tuple[str, ...] = IDS) -> dict[str, float | None]:
    return {one.metric: one.value for one in pair_values(output, ids, "_", gold, found)}


def test_items_are_paired_by_their_ids_in_any_order():
    gold = np.array([0, 1, 0, 1], dtype=np.uint8)
    found = np.array([0, 0, 1, 0], dtype=np.uint8)
    assert counts(Label(("no", "yes")), gold, found) == {
        "pairs_both": 0, "pairs_broken": 1, "pairs_none": 1, "pairs_broken_share": 0.5,
    }  # fmt: skip


def test_a_span_is_right_with_the_tokens_of_the_gold_span():
    text = np.dtypes.StringDType()
    gold = np.array(["a tall man", "UCD", "the man", "they"], dtype=text)
    found = np.array(["a  tall man", "UCD", "man", "they"], dtype=text)
    assert counts(Span(), gold, found)["pairs_broken"] == 1


def test_a_label_is_right_whatever_its_confidence():
    gold = np.array([(0, 1.0)] * 4, dtype=LABEL_WITH_CONFIDENCE)
    found = np.array([(0, 0.2), (0, 1.0), (0, 0.0), (1, 1.0)], dtype=LABEL_WITH_CONFIDENCE)
    assert counts(ConfidentLabel(("no", "yes")), gold, found)["pairs_both"] == 1


@pytest.mark.parametrize("ids", [("1_a", "1_b", "1_c", "2_a"), ("1_a", "1_b", "2_a", "3_a")])
def test_an_item_without_a_single_partner_leaves_all_undefined(ids):
    codes = np.zeros(4, dtype=np.uint8)
    values = pair_values(Label(("no", "yes")), ids, "_", codes, codes)
    assert {one.undefined for one in values} == {"unpaired_item"}
