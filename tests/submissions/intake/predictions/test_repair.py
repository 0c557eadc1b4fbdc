"""Slips of writing are mended where they have one meaning only, and what comes of it is what was meant."""

import unicodedata
import zipfile
from dataclasses import replace
from io import BytesIO

import pytest
from hypothesis import given
from hypothesis import strategies as st

from catalogue.answers import Label, Number, OrderedClass
from catalogue.layouts import FileFormat
from submissions.intake import ItemIds, SplitTarget, read_upload
from submissions.intake.predictions.repair import repaired
from tests.submissions.intake.uploads import (
    ANY,
    BANK,
    BANK_CSV,
    BANK_IDS,
    COMPLETE,
    FILES,
    MOOD,
    MOOD_CSV,
    MOOD_ROWS,
    TARGETS,
    csv,
    zipped,
)


def repair(data, file_name="predictions.zip", benchmark=COMPLETE):
    return repaired(data, file_name=file_name, benchmark=benchmark, targets=TARGETS)


def sha(data, file_name="predictions.zip", benchmark=COMPLETE):
    return read_upload(data, file_name=file_name, benchmark=benchmark, targets=TARGETS).content_sha256


def cells(rows):
    return [row.split(",", 1) for row in rows]


MUTATIONS = {
    "case": lambda rows: [f"{item},{label.upper()}" for item, label in cells(rows)],
    "decimal": lambda rows: [f"{item}.0,{label}" for item, label in cells(rows)],
    "spaces": lambda rows: [f" {item}, {label} " for item, label in cells(rows)],
    "zeros": lambda rows: [f"0{item},{label}" for item, label in cells(rows)],
    "underscores": lambda rows: [f"{item},{label.replace(' ', '_')}" for item, label in cells(rows)],
}


@given(
    mutation=st.sampled_from(sorted(MUTATIONS)),
    mark=st.sampled_from([",", ";", "\t", "|"]),
    end=st.sampled_from(["\n", "\r\n"]),
    chosen=st.sets(st.integers(0, len(MOOD_ROWS) - 1)),
    header=st.sampled_from(["ID,Label", "id,label", " ID , LABEL"]),
)
def test_a_mutated_good_file_is_repaired_to_the_same_predictions(mutation, mark, end, chosen, header):
    changed = MUTATIONS[mutation](MOOD_ROWS)
    rows = [changed[at] if at in chosen else row for at, row in enumerate(MOOD_ROWS)]
    data = csv(rows, header=header, line_end=end).replace(b",", mark.encode())
    good = sha(MOOD_CSV, "mood.csv", ANY)
    mended = repair(data, "mood.csv", ANY)
    if mended is None:
        assert sha(data, "mood.csv", ANY) == good  # there was nothing to repair
    else:
        assert sha(mended.data, mended.file_name, ANY) == good


def test_flat_names_get_their_folders():
    mended = repair(zipped({"mood.csv": MOOD_CSV, "my bank.csv": BANK_CSV}))
    assert sorted(zipfile.ZipFile(BytesIO(mended.data)).namelist()) == sorted(FILES)
    assert sha(mended.data) == sha(zipped(FILES))
    assert {(change.name_before, change.name_after) for change in mended.changes} == {
        ("mood.csv", "data/mood/predictions.csv"),
        ("my bank.csv", "data/bank/predictions.csv"),
    }


def test_backslashes_become_slashes():
    mended = repair(zipped({name.replace("/", "\\"): data for name, data in FILES.items()}))
    assert sha(mended.data) == sha(zipped(FILES))


def test_the_difference_shows_lines_before_and_after():
    rows = [f"{item},{label.upper()}" for item, label in cells(MOOD_ROWS)]
    (change,) = repair(csv(rows), "mood.csv", ANY).changes
    assert change.line_count == len(MOOD_ROWS)
    assert (change.pairs[0].line, change.pairs[0].before, change.pairs[0].after) == (
        2,
        rows[0],
        MOOD_ROWS[0],
    )


def numbered(numbers):
    return csv(f"{item},{number}" for item, number in zip(MOOD_IDS, numbers, strict=True))


MOOD_IDS = [row.split(",")[0] for row in MOOD_ROWS]


@pytest.mark.parametrize("numbers", [[1, 2] * 6, [1] * 12, [0, 3] * 6, [4, 1] * 6])
def test_class_numbers_that_could_begin_with_0_or_1_are_left_alone(numbers):
    assert repair(numbered(numbers), "mood.csv", ANY) is None


def test_class_numbers_are_not_read_where_labels_stand_in_no_sorted_order():
    numbers = [f"{item},{at % len(BANK.output.labels)}" for at, item in enumerate(BANK_IDS)]
    assert list(BANK.output.labels) != sorted(BANK.output.labels)
    assert repair(csv(numbers), "bank.csv", ANY) is None


def repaired_mood(rows, labels, ids=MOOD_IDS):
    """The repair of `mood`'s file with these rows, were its labels and ids these."""
    task = replace(MOOD, output=Label(labels))
    spec, target = replace(ANY, tasks=(task,)), (SplitTarget(task, "test", ItemIds(tuple(ids))),)
    return repaired(csv(rows), file_name="mood.csv", benchmark=spec, targets=target)


