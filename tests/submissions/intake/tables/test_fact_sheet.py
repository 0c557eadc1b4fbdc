"""Fact sheets: what is read, and the place of everything that is refused."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.spec import FactListSpec
from submissions.intake import MAX_PROBLEMS, FactAnswers, FileRead, read_fact_sheet
from submissions.intake.tables.fact_sheet import MAX_FACT_SHEET_BYTES

LISTS = (
    FactListSpec("algorithms", "Algorithms", ("SVM/SVR", "LSTM", "Bi-LSTM")),
    FactListSpec("lexicons", "Lexicons", ("AFINN", "NRC Hashtag")),
)
SHEET = """{
  "algorithms": ["LSTM",
                 "SVM/SVR"],
  "lexicons": []
}
"""


def read(sheet: str | bytes, lists: tuple[FactListSpec, ...] = LISTS) -> FileRead[FactAnswers]:
    data = sheet if isinstance(sheet, bytes) else sheet.encode()
    return read_fact_sheet(data, file_name="sheet.json", lists=lists)


def only_problem(sheet: str | bytes, lists: tuple[FactListSpec, ...] = LISTS) -> dict[str, str | int | None]:
    result = read(sheet, lists)
    assert result.content is None
    (problem,) = result.problems
    return problem.as_dict()


def test_answers_stand_in_the_organisers_order():
    result = read(SHEET)
    assert (result.problems, result.more) == ((), 0)
    assert list((result.content or {}).items()) == [("algorithms", ("SVM/SVR", "LSTM")), ("lexicons", ())]


def test_byte_order_mark_and_crlf_are_fine():
    assert read(b"\xef\xbb\xbf" + SHEET.replace("\n", "\r\n").encode()).content == read(SHEET).content


def test_unknown_option_is_told_with_the_nearest_one():
    problem = only_problem(SHEET.replace("SVM/SVR", "svm / svr"))
    assert "Nearest: “SVM/SVR”" in str(problem.pop("message"))
    assert problem == {
        "file": "sheet.json",
        "line": 3,
        "column": "algorithms",
        "code": "unknown_fact",
        "found": "svm / svr",
        "expected": "SVM/SVR",
    }


def test_option_of_another_list_is_sent_there():
    problem = only_problem(SHEET.replace("SVM/SVR", "AFINN"))
    assert (problem["code"], problem["expected"]) == ("unknown_fact", "AFINN in lexicons")
    assert "list “lexicons”" in str(problem["message"])


FAULTS = {
    "unknown list": (
        '"lexica": [],\n  "lexicons"',
        '"lexicons"',
        "unknown_fact_list",
        4,
        "lexica",
        "lexicons",
    ),
    "doubled list": (
        '"algorithms": [],\n  "lexicons"',
        '"lexicons"',
        "json_doubled_key",
        4,
        "algorithms",
        None,
    ),
    "doubled option": ('"LSTM"]', '"SVM/SVR"]', "doubled_fact", 3, "algorithms", None),
    "number for an option": ("12]", '"SVM/SVR"]', "json_wrong_type", 3, "algorithms", None),
    "text for a list": ('"AFINN"', "[]", "json_wrong_type", 4, "lexicons", None),
    "object for a list": ("{}", "[]", "json_wrong_type", 4, "lexicons", None),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_fault_is_told_with_its_line_and_list(fault):
    new, old, code, line, column, expected = FAULTS[fault]
    problem = only_problem(SHEET.replace(old, new))
    assert (problem["code"], problem["line"], problem["column"]) == (code, line, column)
    assert expected in (None, problem["expected"])


def test_missing_list_is_told():
    problem = only_problem('{"algorithms": []}')
    assert (problem["code"], problem["column"], problem["expected"]) == (
        "json_missing_key",
        "lexicons",
        "lexicons",
    )
    assert "[] says" in str(problem["message"])


def test_problem_shows_the_lines_around_it():
    (problem,) = read(SHEET.replace("SVM/SVR", "SVM")).problems
    assert [number for number, _ in problem.excerpt] == [2, 3, 4]
    assert problem.excerpt[1][1].strip() == '"SVM"],'


UNREADABLE = {
    "broken": (SHEET.replace(",", "", 1).encode(), "json_syntax", 3),
    "a list": (b"[]", "json_wrong_type", 1),
    "not a number": (b'{"algorithms": NaN}', "number_not_finite", 1),
    "nested": (b"[" * 9, "json_too_deep", 1),
    "empty": (b"\n", "empty_file", None),
    "UTF-16": (SHEET.encode("utf-16"), "utf_16_or_32", None),
    "Latin-1": ('{\n"algorithms": ["Ärger"]}'.encode("latin-1"), "invalid_utf8", 2),
    "binary": (b"PK\x03\x04\x00\xff", "not_text", None),
    "too large": (b" " * (MAX_FACT_SHEET_BYTES + 1), "fact_sheet_too_large", None),
}


@pytest.mark.parametrize("kind", UNREADABLE)
def test_file_that_cannot_be_read_is_refused(kind):
    data, code, line = UNREADABLE[kind]
    problem = only_problem(data)
    assert (problem["code"], problem["line"]) == (code, line)
    assert "CSV" not in str(problem["message"])


def test_benchmark_without_lists_asks_for_no_sheet():
    assert only_problem("{}", lists=())["code"] == "fact_sheet_not_asked"


def test_problems_beyond_the_fiftieth_are_counted():
    lists = {"algorithms": [f"algorithm {number}" for number in range(60)], "lexicons": []}
    result = read(json.dumps(lists))
    assert (len(result.problems), result.more) == (MAX_PROBLEMS, 10)


@given(st.fixed_dictionaries({one.id: st.lists(st.sampled_from(one.options), unique=True) for one in LISTS}))
def test_every_choice_of_options_is_read_back(chosen):
    result = read(json.dumps(chosen))
    assert {key: set(options) for key, options in (result.content or {}).items()} == {
        key: set(options) for key, options in chosen.items()
    }


@given(
    st.binary(max_size=60) | st.text(alphabet='{}[]",:algorithmslexicons\\ \n1', max_size=60).map(str.encode)
)
def test_any_bytes_give_answers_or_problems(data):
    result = read(data)
    assert bool(result.content) != bool(result.problems)
