"""Breaker teams' files of minimal pairs: what is read from a good one, and what is said about a bad one."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from benchmarks.spec import FileFormat, TaskSpec
from catalogue.answers import Label, Number, Span
from catalogue.layouts import TSV
from catalogue.problems import Problem
from submissions.intake import ProblemCode
from submissions.intake.file_read import FileRead
from submissions.intake.pairs.minimal_pairs import MinimalPair, PairItem, read_minimal_pairs
from tests.submissions.intake.kinds import task_of

HEADER = "id,original_id,text,label,rationale"
SENTIMENT = task_of(
    Label(("-1", "0", "1"), never_right=("0",)),
    FileFormat("s.csv", "id", "label", also_written=(("+1", "1"),)),
)
STARTER = {
    "558": ("I like this song!", "1"),
    "559_a": ("A long, dull film.", "-1"),
    "612": ("She said: “no”, twice.", "-1"),
}
GOOD = [
    HEADER,
    "558_b,558,I'd die for this song!,+1,dying need not be bad",
    '559_b,559_a,"A short, dull film.",-1,',
    "558_2_b,558,I loathe this song!,-1,another verb",
]
SCRATCH = [
    HEADER,
    "n1_b,n1_a,Nothing I could love.,-1,negation",
    "n1_a,,Nothing I could hate.,1,",
    "n1_2_b,n1_a,Something I could hate.,-1,",
]


def read(
    lines: list[str],
    task: TaskSpec = SENTIMENT,
    *,
    from_scratch: bool = False,
    needs_rationale: bool = False,
    categories: tuple[str, ...] = (),
) -> FileRead[list[MinimalPair]]:
    data = "".join(line + "\n" for line in lines).encode()
    return read_minimal_pairs(
        data,
        file_name="osu.csv",
        task=task,
        starter=STARTER,
        from_scratch=from_scratch,
        needs_rationale=needs_rationale,
        categories=categories,
    )


def accepted(lines: list[str], task: TaskSpec = SENTIMENT, **options: Any) -> list[MinimalPair]:
    pairs = read(lines, task, **options).content
    assert pairs is not None
    return pairs


def only_problem(lines: list[str], **options: Any) -> Problem:
    result = read(lines, SENTIMENT, **options)
    assert result.content is None
    (problem,) = result.problems
    assert problem.file == "osu.csv"
    return problem


def place_of(problem: Problem) -> tuple[int | None, str | None, str]:
    return problem.line, problem.column, problem.code.value


def test_a_pair_has_the_starter_original_and_the_changed_sentence_under_ids_of_one_stem():
    first, second, third = accepted(GOOD)
    assert first == MinimalPair(
        "558",
        PairItem("558_a", "I like this song!", "1"),
        PairItem("558_b", "I'd die for this song!", "1"),
        "dying need not be bad",
        is_from_scratch=False,
        line=2,
    )
    assert (second.original.id, second.changed, second.original_id) == (
        "559_a", PairItem("559_b", "A short, dull film.", "-1"), "559_a",
    )  # fmt: skip
    assert (third.original, third.changed.id) == (PairItem("558_2_a", "I like this song!", "1"), "558_2_b")


def test_tabs_separate_the_cells_where_they_do_so_in_the_task_s_files():
    tabs = replace(SENTIMENT, file=replace(SENTIMENT.file, layout=TSV))
    (pair,) = accepted([HEADER.replace(",", "\t"), "559_b\t559_a\tA short, dull film.\t-1\t"], tabs)
    assert pair.changed.text == "A short, dull film."


def test_an_original_may_be_repeated_as_it_stands():
    (pair,) = accepted([HEADER, "558_a,558,I like this song!,1,why", "558_b,558_a,I love it!,1,"])
    assert (pair.original_id, pair.rationale, pair.is_from_scratch) == ("558", "why", False)


def test_originals_may_be_the_team_s_own_where_that_is_allowed():
    first, second = accepted(SCRATCH, from_scratch=True)
    assert first.original == PairItem("n1_a", "Nothing I could hate.", "1")
    assert second.original == PairItem("n1_2_a", "Nothing I could hate.", "1")
    assert (first.is_from_scratch, first.original_id, first.changed.label) == (True, "n1_a", "-1")


def test_originals_of_the_team_s_own_are_refused_elsewhere():
    result = read(SCRATCH)
    assert [place_of(problem) for problem in result.problems] == [
        (2, "original_id", "pair_original_unknown"),
        (3, "original_id", "pair_original_unknown"),
        (4, "original_id", "pair_original_unknown"),
    ]
    assert result.problems[1].message.startswith("Pairs from scratch are not allowed here")


@pytest.mark.parametrize(
    ("row", "column", "code"),
    [
        ("9_b,9,I like it.,1,", "original_id", "pair_original_unknown"),
        ("558_b,,I like it.,1,", "original_id", "pair_original_unknown"),
        ("558_b,0558,I like it.,1,", "original_id", "id_spelling"),
        ("558_b,558,I like it.,2,", "label", "unknown_label"),
        ("558_b,558,I like it.,0,", "label", "unknown_label"),
        ("558_b,558,I like it.,,", "label", "empty_label"),
        ("558_b,558, ,1,", "text", "text_missing"),
        ("558_b,558,I like  this song! ,1,", "text", "pair_unchanged"),
        ("558_b,558,\"A long, dull film.\",1,", "text", "pair_text_twice"),
        ("612_b,558,I like it.,1,", "id", "pair_id_stem"),
        ("5580_b,558,I like it.,1,", "id", "pair_id_stem"),
        ("558_c,558,I like it.,1,", "id", "pair_id_stem"),
        ("558b,558,I like it.,1,", "id", "pair_id_stem"),
        ("_b,558,I like it.,1,", "id", "pair_id_stem"),
        (",558,I like it.,1,", "id", "empty_id"),
        (" 558_b,558,I like it.,1,", "id", "id_spelling"),
        ("558_a,558,I like this song!,1,", "id", "pair_without_change"),
        ("558_b,558,I like it, truly.,1,", None, "long_row"),
        ("558_b,558,I like it.", None, "short_row"),
        ("", None, "blank_line"),
    ],
)  # fmt: skip
def test_a_wrong_row_is_refused_at_its_place(row: str, column: str | None, code: str):
    last = "559_b,559_a,So short.,-1,"
    assert place_of(only_problem([HEADER, row, last])) == (2, column, code)


def test_an_unknown_original_is_told_with_the_ids_that_there_are():
    problem = only_problem([HEADER, "9_b,9,I like it.,1,"])
    assert (problem.found, problem.expected) == ("9", "558, 559_a, 612")
    assert problem.message == "“9” is no sentence of the starter data. Give the id of one of its sentences."


def test_a_wrong_stem_is_told_with_the_id_that_was_expected():
    problem = only_problem([HEADER, "612_b,558,I like it.,1,"])
    assert (problem.found, problem.expected) == ("612_b", "558_b")


def test_a_changed_original_is_told_from_where_it_differs():
    lines = [HEADER, "558_a,558,I like this Song!,1,", "558_b,558,I like it.,1,"]
    problem = only_problem(lines)
    assert place_of(problem) == (2, "text", "pair_original_changed")
    assert "at character 13" in problem.message
    assert (problem.found, problem.expected) == ("I like this Song!", "I like this song!")


def test_an_original_with_another_label_is_refused_without_the_starter_label():
    lines = [HEADER, "612_a,612,\"She said: “no”, twice.\",+1,", "612_b,612,She said yes.,1,"]  # fmt: skip
    problem = only_problem(lines)
    assert place_of(problem) == (2, "label", "pair_original_changed")
    assert (problem.found, problem.expected) == ("1", None)
    assert "-1" not in str(problem.as_dict()) + str(problem.excerpt)


def test_an_id_stands_once():
    problem = only_problem([HEADER, "558_b,558,I like it.,1,", "558_b,558,I hate it.,-1,"])
    assert place_of(problem) == (3, "id", "duplicate_id")
    assert "line 2" in problem.message


def test_a_sentence_stands_once():
    problem = only_problem([HEADER, "558_b,558,I like it.,1,", "558_2_b,558,I like  it.,1,"])
    assert place_of(problem) == (3, "text", "pair_text_twice")
    assert "line 2" in problem.message


@pytest.mark.parametrize(("again", "column"), [("558_2_b", "label"), ("558_b", "id")])
def test_a_sentence_with_two_labels_contradicts_itself_whatever_its_ids(again: str, column: str):
    problem = only_problem([HEADER, "558_b,558,I like it.,1,", f"{again},558,I like it.,-1,"])
    assert place_of(problem) == (3, column, "pair_labels_contradict")
    assert (problem.found, problem.expected) == ("-1", "1")


def test_a_rationale_is_missed_only_where_it_is_asked_for():
    problem = only_problem(GOOD, needs_rationale=True)
    assert place_of(problem) == (3, "rationale", "pair_rationale_missing")


def test_an_own_original_needs_a_changed_sentence():
    problem = only_problem([*SCRATCH, "n2_a,,All alone.,1,"], from_scratch=True)
    assert (place_of(problem), problem.expected) == ((5, "id", "pair_without_change"), "n2_b")


def test_an_own_original_is_none_of_the_starter_data():
    lines = [HEADER, "558_a,,New words.,1,", "558_b,558,Newer words.,1,"]
    problem = only_problem(lines, from_scratch=True)
    assert place_of(problem) == (2, "original_id", "pair_original_unknown")
    lines = [HEADER, "n1_a,,I like this song!,1,", "n1_b,n1_a,Newer words.,1,"]
    assert place_of(only_problem(lines, from_scratch=True)) == (2, "text", "pair_text_twice")


def test_a_pair_has_one_original():
    lines = [HEADER, "558_2_a,,New words.,1,", "558_2_b,558,Newer.,1,", "558_2_3_b,558_2_a,Newest.,1,"]
    problem = only_problem(lines, from_scratch=True)
    assert place_of(problem) == (3, "id", "pair_id_stem")
    assert "“558_2_a”, another original" in problem.message


def test_what_a_faulty_row_would_have_completed_is_not_missed_as_well():
    lines = [HEADER, "n1_a,,Nothing I could hate.,7,", "n1_b,n1_a,Nothing I could love.,-1,"]
    assert place_of(only_problem(lines, from_scratch=True)) == (2, "label", "unknown_label")
    lines = [HEADER, "n1_a,,Nothing I could hate.,1,", "n1_b,n1_a,Nothing I could love.,7,"]
    assert place_of(only_problem(lines, from_scratch=True)) == (3, "label", "unknown_label")


@pytest.mark.parametrize(
    ("first", "code"),
    [
        ("id,original_id,text,label", "header_names"),
        ("id,text,original_id,label,rationale", "header_order"),
        ("id;original_id;text;label;rationale", "header_delimiter"),
        ("558_b,558,I like it.,1,", "header_missing"),
    ],
)
def test_the_header_names_the_five_columns(first: str, code: str):
    problem = only_problem([first, "559_b,559_a,So short.,-1,"])
    assert (problem.line, problem.code) == (1, code)


def test_a_span_is_a_part_of_its_sentence():
    task = task_of(Span(), FileFormat("q.csv", "id", "label"))
    (pair,) = accepted([HEADER, "558_b,558,I like this old song!,this old song,"], task)
    assert pair.changed.label == "this old song"
    for label, code in (("This song", "span_not_in_text"), (" ", "empty_label")):
        (problem,) = read([HEADER, f"558_b,558,I like this old song!,{label},"], task).problems
        assert place_of(problem) == (2, "label", code)


def test_pairs_of_numbers_have_no_file():
    with pytest.raises(ValueError, match="neither one label of a set nor a span"):
        read(GOOD, task_of(Number(0, 1), FileFormat("n.csv", "id", "label")))


def test_markup_is_text_like_any_other():
    (pair,) = accepted([HEADER, "558_b,558,<script>alert(1)</script>,1,"])
    assert pair.changed.text == "<script>alert(1)</script>"


@given(st.binary(max_size=200), st.booleans())
@example(b"", True)
@example((HEADER + "\n").encode(), True)
@example(b"\xff\xfeh\x00", False)
def test_no_bytes_at_all_are_an_error_of_the_server(data: bytes, from_scratch: bool):
    for start in (b"", (HEADER + "\n").encode(), "\n".join([*GOOD, ""]).encode()):
        result = read_minimal_pairs(
            start + data, file_name="x", task=SENTIMENT, starter=STARTER, from_scratch=from_scratch
        )
        assert bool(result.content) != bool(result.problems)


CELLS = st.sampled_from(
    ["", "558", "558_a", "558_b", "n1_a", "n1_b", "612_a", "I like it.", "1", "-1", "I like this song!"]
)


@given(st.lists(st.lists(CELLS, min_size=5, max_size=5).map(",".join), max_size=8), st.booleans())
def test_rows_of_any_ids_give_pairs_with_ids_of_their_own_or_problems(rows: list[str], from_scratch: bool):
    result = read([HEADER, *rows], from_scratch=from_scratch)
    assert bool(result.content) != bool(result.problems)
    ids = [item.id for pair in result.content or () for item in (pair.original, pair.changed)]
    assert len(set(ids)) == len(ids)
    assert all(problem.code in ProblemCode for problem in result.problems)


def test_one_sentence_may_stand_for_several_questions_that_it_keeps():
    starter = {"1": ("Ann saw Bo.", "Ann"), "2": ("Ann saw Bo.", "Bo")}
    kept = {"1": ("Who saw?",), "2": ("Whom did she see?",)}
    span = replace(SENTIMENT, output=Span())
    rows = ["1_b,1,Ann never saw Bo.,Ann,", "2_b,2,Ann never saw Bo.,Bo,", "2_2_b,2,Ann never saw Bo.,Ann,"]

    def read_spans(count: int) -> FileRead[list[MinimalPair]]:
        data = "\n".join([HEADER, *rows[:count]]).encode()
        return read_minimal_pairs(data, file_name="osu.csv", task=span, starter=starter, kept=kept)

    assert len(read_spans(2).content or ()) == 2
    (problem,) = read_spans(3).problems
    assert place_of(problem) == (4, "label", "pair_labels_contradict")


def test_problems_stand_in_the_order_of_the_lines():
    rows = ["558_b,99,I loathe this song!,-1,", "559_b,559_a,A short film.,bad,", "612_b,98,She said no.,1,"]
    assert [problem.line for problem in read([HEADER, *rows]).problems] == [2, 3, 4]


# Kinds of changes

WITH_KINDS = [
    f"{HEADER},category",
    "558_b,558,I'd die for this song!,+1,dying need not be bad,  an   idiom ",
    '559_b,559_a,"A short, dull film.",-1,,',
]


def test_a_pair_may_name_the_kind_of_its_change():
    assert [pair.category for pair in accepted(WITH_KINDS)] == ["an idiom", ""]
    assert {pair.category for pair in accepted(GOOD)} == {""}


def test_a_repeated_original_may_name_the_kind_for_its_pair():
    lines = [WITH_KINDS[0], "558_a,558,I like this song!,1,,verbs", "558_b,558,I love this song!,1,,"]
    assert [pair.category for pair in accepted(lines)] == ["verbs"]


def test_only_the_kinds_of_the_organiser_may_be_named_where_there_are_some():
    kinds = ("negation", "idioms")
    result = read([WITH_KINDS[0], "558_b,558,I'd die for this song!,+1,,idiom"], categories=kinds)
    (problem,) = result.problems
    assert place_of(problem) == (2, "category", "pair_category")
    assert (problem.found, problem.expected) == ("idiom", "idioms")
    assert "negation, idioms" in problem.message


@pytest.mark.parametrize("kind", ["x" * 61, "a\u200bb"])
def test_a_kind_is_a_few_words_that_can_be_seen(kind: str):
    problem = only_problem([WITH_KINDS[0], f"558_b,558,I'd die for this song!,+1,,{kind}"])
    assert place_of(problem) == (2, "category", "pair_category")
