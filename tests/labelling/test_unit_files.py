"""Files of units: what is read, what becomes of it, and each fault with its line, column and sentence."""

import pytest

from catalogue.problems import ProblemCode
from labelling.core.questions import QUESTION_KINDS
from labelling.core.questions.question import CampaignQuestion, Option
from labelling.core.unit_files import read_units
from labelling.exceptions import CannotChangeCampaign
from labelling.models import Campaign
from labelling.units.from_file import units_from_file
from labelling.work.campaigns import open_campaign
from scoring.file_refusal import FileRefused
from tests.crowds import MOOD, NOW, new_campaign

FEELINGS = CampaignQuestion(
    "several_labels",
    "Which?",
    (Option("joy", "Joy"), Option("fear", "Fear"), Option("none", "None", "", True)),
)
FOURS = CampaignQuestion("best_worst", "Which is most and which is least angry?")
QUESTIONS = {
    "several_labels": FEELINGS,
    "ordered_class": CampaignQuestion(
        "ordered_class", "How angry?", (Option("0", "not"), Option("1", "very"))
    ),
    "number": CampaignQuestion("number", "How angry?"),
    "yes_no": CampaignQuestion("yes_no", "Is it right?"),
    "writing": CampaignQuestion("writing", "Write one."),
    "which_of_two": CampaignQuestion("which_of_two", "Which is better?"),
}
ANSWERS = {
    "several_labels": ("joy|fear", ["joy", "fear"]),
    "ordered_class": ("1", 1),
    "number": ("0.5", 0.5),
    "yes_no": ("no", False),
    "writing": ("It rains.", "It rains."),
    "which_of_two": ("left", "left"),
}


def read(text: str, question: CampaignQuestion = MOOD):
    return read_units(text.encode(), file_name="units.csv", question=question)


def test_columns_in_any_order_become_texts_under_their_names():
    found = read(
        'text,id,context,group\n"Not bad,\nnot bad.",u1,,films\nIt rained.,u2,Of a walk.,walks\n'
    ).content

    assert [(row.id, row.line, row.group, row.part, row.answer) for row in found] == [
        ("u1", 2, "films", "main", None),
        ("u2", 4, "walks", "main", None),
    ]
    assert found[0].texts == (("text", "Not bad,\nnot bad."),)
    assert found[1].texts == (("text", "It rained."), ("context", "Of a walk."))


def test_check_questions_have_an_answer_and_a_reason():
    found = read(
        "id,text,part,answer,reason\nu1,A.,,,\nc1,B.,check,good,It is praised.\nq1,C.,qualification,bad,\n"
    ).content

    assert [(row.part, row.answer, row.reason) for row in found] == [
        ("main", None, ""),
        ("check", "good", "It is praised."),
        ("qualification", "bad", ""),
    ]


@pytest.mark.parametrize("kind", ANSWERS)
def test_every_kind_of_question_reads_the_answer_that_it_writes(kind):
    cell, kept = ANSWERS[kind]
    found = read(f"id,text,part,answer\nu1,A.,main,\nc1,B.,check,{cell}\n", QUESTIONS[kind]).content

    assert found[1].answer == kept
    asked = QUESTION_KINDS[kind]
    assert asked.cells(asked.loaded(kept)) == (cell,)


def test_a_check_question_can_be_answered_no_where_workers_say_why():
    question = CampaignQuestion("yes_no", "Was only what matters changed?", wants_reason=True)
    found = read("id,text,part,answer\na,One.,,\nc,Two.,check,no\n", question).content
    assert [row.answer for row in found] == [None, False]


def test_every_kind_about_one_item_is_in_the_table():
    about_one = {kind.key for kind in QUESTION_KINDS if kind.items_per_unit == 1}
    assert about_one == {*ANSWERS, "one_label"}


HEADERS = [
    ("u1,It is good.\n", "header_names", "There is no column “id”."),
    ("id;text\nu1;A.\n", "header_delimiter", "The columns are separated by semicolons"),
    ("Id,text\nu1,A.\n", "header_spelling", "“Id” must be written “id”."),
    ("id,part\nu1,main\n", "header_names", "There is no column of text."),
    ("id,text,text\nu1,A.,B.\n", "header_doubled_column", "A column stands in the header twice."),
    ("id,id,text\nu1,u1,A.\n", "header_doubled_column", "A column stands in the header twice."),
]


@pytest.mark.parametrize(("text", "code", "sentence"), HEADERS, ids=[code for _, code, _ in HEADERS])
def test_a_wrong_first_line_is_told_with_what_is_expected(text, code, sentence):
    (problem,) = read(text).problems
    assert (problem.code, problem.line, problem.expected) == (code, 1, "id,text")
    assert problem.message.startswith(sentence)


