"""Which metric a name means for a kind of answer, and what is said where there is none."""

import pytest

from catalogue.answers import Label, LabelSubset, Number
from catalogue.comparison import Comparison
from catalogue.metrics.choice import UnknownMetricError, metric_for
from catalogue.metrics.metric import Undefined
from tests.catalogue.answer_facts import EACH_KIND, FACTS

YES_NO = Label(names=("no", "yes"))


def test_metric_is_found_by_name_with_what_a_reader_must_know():
    found = metric_for(YES_NO, "f1_macro")

    assert (found.title, found.version, found.higher_is_better) == ("F1 macro", 1, True)
    assert (found.low, found.high) == (0.0, 1.0)


def test_unknown_metric_error_lists_near_names():
    with pytest.raises(UnknownMetricError, match=r"no metric `f1_marco`. Did you mean f1_macro"):
        metric_for(YES_NO, "f1_marco")


def test_unknown_metric_error_lists_all_names_that_fit_where_none_is_near():
    with pytest.raises(
        UnknownMetricError, match="Metrics for one label of a set: accuracy, balanced_accuracy, f1_macro, "
    ):
        metric_for(YES_NO, "zzz")


def test_metric_for_finds_the_f1_of_a_declared_label():
    found = metric_for(Label(names=("not ADE-related", "ADE-related")), "f1_not ADE-related")

    assert found.title == "F1 of not ADE-related"
    assert "label_not_seen" in found.undefined


def test_metric_for_refuses_the_f1_of_an_undeclared_label_and_names_the_nearest():
    with pytest.raises(UnknownMetricError, match="Did you mean f1_FAVOR"):
        metric_for(Label(names=("AGAINST", "FAVOR")), "f1_FAVOUR")


def test_metric_for_prefers_the_registered_metric_to_a_label_of_the_same_name():
    assert metric_for(Label(names=("macro", "micro")), "f1_macro") is metric_for(YES_NO, "f1_macro")


def test_one_name_may_stand_for_a_formula_per_kind_of_answer():
    of_one, of_several = metric_for(YES_NO, "f1_macro"), metric_for(LabelSubset(names=("a",)), "f1_macro")

    assert of_one.formula is not of_several.formula


def test_metric_for_finds_precision_and_recall_of_a_declared_label():
    output = LabelSubset(names=("joy", "fear"))

    assert metric_for(output, "precision_fear").title == "Precision of fear"
    assert metric_for(output, "recall_joy").title == "Recall of joy"


def test_metric_for_averages_the_f1_of_the_labels_between_brackets():
    found = metric_for(Label(names=("AGAINST", "FAVOR", "NONE")), "f1_macro[FAVOR,AGAINST]")

    assert found.title == "F1 macro of FAVOR, AGAINST"


@pytest.mark.parametrize(
    "name", ["f1_macro[FAVOR,AGAINTS]", "f1_macro[FAVOR,FAVOR]", "f1_macro[FAVOR", "f1_macro[]"]
)
def test_metric_for_refuses_brackets_that_hold_no_distinct_declared_labels(name):
    with pytest.raises(UnknownMetricError):
        metric_for(Label(names=("AGAINST", "FAVOR", "NONE")), name)


@pytest.mark.parametrize("name", ["fnc1", "f1_favor_against"])
def test_metric_for_refuses_a_metric_of_labels_that_the_output_lacks(name):
    with pytest.raises(UnknownMetricError):
        metric_for(Label(names=("yes", "no")), name)


@pytest.mark.parametrize(
    ("output", "name", "kind"),
    [
        (Label(names=("a", "b")), "pearson", "for one label of a set"),
        (Number(0, 1), "accuracy", "for a number"),
        (Number(0, 1), "jaccard", "for a number"),
    ],
)
def test_metric_for_refuses_a_metric_of_another_kind_of_label_and_names_both(output, name, kind):
    with pytest.raises(
        UnknownMetricError, match=f"`{name}` is a metric for .*, not {kind}.* Metrics {kind}: "
    ):
        metric_for(output, name)


def test_metric_for_names_the_labels_that_a_metric_lacks():
    with pytest.raises(UnknownMetricError, match="`f1_favor_against` needs the labels FAVOR, AGAINST"):
        metric_for(Label(names=("yes", "no")), "f1_favor_against")


def test_metrics_of_labels_are_listed_as_what_they_are_called_like():
    with pytest.raises(UnknownMetricError, match=r"; and f1_<label>, f1_macro\[<label>,<label>\]"):
        metric_for(Label(names=("yes", "no")), "zzz")


OF_ANY_FAMILY = (
    "f_beta[0.5]",
    "f1_micro[aspect]",
    "f1_samples[aspect]",
    "conll_f1[aspect]",
    "ece_top_5",
    "top_2_accuracy",
    "erde_5",
    "within_161_km",
    "ndcg_cut_3",
    "map_capped_3",
    "rbp_0.9",
    "hierarchical[f1_micro]",
    "rouge1_stemmed",
    "precision_person",
    "f_beta[0.5,a]",
)


@EACH_KIND
@pytest.mark.parametrize("name", OF_ANY_FAMILY)
def test_a_name_with_a_part_is_refused_or_can_be_scored(kind, name):
    """An F-beta without labels was taken for answers of every kind, and then no answer could be scored."""
    of_kind, answers = FACTS[kind.key].few
    gold = FACTS[kind.key].few_gold
    try:
        found = metric_for(of_kind, name)
    except UnknownMetricError:
        return
    value = found.value(Comparison(of_kind, answers if gold is None else gold, answers))
    assert isinstance(value, float | Undefined)
