"""Tables with a row for each part of an answer: read quickly as patiently, and refused no slower than others."""

import random
from dataclasses import replace
from functools import partial

import pytest

from benchmarks.spec import MetricUse, TaskSpec
from catalogue.answers import AnswerKind, CharacterSpans, ManyLabels, TextTuples
from catalogue.answers.structured import json_list
from catalogue.layouts import CSV, JSON_LINES, LAYOUTS, FileFormat, Layout
from catalogue.problems import MAX_PROBLEMS, FileReport, ProblemCode, Report
from submissions.intake import ItemIds, SplitTarget, read_labels
from submissions.intake.canonical import FileTarget
from submissions.intake.predictions.diagnosing_reader import read_explaining
from submissions.intake.predictions.fast_reader import read_ordinary

LONG_CSV, LONG_TSV = LAYOUTS["long_csv"], LAYOUTS["long_tsv"]
LABELS = ManyLabels(("a", "b", "c"))
SPANS = CharacterSpans(("x", "y"))
ITEMS = 40


def target_of(kind: AnswerKind, layout: Layout, *columns: str, items: int = ITEMS) -> FileTarget:
    file = FileFormat("f", "id", "label", layout=layout, columns=columns)
    task = TaskSpec(
        id="t", code="T", title="T", summary="", instructions="", licence="", citation="", test_size=3, output=kind,
        file=file, metrics=(MetricUse("accuracy", "A"),),
    )  # fmt: skip
    ids = ItemIds(map(str, range(items)))
    return FileTarget(task, (SplitTarget(task, "test", ids),))


OF_LABELS = target_of(LABELS, LONG_CSV)
OF_SPANS = target_of(SPANS, LONG_TSV, "id", "text", "start", "end", "type")


def patiently(data: bytes, target: FileTarget) -> list[str] | None:
    found = read_explaining(data, target, FileReport(Report(), file="f"))
    return None if found is None else found.tolist()


def quickly(data: bytes, target: FileTarget) -> list[str] | None:
    found = read_ordinary(data, target)
    return None if found is None else found.tolist()


def labels(lot: random.Random) -> bytes:
    """Up to three labels of each item, in rows that stand together."""
    rows = [f"{item},{label}\n" for item in range(ITEMS) for label in lot.sample("abc", lot.randint(0, 3))]
    return ("id,label\n" + "".join(rows)).encode()


def spans(lot: random.Random) -> bytes:
    rows = [
        f"{item}\tsome text\t{start}\t{start + lot.randint(1, 9)}\t{lot.choice('xy')}\n"
        for item in range(ITEMS)
        for start in lot.sample(range(90), lot.randint(0, 3))
    ]
    return ("id\ttext\tstart\tend\ttype\n" + "".join(rows)).encode()


@pytest.mark.parametrize(("write", "target"), [(labels, OF_LABELS), (spans, OF_SPANS)])
@pytest.mark.parametrize("piece", [1, 20, 1_000_000])
def test_rows_that_stand_together_are_read_quickly_wherever_a_piece_of_the_file_ends(
    write, target, piece, monkeypatch
):
    monkeypatch.setattr("catalogue.layouts.text_lines.PIECE", piece)
    data = write(random.Random(1))

    read = quickly(data, target)

    assert read is not None
    assert read == patiently(data, target)


MISTAKES = {
    "a row that names nothing beside another": b"id,label\n0,a\n0,\n",
    "two rows that name nothing": b"id,label\n0,\n0,\n",
    "a label twice": b"id,label\n0,a\n0,a\n",
    "an id that is none": b"id,label\n0,a\nx,a\n",
    "a label that is none": b"id,label\n0,d\n",
    "no id": b"id,label\n,a\n",
    "no row": b"id,label\n",
}


@pytest.mark.parametrize("what", MISTAKES)
def test_what_is_refused_patiently_is_not_taken_quickly(what):
    assert patiently(MISTAKES[what], OF_LABELS) is None
    assert quickly(MISTAKES[what], OF_LABELS) is None


def test_rows_of_an_item_may_stand_apart():
    apart = read_labels(b"id,label\n1,a\n0,b\n1,c\n", file_name="f", target=OF_LABELS.splits[0]).content
    assert apart is not None
    assert apart.codes.tolist()[:2] == ["b", "a|c"]


def test_one_row_for_each_item_may_name_nothing():
    data = b"id,label\n" + b"".join(b"%d,\n" % item for item in range(ITEMS))
    assert quickly(data, OF_LABELS) == [""] * ITEMS


