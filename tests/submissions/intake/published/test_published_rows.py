"""Published figures come from a file, one value a line; what cannot stand on a board is refused with its place."""

from pathlib import Path

import pytest

from benchmarks.spec import ReportedRow, RowKind
from benchmarks.spec.loader import load_definition
from catalogue.problems import ProblemCode as Code
from submissions.intake.published.published_rows import read_published_rows
from tests.conftest import TOY_DEFINITION

TOY = load_definition(TOY_DEFINITION, "toy.yaml")
HEADER = "system,source,date,kind,column,value,rank\n"


def read(text, spec=TOY):
    return read_published_rows(text.encode(), file_name="published.csv", spec=spec)


def test_lines_of_one_system_and_source_become_one_row():
    rows = read(
        f'{HEADER}Ash,"Doe, 2020",2020-05-01,,mood,0.7,2\nOak,Roe,,human,mood,.5,\n'
        'Ash,"Doe, 2020",2020-05-01,,colour:accuracy,1,\n'
    ).content
    assert rows == (
        ReportedRow(
            "Ash",
            RowKind.REPORTED,
            "Doe, 2020",
            {"mood": 0.7, "colour:accuracy": 1.0},
            {"mood": 2},
            "2020-05-01",
        ),
        ReportedRow("Oak", RowKind.HUMAN, "Roe", {"mood": 0.5}),
    )


@pytest.mark.parametrize(
    ("line", "code", "column", "found", "expected"),
    [
        (",Doe,,,mood,0.7,", Code.PUBLISHED_TEXT, "system", "", "the system"),
        ("Ash,,,,mood,0.7,", Code.PUBLISHED_TEXT, "source", "", "the source"),
        ("Ash,Doe,1.5.2020,,mood,0.7,", Code.PUBLISHED_DATE, "date", "1.5.2020", "YYYY-MM-DD"),
        ("Ash,Doe,,system,mood,0.7,", Code.PUBLISHED_KIND, "kind", "system", "reported or human"),
        ("Ash,Doe,,,moods,0.7,", Code.PUBLISHED_COLUMN, "column", "moods", "mood"),
        ("Ash,Doe,,,mood,70.1,", Code.NUMBER_OUT_OF_RANGE, "value", "70.1", "a number from 0 to 1"),
        ("Ash,Doe,,,overall,-0.1,", Code.NUMBER_OUT_OF_RANGE, "value", "-0.1", "a number from 0 to 1"),
        ("Ash,Doe,,,mood,nan,", Code.NOT_A_NUMBER, "value", "nan", "a number"),
        ('Ash,Doe,,,mood,"0,7",', Code.NOT_A_NUMBER, "value", "0,7", "a number"),
        ("Ash,Doe,,,mood,0.7,0", Code.PUBLISHED_RANK, "rank", "0", "a whole number from 1"),
        ("Elm,Doe,,,mood,0.7,", Code.PUBLISHED_TWICE, "column", "mood", "every column once"),
        ("Elm,Doe,2020-05-01,,colour,0.7,", Code.PUBLISHED_DIFFERS, "date", "2020-05-01", ""),
        ("Elm,Doe,,human,colour,0.7,", Code.PUBLISHED_DIFFERS, "kind", "human", ""),
    ],
)
def test_a_wrong_cell_is_refused_with_line_and_column(line, code, column, found, expected):
    result = read(f"{HEADER}Elm,Doe,,,mood,0.6,\n{line}\n")
    assert result.content is None
    (told,) = result.problems
    assert (told.code, told.line, told.column, told.found) == (code, 3, column, found)
    assert (told.expected or "") == expected


def test_all_319_rows_of_a_supplement_of_15_pairs_can_be_read():
    path = Path("benchmarks/definitions/ait2018.yaml")
    affect = load_definition(path.read_text("utf-8"), path.name)
    teams = {
        "EI-reg": (48, 13, 15), "EI-oc": (37, 12, 14), "V-reg": (37, 13, 13), "V-oc": (35, 13, 12), "E-c": (33, 12, 12),
    }  # fmt: skip  # the paper's Table 6
    lines = [
        f"Team {number},Supplement,2018-06-05,,{task}-{language},{0.9 - number / 100:.3f},{number}\n"
        for task, counts in teams.items()
        for language, count in zip(("en", "ar", "es"), counts, strict=True)
        for number in range(1, count + 1)
    ]
    rows = read(HEADER + "".join(lines), affect).content
    assert (len(lines), sum(len(row.values) for row in rows), len(rows)) == (319, 319, 48)


def test_only_where_a_share_belongs_is_a_percentage_explained():
    path = Path("benchmarks/definitions/stance.yaml")
    stance = load_definition(path.read_text("utf-8"), path.name)
    (relative,) = read(f"{HEADER}Ash,Doe,,,fnc1:fnc1_relative,820.2,\n", stance).problems
    (share,) = read(f"{HEADER}Ash,Doe,,,fnc1,82.02,\n", stance).problems
    assert relative.message == "“820.2” is not on the scale of this column; expected a number from 0 to 100."
    assert "73.5 % is 0.735" in share.message
