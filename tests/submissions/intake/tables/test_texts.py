"""An organiser's file of texts, and every way in which it can be wrong."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.spec.document import parse_yaml
from benchmarks.spec.loader import build_spec
from catalogue.problems import ProblemCode as Code
from submissions.intake import ItemIds
from submissions.intake.tables.texts import MAX_TEXT, TextsFile, read_texts, write_texts
from tests.conftest import TOY_DEFINITION

IDS = ItemIds(["m1", "m2", "m3"])
GOOD = b'id,text\nm2,"Two, and\nmore"\nm1,One\nm3,"say ""three"""\n'
MOOD = build_spec(parse_yaml(TOY_DEFINITION, "toy"), "toy").task("mood")
REPEATING = build_spec(
    parse_yaml(TOY_DEFINITION.replace("label_column: Label}", "label_column: Label, repeats: true}"), "toy"),
    "toy",
).task("mood")


def read(data, ids=IDS, task=MOOD):
    return read_texts(data, file_name="texts.csv", task=task, split="test", ids=ids)


def problem(data, **more):
    result = read(data, **more)
    assert result.content is None
    (only,) = result.problems
    return only


def test_texts_come_in_the_order_of_the_ids():
    assert read(GOOD).content == TextsFile(("text",), (("One",), ("Two, and\nmore",), ('say "three"',)))


def test_several_columns_a_byte_order_mark_and_crlf_are_fine():
    data = b'\xef\xbb\xbfid,claim,perspective\r\nm1,a,b\r\nm2,,d\r\nm3,"e\r\n\r\nf",g\r\n'
    assert read(data).content == TextsFile(("claim", "perspective"), (("a", "b"), ("", "d"), ("e\n\nf", "g")))


def test_texts_may_be_far_longer_than_answers():
    long = "long " * 5_000
    assert read(f"id,text\nm1,{long}\nm2,b\nm3,c\n".encode()).content == TextsFile(
        ("text",), ((long,), ("b",), ("c",))
    )


@given(
    st.lists(
        st.tuples(*[st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=20)] * 2),
        min_size=3,
        max_size=3,
    ).filter(lambda rows: all(any(cell.strip() for cell in row) for row in rows)),
    st.randoms(use_true_random=False),
)
def test_what_is_written_is_read_again_in_any_order(rows, dice: random.Random):
    file = TextsFile(("claim", "perspective"), tuple(rows))
    header, *lines = write_texts(file, IDS).decode().split("\n")[:-1]
    dice.shuffle(lines)
    assert read("\n".join([header, *lines]).encode()).content == file


@pytest.mark.parametrize(
    ("header", "code"),
    [
        ("ID,text", Code.HEADER_SPELLING),
        ("id ,text", Code.HEADER_SPELLING),
        ("key,text", Code.HEADER_NAMES),
        ("id", Code.HEADER_NAMES),
        ("id,", Code.HEADER_NAMES),
        ("id, text", Code.HEADER_NAMES),
        ("id;text", Code.HEADER_DELIMITER),
        ("id\ttext", Code.HEADER_DELIMITER),
        ("id,text,Text", Code.HEADER_DOUBLED_COLUMN),
        ("id," + ",".join(f"t{number}" for number in range(17)), Code.HEADER_EXTRA_COLUMN),
        ("m1,One", Code.HEADER_MISSING),
    ],
)
def test_a_wrong_header_is_refused_on_line_1(header, code):
    found = problem(f"{header}\nm1,One\nm2,Two\nm3,Three\n".encode())
    assert (found.code, found.line, found.expected) == (code, 1, "id,text")
    assert "id, then one or more of text" in found.message


