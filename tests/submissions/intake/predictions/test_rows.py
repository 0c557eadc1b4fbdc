"""Quotes, cells and rows."""

from dataclasses import replace

import pytest

from benchmarks.spec import FileFormat
from catalogue.answers import Label, Span
from catalogue.layouts import JSON_LINES, TSV
from submissions.intake import ProblemCode
from tests.submissions.intake.kinds import problems_in, task_of
from tests.submissions.intake.uploads import (
    BANK_ROWS,
    MOOD_CODES,
    MOOD_ROWS,
    csv,
    mood_csv,
    mood_problem,
    mood_problems,
    read,
)


def test_quoted_cells_are_the_same_as_plain_ones():
    rows = [f'"{item}","{label}"' for item, label in (row.split(",") for row in MOOD_ROWS)]
    assert read(csv(rows), file_name="mood.csv").predictions[0].codes.tolist() == MOOD_CODES


def test_label_with_a_comma_is_read_in_quotes():
    result = read(mood_csv({2: '50,"neither, or both"'}), file_name="mood.csv")
    assert result.predictions[0].codes[0] == 2


def test_doubled_quotes_stand_for_one():
    result = read(csv(['q-1,"say ""no"""', *BANK_ROWS[1:]]), file_name="bank.csv")
    assert result.predictions[0].codes[0] == 5


WRONG_ROWS = {
    '53,"happy mood': (ProblemCode.UNCLOSED_QUOTE, "Label"),
    '"53,happy mood': (ProblemCode.UNCLOSED_QUOTE, "ID"),
    '53,"happy ""mood': (ProblemCode.UNCLOSED_QUOTE, "Label"),
    '53,"happy" mood': (ProblemCode.TEXT_AFTER_QUOTE, "Label"),
    '53,happy "mood"': (ProblemCode.STRAY_QUOTE, "Label"),
    "53": (ProblemCode.SHORT_ROW, None),
    "53;happy mood": (ProblemCode.SHORT_ROW, None),
    "53,neither, or both": (ProblemCode.LONG_ROW, None),
    "53,happy mood,": (ProblemCode.LONG_ROW, None),
    "53," + "x" * 1_001: (ProblemCode.CELL_TOO_LONG, "Label"),
    "53," + "x" * 10_000: (ProblemCode.CELL_TOO_LONG, None),
    "53" + "," * 2_000: (ProblemCode.LONG_ROW, None),
}


@pytest.mark.parametrize(("row", "place"), WRONG_ROWS.items(), ids=range(len(WRONG_ROWS)))
def test_malformed_row_is_told_once_with_its_column(row: str, place: tuple[ProblemCode, str | None]):
    problems = mood_problems(mood_csv({5: row, 9: "57,glad"}))
    # The second problem shows that the faulty row swallowed nothing; its own id is not called missing.
    assert [(problem.code, problem.column, problem.line) for problem in problems] == [
        (*place, 5),
        (ProblemCode.UNKNOWN_LABEL, "Label", 9),
    ]


def test_cell_over_a_line_end_is_told_where_it_opens_and_reading_goes_on_behind_it():
    problem = mood_problem(csv([*MOOD_ROWS[:3], '53,"happy', 'mood"', *MOOD_ROWS[4:]]))
    assert (problem.code, problem.line, problem.column) == (ProblemCode.LINE_BREAK_IN_CELL, 5, "Label")


@pytest.mark.parametrize("following", ['54,"sad mood"', "54,sad mood", '"54","sad mood"'])
def test_unclosed_quote_does_not_swallow_the_next_row(following: str):
    problem = mood_problem(mood_csv({5: '53,"happy mood', 6: following}))
    assert (problem.code, problem.line) == (ProblemCode.UNCLOSED_QUOTE, 5)


def test_unclosed_quotes_on_following_lines_are_each_told():
    problems = mood_problems(mood_csv({5: '53,"happy mood', 6: '54,"sad mood'}))
    assert [(problem.code, problem.line) for problem in problems] == [
        (ProblemCode.UNCLOSED_QUOTE, 5),
        (ProblemCode.UNCLOSED_QUOTE, 6),
    ]


