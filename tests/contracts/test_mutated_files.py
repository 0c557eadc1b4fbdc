"""Mutated files of every layout, in all the forms that a definition may ask for: nothing is raised."""

import gzip
import random
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from benchmarks.spec import MetricUse, TaskSpec
from catalogue.answers import (
    AnswerKind,
    CharacterSpans,
    FreeText,
    Label,
    ManyLabels,
    Number,
    RankedList,
    TextTuples,
    TokenLabels,
)
from catalogue.layouts import CONLL, CSV, JSON_LINES, LAYOUTS, ONE_A_LINE, TREC, TSV, FileFormat
from catalogue.layouts.form import BOOLEANS, NUMBERS
from catalogue.problems import FileReport, Report
from submissions.intake import ItemIds, SplitTarget, read_gold_file, read_labels
from submissions.intake.canonical import FileTarget
from submissions.intake.predictions.diagnosing_reader import read_explaining
from submissions.intake.predictions.fast_reader import read_ordinary
from submissions.intake.predictions.file_writer import write_gold, write_predictions
from tests.catalogue.answer_facts import FACTS

OF_LABELS = ManyLabels(("good", "bad, or worse", "worse"))
WORDS, OF_TOKENS = Label(("good", "bad, or worse")), TokenLabels(("good", "bad"))
FORMS: dict[str, tuple[AnswerKind, dict[str, Any], tuple[str, ...]]] = {
    **{
        str(layout): (WORDS, {"layout": layout}, ("a1", "a2", "0003"))
        for layout in LAYOUTS
        if not (layout.has_tokens or layout.unfit(WORDS))
    },
    **{
        f"{key} in JSON lines": (facts.few[0], {"layout": JSON_LINES}, ("a1", "a2", "0003"))
        for key, facts in FACTS.items()
        if not (JSON_LINES.unfit(facts.few[0]) or facts.few[0].is_subset)  # which have columns alone
    },
    "texts, one a line": (FreeText(), {"layout": ONE_A_LINE}, ("1", "2", "3")),
    "trec": (RankedList(), {"layout": TREC}, ("q1", "q2", "q3")),
    "conll": (OF_TOKENS, {"layout": CONLL}, ("1", "2", "3")),
    "named sentences": (
        OF_TOKENS,
        {"layout": CONLL, "id_line": "# id = ", "skipped": ("-DOCSTART-",), "blanks": True},
        ("a1", "a2"),
    ),
    "clipped numbers": (Number(0, 1, clip=True), {"layout": CSV}, ("1", "2", "3")),
    "no header": (WORDS, {"layout": TSV, "headerless": True}, ("1", "2", "3")),
    "loose texts": (
        WORDS,
        {"layout": CSV, "columns": ("id", "text", "label"), "loose_columns": ("text",), "line_breaks": True},
        ('["1", "one text"]', '["2", "another"]'),
    ),
    "lists in one cell": (OF_LABELS, {"layout": CSV, "separator": ";"}, ("1", "2", "3")),
    "a row for each label": (OF_LABELS, {"layout": LAYOUTS["long_csv"]}, ("1", "2", "3")),
    "a row for each span": (
        CharacterSpans(("good", "bad")),
        {"layout": LAYOUTS["long_tsv"], "columns": ("id", "start", "end", "type")},
        ("1", "2", "3"),
    ),
    "a row for each tuple": (
        TextTuples(("a", "b")),
        {"layout": LAYOUTS["long_csv"], "columns": ("id", "a", "b")},
        ("1", "2", "3"),
    ),
    "lists of clusters": (
        TextTuples(("a", "b", "c"), listed="clusters"),
        {"layout": JSON_LINES},
        ("1", "2", "3"),
    ),
    "texts of nobody": (WORDS, {"layout": TSV, "columns": ("id", "text", "label")}, ("1", "2")),
    "numbers": (
        Label(("0", "1")),
        {"layout": JSON_LINES, "numeric_ids": True, "labels_as": NUMBERS},
        ("1", "2"),
    ),
    "booleans": (Label(("true", "false")), {"layout": JSON_LINES, "labels_as": BOOLEANS}, ("1", "2")),
    "nested": (WORDS, {"layout": JSON_LINES, "id_column": "a.id", "label_column": "a.b.label"}, ("1", "2")),
    "filtered": (WORDS, {"layout": LAYOUTS["lm_eval_samples"], "log_filter": "f"}, ("1", "2")),
}
PIECES = [
    *(b"", b'"', b",", b"\t", b"\n", b"\r", b"\r\n", b"\x00", b"\xff", b"\xe2\x80\xa8", b"\xc2\x85", b"\xef\xbb\xbf"),
    *(b"{", b"}", b"[", b"]", b":", b"\\", b"\\ud800", b"1", b"-", b"1e999", b"NaN", b"true", b"null", b'"id"'),
    *(b"a1", b"good", b"label", b'{"id":', b"[[", b"]]", b"9" * 50, b'["x", "y"]', b"\x1f\x8b", b"PK\x03\x04", b" "),
]  # fmt: skip
FILES = 2_000  # of each form


def mutated(data: bytes, lot: random.Random) -> bytes:
    for _ in range(lot.randint(1, 4)):
        at = lot.randint(0, len(data))
        if lot.random() < 0.1:  # a part of the file once more, somewhere else
            begin = lot.randint(0, len(data))
            data = data[:at] + data[begin : begin + 30] + data[at:]
        else:
            data = data[:at] + lot.choice(PIECES) + data[at + lot.choice((0, 0, 1, 2, 9)) :]
    return data


@pytest.mark.thorough
@pytest.mark.parametrize("name", FORMS)
def test_no_mutated_file_raises(name):
    kind, form, items = FORMS[name]
    task = TaskSpec(
        id="t", code="T", title="T", summary="", instructions="", licence="", citation="", test_size=3, output=kind,
        file=FileFormat(**{"path": "f", "id_column": "id", "label_column": "label"} | form),
        metrics=(MetricUse("accuracy", "A"),),
    )  # fmt: skip
    ids, lot = ItemIds(items), random.Random(name)
    answers = kind.examples(len(items), np.random.default_rng(7))
    labels_of_gold = (
        answers if kind.gold is kind else kind.gold.examples(len(items), np.random.default_rng(7))
    )
    data, gold = write_predictions(task, ids.ids, answers), write_gold(task, ids.ids, labels_of_gold)
    target = SplitTarget(task, "test", ids)
    taken = 0
    for number in range(FILES):
        changed = mutated(data, lot)
        read = read_labels(changed, file_name="f", target=target)
        quick = read_ordinary(changed, FileTarget(task, (target,)))
        if quick is not None:  # what is read quickly is read patiently too, and as the same
            report = Report()
            patient = read_explaining(changed, FileTarget(task, (target,)), FileReport(report, file="f"))
            assert patient is not None, report.problems
            assert patient.tolist() == quick.tolist()
        assert (read.content is None) == bool(read.problems)
        taken += read.content is None or len(read.content.codes) == len(ids)
        if number % 4 == 0:
            labels = mutated(gold, lot)
            read_gold_file(gzip.compress(labels) if number % 8 else labels, file_name="f", task=task)
            read_gold_file(mutated(gzip.compress(labels, 1), lot), file_name="f", task=replace(task, id="u"))
    assert taken == FILES
