"""What holds for every kind of question: its form and keys, what is read and refused, its rules, and its files."""

import csv
import io
import re
from dataclasses import dataclass

import pytest
from django.template.loader import render_to_string

from labelling.admin.answer_export import export_answers
from labelling.core.aggregation import rules_for
from labelling.core.answers import Value
from labelling.core.questions import QUESTION_KINDS
from labelling.core.questions.question import CampaignQuestion, Option, Sent, UnfitAnswer, UnfitQuestion
from labelling.core.worker_words import words_of
from labelling.outcomes.answers_read import newest_answers
from labelling.pages.units import shown_units
from labelling.units.new_units import NewUnit, store_units
from labelling.work.campaigns import open_campaign
from labelling.work.imports import import_answers
from labelling.work.places import take_units
from tests.crowds import NOW, hired, new_campaign, say

NO_TEXT = "The question has no text. Write the sentence that stands above the options."
FOUR = ("a", "b", "c", "d")
MOODS = (Option("good", "Good"), Option("bad", "Bad", "not good"), Option("none", "None", alone=True))


@dataclass(frozen=True)
class Case:
    """A question of a kind; answers as they are sent with their values; what is refused with its sentence.

    unfit : a question of the kind that cannot be asked, and why
    keys : what chooses on the page
    """

    question: CampaignQuestion
    good: tuple[tuple[Sent, Value], ...]
    bad: tuple[tuple[Sent, str], ...]
    unfit: tuple[CampaignQuestion, str]
    keys: tuple[str, ...]


def asked(kind: str, *options: Option, lowest: float = 0.0, highest: float = 1.0) -> CampaignQuestion:
    return CampaignQuestion(kind, "Which?", options, lowest, highest)


CASES = {
    "one_label": Case(
        asked("one_label", *MOODS),
        (({"label": ["bad"]}, "bad"),),
        (
            ({}, "Nothing is chosen. Choose one option."),
            ({"label": ["worse"]}, "“worse” is none of the options."),
            ({"label": ["good", "bad"]}, "“label” was sent 2 times; expected once."),
        ),
        (asked("one_label", MOODS[0]), "There are 1 options; expected at least 2."),
        ("1", "2", "3"),
    ),
    "several_labels": Case(
        asked("several_labels", *MOODS),
        (({"labels": ["bad", "good"]}, ("good", "bad")), ({"labels": ["none"]}, ("none",))),
        (
            ({}, "Nothing is chosen. Choose at least one option."),
            ({"labels": ["good", "none"]}, "“None” cannot be chosen together with others."),
            ({"labels": ["worse"]}, "“worse” is none of the options."),
        ),
        (asked("several_labels", MOODS[0], MOODS[0]), "“good” stands twice among the options. Keep one."),
        ("1", "2", "3"),
    ),
    "ordered_class": Case(
        asked("ordered_class", Option("0", "not"), Option("1", "a little"), Option("2", "very")),
        (({"label": ["2"]}, 2),),
        (
            ({}, "Nothing is chosen. Choose one class."),
            ({"label": ["3"]}, "“3” is none of the classes."),
        ),
        (
            asked("ordered_class", Option("1", "a little"), Option("0", "not")),
            "The values of ordered classes must grow from the first option to the last.",
        ),
        ("1", "2", "3"),
    ),
    "best_worst": Case(
        asked("best_worst"),
        (({"best": ["d"], "worst": ["a"]}, ("d", "a")),),
        (
            ({"best": ["d"]}, "Choose which one is least."),
            ({"best": ["x"], "worst": ["a"]}, "“x” is none of the texts shown."),
            ({"best": ["a"], "worst": ["a"]}, "The same text cannot be both most and least. Choose two."),
        ),
        (
            CampaignQuestion("best_worst", " "),
            NO_TEXT,
        ),
        ("1", "2", "3", "4", "q", "w", "e", "r"),
    ),
    "number": Case(
        asked("number", lowest=-1.0, highest=1.0),
        (({"number": [" -0.25 "]}, -0.25), ({"number": ["1"]}, 1.0)),
        (
            ({}, "There is no number yet."),
            ({"number": ["much"]}, "“much” is no number. Write one such as 0.5."),
            ({"number": ["2"]}, "2 is not in the range from -1 to 1."),
        ),
        (asked("number", lowest=1.0, highest=1.0), "The range from 1 to 1 is empty."),
        (),
    ),
    "yes_no": Case(
        CampaignQuestion("yes_no", "Is it?", wants_reason=True),
        (({"label": ["yes"]}, True), ({"label": ["no"], "note": ["It is not."]}, False)),
        (({}, "Choose yes or no."), ({"label": ["no"]}, "Say in a few words why not.")),
        (
            CampaignQuestion("yes_no", ""),
            NO_TEXT,
        ),
        ("1", "2"),
    ),
    "which_of_two": Case(
        asked("which_of_two"),
        (({"label": ["left"]}, "left"), ({"label": ["tie"]}, "tie")),
        (
            ({}, "Nothing is chosen. Choose one of the two, or that neither is better."),
            ({"label": ["both"]}, "“both” is none of left, tie, right."),
        ),
        (
            CampaignQuestion("which_of_two", ""),
            NO_TEXT,
        ),
        ("1", "2", "3"),
    ),
    "writing": Case(
        asked("writing", *MOODS),
        (({"text": [" So  “good”, \n"]}, "So “good”,"),),
        (
            ({"text": [" "]}, "There is no text yet. Write one."),
            ({"text": ["x" * 2001]}, "The text has 2001 characters; at most 2000 are taken."),
        ),
        (
            CampaignQuestion("writing", ""),
            NO_TEXT,
        ),
        (),
    ),
}

