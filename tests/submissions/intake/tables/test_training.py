"""Training files: tolerant about columns of text, strict about everything else."""

import pytest

from benchmarks.spec import FileFormat
from catalogue.answers import Label
from submissions.intake.tables.training import (
    ItemTexts,
    TrainingFile,
    read_texts_file,
    read_training_file,
)
from tests.submissions.intake import kinds

MOODS = kinds.task_of(Label(("good", "bad, or worse")), FileFormat("m.csv", "ID", "Label"))


def training(text: str, task=MOODS) -> TrainingFile:
    content = read_training_file(text.encode(), file_name="m.csv", task=task).content
    assert content is not None
    return content


def texts(text: str, task=MOODS) -> ItemTexts:
    content = read_texts_file(text.encode(), file_name="m.csv", task=task).content
    assert content is not None
    return content


def problems(text: str, task=MOODS) -> list[tuple[str, int | None, str | None]]:
    read = read_training_file(text.encode(), file_name="m.csv", task=task)
    assert read.content is None
    return [(each.code.value, each.line, each.column) for each in read.problems]


def test_every_column_that_is_not_id_or_label_is_text():
    read = training(
        "Label,Title,ID,Abstract\ngood,A,7,long\nbad,B,8,short\n".replace("bad", '"bad, or worse"')
    )

    assert read.labels.ids.ids == ("7", "8")
    assert read.labels.codes.tolist() == [0, 1]
    assert read.text_columns == ("Title", "Abstract")
    assert read.texts == (("A", "long"), ("B", "short"))


def test_column_names_may_have_another_case():
    assert training("id,text,label\n1,x,good\n").labels.codes.tolist() == [0]


def test_texts_may_be_long_and_hold_line_breaks():
    text = "word " * 5_000 + '\nsaid ""no""\r\n, really'
    read = training(f'ID,Text,Label\n1,"{text}",good\n2,x,good\n')

    assert read.texts[0] == (text.replace('""', '"').replace("\r\n", "\n"),)
    assert read.labels.ids.ids == ("1", "2")


def test_a_column_that_the_format_fixes_is_no_text_and_must_say_so():
    assert training("ID\tTweet\tAffect\tScore\na\thi\tjoy\t0.5\n", kinds.NUMBER).text_columns == ("Tweet",)
    assert problems("ID\tTweet\tAffect\tScore\na\thi\tfear\t0.5\n", kinds.NUMBER) == [
        ("fixed_cell", 2, "Affect")
    ]


def test_a_quote_in_a_file_separated_by_tabs_is_a_character():
    assert training('ID\tTweet\tStance\n1\t"oh\tFAVOR\n', kinds.STANCE).texts == (('"oh',),)


def test_labels_of_a_subset_stand_in_their_columns():
    read = training("ID\tTweet\tanger\tjoy\ttrust\n1\thi\t1\t0\t1\n", kinds.SUBSET)

    assert read.labels.codes.tolist() == [0b101]
    assert read.text_columns == ("Tweet",)


def test_from_json_only_labels_are_read():
    read = training('{"text_id": "1", "gold_label": "neutral", "sentence": "so"}\n', kinds.SENTENCES)

    assert read.labels.codes.tolist() == [2]
    assert read.text_columns == ()


def test_a_file_of_labels_alone_has_no_texts():
    assert training("ID,Label\n1,good\n").texts == ()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("ID,Text,Label\n1,x,Good\n", [("label_case", 2, "Label")]),
        ("ID,Text,Label\n1,x,good\n1,y,good\n", [("duplicate_id", 3, "ID")]),
        ('ID,Text,Label\n1,"two\nlines",good\n,y,good\n', [("empty_id", 4, "ID")]),
        ("ID,Text,Label\n1,x\n2,x,good,y\n", [("short_row", 2, None), ("long_row", 3, None)]),
        ("ID,Text\n1,x\n", [("header_names", 1, None)]),
        ("ID,Text,label,Label\n1,x,good,good\n", [("header_doubled_column", 1, None)]),
        ('ID,Text,Label\n1,"x,good\n2,y,good\n', [("unclosed_quote", 2, None)]),
        ("ID,Text,Label\n", [("no_rows", None, None)]),
        ("", [("empty_file", None, None)]),
    ],
)
def test_a_fault_is_told_with_its_line_and_column(text, expected):
    assert problems(text) == expected


def test_texts_without_labels_are_read_by_id():
    assert texts("ID,Text\n8,x\n9,y\n").of == {"8": ("x",), "9": ("y",)}


def test_labels_in_a_file_of_texts_are_not_looked_at():
    read = texts("ID\tTweet\tAffect\tScore\na\thi\tjoy\tNONE\n", kinds.NUMBER)

    assert read == ItemTexts(("Tweet",), {"a": ("hi",)})


def test_an_id_that_stands_twice_among_texts_is_refused():
    read = read_texts_file(b"ID,Text\n8,x\n8,y\n", file_name="m.csv", task=MOODS)
    assert read.content is None
    assert [(each.line, each.column) for each in read.problems] == [(3, "ID")]


def test_a_row_with_too_few_cells_is_told_as_it_stands():
    data = b"ID,Text,Label\n1,x,good\n2,x\n3,x,good\n"
    (problem,) = read_training_file(data, file_name="m.csv", task=MOODS).problems
    assert (problem.line, problem.found) == (3, "2,x")
