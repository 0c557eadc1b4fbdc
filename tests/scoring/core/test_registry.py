from __future__ import annotations

from dataclasses import replace

import pytest

from benchmarks.spec.outputs import LabelSet
from scoring.core import UnknownMetricError, all_metrics, metric, metric_for, register


def test_metric_is_found_by_name_with_what_a_reader_must_know():
    found = metric("f1_macro")

    assert (found.title, found.version, found.higher_is_better) == ("F1 macro", 1, True)
    assert (found.low, found.high) == (0.0, 1.0)


def test_register_refuses_a_name_that_is_taken_and_keeps_the_first():
    first = metric("accuracy")

    with pytest.raises(ValueError, match="`accuracy` is registered already"):
        register(replace(first, title="Another accuracy"))

    assert metric("accuracy") is first


def test_unknown_metric_error_lists_near_names():
    with pytest.raises(UnknownMetricError, match=r"no metric `f1_marco`. Did you mean f1_macro"):
        metric("f1_marco")


def test_unknown_metric_error_lists_all_names_where_none_is_near():
    with pytest.raises(UnknownMetricError, match="Known metrics: accuracy, f1_favor_against, "):
        metric("zzz")


def test_metric_for_finds_the_f1_of_a_declared_label():
    found = metric_for(LabelSet(names=("not ADE-related", "ADE-related")), "f1_not ADE-related")

    assert found.title == "F1 of not ADE-related"
    assert "label_not_seen" in found.undefined


def test_metric_for_refuses_the_f1_of_an_undeclared_label_and_names_the_nearest():
    with pytest.raises(UnknownMetricError, match="Did you mean f1_FAVOR"):
        metric_for(LabelSet(names=("AGAINST", "FAVOR")), "f1_FAVOUR")


def test_metric_for_prefers_the_registered_metric_to_a_label_of_the_same_name():
    assert metric_for(LabelSet(names=("macro", "micro")), "f1_macro") is metric("f1_macro")


@pytest.mark.parametrize("each", all_metrics(), ids=lambda each: each.name)
def test_registered_metric_documents_itself(each):
    sections = ("Parameters", "Returns", "References", "Examples")

    assert all(f"{section}\n    ---" in each.function.__doc__ for section in sections)
    assert each.reference
    assert each.version >= 1
    assert each.low < each.high
