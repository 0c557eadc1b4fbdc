import pytest
from hypothesis import given
from hypothesis import strategies as st

from labelling.core.cut_points import CutPoints, UnfitCutPoints, agree_on_cut_points

FOUR = (0, 1, 2, 3)


def anger(*cuts: float) -> CutPoints:
    return CutPoints("anger", FOUR, cuts)


@pytest.mark.parametrize(
    ("score", "expected"), [(0.0, 0), (0.399, 0), (0.4, 1), (0.599, 1), (0.6, 2), (0.8, 3), (1.0, 3)]
)
def test_a_score_on_a_cut_is_in_the_class_above(score, expected):
    assert anger(0.4, 0.6, 0.8).class_of(score) == expected


@given(st.lists(st.floats(0, 1), max_size=30), st.lists(st.floats(0, 1), min_size=3, max_size=3, unique=True))
def test_classes_grow_with_scores_and_every_score_is_in_one(scores, cuts):
    points = anger(*sorted(cuts))

    classes = [points.class_of(score) for score in sorted(scores)]

    assert classes == sorted(classes)
    assert set(classes) <= set(FOUR)


@pytest.mark.parametrize(
    ("cuts", "said"),
    [
        ((0.4, 0.4, 0.8), "they are 0.4, 0.4, 0.8"),
        ((0.4, 0.3, 0.8), "must grow"),
        ((0.4, 0.8), "2 cut points for 4 classes"),
        ((0.4, float("nan"), 0.8), "must grow"),
    ],
)
def test_cut_points_that_make_no_classes_are_refused(cuts, said):
    with pytest.raises(UnfitCutPoints, match=said):
        anger(*cuts)


def test_a_cut_point_holds_on_the_scale_of_its_own_campaign_alone():
    points = anger(0.4, 0.6, 0.8)

    assert points.classes_of({"i": 0.5}, "anger") == {"i": 1}
    with pytest.raises(UnfitCutPoints, match="were set on the scale of anger; the scores are of anger 2017"):
        points.classes_of({"i": 0.5}, "anger 2017")


def test_people_agree_on_the_median_and_it_is_told_how_far_they_lay_apart():
    scores = {f"i{number:03}": number / 100 for number in range(100)}
    people = [anger(0.4, 0.6, 0.8), anger(0.3, 0.62, 0.8), anger(0.45, 0.7, 0.85)]

    found = agree_on_cut_points(people, scores)

    assert found.agreed == anger(0.4, 0.62, 0.8)
    assert found.ranges == ((0.3, 0.45), (0.6, 0.7), (0.8, 0.85))
    assert found.between == 15 + 10 + 5
    assert found.alpha is not None
    assert 0.9 < found.alpha < 1
    assert agree_on_cut_points(people[:1] * 2, scores).alpha == 1.0


def test_people_who_cut_different_scales_cannot_agree():
    with pytest.raises(UnfitCutPoints, match="the same campaign"):
        agree_on_cut_points([anger(0.4, 0.6, 0.8), CutPoints("fear", FOUR, (0.4, 0.6, 0.8))], {})
    with pytest.raises(UnfitCutPoints, match="Nobody"):
        agree_on_cut_points([], {})
