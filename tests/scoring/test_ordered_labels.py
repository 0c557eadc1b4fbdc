"""Labels that stand in an order, and classes that are scored as labels: each number held against another way to it."""

import numpy as np
import pytest
from sklearn.metrics import (
    accuracy_score,
    cohen_kappa_score,
    f1_score,
    matthews_corrcoef,
    mean_absolute_error,
)

from benchmarks.spec.document import DefinitionError
from tests.scoring.test_shared_task_shapes import benchmark, problems, scores

LEVELS = ["A1", "A2", "B1", "B2", "C1", "C2"]
TABLE = {"path": "levels.csv", "id_column": "id", "label_column": "level"}
GOLD = [0, 1, 1, 2, 3, 3, 4, 5, 2, 1]
FOUND = [0, 2, 1, 2, 3, 5, 3, 5, 0, 1]


def rows(codes, names=LEVELS):
    return "id,level\n" + "".join(f"{at},{names[code]}\n" for at, code in enumerate(codes))


def of_levels(metrics, **output):
    return benchmark(metrics, labels=LEVELS, output={"kind": "ordered_labels"} | output, file=TABLE)


def test_levels_of_a_language_are_scored_as_labels_and_as_steps():
    """As in tasks of readability and of graded proficiency: names in an order."""
    spec = of_levels(
        [
            "kappa_quadratic_scale",
            "accuracy",
            "f1_macro",
            "f1_B1",
            "mae",
            "mcc",
            {"name": "near", "title": "Within one level", "formula": "within[1] / items"},
        ]
    )

    found = scores(spec, rows(GOLD), rows(FOUND))

    assert found == pytest.approx(
        [
            cohen_kappa_score(GOLD, FOUND, weights="quadratic", labels=range(6)),
            accuracy_score(GOLD, FOUND),
            f1_score(GOLD, FOUND, average="macro"),
            f1_score(GOLD, FOUND, average=None)[2],
            mean_absolute_error(GOLD, FOUND),
            matthews_corrcoef(GOLD, FOUND),
            np.mean(np.abs(np.subtract(GOLD, FOUND)) <= 1),
        ],
        abs=1e-12,
    )


def test_labels_in_another_order_are_other_distances():
    spec = benchmark(
        ["mae"], labels=["centre", "left", "right"], output={"kind": "ordered_labels"}, file=TABLE
    )
    names = ["left", "centre", "right"]

    assert scores(spec, rows([0, 2], names), rows([2, 2], names)) == [0.5]


def test_a_near_level_is_worth_more_where_few_items_lie_between():
    """Ten items of A2 lie between A1 and B1, and none between B1 and B2."""
    spec, gold = of_levels(["closeness"]), [0, *[1] * 10, 2, 3]

    far, near = (
        scores(spec, rows(gold), rows(found)) for found in ([2, *[1] * 10, 2, 3], [0, *[1] * 10, 3, 3])
    )

    steps = np.diff(np.array([*far, *near, 1.0], dtype=np.float64))
    assert (steps > 0).all()


@pytest.mark.parametrize(
    ("written", "code"),
    [("b1", "label_case"), ("B3", "unknown_label"), ("2", "unknown_label"), ("", "empty_label")],
)
def test_what_is_no_level_is_told_once_with_its_line(written, code):
    spec = of_levels(["accuracy"])
    wrong = rows(FOUND).replace("3,B1\n", f"3,{written}\n")

    assert problems(spec, rows(GOLD), wrong) == [(5, "level", code)]


def test_of_several_accepted_levels_the_nearest_counts():
    spec = of_levels(["mae", "accuracy"], several_accepted=True)

    assert scores(spec, "id,level\n1,A1\n1,C1\n2,B1\n", "id,level\n1,B2\n2,B1\n") == [0.5, 0.5]


@pytest.mark.parametrize(
    ("task", "mistake"),
    [
        ({"never_right": ["A1"]}, "each has a place"),
        ({"output": {"kind": "ordered_labels", "parents": {"A1": "A"}}}, "`ordered_labels`"),
        ({"labels": ["A1"]}, "at least two labels"),
    ],
)
def test_an_order_that_is_none_is_a_mistake(task, mistake):
    given = {"labels": LEVELS, "output": {"kind": "ordered_labels"}, "file": TABLE} | task
    with pytest.raises(DefinitionError, match=mistake):
        benchmark(["accuracy"], **given)


def test_classes_are_scored_as_labels_too():
    """As in tasks of ratings, which report accuracy and macro F1 beside errors."""
    spec = benchmark(
        ["accuracy", "f1_macro", "f1_weighted", "mcc"],
        output={"kind": "ordered_classes", "low": -1, "high": 4},
        file=TABLE,
    )
    numbers = [str(code - 1) for code in range(6)]

    found = scores(spec, rows(GOLD, numbers), rows(FOUND, numbers))

    assert found == pytest.approx(
        [
            accuracy_score(GOLD, FOUND),
            f1_score(GOLD, FOUND, average="macro"),
            f1_score(GOLD, FOUND, average="weighted"),
            matthews_corrcoef(GOLD, FOUND),
        ],
        abs=1e-12,
    )
