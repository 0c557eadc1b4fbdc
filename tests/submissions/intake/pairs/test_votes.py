"""Files of votes on contested items are read as strictly as predictions."""

from pathlib import Path

import pytest

from benchmarks.spec import TaskSpec
from benchmarks.spec.document import parse_yaml
from benchmarks.spec.loader import build_spec
from submissions.intake.file_read import FileRead
from submissions.intake.pairs.votes import FoundVote, read_votes
from tests.games import DEFINITION

SPEC = build_spec(parse_yaml(DEFINITION, "games.yaml"), "games.yaml")
TONE, WHO = SPEC.task("tone"), SPEC.task("who")
CONTESTED = {"11_b": "I loathe this old song.", "13_b": None}


def read(text: str | bytes, task: TaskSpec = TONE) -> FileRead[list[FoundVote]]:
    data = text if isinstance(text, bytes) else text.encode()
    return read_votes(data, file_name="votes.csv", task=task, contested=CONTESTED)


def problems(text: str | bytes, task: TaskSpec = TONE) -> list[tuple[str, int | None, str | None]]:
    return [(one.code.value, one.line, one.column) for one in read(text, task).problems]


def test_votes_come_in_the_order_of_the_file():
    found = read("item,voter,label\n13_b,Bo,-1\n11_b,Ada,1\n")
    assert found.content == [("13_b", "Bo", "-1"), ("11_b", "Ada", "1")]
    assert found.problems == ()


@pytest.mark.parametrize(
    ("rows", "problem"),
    [
        ("12_b,Ada,1", ("not_contested", 2, "item")),
        (",Ada,1", ("not_contested", 2, "item")),
        ("11_b,,1", ("voter_name", 2, "voter")),
        ("11_b, Ada,1", ("voter_name", 2, "voter")),
        (f"11_b,{'x' * 81},1", ("voter_name", 2, "voter")),
        ("11_b,Ada,1\n11_b,Ada,1", ("voter_twice", 3, "voter")),
        ("11_b,Ada,", ("empty_label", 2, "label")),
        ("11_b,Ada,2", ("unknown_label", 2, "label")),
        ("11_b,Ada", ("short_row", 2, None)),
        ("11_b,Ada,1,2", ("long_row", 2, None)),
        ('11_b,"Ada,1', ("unclosed_quote", 2, "voter")),
    ],
    ids=lambda value: value if isinstance(value, str) and len(value) < 40 else "",
)
def test_wrong_row_is_told_with_line_and_column(rows, problem):
    assert problems(f"item,voter,label\n{rows}\n") == [problem]


def test_header_is_asked_for():
    assert problems("id,voter,label\n11_b,Ada,1\n")[0][:2] == ("header_names", 1)


def test_nothing_of_a_file_with_a_problem_is_taken():
    assert read("item,voter,label\n11_b,Ada,1\n11_b,Bo,2\n").content is None


def test_span_must_stand_in_the_text_where_that_is_known():
    rows = "item,voter,label\n11_b,Ada,a new song\n13_b,Ada,a new song\n"
    assert problems(rows, WHO) == [("span_not_in_text", 2, "label")]


def test_where_nothing_is_contested_every_vote_is_refused():
    found = read_votes(b"item,voter,label\n1,Ada,1\n", file_name="v.csv", task=TONE, contested={})
    assert [one.code.value for one in found.problems] == ["not_contested"]


@pytest.mark.parametrize(
    "data", [b"", b"\xff\xfe", b"item,voter,label\n", b"PK\x03\x04", b"\x80\n"], ids=repr
)
def test_no_bytes_make_it_raise(data):
    assert read(data).problems
    assert Path("votes.csv").name == read(data).problems[0].file