@pytest.mark.parametrize(
    ("labels", "written"),
    [(("0", "1"), "-1"), (("A-", "B"), "A"), (("A", "B"), "A-"), (("grade 1", "grade 2"), "grade -1")],
)
def test_a_sign_is_no_slip_of_writing(labels, written):
    rows = [f"{item},{written if at % 2 else labels[1]}" for at, item in enumerate(MOOD_IDS)]
    assert repaired_mood(rows, labels) is None


@pytest.mark.parametrize(
    ("labels", "written"), [(("0", "1"), "1.0"), (("-1", "0"), "-1.00"), (("0", "7"), "7.0 ")]
)
def test_whole_numbers_lose_the_decimals_of_a_column_of_numbers(labels, written):
    meant = next(label for label in labels if float(label) == float(written))
    rows = [f"{item},{labels[at % 2]}" for at, item in enumerate(MOOD_IDS)]
    wrong = [row.replace(f",{meant}", f",{written}") for row in rows]
    assert repaired_mood(wrong, labels).data == csv(rows)


@pytest.mark.parametrize(
    ("labels", "written"),
    [(("1", "1.00", "2"), "1.0"), (("1", "2"), "1.5"), (("1", "2"), "3.0"), (("1", "2"), "01.0")],
)
def test_a_number_that_is_no_label_or_might_be_two_is_left_alone(labels, written):
    rows = [f"{item},{written if at % 2 else labels[-1]}" for at, item in enumerate(MOOD_IDS)]
    assert repaired_mood(rows, labels) is None


def test_a_label_with_decimals_stays_beside_others_that_are_mended():
    rows = [f"{item},{'1.0' if at % 2 else '2.0'}" for at, item in enumerate(MOOD_IDS)]
    mended = repaired_mood(rows, ("1", "1.0", "2")).data
    assert mended == csv(rows).replace(b",2.0", b",2")


def test_classes_lose_their_decimals_too():
    task = replace(MOOD, output=OrderedClass(0, 3))
    spec, target = replace(ANY, tasks=(task,)), (SplitTarget(task, "test", ItemIds(tuple(MOOD_IDS))),)
    rows = [f"{item},{at % 4}" for at, item in enumerate(MOOD_IDS)]
    data = csv(f"{row}.0" for row in rows)
    mended = repaired(data, file_name="mood.csv", benchmark=spec, targets=target)
    assert mended is not None
    assert mended.data == csv(rows)


def test_accents_are_written_as_those_of_the_labels_and_ids():
    ids, labels = [f"é{item}" for item in MOOD_IDS], ("éloge", "blâme")
    rows = [f"{item},{labels[at % 2]}" for at, item in enumerate(ids)]
    apart = [unicodedata.normalize("NFD", row) for row in rows]
    assert apart != rows
    assert repaired_mood(apart, labels, ids).data == csv(rows)


@pytest.mark.parametrize("first", [0, 1])
def test_class_numbers_in_the_order_of_the_labels_are_written_out(first):
    rows = [f"{item},{first + at % 3}" for at, item in enumerate(MOOD_IDS)]
    mended = repaired_mood(rows, ("bad", "good", "so so"))
    assert mended is not None
    assert mended.data.decode().splitlines()[1:4] == ["50,bad", "51,good", "52,so so"]
    assert mended.numbered == {"mood": ((first, "bad"), (first + 1, "good"), (first + 2, "so so"))}


@pytest.mark.parametrize(
    "row", ["50,glad", "50,", "50,happy mood,x", "99,happy mood"], ids=["label", "empty", "width", "id"]
)
def test_what_is_not_a_slip_of_writing_is_not_repaired(row):
    assert repair(csv([row, *MOOD_ROWS[1:]]), "mood.csv", ANY) is None


def test_a_good_upload_has_nothing_to_repair():
    assert repair(zipped(FILES)) is None


def numbers_of(rows):
    """The repaired table of numbers from 0 to 5, given its lines; None where it is not repaired."""
    task = replace(MOOD, output=Number(0, 5), file=FileFormat("n.csv", "id", "score"))
    targets = [SplitTarget(task, "test", ItemIds(["1", "2"]))]
    benchmark = replace(ANY, tasks=(task,))
    found = repaired("\n".join(rows).encode(), file_name="n.csv", benchmark=benchmark, targets=targets)
    return found and found.data.decode().split()


@pytest.mark.parametrize(
    "rows",
    [
        ["id;score", "1;0,5", "2;3"],
        ["id,score", '1,"0,5"', "2,3"],
        ["id,score", '1,"0,500"', "2,3"],
        ["id,score", "1,0.5", "2,3", ",", ","],
    ],
    ids=["semicolons", "quotes", "no thousands", "emptied rows"],
)
def test_what_spreadsheets_make_of_numbers_is_mended(rows):
    assert [row.replace("0.500", "0.5") for row in numbers_of(rows)] == ["id,score", "1,0.5", "2,3"]


@pytest.mark.parametrize(
    "rows",
    [
        ["id,score", '1,"1,500"', "2,3"],
        ["id,score", '1,"0,5"', "2,0.5"],
        ["id,score", "1,0.5", ",", "2,3"],
    ],
    ids=["perhaps thousands", "points too", "an empty row between others"],
)
def test_numbers_that_could_be_two_are_left_alone(rows):
    assert numbers_of(rows) is None
