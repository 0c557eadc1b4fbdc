"""The table of another leaderboard: read from CSV, TSV and JSON Lines alike; each fault has its line and column."""

import json

import pytest

from benchmarks.spec import ReportedRow, RowKind
from benchmarks.spec.loader import load_definition
from catalogue.problems import ProblemCode as Code
from submissions.intake.published.moved_table import read_moved_table
from tests.conftest import TOY_DEFINITION

TOY = load_definition(TOY_DEFINITION, "toy.yaml")
HEAD = "system,team,date,mood,colour:accuracy,paper"
LINES = ["Ash,Grove,2021-03-04,0.61,,https://example.org/ash", "Oak,Hill,2022-01-31,.5,1,"]


def read(text, **more):
    return read_moved_table(text.encode(), file_name="old.csv", spec=TOY, **more)


@pytest.mark.parametrize("form", ["csv", "tsv", "jsonl"])
def test_each_line_is_a_reported_row_in_every_layout(form):
    text = "\n".join([HEAD, *LINES])
    if form == "tsv":
        text = text.replace(",", "\t")
    if form == "jsonl":
        cells = [dict(zip(HEAD.split(","), line.split(","), strict=True)) for line in LINES]
        text = "\n".join(json.dumps({key: cell or None for key, cell in row.items()}) for row in cells)
    assert read(text, source="Old board").content == (
        ReportedRow(
            "Ash",
            RowKind.REPORTED,
            "Old board",
            {"mood": 0.61},
            date="2021-03-04",
            team="Grove",
            paper_url="https://example.org/ash",
            moved_in=True,
        ),
        ReportedRow(
            "Oak",
            RowKind.REPORTED,
            "Old board",
            {"mood": 0.5, "colour:accuracy": 1.0},
            date="2022-01-31",
            team="Hill",
            moved_in=True,
        ),
    )


def test_numbers_of_json_and_titles_of_tasks_are_taken():
    rows = read('{"system": "Ash", "team": "Grove", "date": "2021-03-04", "Mood": 0.61}').content
    assert [dict(row.values) for row in rows] == [{"mood": 0.61}]


@pytest.mark.parametrize(
    ("line", "code", "column"),
    [
        (",Hill,2022-01-31,.5,,", Code.PUBLISHED_TEXT, "system"),
        ("Oak,,2022-01-31,.5,,", Code.PUBLISHED_TEXT, "team"),
        ("Oak,Hill,,.5,,", Code.PUBLISHED_DATE, "date"),
        ("Oak,Hill,31.1.2022,.5,,", Code.PUBLISHED_DATE, "date"),
        ("Oak,Hill,2022-02-30,.5,,", Code.PUBLISHED_DATE, "date"),
        ("Oak,Hill,2022-01-31,50.1,,", Code.NUMBER_OUT_OF_RANGE, "mood"),
        ("Oak,Hill,2022-01-31,n/a,,", Code.NOT_A_NUMBER, "mood"),
        ("Oak,Hill,2022-01-31,,nan,", Code.NOT_A_NUMBER, "colour:accuracy"),
        ("Oak,Hill,2022-01-31,,,", Code.PUBLISHED_EMPTY, "mood"),
        ("Oak,Hill,2022-01-31,.5,,javascript:alert(1)", Code.PUBLISHED_LINK, "paper"),
        ("Oak,Hill,2022-01-31,.5,,www.example.org", Code.PUBLISHED_LINK, "paper"),
        ("Ash,Grove,2021-03-04,.5,,", Code.PUBLISHED_TWICE, "system"),
        ("Oak,Hill,2022-01-31,.5,", Code.SHORT_ROW, None),
    ],
)
def test_a_wrong_cell_is_told_with_line_and_column(line, code, column):
    result = read("\n".join([HEAD, LINES[0], line]))
    assert result.content is None
    (told,) = result.problems
    assert (told.code, told.line, told.column) == (code, 3, column)


@pytest.mark.parametrize(
    ("header", "code", "column"),
    [
        ("system,team,mood", Code.HEADER_MISSING, None),
        ("system,team,date,moods", Code.PUBLISHED_COLUMN, "moods"),
        ("system,team,date,mood,Mood", Code.HEADER_DOUBLED_COLUMN, "Mood"),
        ("system,team,date,paper", Code.PUBLISHED_COLUMN, None),
    ],
)
def test_a_wrong_header_is_told_in_line_1(header, code, column):
    cells = ["Ash", "Grove", "2021-03-04", "0.5", "0.5"][: header.count(",") + 1]
    result = read(f"{header}\n{','.join(cells)}")
    assert (code, 1, column) in [(told.code, told.line, told.column) for told in result.problems]


def test_every_fault_of_a_table_is_told_and_not_the_first_fifty_alone():
    lines = [f"Ash {number},Grove,2021-03-04,90.1,," for number in range(120)]
    result = read("\n".join([HEAD, *lines]))
    assert [told.line for told in result.problems] == list(range(2, 122))


@pytest.mark.parametrize(
    "data", [b"", b"\xff\xfe", b"\x00", b"{}", b"[1]", b'{"system": {}}', b"PK\x03\x04", b'"', b"a\n"]
)
def test_what_is_no_table_is_refused_in_words(data):
    result = read_moved_table(data, file_name="old.csv", spec=TOY)
    assert result.content is None
    assert result.problems
