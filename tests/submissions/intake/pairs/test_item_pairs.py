"""Files of pairs: what is read from a good one, and what is said about a bad one."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from catalogue.problems import Problem
from submissions.intake import ItemIds, ProblemCode
from submissions.intake.file_read import FileRead
from submissions.intake.pairs.item_pairs import ItemPair, PairsFile, read_pairs

IDS = ItemIds(["s1", "s2", "s3", "s4", "s5", "s6"])
GOOD = [
    "pair,group,id",
    "angry,female,s1",
    "angry,male,s2",
    "sad,male,s4",
    "sad,female,s3",
    "sad,male,s2",
]
STRATA = [
    "pair,group,id,stratum",
    "a,female,s1,anger",
    "a,male,s2,anger",
    "b,female,s3,anger",
    "b,male,s4,anger",
]


def read(lines: list[str], **options: str) -> FileRead[PairsFile]:
    data = "".join(line + "\n" for line in lines).encode()
    return read_pairs(data, file_name="gender.csv", ids=IDS, split="equity", **options)


def changed(lines: list[str], line: int, text: str) -> list[str]:
    return [*lines[: line - 1], text, *lines[line:]]


def only_problem(result: FileRead[PairsFile]) -> Problem:
    assert result.content is None
    (problem,) = result.problems
    return problem


def test_items_of_a_pair_and_group_stand_together_wherever_their_rows_are():
    file = read(GOOD).content
    assert file is not None
    assert file.pairs == (ItemPair("angry", "", (0,), (1,)), ItemPair("sad", "", (2,), (3, 1)))
    assert (file.first, file.second, file.item_count, file.strata) == ("female", "male", 4, ())


def test_the_organiser_may_name_the_groups_in_the_other_order():
    file = read(GOOD, first="male", second="female").content
    assert file is not None
    assert file.pairs[0] == ItemPair("angry", "", (1,), (0,))


def test_strata_keep_the_order_of_the_file():
    lines = [*STRATA, "c,female,s1,joy", "c,male,s2,joy", "d,male,s2,joy", "d,female,s1,joy"]
    file = read(lines).content
    assert file is not None
    assert file.strata == ("anger", "joy")
    assert [pair.stratum for pair in file.pairs] == ["anger", "anger", "joy", "joy"]


def test_quoted_cells_and_a_byte_order_mark_are_read():
    lines = [
        "\ufeffpair,group,id",
        '"she, he",female,s1',
        '"she, he",male,s2',
        "b,female,s3",
        "b,male,s4",
    ]
    file = read(lines).content
    assert file is not None
    assert file.pairs[0].name == "she, he"


@pytest.mark.parametrize(
    ("line", "text", "code", "column"),
    [
        (1, "pair;group;id", ProblemCode.HEADER_DELIMITER, None),
        (1, "Pair,Group,ID", ProblemCode.HEADER_SPELLING, None),
        (1, "id,group,pair", ProblemCode.HEADER_ORDER, None),
        (1, "pair,side,id", ProblemCode.HEADER_NAMES, None),
        (3, "angry,male", ProblemCode.SHORT_ROW, None),
        (3, "angry,male,s2,anger", ProblemCode.LONG_ROW, None),
        (3, "", ProblemCode.BLANK_LINE, None),
        (3, 'angry,"male,s2', ProblemCode.UNCLOSED_QUOTE, "group"),
        (3, "angry,male,s\x002", ProblemCode.NUL_CHARACTER, None),
        (3, "angry,male,", ProblemCode.EMPTY_ID, "id"),
        (3, "angry,male,s9", ProblemCode.UNKNOWN_ID, "id"),
        (3, "angry,male, s2", ProblemCode.ID_SPELLING, "id"),
        (3, "angry,,s2", ProblemCode.PAIR_CELL_EMPTY, "group"),
        (3, " ,male,s2", ProblemCode.PAIR_CELL_EMPTY, "pair"),
        (4, "sad,men,s4", ProblemCode.PAIR_GROUPS, "group"),
        (6, "sad,male,s4", ProblemCode.PAIR_ID_TWICE, "id"),
        (6, "sad,female,s4", ProblemCode.PAIR_ID_TWICE, "id"),
        (6, "glad,male,s2", ProblemCode.PAIR_ONE_SIDED, "group"),
    ],
)
def test_a_malformed_line_is_refused_with_its_number(line, text, code, column):
    problem = only_problem(read(changed(GOOD, line, text)))
    assert (problem.file, problem.line, problem.code, problem.column) == ("gender.csv", line, code, column)


@pytest.mark.parametrize(
    ("line", "text", "code", "column"),
    [
        (1, "pair,group,id,emotion", ProblemCode.HEADER_NAMES, None),
        (3, "a,male,s2,joy", ProblemCode.PAIR_STRATUM, "stratum"),
        (3, "a,male,s2,", ProblemCode.PAIR_CELL_EMPTY, "stratum"),
        (3, "a,male,s2," + "x" * 65, ProblemCode.PAIR_CELL_TOO_LONG, "stratum"),
    ],
)
def test_a_malformed_stratum_is_refused_with_its_line(line, text, code, column):
    problem = only_problem(read(changed(STRATA, line, text)))
    assert (problem.line, problem.code, problem.column) == (line, code, column)


def test_a_stratum_of_one_pair_is_refused():
    problem = only_problem(read([*STRATA, "c,female,s5,joy", "c,male,s6,joy"]))
    assert (problem.line, problem.code, problem.column) == (6, ProblemCode.PAIR_TOO_FEW, "stratum")


def test_a_single_pair_is_refused():
    assert only_problem(read(GOOD[:3])).code is ProblemCode.PAIR_TOO_FEW


def test_a_file_of_one_group_is_refused():
    problem = only_problem(read(["pair,group,id", "a,female,s1", "b,female,s2"]))
    assert (problem.code, problem.found) == (ProblemCode.PAIR_GROUPS, "female")


def test_a_group_that_is_named_and_missing_is_refused():
    problems = read(GOOD, first="women", second="male").problems
    assert {problem.code for problem in problems} == {ProblemCode.PAIR_GROUPS}
    assert [problem.line for problem in problems] == [2, 5, None]
    assert problems[-1].found == "female, male"


def test_the_excerpt_shows_the_line_between_its_neighbours():
    problem = only_problem(read(changed(GOOD, 3, "angry,male,s9")))
    assert problem.excerpt[1] == (3, "angry,male,s9")
    assert problem.found == "s9"
    assert "equity split" in problem.message


def test_an_empty_file_and_a_spreadsheet_are_refused():
    assert only_problem(read([])).code is ProblemCode.EMPTY_FILE
    result = read_pairs(b"\xff\xfep\x00", file_name="gender.csv", ids=IDS, split="equity")
    assert only_problem(result).code is ProblemCode.UTF_16_OR_32


def test_problems_beyond_fifty_are_counted():
    lines = ["pair,group,id", *(f"p{number},female,x{number}" for number in range(70))]
    result = read(lines)
    assert len(result.problems) + result.more > 70
    assert len(result.problems) == 50


CELLS = st.sampled_from(
    ["", "a", "b", "female", "male", "s1", "s2", "s3", " s1", "1", '"', "x" * 1_001, "\x00"]
)
LINES = st.lists(st.lists(CELLS, min_size=1, max_size=5).map(",".join), max_size=6)


@given(LINES, st.sampled_from(["", "pair,group,id\n", "pair,group,id,stratum\n"]))
@example([",,1"], "")
def test_any_lines_are_read_or_refused_and_never_both(lines, header):
    data = (header + "\n".join(lines)).encode()
    result = read_pairs(data, file_name="x.csv", ids=IDS, split="equity")
    assert (result.content is None) == bool(result.problems)


@given(st.binary(max_size=60))
def test_any_bytes_are_refused(data):
    assert read_pairs(data, file_name="x.csv", ids=IDS, split="equity").problems


@given(st.permutations(GOOD[1:]))
def test_the_order_of_rows_changes_no_pair(rows):
    file = read([GOOD[0], *rows], first="female", second="male").content
    assert file is not None
    sides = {(pair.name, frozenset(pair.first), frozenset(pair.second)) for pair in file.pairs}
    assert sides == {("angry", frozenset({0}), frozenset({1})), ("sad", frozenset({2}), frozenset({3, 1}))}