def test_row_with_a_comma_in_its_label_is_told_to_use_quotes():
    assert "put the label in quotes" in mood_problem(mood_csv({5: "53,neither, or both"})).message


HEADERLESS = task_of(
    Label(("sad", "glad")),
    FileFormat("a.tsv", "id", "label", layout=TSV, columns=("id", "label"), headerless=True),
)
LINES = task_of(Label(("sad", "glad")), FileFormat("a.jsonl", "id", "label", layout=JSON_LINES))
UNREADABLE = {
    "spaces for tabs": (HEADERLESS, "a sad\nb glad\nc sad\n", "short_row", 3),
    "a NUL in an id": (HEADERLESS, "a\0\tsad\nb\tglad\nc\tsad\n", "nul_character", 1),
    "another language's quotes": (LINES, "{'id': 'a', 'label': 'sad'}\n" * 3, "json_syntax", 3),
    "no key of ids": (LINES, '{"name": "a", "label": "sad"}\n' * 3, "json_missing_key", 3),
    "a number that is none": (
        LINES,
        '{"id": "a", "label": NaN}\n{"id": "b", "label": "sad"}\n{"id": "c", "label": "sad"}\n',
        "number_not_finite",
        1,
    ),
}


@pytest.mark.parametrize("case", UNREADABLE)
def test_ids_in_rows_that_cannot_be_read_are_not_called_missing_too(case):
    task, text, code, count = UNREADABLE[case]
    assert [problem.code.value for problem in problems_in(text, task, ("a", "b", "c"))] == [code] * count


def test_a_header_of_other_names_above_rows_alone_is_told_once():
    (problem,) = problems_in("ID\tsentiment\na\tsad\nb\tglad\nc\tsad\n", HEADERLESS, ("a", "b", "c"))
    assert (problem.code, problem.line) == (ProblemCode.HEADER_REPEATED, 1)


@pytest.mark.parametrize(
    ("first", "codes"),
    [
        ("ID\tsad", ["unknown_id", "missing_ids"]),
        ("a\tsentiment", ["unknown_label"]),
        ("A\tGlad", ["unknown_id", "label_case", "missing_ids"]),
    ],
)
def test_a_first_line_with_an_id_or_an_answer_is_no_header(first, codes):
    found = problems_in(f"{first}\nb\tglad\nc\tsad\n", HEADERLESS, ("a", "b", "c"))
    assert [problem.code.value for problem in found] == codes


def test_any_text_may_be_an_answer_so_that_no_first_line_of_texts_is_taken_for_a_header():
    (unknown,) = problems_in("ID\tform\na\tx\n", replace(HEADERLESS, output=Span()), ("a",))
    assert unknown.code is ProblemCode.UNKNOWN_ID


def test_a_row_may_be_as_long_as_its_cells_may_be_whatever_is_wrong_elsewhere():
    texts = tuple(f"text{number}" for number in range(6))
    wide = replace(HEADERLESS, file=replace(HEADERLESS.file, columns=("id", *texts, "label")))
    rows = [[item, *["x" * 900] * len(texts), label] for item, label in (("a", "sad"), ("b", "glum"))]
    (problem,) = problems_in("".join("\t".join(row) + "\n" for row in rows), wide, ("a", "b"))
    assert (problem.line, problem.code) == (2, ProblemCode.UNKNOWN_LABEL)


@pytest.mark.parametrize(("task", "text"), [(HEADERLESS, "a sad\n"), (LINES, "{a\n\n")])
def test_more_ids_than_unreadable_rows_are_missing(task, text):
    assert problems_in(text, task, ("a", "b", "c"))[-1].code is ProblemCode.MISSING_IDS


def test_far_too_many_rows_end_the_reading():
    problems = mood_problems(csv(["50,happy mood"] * 1_000))
    result = read(csv(["50,happy mood"] * 1_000), file_name="mood.csv")
    assert (
        result.more + len(problems) == 123 + 1
    )  # all doubled but the first of 2 * 12 + 100 rows, and the stop
