"""Whatever intake accepts can be scored: every metric answers with a finite number or a declared reason."""

import json
import math
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.spec import MetricUse, TaskSpec
from catalogue.answers import Answers, Label
from catalogue.layouts import JSON, TSV
from catalogue.metrics.choice import metric_for, metrics_for
from scoring.core import score
from submissions.intake import ItemIds, SplitTarget, read_gold_file, read_labels
from tests.at_length import examples
from tests.submissions.intake import kinds

pytestmark = pytest.mark.postgres

FEW = st.integers(1, 6)
PER_LABEL = {
    "stance": ("f1_FAVOR", "precision_NONE", "recall_AGAINST", "f1_UNKNOWN", "f1_macro[FAVOR,AGAINST]"),
    "news": ("f1_agree",),
    "rumour": ("f1_true", "recall_unverified"),
    "subset": ("f1_joy", "precision_trust"),
}
TASKS = {
    "number": kinds.NUMBER,
    "classes": kinds.CLASSES,
    "subset": kinds.SUBSET,
    "stance": kinds.STANCE,
    "news": replace(kinds.NEWS, output=Label(("unrelated", "agree", "disagree"))),
    "rumour": kinds.RUMOUR,
    "span": kinds.SPANS,
}
ANSWERS = {
    "number": st.sampled_from(["0", "1", "0.5", "0.25", "1e-9", "-0.0"]) | st.floats(0, 1).map(repr),
    "classes": st.integers(-3, 3).map(str) | st.just("0: none"),
    "subset": st.tuples(*[st.sampled_from("01")] * 3).map("\t".join),
    "stance": st.sampled_from(["AGAINST", "FAVOR", "NONE"]),
    "news": st.sampled_from(["unrelated", "agree", "disagree"]),
    "rumour": st.tuples(st.sampled_from(["true", "false", "unverified"]), st.floats(0, 1)),
    "span": st.sampled_from(["the cat", "cat", "a", "THE  cat!", "?"]),
}


def written(kind: str, task: TaskSpec, answers: list[Any], *, is_gold: bool = False) -> bytes:
    """A file of those answers to the ids i0, i1, and so on."""
    if task.file.layout == JSON:
        items = {f"i{place}": answer[0] if is_gold else list(answer) for place, answer in enumerate(answers)}
        return json.dumps({task.file.label_column: items}).encode()
    rows = [task.file.header_line]
    for place, answer in enumerate(answers):
        cells = {"number": f"x\tjoy\t{answer}", "classes": f"x\tjoy\t{answer}", "news": f"7,{answer}"}
        cell = cells.get(kind, f"x\t{answer}" if task.file.layout == TSV else f"{answer}")
        rows.append(f"i{place}{task.file.layout.delimiter}{cell}")
    return "\n".join(rows).encode()


def read_both(kind: str, gold: list[Any], found: list[Any]) -> tuple[Answers, Answers]:
    task = TASKS[kind]
    truth = read_gold_file(written(kind, task, gold, is_gold=True), file_name="gold", task=task)
    assert truth.content is not None, truth.problems
    target = SplitTarget(task, "test", ItemIds(truth.content.gold.ids.ids))
    read = read_labels(written(kind, task, found), file_name="x", target=target)
    assert read.content is not None, read.problems
    return truth.content.gold.codes, read.content.codes


@st.composite
def accepted(draw: st.DrawFn) -> tuple[str, list[Any], list[Any]]:
    """A kind of task, gold labels, and predictions that its intake accepts."""
    kind = draw(st.sampled_from(sorted(TASKS)))
    count = draw(FEW)
    gold = draw(st.lists(ANSWERS[kind], min_size=count, max_size=count))
    may_say = ANSWERS[kind] | st.just("UNKNOWN") if kind == "stance" else ANSWERS[kind]
    return kind, gold, draw(st.lists(may_say, min_size=count, max_size=count))


def applicable(kind: str) -> list[MetricUse]:
    output = TASKS[kind].output
    registered = [metric.name for metric in metrics_for(type(output)) if _applies(kind, metric.name)]
    return [MetricUse(name, name) for name in (*registered, *PER_LABEL.get(kind, ()))]


def _applies(kind: str, name: str) -> bool:
    try:
        metric_for(TASKS[kind].output, name)
    except ValueError:
        return False  # it needs labels that the task does not declare
    return True


@settings(max_examples=examples(300))
@given(accepted())
def test_accepted_predictions_can_always_be_scored(case):
    kind, gold, found = case
    y_true, y_pred = read_both(kind, gold, found)
    names = [metric.name for metric in applicable(kind)]
    report = score(TASKS[kind].output, names, y_true, y_pred)
    for value in report.values:
        metric = metric_for(TASKS[kind].output, value.metric)
        if value.value is None:
            assert value.undefined in metric.undefined
        else:
            assert math.isfinite(value.value)
            assert metric.low - 1e-12 <= value.value <= metric.high + 1e-12


def test_every_kind_has_metrics_to_try():
    assert all(applicable(kind) for kind in TASKS)
