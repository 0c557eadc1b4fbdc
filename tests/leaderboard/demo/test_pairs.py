"""The made-up sentence pairs: a file that intake takes, and answers that lean as they are meant to."""

import numpy as np
import pytest

from demo.material import equity_pairs as pairs
from demo.material.equity_pairs import Leaning
from scoring.core.measures.equity import BiasGroup, GroupPair, pair_scores, paired_test
from submissions.intake import ItemIds
from submissions.intake.pairs.item_pairs import read_pairs

IDS = ItemIds([one.id for one in pairs.SENTENCES])


def read(comparison: str):
    data = pairs.pairs_file(comparison)
    result = read_pairs(data, file_name="pairs.csv", ids=IDS, split="equity", first="", second="")
    assert result.problems == ()
    assert result.content is not None
    return result.content


@pytest.mark.parametrize(("comparison", "groups"), [("gender", pairs.GENDERS), ("race", pairs.RACES)])
def test_pairs_cover_every_sentence_once_in_strata_of_emotions(comparison, groups):
    file = read(comparison)

    assert (file.first, file.second) == groups
    assert file.item_count == len(pairs.SENTENCES) == 2 * len(file.pairs)
    assert file.strata == pairs.EMOTIONS


@pytest.mark.parametrize(
    ("leaning", "group"),
    [
        (Leaning(gender=0.03), BiasGroup.FIRST_HIGHER),
        (Leaning(), BiasGroup.EQUAL),
        (Leaning(gender=-0.03), BiasGroup.SECOND_HIGHER),
    ],
)
def test_scores_lean_as_they_are_told(leaning, group):
    file = read("gender")
    scores = pairs.scores("joy", leaning, np.random.default_rng(1))

    first, second = pair_scores(scores, [GroupPair(one.first, one.second) for one in file.pairs])

    assert paired_test(first, second).group(100) == group
    assert scores.min() >= 0
    assert scores.max() <= 1
