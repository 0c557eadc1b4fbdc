"""What holds for every rule by which answers become a value per item, and what becomes of one that is new."""

from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from labelling.core.aggregation import AGGREGATION_RULES, rules_for
from labelling.core.aggregation.rule import AggregationRule, RuleFigure, UnfitSettings
from labelling.core.answers import GivenAnswer, Value, Work
from labelling.core.questions import QUESTION_KINDS
from labelling.core.questions.which_of_two import SIDES
from labelling.outcomes import PURPOSES

LABELS = ("0", "1", "2", "neutral")
CLASSES = ("0", "1", "2", "3")
FOUR = ("a", "b", "c", "d")
DRAWN: dict[str, Callable[[Random], Value]] = {
    "one_label": lambda rng: rng.choice(LABELS),
    "several_labels": lambda rng: tuple(label for label in LABELS if rng.random() < 0.4),
    "ordered_class": lambda rng: rng.randrange(4),
    "number": lambda rng: rng.random(),
    "yes_no": lambda rng: rng.random() < 0.6,
    "best_worst": lambda rng: tuple(rng.sample(FOUR, 2)),
    "which_of_two": lambda rng: rng.choice(SIDES),
}
"""An answer of somebody who guesses, for every kind of question whose answers have a rule."""
AGREED: dict[str, Value] = {
    "one_label": "1",
    "several_labels": ("0", "2"),
    "ordered_class": 3,
    "number": 0.25,
    "yes_no": True,
    "which_of_two": "tie",
}
"""An answer that all give; best and worst are about several items, so that the value of each is another thing."""

EACH = pytest.mark.parametrize(
    ("rule", "kind"),
    [(rule, kind) for rule in AGGREGATION_RULES for kind in rule.question_kinds],
    ids=lambda each: getattr(each, "key", each),
)


def options_of(kind: str) -> tuple[str, ...]:
    if kind == "ordered_class":
        return CLASSES
    return LABELS if QUESTION_KINDS[kind].needs_options else ()


def guessed(kind: str, seed: int = 1) -> Work:
    """30 units answered by five workers each, and one by nobody."""
    rng = Random(seed)
    units = [f"u{number:02}" for number in range(31)]
    items = FOUR if kind == "best_worst" else None
    answers = [GivenAnswer(unit, worker, DRAWN[kind](rng)) for unit in units[:30] for worker in range(5)]
    return Work(options_of(kind), {unit: items or (f"item {unit}",) for unit in units}, answers)


def everything(rule: AggregationRule, work: Work, seed: int = 2) -> Any:
    values = rule.settle(work, {}, Random(seed))
    return list(values.items()), rule.figures(work, {}, Random(seed))


def test_every_kind_of_question_has_a_rule_but_writing():
    assert {kind.key for kind in QUESTION_KINDS if not rules_for([kind.key])} == {"writing"}
    assert set(DRAWN) == {kind.key for kind in QUESTION_KINDS} - {"writing"}


@EACH
def test_rule_gives_every_item_a_value_or_none_sorted(rule, kind):
    work = guessed(kind)

    values = rule.settle(work, {}, Random(2))

    assert list(values) == sorted({item for items in work.items_of.values() for item in items})
    assert any(value is not None for value in values.values())


@EACH
def test_the_order_of_answers_changes_nothing(rule, kind):
    work = guessed(kind)
    other = Work(
        work.options,
        dict(reversed(list(work.items_of.items()))),
        Random(5).sample(work.answers, len(work.answers)),
    )

    assert everything(rule, work) == everything(rule, other)


@EACH
def test_the_same_seed_gives_the_same(rule, kind):
    assert everything(rule, guessed(kind)) == everything(rule, guessed(kind))


@EACH
def test_who_is_which_number_changes_no_value(rule, kind):
    work = guessed(kind)
    renumbered = [GivenAnswer(each.unit, 10 - each.worker, each.value) for each in work.answers]

    changed = Work(work.options, work.items_of, renumbered)

    assert rule.settle(work, {}, Random(2)) == rule.settle(changed, {}, Random(2))


@EACH
def test_an_item_that_nobody_answered_has_no_value(rule, kind):
    shown = {"u": FOUR} if kind == "best_worst" else {"u": ("i",)}
    work = Work(options_of(kind), shown, [])

    assert set(rule.settle(work, {}, Random(1)).values()) == {None}
    assert all(figure.value in {None, 0, 1} for figure in rule.figures(work, {}, Random(1)))


@pytest.mark.parametrize(
    ("rule", "kind"),
    [(rule, kind) for rule in AGGREGATION_RULES for kind in rule.question_kinds if kind in AGREED],
    ids=lambda each: getattr(each, "key", each),
)
def test_what_all_workers_say_is_the_value(rule, kind):
    agreed = [GivenAnswer("u", worker, AGREED[kind]) for worker in range(5)]

    value = rule.settle(Work(options_of(kind), {"u": ("i",)}, agreed), {}, Random(1))["i"]

    assert value == AGREED[kind]


@EACH
def test_figures_have_names_of_their_own_and_tell_of_no_item(rule, kind):
    figures = rule.figures(guessed(kind), {}, Random(1))

    assert all(isinstance(figure, RuleFigure) for figure in figures)
    assert len({figure.name for figure in figures}) == len(figures)
    assert not any("item u" in figure.name for figure in figures)


@EACH
def test_rule_says_what_it_does(rule, kind):
    assert rule.title
    assert rule.describe({}).endswith(".")
    assert rule.describe(rule.checked({}, options_of(kind))) == rule.describe({})


@EACH
def test_settings_beyond_their_range_or_unknown_are_refused_in_words(rule, kind):
    with pytest.raises(UnfitSettings, match=f"The rule “{rule.title}” has no setting `colour`"):
        rule.settle(guessed(kind), {"colour": "red"}, Random(1))
    for setting in rule.settings:
        wrong = ["x", None, True, setting.highest + 1, setting.lowest - 1, float("nan")]
        for value in wrong if not isinstance(setting.default, str) else ["colour", 3]:
            with pytest.raises(UnfitSettings, match=setting.words):
                rule.settle(guessed(kind), {setting.name: value}, Random(1))


def offered(purpose):
    return [rule.key for rule in PURPOSES[purpose].offered_rules()]


def test_a_new_rule_is_offered_after_the_others_for_every_purpose_that_leaves_the_rule_to_organisers():
    class Shortest(type(AGGREGATION_RULES["majority"])):  # type: ignore[misc]  # the class of a member
        key = "shortest"
        title = "shortest"

    with AGGREGATION_RULES.extended(Shortest()) as rule:
        assert offered("answers")[-1] == offered("gold_labels")[-1] == rule.key
        assert rule.key not in offered("assessment")
