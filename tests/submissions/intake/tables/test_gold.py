"""Gold files are read as strictly, and told about without a word of their content."""

import io
import zipfile
from dataclasses import replace

import pytest

from benchmarks.spec import MetricUse
from catalogue.answers import RankedList
from catalogue.layouts import JSON_LINES, FileFormat
from submissions.intake import GoldFiles, ProblemCode, read_gold_file
from submissions.intake.file_read import FileRead
from tests.submissions.intake.uploads import MOOD, MOOD_CODES, MOOD_CSV, MOOD_IDS, MOOD_ROWS, csv, mood_csv


def read_mood(data: bytes) -> FileRead[GoldFiles]:
    return read_gold_file(data, file_name="gold.csv", task=MOOD)


def test_gold_file_gives_ids_in_file_order_and_codes():
    files = read_mood(csv(reversed(MOOD_ROWS))).content
    assert files is not None
    assert files.gold.ids.ids == MOOD_IDS[::-1]
    assert files.gold.codes.tolist() == MOOD_CODES[::-1]


@pytest.mark.parametrize(
    ("line", "text", "code"),
    [
        (3, "51,secret mood", ProblemCode.UNKNOWN_LABEL),
        (3, "51,HAPPY MOOD", ProblemCode.LABEL_CASE),
        (3, "51,", ProblemCode.EMPTY_LABEL),
        (3, "50,happy mood", ProblemCode.DUPLICATE_ID),
        (3, ",happy mood", ProblemCode.EMPTY_ID),
        (3, "51 ,happy mood", ProblemCode.ID_SPELLING),
        (3, "51", ProblemCode.SHORT_ROW),
        (3, "51,happy mood,secret", ProblemCode.LONG_ROW),
        (3, '51,"secret', ProblemCode.UNCLOSED_QUOTE),
        (3, "51,secret\x07", ProblemCode.CONTROL_CHARACTER),
        (3, "51," + "secret" * 200, ProblemCode.CELL_TOO_LONG),
        (1, "50,secret", ProblemCode.HEADER_MISSING),
        (1, "secret,secret", ProblemCode.HEADER_DOUBLED_COLUMN),
        (1, "secret;secret", ProblemCode.HEADER_DELIMITER),
    ],
)
def test_problem_in_gold_tells_the_place_and_no_value(line: int, text: str, code: ProblemCode):
    result = read_mood(mood_csv({line: text}))
    problem = result.problems[0]
    assert result.content is None
    assert (problem.code, problem.line) == (code, line)
    assert (problem.found, problem.expected, problem.excerpt) == (None, None, ())
    told = problem.message.casefold()
    assert "secret" not in told
    assert "mood" not in told


def zipped(**parts: bytes) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(name, content, zipfile.ZIP_STORED if name == "mimetype" else None)
    return made.getvalue()


@pytest.mark.parametrize(
    "data",
    [
        zipped(**{"xl/workbook.xml": b"<workbook/>", "[Content_Types].xml": b"<Types/>"}),
        zipped(**{"mimetype": b"application/vnd.oasis.opendocument.spreadsheet", "content.xml": b"<x/>"}),
        bytes.fromhex("d0cf11e0a1b11ae1") + bytes(500),
    ],
    ids=["xlsx", "ods", "xls"],
)
def test_gold_in_a_spreadsheet_is_told_how_it_is_exported(data: bytes):
    (problem,) = read_mood(data).problems
    assert problem.code is ProblemCode.SPREADSHEET
    assert "exported as CSV" in problem.message


def test_zip_of_text_is_no_spreadsheet():
    (problem,) = read_mood(zipped(**{"mood.csv": MOOD_CSV})).problems
    assert problem.code is ProblemCode.NOT_TEXT


def test_gold_that_is_not_utf8_tells_the_line():
    (problem,) = read_mood(MOOD_CSV.replace(b"52,happy", b"52,h\xffppy")).problems
    assert (problem.code, problem.line) == (ProblemCode.INVALID_UTF8, 4)
    assert "FF" not in problem.message


def test_empty_gold_file_is_refused():
    (problem,) = read_mood(b"").problems
    assert problem.code is ProblemCode.EMPTY_FILE


def test_gold_problems_beyond_fifty_are_counted():
    result = read_mood(csv(f"{number},secret" for number in range(60)))
    assert (len(result.problems), result.more) == (50, 10)


@pytest.mark.parametrize("judged", ["d1:2 d2:0 d1:1", "d1:1 d1:1"])
def test_a_document_that_is_judged_twice_is_refused_by_its_name_whatever_its_grades(judged: str):
    task = replace(
        MOOD,
        output=RankedList(),
        file=FileFormat(path="mood.jsonl", layout=JSON_LINES, id_column="ID", label_column="Label"),
        metrics=(MetricUse("map", "MAP"),),
    )
    (problem,) = read_gold_file(
        f'{{"ID": "q1", "Label": "{judged}"}}\n'.encode(), file_name="mood.jsonl", task=task
    ).problems
    assert (problem.code, problem.line) == (ProblemCode.DOCUMENT_TWICE, 1)
    assert "d1:" not in str(problem)