def test_of_many_wrong_types_few_are_compared_with_those_there_are(monkeypatch):
    """Comparing takes longer than all else, and few faults are told."""
    compared: list[str] = []
    monkeypatch.setattr(json_list, "nearest", partial(_noted, compared))
    rows = 2_000
    span_rows = "id\ttext\tstart\tend\ttype\n" + "".join(f"{at}\t-\t0\t4\tz{at}\n" for at in range(rows))
    pair_rows = "".join(f"{at},z{at}\n" for at in range(rows))
    cells = "".join(f'{at},"[[""z{at}""]]"\n' for at in range(rows))
    pairs = TextTuples(("kind",), values=(("kind", ("x", "y")),))
    for target, data in (
        (target_of(SPANS, LONG_TSV, *OF_SPANS.task.file.columns, items=rows), span_rows),
        (target_of(pairs, LONG_CSV, "id", "kind", items=rows), f"id,kind\n{pair_rows}"),
        (target_of(pairs, CSV, items=rows), f"id,label\n{cells}"),
    ):
        compared.clear()
        read = read_labels(data.encode(), file_name="f", target=target.splits[0])
        assert {problem.code for problem in read.problems} == {ProblemCode.UNKNOWN_LABEL}
        assert len(read.problems) + read.more == rows
        assert len(compared) <= 2 * MAX_PROBLEMS


def _noted(compared: list[str], wanted: str, choices: tuple[str, ...]) -> str:
    compared.append(wanted)
    return choices[0]


@pytest.mark.parametrize("cell", ['"[[""\\ud800"", ""x""]]"', '"[[""x"", ""\\uDFff""]]"'])
def test_half_of_a_character_in_a_cell_is_refused(cell):
    read = read_labels(
        f"id,label\n0,{cell}\n".encode(),
        file_name="f",
        target=target_of(TextTuples(("a", "b")), CSV, items=1).splits[0],
    )
    assert [(problem.code, problem.line) for problem in read.problems] == [(ProblemCode.JSON_WRONG_TYPE, 2)]


def test_a_whole_character_may_be_written_as_two_halves():
    read = read_labels(
        b'id,label\n0,"[[""\\ud83d\\ude00"", ""x""]]"\n',
        file_name="f",
        target=target_of(TextTuples(("a", "b")), CSV, items=1).splits[0],
    )
    assert read.content is not None
    assert read.content.codes.tolist() == ['[["\U0001f600","x"]]']


@pytest.mark.parametrize(("count", "told"), [(103, 103), (104, 1)])
def test_a_list_far_longer_than_all_labels_is_told_once(count, told):
    """Millions of entries in a few rows would take a minute to be told apart, and nobody would read of them."""
    data = "id,label\n" + "".join(f"{item},{'x;' * (count - 1)}x\n" for item in range(60))
    target = target_of(LABELS, CSV, items=60)
    task = replace(target.task, file=replace(target.task.file, separator=";"))
    read = read_labels(data.encode(), file_name="f", target=replace(target.splits[0], task=task))
    assert len(read.problems) + read.more == 60 * told
    assert {problem.code for problem in read.problems} == {
        ProblemCode.UNKNOWN_LABEL if told > 1 else ProblemCode.LABEL_TWICE
    }


@pytest.mark.parametrize(
    ("value", "code"),
    [
        ("[[1, 2], [3, 4]]", None),
        ("[[1, 2, 3]]", "json_wrong_type"),
        ("[[1.0, 2]]", "json_wrong_type"),
        ('[["1", 2]]', "json_wrong_type"),
        ("[[[[[[[[[1]]]]]]]]]", "json_too_deep"),
        ('[{"a": 1, "a": 2}]', "json_wrong_type"),
        ("[true, null]", "json_wrong_type"),
        ("{}", "json_wrong_type"),
    ],
)
def test_lists_in_json_lines_are_read_quickly_as_patiently(value, code):
    target = target_of(CharacterSpans(), JSON_LINES, items=1)
    data = f'{{"id": "0", "label": {value}}}\n'.encode()
    read = read_labels(data, file_name="f", target=target.splits[0])
    quick = quickly(data, target)
    assert [problem.code for problem in read.problems] == ([code] if code else [])
    assert quick == (patiently(data, target) if code is None else None)
    assert (quick is None) == (code is not None)
