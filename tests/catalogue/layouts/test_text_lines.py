"""Characters, encodings and line ends."""

import pytest

from submissions.intake import ProblemCode
from tests.submissions.intake.uploads import (
    MOOD_CODES,
    MOOD_CSV,
    MOOD_ROWS,
    csv,
    mood_csv,
    mood_problem,
    mood_problems,
    read,
)


@pytest.mark.parametrize(
    "data",
    [
        b"\xef\xbb\xbf" + MOOD_CSV,
        csv(MOOD_ROWS, line_end="\r\n"),
        b"\xef\xbb\xbf" + csv(MOOD_ROWS, line_end="\r\n"),
        MOOD_CSV.removesuffix(b"\n"),
        csv(MOOD_ROWS, line_end="\r\n").removesuffix(b"\r\n"),
        MOOD_CSV + b"\n\r\n\n",
        MOOD_CSV.replace(b"\n", b"\r\n", 3),
    ],
    ids=["bom", "crlf", "bom-crlf", "no-last-end", "crlf-no-last-end", "blank-at-end", "mixed"],
)
def test_file_may_be_saved_in_any_usual_way(data: bytes):
    result = read(data, file_name="mood.csv")
    assert result.predictions[0].codes.tolist() == MOOD_CODES


@pytest.mark.parametrize(("encoding", "name"), [("utf-16", "UTF-16"), ("utf-32", "UTF-32")])
def test_wide_encoding_is_told_by_name(encoding: str, name: str):
    problem = mood_problem(MOOD_CSV.decode().encode(encoding))
    assert (problem.code, problem.found) == (ProblemCode.UTF_16_OR_32, name)
    assert "Save it as UTF-8" in problem.message


def test_first_invalid_byte_is_told_with_line_and_place():
    problem = mood_problem(MOOD_CSV.replace(b"53,happy", b"53,h\xe9ppy"))
    assert (problem.code, problem.line) == (ProblemCode.INVALID_UTF8, 5)
    assert problem.message.startswith("Byte 5 of this line (0xE9)")


def test_first_invalid_byte_is_counted_from_the_byte_order_mark():
    problem = mood_problem(b"\xef\xbb\xbf" + MOOD_CSV.replace(b"53,happy", b"53,h\xe9ppy"))
    offset = MOOD_CSV.index(b"53,happy") + 4 + 3
    assert problem.line == 5
    assert problem.found == f"0xE9 at byte {offset + 1} of the file"


@pytest.mark.parametrize("data", [b"\n", b"\r\n\r\n", b"\xef\xbb\xbf", b"\xef\xbb\xbf\n"])
def test_file_without_any_text_is_empty(data: bytes):
    assert mood_problem(data).code is ProblemCode.EMPTY_FILE


@pytest.mark.parametrize(
    ("character", "code"),
    [
        ("\x00", ProblemCode.NUL_CHARACTER),
        ("\r", ProblemCode.LONE_CARRIAGE_RETURN),
        ("\x0b", ProblemCode.CONTROL_CHARACTER),
        ("\x0c", ProblemCode.CONTROL_CHARACTER),
        ("\x1b", ProblemCode.CONTROL_CHARACTER),
        ("\x7f", ProblemCode.CONTROL_CHARACTER),
        ("\x85", ProblemCode.UNICODE_LINE_BREAK),
        ("\u2028", ProblemCode.UNICODE_LINE_BREAK),
        ("\u2029", ProblemCode.UNICODE_LINE_BREAK),
    ],
)
def test_odd_character_is_told_with_its_line_and_ends_no_line(character: str, code: ProblemCode):
    problems = mood_problems(mood_csv({3: f"51,happy{character} mood", 9: "57,glad"}))
    assert [(problem.code, problem.line) for problem in problems] == [
        (code, 3),
        (ProblemCode.UNKNOWN_LABEL, 9),
    ]


def test_carriage_return_at_the_very_end_stands_alone():
    problem = mood_problem(MOOD_CSV.removesuffix(b"\n") + b"\r")
    assert (problem.code, problem.line) == (ProblemCode.LONE_CARRIAGE_RETURN, 13)


def test_file_with_old_mac_line_ends_is_told_so_once():
    problem = mood_problem(csv(MOOD_ROWS, line_end="\r"))
    assert (problem.code, problem.line) == (ProblemCode.LONE_CARRIAGE_RETURN, 1)


def test_blank_line_in_the_middle_is_told():
    problem = mood_problem(MOOD_CSV.replace(b"53,", b"\n53,"))
    assert (problem.code, problem.line) == (ProblemCode.BLANK_LINE, 5)


def test_byte_order_mark_inside_is_made_visible():
    problem = mood_problem(mood_csv({4: "52,\ufeffhappy mood"}))
    assert problem.found == r"\ufeffhappy mood"
