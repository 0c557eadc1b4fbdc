"""Items that belong together are drawn together: intervals are those of a plain loop over documents, and wider."""

from random import Random
from statistics import fmean, pstdev

import numpy as np
import pytest

from labelling.core.judged.assessment import FEWEST_WORKERS, JudgedNumber, assess
from labelling.core.judged.figures import ONE_ALONE, JudgedFigure
from labelling.core.judged.preferences import ComparedOutputs, prefer
from labelling.core.judged.strengths import strengths

DOCUMENTS, SENTENCES, REPLICATES = 20, 8, 2_000
ITEMS = [f"d{document:02}/{sentence}" for document in range(DOCUMENTS) for sentence in range(SENTENCES)]
DOCUMENT_OF = {item: int(item[1:3]) for item in ITEMS}
ENDS = (0.0, 100.0)
EASE = [Random(document).gauss(0, 10) for document in range(DOCUMENTS)]
"""How much better whatever was written for a document is than for others."""


def numbers() -> list[JudgedNumber]:
    lot = Random(1)
    return [JudgedNumber(item, (1,), 1, 50 + EASE[DOCUMENT_OF[item]] + lot.gauss(0, 5)) for item in ITEMS]


def comparisons() -> list[ComparedOutputs]:
    """The first of two systems is better at some documents, the second at others."""
    lot = Random(2)
    return [
        ComparedOutputs(item, 1, 2, float(EASE[DOCUMENT_OF[item]] + lot.gauss(3, 8) > 0)) for item in ITEMS
    ]


def documents_drawn() -> list[list[str]]:
    """The items of each resample, by a plain loop over documents."""
    lot = Random(3)
    of_document = [[item for item in ITEMS if DOCUMENT_OF[item] == document] for document in range(DOCUMENTS)]
    return [[item for _ in range(DOCUMENTS) for item in lot.choice(of_document)] for _ in range(REPLICATES)]


def width(figure: JudgedFigure) -> float:
    assert figure.high is not None
    assert figure.low is not None
    return figure.high - figure.low


def test_means_of_numbers_spread_as_a_plain_loop_over_documents_has_it():
    given = numbers()
    by_item = {each.item: each.value for each in given}
    spread = pstdev(fmean(by_item[item] for item in drawn) for drawn in documents_drawn())
    together, alone = (
        assess(given, [1], seed=b"s", ends=(-1e9, np.inf), belongs=belongs, replicates=REPLICATES)
        .systems[1]
        .mean
        for belongs in (DOCUMENT_OF, None)
    )
    assert width(together) == pytest.approx(2 * 1.96 * spread, rel=0.08)
    assert width(together) > 2 * width(alone)
    assert together.value == alone.value


def test_wins_and_strengths_spread_as_a_plain_loop_over_documents_has_it():
    given = comparisons()
    by_item = {each.item: each.share for each in given}
    won = [[by_item[item] for item in drawn] for drawn in documents_drawn()]
    tables = np.array([[[0, sum(shares)], [len(shares) - sum(shares), 0]] for shares in won])
    together, alone = (
        prefer(given, [1, 2], seed=b"s", belongs=belongs, replicates=REPLICATES).systems[1]
        for belongs in (DOCUMENT_OF, None)
    )
    assert width(together.wins) == pytest.approx(2 * 1.96 * pstdev(map(fmean, won)), rel=0.08)
    assert width(together.strength) == pytest.approx(2 * 1.96 * strengths(tables)[:, 0].std(), rel=0.08)
    assert width(together.wins) > 1.5 * width(alone.wins)
    assert width(together.strength) > 1.5 * width(alone.strength)


def test_an_item_that_is_in_no_document_is_drawn_by_itself():
    given = numbers()
    known = {item: document for item, document in DOCUMENT_OF.items() if document < DOCUMENTS / 2}
    widths = [
        width(
            assess(given, [1], seed=b"s", ends=ENDS, belongs=belongs, replicates=REPLICATES).systems[1].mean
        )
        for belongs in ({}, known, DOCUMENT_OF)
    ]
    assert widths == sorted(widths)


@pytest.mark.parametrize("workers", [1, FEWEST_WORKERS])
def test_where_all_items_are_one_document_there_are_no_intervals_and_it_is_said(workers):
    given = [JudgedNumber(item, (1,), at % workers, float(at % 7)) for at, item in enumerate(ITEMS)]
    found = assess(given, [1], seed=b"s", ends=ENDS, belongs=dict.fromkeys(ITEMS, 0), replicates=50)
    assert found.because == ONE_ALONE
    assert found.systems[1].mean.value is not None
    assert found.systems[1].mean.low is None


def test_comparisons_about_one_document_have_no_intervals_either():
    found = prefer(comparisons(), [1, 2], seed=b"s", belongs=dict.fromkeys(ITEMS, 0), replicates=50)
    assert found.because == ONE_ALONE
    assert found.systems[1].strength.value is not None
    assert (found.systems[1].wins.low, found.systems[1].strength.low) == (None, None)