FAULTS = [
    ("u1,A.,main,,,\n,B.,main,,,\n", 3, "id", "empty_id", "Every row must have an id."),
    ("u1,A.,main,,,\nu1,B.,main,,,\n", 3, "id", "duplicate_id", "The id “u1” stands on line 2 already."),
    (f"{'u' * 241},A.,main,,,\n", 2, "id", "unit_words", "The id has 241 characters, and one may have 240."),
    ("u1,,main,,,\n", 2, "text", "text_missing", "The row has no text."),
    ("u1,A.\n", 2, None, "short_row", "The row has 2 cells where 6 are expected."),
    ("u1,A.,main,,,,\n", 2, None, "long_row", "The row has 7 cells where 6 are expected."),
    ("u1,A.,main,,,\n\nu2,B.,main,,,\n", 3, None, "blank_line", "The line is blank."),
    (
        "u1,A.,test,,,\n",
        2,
        "part",
        "unit_part",
        "“test” is no part of a campaign; these are main, check or qualification.",
    ),
    ("u1,A.,main,good,,\n", 2, "answer", "unit_answer", "This is to be labelled, so the file cannot state"),
    ("u1,A.,check,,,\n", 2, "answer", "unit_answer", "A check question needs its answer."),
    ("u1,A.,check,Good,,\n", 2, "answer", "unfit_answer", "“Good” is none of the options."),
    ("u1,A.,check,good,,\n", None, "part", "no_rows", "No row is to be labelled"),
    (f"u1,A.,main,,{'r' * 501},\n", 2, "reason", "unit_words", "The reason has 501 characters"),
    (f"u1,A.,main,,,{'g' * 121}\n", 2, "group", "unit_words", "The group has 121 characters"),
    ('u1,"A.,main,,,\n', 2, None, "unclosed_quote", "A quote opens in this row"),
    ("", None, None, "no_rows", "The file has a header and no rows."),
]


@pytest.mark.parametrize(
    ("rows", "line", "column", "code", "sentence"), FAULTS, ids=[sentence[:24] for *_, sentence in FAULTS]
)
def test_every_fault_is_told_with_its_place(rows, line, column, code, sentence):
    problem = read(f"id,text,part,answer,reason,group\n{rows}").problems[0]
    assert (problem.code, problem.line, problem.column) == (code, line, column)
    assert problem.message.startswith(sentence)


def test_a_file_of_faults_tells_all_of_them():
    read_file = read("id,text,part\nu1,,main\nu2,B.,dev\nu1,C.,\n")
    assert read_file.content is None
    assert [problem.code for problem in read_file.problems] == [
        ProblemCode.TEXT_MISSING,
        ProblemCode.UNIT_PART,
        ProblemCode.DUPLICATE_ID,
    ]


ITEMS = "id,text,part,answer,group\n" + "".join(f"t{number},Text {number}.,main,,\n" for number in range(6))
CHECK = "c1,Calm.,check,least,a\nc2,Cross.,check,,a\nc3,Angry.,check,,a\nc4,Furious.,check,most,a\n"


def test_items_become_balanced_fours_and_a_group_one_check_question(toy):
    campaign = new_campaign(toy, FOURS)

    assert units_from_file(campaign=campaign, data=(ITEMS + CHECK).encode(), file_name="a.csv") == 13

    main = list(campaign.units.filter(part="main"))
    assert {sum(f"t{number}" in unit.items for unit in main) for number in range(6)} == {8}
    check = campaign.units.get(part="check")
    assert (check.items, check.answer) == (["c1", "c2", "c3", "c4"], ["c4", "c1"])
    assert check.shown[3] == [["text", "Furious."]]


@pytest.mark.parametrize(
    ("rows", "code", "sentence"),
    [
        (CHECK[: CHECK.index("c4")], "unit_tuple", "The check question “a” has 3 rows, 0 of them most and 1"),
        (
            CHECK.replace("c2,Cross.,check,,", "c2,Cross.,check,best,"),
            "unfit_answer",
            "“best” is neither most",
        ),
    ],
)
def test_a_group_that_is_no_four_with_a_most_and_a_least_is_told(rows, code, sentence):
    problem = read(ITEMS + rows, FOURS).problems[0]
    assert problem.code == code
    assert problem.message.startswith(sentence)


def test_fewer_items_than_a_tuple_has_are_told():
    problem = read("id,text\nt1,A.\nt2,B.\n", FOURS).problems[0]
    assert problem.message == "There are 2 items to be labelled, and 4 are shown together. Give at least 4."


def test_a_file_makes_the_units_of_a_draft_and_none_of_an_open_campaign(toy):
    campaign = new_campaign(toy)
    data = b"id,text,group\nu1,A.,films\nu2,B.,films\n"
    assert units_from_file(campaign=campaign, data=data, file_name="a.csv") == 2
    assert {(unit.key, unit.group, unit.wanted) for unit in campaign.units.all()} == {
        ("u1", "films", 3),
        ("u2", "films", 3),
    }
    open_campaign(campaign=Campaign.objects.get(), now=NOW)
    with pytest.raises(CannotChangeCampaign, match="Units are fixed"):
        units_from_file(campaign=Campaign.objects.get(), data=data, file_name="a.csv")
    with pytest.raises(FileRefused, match="line 1: There is no column"):
        units_from_file(campaign=Campaign.objects.get(), data=b"text\nA.\n", file_name="a.csv")
