import numpy as np
import pytest

from catalogue.answers import Label
from scoring.core import ScoreValue, score

YES_NO_MAYBE = Label(names=("yes", "no", "maybe"))
Y_TRUE = np.array([0, 0, 1, 1], dtype=np.uint8)
Y_PRED = np.array([0, 1, 1, 1], dtype=np.uint8)


def test_score_answers_in_the_order_asked_with_versions_and_item_count():
    report = score(YES_NO_MAYBE, ["f1_no", "accuracy"], Y_TRUE, Y_PRED)

    assert report.item_count == 4
    assert report.values == (ScoreValue(0.8, None, "f1_no", 1), ScoreValue(0.75, None, "accuracy", 1))


def test_score_says_undefined_with_a_code_instead_of_a_number():
    report = score(YES_NO_MAYBE, ["f1_maybe"], Y_TRUE, Y_PRED)

    assert report["f1_maybe"] == ScoreValue(None, "label_not_seen", "f1_maybe", 1)


def test_score_of_a_single_item_is_defined():
    report = score(YES_NO_MAYBE, ["accuracy", "f1_macro"], Y_TRUE[:1], Y_PRED[:1])

    assert [value.value for value in report.values] == [1.0, 1.0]


def test_report_raises_key_error_for_a_metric_that_was_not_asked_for():
    with pytest.raises(KeyError, match="f1_macro"):
        score(YES_NO_MAYBE, ["accuracy"], Y_TRUE, Y_PRED)["f1_macro"]


@pytest.mark.parametrize("metrics", [[], ["accuracy", "accuracy"]])
def test_score_refuses_no_metric_and_a_metric_named_twice(metrics):
    with pytest.raises(ValueError, match="`metrics` must name at least one metric, each once"):
        score(YES_NO_MAYBE, metrics, Y_TRUE, Y_PRED)


def test_score_refuses_an_unknown_metric_and_names_the_nearest():
    with pytest.raises(ValueError, match="Did you mean accuracy"):
        score(YES_NO_MAYBE, ["acuracy"], Y_TRUE, Y_PRED)


def test_score_refuses_predictions_that_are_not_aligned_with_the_gold_labels():
    with pytest.raises(ValueError, match="same split; they have 4 and 3"):
        score(YES_NO_MAYBE, ["accuracy"], Y_TRUE, Y_PRED[:3])


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_score_value_is_never_a_number_that_is_not_finite(value):
    with pytest.raises(ValueError, match="must be finite"):
        ScoreValue(value, None, "accuracy", 1)


@pytest.mark.parametrize(("value", "undefined"), [(None, None), (0.5, "label_not_seen")])
def test_score_value_has_either_a_value_or_a_reason(value, undefined):
    with pytest.raises(ValueError, match="needs a value or the code"):
        ScoreValue(value, undefined, "accuracy", 1)
