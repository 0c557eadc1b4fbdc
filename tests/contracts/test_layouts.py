"""What every layout of files must keep: what it writes it reads, quickly as slowly, and nothing makes it crash."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import catalogue.layouts
from benchmarks.spec import MetricUse, TaskSpec
from benchmarks.spec.item_order import in_public_order
from catalogue.answers import AnswerKind, Label, ManyLabels, RankedList, TokenLabels
from catalogue.layouts import CONLL, LAYOUTS, FileFormat, Layout
from catalogue.layouts.delimited import Delimited
from catalogue.layouts.form import FileRow, RowReading
from catalogue.problems import FileReport, Problem, RefusedError, Report
from submissions.intake import ItemIds, SplitTarget, read_gold_file, read_labels
from submissions.intake.canonical import FileTarget, answer_reader
from submissions.intake.predictions.diagnosing_reader import read_explaining
from submissions.intake.predictions.fast_reader import read_ordinary
from submissions.intake.predictions.file_writer import write_gold, write_predictions
from submissions.intake.tables.labelled import read_given
from submissions.intake.tables.task_proposal import proposable_kinds
from tests.at_length import examples

KIND = Label(("good", "bad, or worse"))
IDS = ItemIds(("a1", 'say "a2"', "0003"))
ANSWERS = np.array([1, 0, 1], dtype="u1")
LISTS = RankedList()
TAGS = TokenLabels(("good", "worse"))
TAGGED = TAGS.array(["worse good", "good", "worse good worse"])


class Held(NamedTuple):
    """What a layout is tried with."""

    kind: AnswerKind
    ids: ItemIds
    answers: np.ndarray
    gold: np.ndarray


LABELS = Held(KIND, IDS, ANSWERS, ANSWERS)
RANKED = Held(
    LISTS,
    ItemIds(("a1", "a2", "0003")),
    LISTS.array(["d1", "d2 d1", "d3"]),
    LISTS.array(["d1:1", "d2:2 d1:-1", "d4:0"]),
)
SETS = ManyLabels(("good", "bad, or worse"))
IN_SETS = SETS.array(["", "good|bad, or worse", "bad, or worse"])
PARTS = Held(SETS, IDS, IN_SETS, IN_SETS)
TOKENS = Held(TAGS, ItemIds(("1", "2", "3")), TAGGED, TAGGED)


def held_by(layout: Layout) -> Held:
    """Labels, unless the layout holds labels of tokens, ranked lists or parts alone."""
    if layout.has_tokens:
        return TOKENS
    return next(held for held in (LABELS, RANKED, PARTS) if not layout.unfit(held.kind))


@pytest.fixture(params=LAYOUTS.keys())
def layout(request: pytest.FixtureRequest) -> Layout:
    return LAYOUTS[str(request.param)]


def form_of(layout: Layout) -> FileFormat:
    """A file of the layout, with all that it fixes of its columns and lines."""
    return FileFormat(
        "f",
        "id",
        "UPOS" if layout.all_columns else "label",
        layout=layout,
        columns=layout.all_columns,
        token_column=layout.column_of_tokens,
        skipped=layout.comments,
        id_line=layout.default_id_line,
    )


def task_of(layout: Layout) -> TaskSpec:
    form = form_of(layout)
    return TaskSpec(
        id="t", code="T", title="T", summary="", instructions="", licence="", citation="", test_size=3,
        output=held_by(layout).kind, file=form, metrics=(MetricUse("accuracy", "A"),),
    )  # fmt: skip


def rows_of(layout: Layout, data: bytes) -> tuple[list[FileRow], list[Problem]]:
    """Rows and problems of a file; nothing but RefusedError may come out of it."""
    form, report = form_of(layout), Report()
    file_report = FileReport(report, file="f")
    rows: list[FileRow] = []
    try:
        kind, ids, *_ = held_by(layout)
        reading = RowReading(kind, answer_reader(kind, form), file_report, 100, ids=in_public_order(ids.ids))
        rows += layout.rows(layout.opened(data, form, file_report), form, reading)
    except RefusedError as error:
        file_report.refuse(error)
    return rows, report.problems


def test_every_module_is_known():
    folder = Path(next(iter(catalogue.layouts.__path__)))
    helpers = {
        "__init__",
        "cells",
        "columns",
        "form",
        "header",
        "frames",
        "quick",
        "json_text",
        "line_faults",
        "other_files",
        "parts",
        "row_ids",
        "run_faults",
        "sentences",
        "table_rows",
        "text_lines",
        "run_log",
        "quick_samples",
    }
    modules = {type(layout).__module__.rpartition(".")[2] for layout in LAYOUTS}
    assert {path.stem for path in folder.rglob("*.py")} - helpers == modules


def test_words_are_its_own(layout):
    assert layout.key == str(layout)
    assert [
        other.key for other in LAYOUTS if (other.title, other.ending) == (layout.title, layout.ending)
    ] == [layout.key]


def test_options_are_fields_of_a_format(layout):
    form = FileFormat("f", "id", "label", layout=layout)
    assert all(getattr(form, option) in ((), "", False, layout.delimiter) for option in layout.options)


def test_what_it_writes_it_reads(layout):
    task = task_of(layout)
    _, ids, answers, _ = held_by(layout)
    data = write_predictions(task, ids.ids, answers)
    read = read_labels(data, file_name="f", target=SplitTarget(task, "test", ids))
    assert read.problems == ()
    assert read.content_or(AssertionError).codes.tolist() == answers.tolist()


def test_rows_name_where_ids_and_faults_stand(layout):
    _, ids, answers, _ = held_by(layout)
    data = write_predictions(task_of(layout), ids.ids, answers)
    rows, problems = rows_of(layout, data)
    assert (sorted(row.id for row in rows), problems) == (sorted(ids.ids), [])
    assert [row.line for row in rows] == sorted(row.line for row in rows)
    assert (
        layout.has_tokens
        or not layout.has_ids
        or all(
            row.id in data.decode().split("\n")[row.line - 1].replace('""', '"').replace("\\", "")
            for row in rows
        )
    )
    assert layout.id_place(task_of(layout).file) in ("id", "label")


def test_rows_name_where_tokens_stand():
    ((first, second, third), problems) = rows_of(CONLL, b"a\tgood\n\nb\tgood\nc\tworse\n\nd\tgood\n")
    lines = [row.line_of(at) for row in (first, second, third) for at in range(len(row.tokens))]
    assert lines == [1, 3, 4, 6]
    assert (second.tokens, second.cells, problems) == (("b", "c"), ("good", "worse"), [])


def test_what_it_writes_as_a_gold_file_it_reads(layout):
    task = task_of(layout)
    _, ids, _, gold = held_by(layout)
    order = in_public_order(ids.ids)
    answer_to = dict(zip(ids.ids, gold.tolist(), strict=True))
    files = read_gold_file(write_gold(task, ids.ids, gold), file_name="f", task=task).content_or(
        AssertionError
    )
    found = dict(zip(files.gold.ids.ids, files.gold.codes.tolist(), strict=True))
    numbered = {str(at): answer_to[item] for at, item in enumerate(order, start=1)}
    assert found == (answer_to if layout.has_ids else numbered)


@pytest.fixture(params=[layout.key for layout in LAYOUTS if layout.can_be_seen])
def seen_layout(request: pytest.FixtureRequest) -> Layout:
    return LAYOUTS[str(request.param)]


def test_a_gold_file_of_which_nothing_was_said_is_seen_as_what_it_is(seen_layout):
    held = held_by(seen_layout)
    gold = write_gold(task_of(seen_layout), held.ids.ids, held.gold).replace(b"bad, or worse", b"worse")
    read = read_given(gold, file_name="f")
    assert read.problems == ()
    table = read.content_or(AssertionError)
    assert table.layout is seen_layout
    assert set(table.gold_column(table.id_columns[0]).cells) == (
        set(held.ids.ids) if seen_layout.has_ids else {"1", "2", "3"}
    )
    assert type(held.kind) in proposable_kinds(table)


def edited(data: bytes, cuts: list[tuple[int, int, bytes]]) -> bytes:
    for at, length, put in cuts:
        start = at % (len(data) + 1)
        data = data[:start] + put + data[start + length :]
    return data


EDITS = st.lists(
    st.tuples(
        st.integers(0, 200),
        st.integers(0, 3),
        st.sampled_from(
            [
                b"",
                b'"',
                b",",
                b"\t",
                b"\n",
                b"\r",
                b"\x00",
                b"\xff",
                b"{",
                b"}",
                b"[",
                b"1",
                b"a1",
                b"good",
                b"\xe2\x80\xa8",
            ]
        ),
    ),
    max_size=4,
)


@given(edits=EDITS)
@settings(max_examples=examples(60))
@pytest.mark.parametrize("key", LAYOUTS.keys())
def test_mutations_are_rows_or_problems(key, edits):
    _, ids, answers, _ = held_by(LAYOUTS[key])
    rows_of(LAYOUTS[key], edited(write_predictions(task_of(LAYOUTS[key]), ids.ids, answers), edits))


@given(edits=EDITS)
@settings(max_examples=examples(60))
@pytest.mark.parametrize("key", LAYOUTS.keys())
def test_the_quick_way_says_what_the_patient_way_says(key, edits):
    task = task_of(LAYOUTS[key])
    _, ids, answers, _ = held_by(LAYOUTS[key])
    data = edited(write_predictions(task, ids.ids, answers), edits)
    target = FileTarget(task, (SplitTarget(task, "test", ids),))
    quick = read_ordinary(data, target)
    if quick is not None:
        report = Report()
        patient = read_explaining(data, target, FileReport(report, file="f"))
        assert (report.problems, None if patient is None else patient.tolist()) == ([], quick.tolist())


def test_ordinary_lines_are_read_the_quick_way(layout):
    task, ids = task_of(layout), ItemIds(("1", "2"))
    data = write_predictions(task, ids.ids, held_by(layout).answers[[1, 1]])
    quick = read_ordinary(data, FileTarget(task, (SplitTarget(task, "test", ids),)))
    has_quick_way = type(layout).ordinary_rows is not Layout.ordinary_rows
    assert (quick is not None) == has_quick_way


def made_up() -> Iterator[Layout]:
    class Bars(Delimited):
        """Cells separated by vertical bars."""

        key, title, ending, delimiter, options = "bars", "BARS", "bar", "|", ()
        structure = b"|\r\n"
        content = bytes(set(range(256)) - set(structure))

        def _line(self, cells, form):
            return "|".join(cells) + "\n"

    with LAYOUTS.extended(Bars()) as layout:
        yield layout


def test_a_made_up_layout_needs_nothing_else():
    for layout in made_up():
        task = replace(task_of(layout), file=FileFormat("f", "id", "label", layout=layout))
        _, ids, answers, _ = held_by(layout)
        data = write_predictions(task, ids.ids, answers)
        assert data.startswith(b"id|label\n")
        read = read_labels(data, file_name="f", target=SplitTarget(task, "test", ids))
        assert read.content_or(AssertionError).codes.tolist() == answers.tolist()
