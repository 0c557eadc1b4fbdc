"""The fast reader and the explaining one must never disagree."""

import random

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from catalogue.problems import FileReport, Report
from submissions.intake import ItemIds, SplitTarget, read_labels
from submissions.intake.canonical import FileTarget
from submissions.intake.predictions.diagnosing_reader import read_explaining
from submissions.intake.predictions.fast_reader import read_ordinary
from tests.at_length import examples
from tests.submissions.intake.uploads import (
    MOOD,
    MOOD_CODES,
    MOOD_CSV,
    MOOD_ROWS,
    MOOD_TARGET,
    csv,
    task_spec,
)

ids_of_a_split = st.lists(
    st.text(st.characters(codec="utf-8", exclude_categories=("Cc", "Zl", "Zp")), min_size=1, max_size=8),
    min_size=1,
    max_size=12,
    unique=True,
)


QUOTED = {
    "as R does": csv((row.replace(",", ',"') + '"' for row in MOOD_ROWS), '"ID","Label"'),
    "everything": csv(('"' + row.replace(",", '","') + '"' for row in MOOD_ROWS), '"ID","Label"', "\r\n"),
    "ids": csv('"' + row.replace(",", '",') for row in MOOD_ROWS),
}


def whole(target: SplitTarget) -> FileTarget:
    """A file that answers this one split."""
    return FileTarget(target.task, (target,))


def explained(data: bytes, target: SplitTarget) -> list[int] | None:
    codes = read_explaining(data, whole(target), FileReport(Report(), file="x.csv"))
    return None if codes is None else codes.tolist()


def fast(data: bytes, target: SplitTarget) -> list[int] | None:
    codes = read_ordinary(data, whole(target))
    return None if codes is None else codes.tolist()


def cell(text: str, *, quote: bool) -> str:
    if quote or '"' in text or "," in text:
        return '"' + text.replace('"', '""') + '"'
    return text


@st.composite
def written_answers(draw: st.DrawFn) -> tuple[SplitTarget, list[int], bytes]:
    """A split, its answers, and one of the permitted ways to write them."""
    target = SplitTarget(MOOD, "test", ItemIds(draw(ids_of_a_split)))
    answers = draw(st.lists(st.integers(0, 2), min_size=len(target.ids), max_size=len(target.ids)))
    quotes = draw(st.tuples(st.booleans(), st.booleans()))
    rows = [
        f"{cell(item, quote=quotes[0])},{cell(MOOD.output.labels[code], quote=quotes[1])}"
        for item, code in zip(target.ids.ids, answers, strict=True)
    ]
    draw(st.randoms(use_true_random=False)).shuffle(rows)
    line_end = draw(st.sampled_from(["\n", "\r\n"]))
    header = draw(st.sampled_from(["ID,Label", '"ID","Label"', 'ID,"Label"']))
    data = csv(rows, header, line_end)
    if draw(st.booleans()):
        data = data.removesuffix(line_end.encode())
    if draw(st.booleans()):
        data = b"\xef\xbb\xbf" + data
    return target, answers, data


@given(written_answers())
def test_every_permitted_way_of_writing_gives_the_same_codes(case):
    target, answers, data = case
    assert explained(data, target) == answers
    assert fast(data, target) in (answers, None)


@settings(max_examples=examples(500))
@given(
    at=st.integers(0, len(MOOD_CSV)),
    removed=st.integers(0, 30),
    inserted=st.one_of(
        st.binary(max_size=4), st.sampled_from([b",", b"\n", b"\r\n", b"50,sad mood\n", b'"'])
    ),
)
def test_what_the_fast_reader_accepts_the_explaining_one_accepts_alike(at, removed, inserted):
    data = MOOD_CSV[:at] + inserted + MOOD_CSV[at + removed :]
    quick = fast(data, MOOD_TARGET)
    assert quick is None or quick == explained(data, MOOD_TARGET)


