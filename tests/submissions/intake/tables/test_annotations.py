"""What two annotators say of samples of an attack."""

import pytest

from catalogue.problems import ProblemCode as Code
from submissions.intake import ItemIds
from submissions.intake.tables.annotations import Annotations, read_annotations

SETS = {"claims": ItemIds(["1", "2", "c3"]), "posts": ItemIds(["1", "2", "p3"])}
HEADER = "id,annotator_1,annotator_2\n"
WITH_TASK = f"task,{HEADER}"


def read(text):
    return read_annotations(text.encode(), file_name="judged.csv", ids=SETS)


def problem(text):
    result = read(text)
    assert result.content is None
    (only,) = result.problems
    return only


def test_a_sample_of_the_ids_is_enough():
    assert read(f"{HEADER}c3,y,n\np3,n,n\n").content == Annotations((True, False), (False, False))


def test_a_column_of_tasks_tells_equal_ids_apart():
    read_both = read(f"{WITH_TASK}claims,1,y,y\nposts,1,n,y\n").content
    assert read_both == Annotations((True, False), (True, True))


@pytest.mark.parametrize(
    ("text", "code", "line", "column", "found", "expected"),
    [
        (f"{HEADER}c3,y,n\nx9,y,y\n", Code.UNKNOWN_ID, 3, "id", "x9", "an id of one of these sets"),
        (f"{HEADER}c3,y,n\np3,y,y\nc3,y,y\n", Code.DUPLICATE_ID, 4, "id", "c3", "every id once"),
        (f"{HEADER}1,y,n\n", Code.AMBIGUOUS_ID, 2, "id", "1", "task,id,annotator_1,annotator_2"),
        (f"{HEADER},y,n\n", Code.EMPTY_ID, 2, "id", "", None),
        (f"{HEADER}c3,Y,n\n", Code.NOT_YES_OR_NO, 2, "annotator_1", "Y", "y or n"),
        (f"{HEADER}c3,y,\n", Code.NOT_YES_OR_NO, 2, "annotator_2", "", "y or n"),
        (f"{WITH_TASK}posts,c3,y,n\n", Code.UNKNOWN_ID, 2, "id", "c3", "1-2, p3"),
        (f"{WITH_TASK}claim,1,y,n\n", Code.UNKNOWN_TASK, 2, "task", "claim", "claims"),
        (f"{WITH_TASK}posts,1,y,n\nposts,1,y,n\n", Code.DUPLICATE_ID, 3, "id", "1", "every id once"),
    ],
)
def test_a_wrong_row_is_refused_with_its_place(text, code, line, column, found, expected):
    told = problem(text)
    assert (told.code, told.line, told.column, told.found, told.expected) == (
        code,
        line,
        column,
        found,
        expected,
    )


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("id,first,second\nc3,y,n\n", Code.HEADER_NAMES),
        ("id,annotator_2,annotator_1\nc3,y,n\n", Code.HEADER_ORDER),
        ("c3,y,n\n", Code.HEADER_MISSING),
        (HEADER, Code.NO_ROWS),
        (f"{HEADER}c3,y\n", Code.SHORT_ROW),
        ("", Code.EMPTY_FILE),
    ],
)
def test_what_is_no_file_of_annotations_is_refused(text, code):
    assert problem(text).code is code
