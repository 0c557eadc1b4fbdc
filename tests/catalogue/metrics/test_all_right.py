"""The share of groups of which every item is right, held against counting them one by one."""

from collections import defaultdict

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from catalogue.answers import Label, Number
from catalogue.comparison import Comparison
from catalogue.item_groups import ItemGroups, groups_at, with_clusters
from catalogue.metrics.choice import UnknownMetricError, metric_for
from catalogue.metrics.metric import Undefined
from scoring.core.figure_bits import FigureBits, PublishedFigure
from scoring.core.uncertainty.exchange import exchanged
from scoring.core.uncertainty.replicates import replicate_scores
from scoring.core.uncertainty.single_system import intervals_of
from scoring.core.uncertainty.weights import item_weights

LABELS = Label(names=("no", "yes"), groups=("topic",), clusters="question")
NAME = "all_right[question]"


def answered(gold: list[int], answers: list[int], questions: list[int]) -> Comparison:
    groups = with_clusters({}, "question", np.array(questions, dtype=np.uint32))
    return Comparison(
        LABELS, np.array(gold, dtype=np.uint8), np.array(answers, dtype=np.uint8), groups=groups
    )


def counted(gold: list[int], answers: list[int], questions: list[int]) -> float:
    by_question = defaultdict(list)
    for label, answer, question in zip(gold, answers, questions, strict=True):
        by_question[question].append(label == answer)
    return sum(map(all, by_question.values())) / len(by_question)


ITEMS = st.lists(st.tuples(st.integers(0, 1), st.integers(0, 1), st.integers(0, 4)), min_size=1, max_size=30)


@given(items=ITEMS)
def test_it_is_the_share_of_groups_without_a_wrong_item(items):
    gold, answers, questions = map(list, zip(*items, strict=True))

    value = metric_for(LABELS, NAME).value(answered(gold, answers, questions))

    assert value == pytest.approx(counted(gold, answers, questions), abs=1e-12)


def test_groups_that_are_drawn_whole_are_the_resample():
    random = np.random.default_rng(4)
    questions = np.repeat(np.arange(20), 3)
    gold, answers = random.integers(2, size=60), random.integers(2, size=60)
    answers = np.where(random.random(60) < 0.7, gold, answers)
    comparison = answered(gold.tolist(), answers.tolist(), questions.tolist())
    weights = item_weights(b"all right", 60, 15, clusters=questions)

    found = replicate_scores(comparison, [NAME], weights)[NAME]

    is_right = (gold == answers).reshape(20, 3).all(axis=1)
    often = weights[:, ::3]  # every item of a question as often as its first
    assert (weights == np.repeat(often, 3, axis=1)).all()
    assert found == pytest.approx([(is_right * row).sum() / row.sum() for row in often], abs=1e-12)


def test_items_without_a_group_count_nowhere():
    topics = ItemGroups.of_cells(["", "a", "a", "b"])
    codes = np.array([0, 1, 1, 0], dtype=np.uint8)
    comparison = Comparison(LABELS, codes, np.array([1, 1, 1, 1], dtype=np.uint8), groups={"topic": topics})

    assert metric_for(LABELS, "all_right[topic]").value(comparison) == 0.5


def test_of_some_of_the_items_it_is_about_the_groups_that_they_are_of():
    questions = np.array([0, 0, 1, 1, 2], dtype=np.uint32)
    groups = groups_at(with_clusters({}, "question", questions), np.array([0, 1, 4]))
    codes = np.array([0, 1, 1], dtype=np.uint8)
    comparison = Comparison(LABELS, codes, np.array([0, 0, 1], dtype=np.uint8), groups=groups)

    assert metric_for(LABELS, NAME).value(comparison) == 0.5


def test_without_groups_there_is_no_value():
    codes = np.array([0, 1], dtype=np.uint8)

    assert metric_for(LABELS, NAME).value(Comparison(LABELS, codes, codes)) == Undefined("no_groups")


@pytest.mark.parametrize(
    "name", ["all_right[colour]", "all_right[]", "all_right", "all_right[question,topic]"]
)
def test_a_column_that_is_not_declared_is_no_metric(name):
    with pytest.raises(UnknownMetricError, match=r"all_right\[topic\], all_right\[question\]"):
        metric_for(LABELS, name)


def test_numbers_are_right_where_they_are_equal():
    kind = Number(low=0, high=5, clusters="question")
    groups = with_clusters({}, "question", np.array([0, 0, 1], dtype=np.uint32))
    comparison = Comparison(kind, np.array([1.0, 2.0, 3.0]), np.array([1.0, 2.0, 3.5]), groups=groups)

    assert metric_for(kind, NAME).value(comparison) == 0.5


def test_answers_that_are_exchanged_are_so_with_their_group():
    """Of two systems that differ in one item of each group each difference is that of exchanged groups."""
    gold, questions = [0] * 8, [0, 0, 1, 1, 2, 2, 3, 3]
    own = answered(gold, [0] * 8, questions)
    other = answered(gold, [1, 0] * 4, questions)

    drawn = exchanged(own, other, NAME, rng=np.random.default_rng(1), draws=400)

    assert set(np.round(drawn, 9)) <= {-1, -0.5, 0, 0.5, 1}
    assert {-0.5, 0.5} <= set(np.round(drawn, 9))


def test_an_interval_of_few_groups_is_not_that_of_many_items():
    """All of 10 groups are right, each of 100 items: it is as unsure as 10 right answers are."""
    questions = np.repeat(np.arange(10), 100)
    comparison = answered([0] * 1000, [0] * 1000, questions.tolist())

    found = intervals_of(comparison, {NAME: 1.0}, b"seed", questions)[NAME]

    assert found.low < 0.9


def test_its_bits_are_charged_though_items_are_answered_alike():
    """Which items are of one group is not told, so that equal answers of all tell nothing of what it can be."""
    assert FigureBits(LABELS, 10, [PublishedFigure(NAME, 3)]).unlike > 0
