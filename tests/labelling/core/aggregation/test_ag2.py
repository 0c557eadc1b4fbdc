from random import Random

import pytest

from labelling.core.aggregation import AGGREGATION_RULES
from labelling.core.aggregation.ag2 import labels_by_ag2
from labelling.core.aggregation.rule import UnfitSettings
from tests.labelling.core.crowds import answered


@pytest.mark.parametrize(
    ("votes", "neutral", "annotators", "labels"),
    [
        ({"joy": 2, "fear": 1}, 0, 7, {"joy"}),  # the paper: two of seven are more than 25 %, one is not
        ({"joy": 2}, 0, 8, None),  # exactly 25 % is not enough
        ({"joy": 2}, 4, 7, set()),  # no label has 40 % and more than half say neutral
        ({"joy": 3}, 4, 7, {"joy"}),  # three of seven are at least 40 %, so it is not neutral
        ({"joy": 2}, 3, 5, {"joy"}),  # two of five are exactly 40 %
        ({"joy": 1}, 4, 8, None),  # exactly half is not more than half
        ({"joy": 1, "fear": 1}, 0, 7, None),
    ],
)
def test_ag2_chooses_labels_or_neutral_or_sets_the_item_aside(votes, neutral, annotators, labels):
    assert labels_by_ag2(votes, neutral, annotators) == labels


def test_ag2_refuses_more_votes_than_annotators():
    with pytest.raises(ValueError, match="number of annotators, 7"):
        labels_by_ag2({"joy": 8}, 0, 7)


def test_ag2_of_a_campaign_tells_labels_neutral_and_set_aside_apart():
    work = answered(
        {
            "labelled": [("joy", "love"), ("love",), ("none",), ("joy",)],
            "neutral": [("none",), ("none",), ("none",), ("joy",)],
            "aside": [("joy",), ("none",), ("none",), ("love",)],
            "nobody": [],
        },
        options=["love", "joy", "none"],
    )
    ag2 = AGGREGATION_RULES["ag2"]

    assert ag2.settle(work, {"neutral": "none"}, Random(1)) == {
        "aside": None,
        "labelled": ("love", "joy"),
        "neutral": (),
        "nobody": None,
    }
    assert [figure.value for figure in ag2.figures(work, {"neutral": "none"}, Random(1))] == [1, 1, 2]


def test_ag2_needs_an_option_for_neutral():
    work = answered({"i": [("joy",)]}, options=["joy", "none"])

    with pytest.raises(UnfitSettings, match="“neutral” is none of the options"):
        AGGREGATION_RULES["ag2"].settle(work, {}, Random(1))