KINDS = pytest.mark.parametrize("name", CASES)


def items(name: str) -> tuple[str, ...]:
    return FOUR[: QUESTION_KINDS[name].items_per_unit]


def asking(toy, name: str, units: int):
    """An open campaign of the kind."""
    rule = next((rule.key for rule in rules_for([name])), "")
    campaign = new_campaign(toy, CASES[name].question, rule=rule, purpose="answers", answers_wanted=1)
    shown = [[("text", item)] for item in items(name)]
    store_units(campaign=campaign, units=[NewUnit(f"u{place}", items(name), shown) for place in range(units)])
    open_campaign(campaign=campaign, now=NOW)
    return campaign


def values(campaign):
    return {unit: campaign.kind.loaded(value) for unit, _, value, _ in newest_answers(campaign)}


def test_every_kind_has_its_case():
    assert set(CASES) == set(QUESTION_KINDS.keys())


@KINDS
def test_a_question_is_checked_before_it_is_asked_and_comes_back_from_json(name):
    case, kind = CASES[name], QUESTION_KINDS[name]
    kind.check(case.question)
    assert CampaignQuestion.from_json(case.question.as_json()) == case.question
    unfit, why = case.unfit
    with pytest.raises(UnfitQuestion) as told:
        kind.check(unfit)
    assert str(told.value) == why


@pytest.mark.parametrize("said", [("-1", "0", "+1"), ("1", "01"), ("1", "1_0")])
def test_values_of_ordered_classes_are_written_as_answers_are_kept(said):
    question = asked("ordered_class", *(Option(value, value) for value in said))
    with pytest.raises(UnfitQuestion, match=f"“{re.escape(said[-1])}” must be written {int(said[-1])}"):
        QUESTION_KINDS["ordered_class"].check(question)


@KINDS
def test_answers_are_read_kept_and_said_in_words(name):
    case, kind = CASES[name], QUESTION_KINDS[name]
    for sent, value in case.good:
        read = kind.read(sent, case.question, items(name))
        assert (read, type(read)) == (value, type(value))
        assert kind.loaded(kind.kept(read)) == value
        assert kind.in_words(value, case.question)
        cells = dict(zip(kind.fields, kind.cells(value), strict=True))
        assert kind.read({**sent, **kind.sent(cells)}, case.question, items(name)) == value


@KINDS
def test_what_is_no_answer_is_refused_in_a_sentence(name):
    case, kind = CASES[name], QUESTION_KINDS[name]
    for sent, why in case.bad:
        with pytest.raises(UnfitAnswer) as told:
            kind.read(sent, case.question, items(name))
        assert str(told.value) == why


@KINDS
def test_the_form_has_every_field_and_a_key_for_every_choice(name, toy):
    campaign = asking(toy, name, 1)
    (worker,) = hired(campaign)
    (unit,) = shown_units(campaign, worker, take_units(worker=worker, now=NOW), {}, {})
    page = render_to_string(unit.part, {"unit": unit, "words": words_of({}), "is_blurred": False})
    named = set(re.findall(rf'name="{unit.name}-(\w+)"', page))
    assert named >= set(QUESTION_KINDS[name].fields)
    assert sorted(re.findall(r'data-key="(\w)"', page)) == sorted(CASES[name].keys)


@KINDS
def test_an_answer_goes_out_in_a_file_and_comes_in_as_the_same(name, toy):
    good = CASES[name].good
    first, second = asking(toy, name, len(good)), asking(toy, name, len(good))
    (worker,) = hired(first)
    given = iter(good)
    while page := take_units(worker=worker, now=NOW):
        say(page[0], sent=next(given)[0])
    imported = import_answers(campaign=second, data=_columns_of_answers(first), file_name="a.csv", now=NOW)
    assert imported.answers == len(good)
    assert values(first) == values(second)
    assert sorted(map(str, values(second).values())) == sorted(str(value) for _, value in good)


def _columns_of_answers(campaign) -> bytes:
    """The columns of an export that a file of answers has."""
    rows = list(csv.reader(io.StringIO(export_answers(campaign).decode())))
    wide = rows[0].index("note") + 1
    written = io.StringIO()
    csv.writer(written, lineterminator="\n").writerows(row[:wide] for row in rows)
    return written.getvalue().encode()