@settings(max_examples=examples(500))
@given(
    quoted=st.sampled_from(sorted(QUOTED)),
    at=st.integers(0, 200),
    removed=st.integers(0, 3),
    inserted=st.sampled_from(
        [b"", b'"', b'""', b",", b'","', b"\n", b'"\n"', b"\r", b"\r\n", b" ", b"a", b"\xc2\x85"]
    ),
)
def test_what_the_fast_reader_accepts_of_a_quoted_file_the_explaining_one_accepts_alike(
    quoted, at, removed, inserted
):
    whole_file = QUOTED[quoted]
    data = whole_file[:at] + inserted + whole_file[at + removed :]
    quick = fast(data, MOOD_TARGET)
    assert quick is None or quick == explained(data, MOOD_TARGET)


@pytest.mark.parametrize("quoted", sorted(QUOTED))
def test_fast_reader_takes_columns_that_are_quoted_as_a_whole(quoted: str):
    assert fast(QUOTED[quoted], MOOD_TARGET) == explained(QUOTED[quoted], MOOD_TARGET) == MOOD_CODES


@settings(max_examples=examples(500))
@given(
    st.lists(
        st.sampled_from(
            [b"1", b"2", b"a", b"b", b'"a"', b'"1"', b'"', b'""', b",", b'","', b"\n", b'"\n"', b"\r\n"]
        ),
        max_size=12,
    )
)
@example([b"1,", b'"', b"\n2,", b'"a"b"'])
@example([b'"1', b",", b'a"', b"\n", b'"2', b",", b'b"'])
@example([b'"1', b"\n", b'a"', b"\n", b'"2', b",", b'b"'])
@example([b'1,"a"b\n', b'2,"b"'])
@example([b'1,a"b"\n', b'2,""b'])
@example([b'"1","a"\n', b'"2",b'])
def test_readers_agree_on_where_cells_and_lines_end(pieces):
    target = SplitTarget(task_spec("tiny", ("a", "b")), "test", ItemIds(["1", "2"]))
    data = b"ID,Label\n" + b"".join(pieces)
    quick = fast(data, target)
    assert quick is None or quick == explained(data, target)


def test_fast_reader_takes_the_ordinary_file_in_any_order():
    rows = MOOD_CSV.splitlines(keepends=True)[1:]
    shuffled = b"ID,Label\n" + b"".join(random.Random(7).sample(rows, len(rows)))
    assert fast(shuffled, MOOD_TARGET) == fast(MOOD_CSV, MOOD_TARGET) == explained(MOOD_CSV, MOOD_TARGET)


def test_both_readers_number_more_than_256_labels():
    names = tuple(f"label {number}" for number in range(300))
    target = SplitTarget(task_spec("many", names), "test", ItemIds(["1", "2"]))
    data = b"ID,Label\n2,label 299\n1,label 256\n"
    assert fast(data, target) == explained(data, target) == [256, 299]


def test_fast_reader_leaves_doubled_missing_and_unknown_to_the_other():
    last = MOOD_CSV.rindex(b"61,")
    for replacement in (b"", b"60,happy mood\n", b"62,happy mood\n", b"61,glad mood\n"):
        assert fast(MOOD_CSV[:last] + replacement, MOOD_TARGET) is None


@pytest.mark.parametrize("rest", [b"\x00", b"62", b"\n", b"\r", b'"'])
def test_fast_reader_leaves_anything_below_the_last_row_to_the_other(rest: bytes):
    assert fast(MOOD_CSV + rest, MOOD_TARGET) is None


@pytest.mark.parametrize("quote", ["", '"'])
def test_fast_reader_leaves_a_carriage_return_that_stands_elsewhere_to_the_other(quote: str):
    data = csv((row.replace(",", f",{quote}") + quote for row in MOOD_ROWS), "ID,Label", "\r\n")
    assert fast(data, MOOD_TARGET) == MOOD_CODES
    # One line end lacks it, and the cell above has it instead.
    at = data.index(b"\r\n", 20)
    moved = data[: at - 3] + b"\r" + data[at - 3 : at] + data[at + 1 :]
    assert fast(moved, MOOD_TARGET) is None
    assert explained(moved, MOOD_TARGET) is None


def test_codes_cannot_be_changed_afterwards():
    predictions = read_labels(MOOD_CSV, file_name="mood.csv", target=MOOD_TARGET).content
    assert predictions is not None
    assert not predictions.codes.flags.writeable
    assert predictions.codes.dtype == np.uint8
