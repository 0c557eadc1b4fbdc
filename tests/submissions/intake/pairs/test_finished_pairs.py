"""A finished set of pairs is read as strictly as gold labels, and told about without a word of its content."""

from dataclasses import replace

import pytest

from benchmarks.spec import TaskSpec
from benchmarks.spec.loader import load_definition
from submissions.intake.file_read import FileRead
from submissions.intake.pairs.finished_pairs import FinishedPairs, read_finished_pairs
from tests.benchmarks.test_loader import DEFINITIONS

BIBI = load_definition((DEFINITIONS / "bibi.yaml").read_text("utf-8"), "bibi.yaml")
HEAD = "sentence_id\tsentence\tsentiment_label\n"


def read(text: str, *, may_repeat: bool = False, task: str = "sentiment") -> FileRead[FinishedPairs]:
    return read_finished_pairs(
        text.encode(), file_name="set.tsv", task=BIBI.task(task), may_repeat=may_repeat
    )


def pairs_of(result: FileRead[FinishedPairs]) -> FinishedPairs:
    assert result.problems == ()
    assert result.content is not None
    return result.content


def problems_of(result: FileRead[FinishedPairs]) -> list[tuple[str, int | None, str | None]]:
    assert result.content is None
    return [(one.code.value, one.line, one.column) for one in result.problems]


def test_items_whose_ids_agree_before_the_separator_are_pairs():
    found = pairs_of(read(HEAD + "5_a\t-\t1\n6_b\t-\t-1\n6_a\t-\t+1\n5_b\t-\t-1\n"))
    assert [(one.id, other.id) for one, other in found.pairs] == [("5_a", "5_b"), ("6_a", "6_b")]
    assert [(one.label, other.label) for one, other in found.pairs] == [("1", "-1"), ("1", "-1")]
    assert [(one.line, other.line) for one, other in found.pairs] == [(2, 5), (4, 3)]


def test_texts_are_read_where_there_are_any():
    found = pairs_of(read(HEAD + "5_a\tGood tea\t1\n5_b\tBad tea\t-1\n"))
    assert found.columns == ("sentence",)
    assert [item.texts for item in found.pairs[0]] == [("Good tea",), ("Bad tea",)]


def test_hyphens_are_no_texts():
    found = pairs_of(read(HEAD + "5_a\t-\t1\n5_b\t-\t-1\n"))
    assert (found.columns, found.pairs[0][0].texts) == ((), ())


def test_spans_are_read_with_all_that_stands_beside_them():
    head = "id,sentence,predicate,question,answer\n"
    found = pairs_of(read(head + "1_a,Ann saw,saw,Who?,Ann\n1_b,Bo saw,saw,Who?,Bo\n", task="qasrl"))
    assert found.columns == ("sentence", "predicate", "question")
    assert found.pairs[0][1][2:] == ("Bo", ("Bo saw", "saw", "Who?"))


@pytest.mark.parametrize(
    ("rows", "wanted"),
    [
        ("5_a\t-\t1\n", [("pair_incomplete", 2, "sentence_id")]),
        (
            "5_a\t-\t1\n5_b\t-\t1\n5_c\t-\t1\n",
            [("pair_incomplete", line, "sentence_id") for line in (2, 3, 4)],
        ),
        (
            "5\t-\t1\n5_b\t-\t1\n",
            [("pair_incomplete", 2, "sentence_id"), ("pair_incomplete", 3, "sentence_id")],
        ),
        ("5_a\t-\t1\n5_b\t-\t2\n", [("unknown_label", 3, "sentiment_label")]),
        ("5_a\t-\t1\n5_b\t-\t0\n", [("unknown_label", 3, "sentiment_label")]),
        ("5_a\t-\t1\n5_b\t-\t\n", [("empty_label", 3, "sentiment_label")]),
        ("5_a\t-\t1\n\t-\t1\n", [("empty_id", 3, "sentence_id")]),
        ("5_a\t-\t1\n5_b\t1\n", [("short_row", 3, None)]),
        (f"5_a\t-\t1\n{'5' * 199}_b\t-\t1\n", [("cell_too_long", 3, "sentence_id")]),
        ("", [("no_rows", None, None)]),
    ],
    ids=[
        "alone",
        "three",
        "no-stem",
        "label",
        "never-right",
        "no-label",
        "no-id",
        "short",
        "long-id",
        "empty",
    ],
)
def test_a_fault_is_told_with_its_line(rows: str, wanted: list[tuple[str, int | None, str | None]]):
    assert problems_of(read(HEAD + rows)) == wanted


def test_span_that_does_not_stand_in_its_sentence_is_refused():
    head = "id,sentence,predicate,question,answer\n"
    result = read(head + "1_a,Ann saw,saw,Who?,Anna\n1_b,Bo saw,saw,Who?,Bo\n", task="qasrl")
    assert problems_of(result) == [("span_not_in_text", 2, "answer")]


def test_repeated_id_is_refused_with_both_lines():
    result = read(HEAD + "5_a\t-\t1\n5_b\t-\t-1\n5_b\t-\t1\n")
    assert problems_of(result) == [("duplicate_id", 4, "sentence_id")]
    assert result.problems[0].message.startswith(
        "The id stands on line 3 already. Remove one of the two rows"
    )


def test_repeated_id_is_taken_where_it_may_repeat_and_its_first_row_counts():
    found = pairs_of(read(HEAD + "5_a\t-\t1\n5_b\t-\t-1\n5_b\t-\t1\n5_b\t-\t-1\n", may_repeat=True))
    assert found.pairs[0][1].label == "-1"
    assert {item: [(one.line, one.label) for one in rows] for item, rows in found.repeated.items()} == {
        "5_b": [(4, "1"), (5, "-1")]
    }


def test_repeated_id_with_another_text_is_refused_in_any_case():
    result = read(HEAD + "5_a\tGood\t1\n5_b\tBad\t-1\n5_b\tWorse\t-1\n", may_repeat=True)
    assert problems_of(result) == [("duplicate_id", 4, "sentence_id")]
    assert "with another text" in result.problems[0].message


def test_no_problem_repeats_what_stands_in_the_file():
    rows = "secret_a\tsecret\tsecret\nsecret_a\tsecret\t1\nsecret\nsecret_c\tsecret\t1\n"
    found = read("secret\tsecret\tsecret\n" + rows).problems + read(HEAD + rows).problems
    assert len(found) > 3
    assert "secret" not in str([replace(one, file="") for one in found])


def test_a_task_whose_labels_stand_in_no_table_is_no_task_of_such_files():
    task: TaskSpec = load_definition(
        (DEFINITIONS / "rumoureval2019.yaml").read_text("utf-8"), "x.yaml"
    ).tasks[0]
    with pytest.raises(ValueError, match="no table"):
        read_finished_pairs(b"", file_name="x", task=task)