@pytest.mark.parametrize(
    ("rows", "code", "line", "column", "found"),
    [
        ("m1,One\nm2,Two\nm4,Four\nm3,x", Code.UNKNOWN_ID, 4, "id", "m4"),
        ("m1,One\nm2 ,Two\nm3,x", Code.ID_SPELLING, 3, "id", "m2 "),
        ("m1,One\nm2,Two\nm3,x\nm1,Four", Code.DUPLICATE_ID, 5, "id", "m1"),
        ("m1,One\n,Two\nm2,x\nm3,y", Code.EMPTY_ID, 3, "id", ""),
        ("m1,One\nm3,Three", Code.MISSING_IDS, None, "id", "2 of 3 ids"),
        ("m1,One\nm2\nm3,Three", Code.SHORT_ROW, 3, None, "m2"),
        ("m1,One\nm3,Three\nm2,a,b", Code.LONG_ROW, 4, None, "m2,a,b"),
        ("m1,One\n\nm2,Two\nm3,Three", Code.BLANK_LINE, 3, None, None),
        ("m1,One\nm2, \nm3,Three", Code.TEXT_MISSING, 3, "text", None),
        ("m1,One\nm2,a\tb\x07c\nm3,Three", Code.CONTROL_CHARACTER, 3, "text", "m2,a\\tb\\x07c"),
        ('m1,One\nm2,"a\nb\x00c"\nm3,Three', Code.NUL_CHARACTER, 4, "text", 'm2,"a\\nb\\x00c"'),
        ("m1,One\nm2,a\rb\nm3,Three", Code.LONE_CARRIAGE_RETURN, 3, "text", "m2,a\\rb"),
        ('m1,One\nm2,"Two\nm3,Three', Code.UNCLOSED_QUOTE, 3, None, 'm2,"Two'),
        ('m1,One\nm2,5" wide and 4" high\nm3,Three', Code.STRAY_QUOTE, 3, None, 'm2,5" wide and 4" high'),
        ('m1,One\nm2,"Two" x\nm3,Three', Code.TEXT_AFTER_QUOTE, 3, None, 'm2,"Two" x'),
    ],
)
def test_a_wrong_row_is_refused_with_its_place(rows, code, line, column, found):
    told = problem(f"id,text\n{rows}\n".encode())
    assert (told.code, told.file, told.line, told.column, told.found) == (
        code,
        "texts.csv",
        line,
        column,
        found,
    )


def test_a_text_beyond_every_length_is_refused():
    told = problem(f"id,text\nm1,{'x' * (MAX_TEXT + 1)}\nm2,b\nm3,c\n".encode())
    assert (told.code, told.line, told.column) == (Code.TEXT_TOO_LONG, 2, "text")
    assert "100,001 characters" in told.message


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", Code.EMPTY_FILE),
        (b"id,text\n", Code.NO_ROWS),
        ("id,text\nm1,é\n".encode("latin-1"), Code.INVALID_UTF8),
        ("id,text\n".encode("utf-16"), Code.UTF_16_OR_32),
    ],
)
def test_what_is_no_file_of_texts_is_refused(data, code):
    assert read(data).problems[-1].code is code


def test_reading_stops_at_far_more_rows_than_ids():
    result = read(b"id,text\n" + b"m1,One\n" * 1_000)
    assert len(result.problems) + result.more == 2 * len(IDS) + 100  # each row but the first, and the stop


@pytest.mark.parametrize(
    "data",
    [
        b"id,text,Label\nm1,a,x\nm2,b,x\nm3,c,x\n",
        b"id,text,label\nm1,a,x\nm2,b,x\nm3,c,x\n",
        b"id,text,side\nm1,a,good\nm2,b,bad\nm3,c,Good\n",
    ],
)
def test_gold_labels_taken_for_texts_are_refused_without_a_word_of_them(data):
    told = problem(data)
    assert told.code is Code.TEXTS_HOLD_ANSWERS
    assert (told.line, told.found, told.excerpt) == (None, None, ())
    assert "good" not in told.message


def test_a_text_that_happens_to_be_a_label_is_fine():
    assert read(b"id,text\nm1,good\nm2,bad\nm3,neither\n").content


def test_a_repeated_id_is_written_as_often_as_it_repeats_or_as_the_split_has_it():
    ids = ItemIds(["p1", '["p1", 2]', "p2"])
    wanted = TextsFile(("text",), (("a",), ("b",), ("c",)))
    assert read(b"id,text\np1,a\np2,c\np1,b\n", ids=ids, task=REPEATING).content == wanted
    assert read(write_texts(wanted, ids), ids=ids, task=REPEATING).content == wanted


def test_an_id_given_more_often_than_it_repeats_is_refused():
    ids = ItemIds(["p1", '["p1", 2]', "p2"])
    told = problem(b"id,text\np1,a\np1,b\np2,c\np1,d\n", ids=ids, task=REPEATING)
    assert (told.code, told.line) == (Code.DUPLICATE_ID, 5)
