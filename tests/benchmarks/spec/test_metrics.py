"""Averages that would mislead are refused when a definition is read."""

from benchmarks.spec.document import DefinitionError
from benchmarks.spec.loader import load_definition

HEAD = """
id: toy
title: Toy
summary: Two tasks.
url: https://example.org
citation: Nobody
bundle: {files: any}
task_defaults: {summary: "Which?", instructions: Say., licence: CC0, citation: Nobody, test_size: 2}
phases:
  - id: main
    title: Main
    cut_off: {weekday: monday, time: "00:00", timezone: UTC}
    quota: {per_cut_off: 2}
    counting: latest
tasks:
"""
SURE = """  - id: %s
    code: S
    title: Sure
    labels: [yes it is, no it is not]
    output: {kind: label_with_confidence}
    file: {path: "{task}.json", dialect: json, label_column: b}
    metrics: [{name: rmse, title: RMSE}]
"""
SIZE = """  - id: size
    code: N
    title: Size
    output: {kind: number, low: 0, high: 1}
    file: {path: size.csv, id_column: i, label_column: l}
    metrics: [{name: pearson, title: Pearson}]
"""
MOOD = """  - id: mood
    code: M
    title: Mood
    labels: [bad, good]
    file: {path: mood.csv, id_column: i, label_column: l}
    metrics: [{name: accuracy, title: Accuracy}]
"""


def mistakes(tasks: str, averages: str) -> str:
    try:
        load_definition(HEAD + tasks + "averages:\n" + averages, "toy.yaml")
    except DefinitionError as error:
        return "\n".join(error.mistakes)
    return ""


def of_all(missing: str) -> str:
    return f"  - {{id: overall, title: Overall, of: all tasks, missing: {missing}}}\n"


def test_parts_of_both_directions_are_refused_with_their_names():
    assert mistakes(MOOD + SURE % "sure", of_all("unranked")) == (
        "toy.yaml: averages[overall].of: higher is better for mood (accuracy); lower is better for sure (rmse). "
        "Expected parts of one direction, because a mean of both says nothing, or `from` and `to` for each part"
    )


def test_directions_are_compared_through_averages_of_averages():
    inner = "  - {id: low, title: Low, of: [sure]}\n  - {id: top, title: Top, of: [low, mood]}\n"
    found = mistakes(MOOD + SURE % "sure", inner)
    assert "averages[top].of: higher is better for mood" in found
    assert "averages[low]" not in found


def test_zero_for_a_missing_task_is_refused_where_zero_is_the_best():
    found = mistakes(SURE % "sure" + SURE % "certain", of_all("zero"))

    assert (
        "averages[overall].missing: line 31: with zero, a missing task counts 0, and 0 is the best value of"
        in found
    )
    assert "sure (rmse), certain (rmse)" in found
    assert not mistakes(SURE % "sure" + SURE % "certain", of_all("unranked"))


def test_zero_for_a_missing_task_is_taken_at_its_word_where_scores_go_below_it():
    """As benchmarks of correlations ask for it; `worst` is there for who wants nobody to gain."""
    assert not mistakes(MOOD + SIZE, of_all("zero"))


def test_zero_for_a_missing_task_is_accepted_where_zero_is_the_worst():
    assert not mistakes(MOOD, of_all("zero"))


def test_zero_is_refused_for_another_metric_that_all_parts_have():
    both = "metrics: [{name: accuracy, title: Accuracy}, {name: rmse, title: RMSE}]"
    tasks = (SURE % "sure").replace("metrics: [{name: rmse, title: RMSE}]", both)
    assert "sure (rmse)" in mistakes(tasks, of_all("zero"))


RELATIVE = """  - id: news
    code: R
    title: News
    labels: [unrelated, agree]
    file: {path: news.csv, id_column: i, label_column: l}
    metrics: [{name: fnc1_relative, title: Relative}]
"""


def test_parts_that_reach_differently_far_are_refused_with_their_ends():
    found = mistakes(MOOD + RELATIVE, of_all("unranked"))
    assert "scores reach differently far: mood (accuracy) to 1, news (fnc1_relative) to 100." in found


def test_weights_in_a_list_of_their_own_are_refused_in_words():
    average = "  - {id: overall, title: Overall, of: [mood], weights: [2]}\n"
    assert "averages[overall].weights: expected none: a part has its weight beside it" in mistakes(
        MOOD, average
    )


def test_a_metric_that_a_task_has_not_is_refused_with_those_that_it_has():
    average = '  - {id: overall, title: Overall, of: ["mood:accuracy", "mood:f1_macro"]}\n'
    assert "averages[overall].of: 'mood' has no metric 'f1_macro'; expected one of accuracy" in mistakes(
        MOOD, average
    )
