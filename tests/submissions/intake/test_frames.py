"""Files of intents with slots: what is taken, and where a fault is told."""

import json
from typing import Any

import pytest

from benchmarks.spec import MetricUse, TaskSpec
from catalogue.answers import Frames
from catalogue.layouts import JSON, JSON_LINES, FileFormat
from submissions.intake import ItemIds, SplitTarget, read_labels
from submissions.intake.predictions.file_writer import write_predictions

KIND = Frames(("Book", "Ask"), ("city", "day"))
IDS = ItemIds(("a", "b"))
GOOD: dict[str, Any] = {"intent": "Book", "slots": {"day": ["today", "later"], "city": "Bath"}}
CANONICAL = '["Book",{"city":["Bath"],"day":["later","today"]}]'


def task_of(file: FileFormat) -> TaskSpec:
    return TaskSpec(
        id="t", code="T", title="T", summary="", instructions="", licence="", citation="", test_size=0,
        output=KIND, file=file, metrics=(MetricUse("slot_f1", "F1"),),
    )  # fmt: skip


LINES = task_of(FileFormat("t.jsonl", "id", "slots", layout=JSON_LINES))
OBJECT = task_of(FileFormat("t.json", "id", "frames", layout=JSON))


def found(
    text: str, task: TaskSpec = LINES
) -> tuple[list[str] | None, list[tuple[int | None, str | None, str]]]:
    read = read_labels(text.encode(), file_name="f", target=SplitTarget(task, "test", IDS))
    places = [(problem.line, problem.column, problem.code.value) for problem in read.problems]
    return read.content.codes.tolist() if read.content else None, places


def lines(*answers: dict[str, Any]) -> str:
    return "".join(
        json.dumps({"id": item} | answer) + "\n" for item, answer in zip(IDS.ids, answers, strict=True)
    )


def test_order_of_keys_and_texts_and_other_keys_make_no_difference():
    turned = {"text": "Bath, today", "slots": {"city": ["Bath"], "day": ["later", "today"]}, "intent": "Book"}
    assert found(lines(GOOD, turned)) == ([CANONICAL, CANONICAL], [])
    assert found(lines(GOOD, {"intent": "Ask", "slots": {"day": []}})) == ([CANONICAL, '["Ask",{}]'], [])


@pytest.mark.parametrize(
    ("answer", "place"),
    [
        ({"intent": "Call", "slots": {}}, (2, "intent", "unknown_label")),
        ({"intent": 7, "slots": {}}, (2, "intent", "json_wrong_type")),
        ({"slots": {}}, (2, "intent", "json_missing_key")),
        ({"intent": "Ask"}, (2, "slots", "json_missing_key")),
        ({"intent": "Ask", "slots": []}, (2, "slots", "json_wrong_type")),
        ({"intent": "Ask", "slots": {"colour": "red"}}, (2, "slots.colour", "unknown_label")),
        ({"intent": "Ask", "slots": {"city": {"is": "Bath"}}}, (2, "slots.city", "json_wrong_type")),
        ({"intent": "Ask", "slots": {"city": ["Bath", 7]}}, (2, "slots.city", "json_wrong_type")),
        ({"intent": "Ask", "slots": {"city": "x" * 1001}}, (2, "slots.city", "cell_too_long")),
        ({"intent": "Ask", "slots": {"city": "Ba\x07th"}}, (2, "slots.city", "control_character")),
    ],
)
def test_one_fault_is_told_once_at_its_line_and_key(answer, place):
    assert found(lines(GOOD, answer)) == (None, [place])


def test_a_key_that_stands_twice_is_refused():
    twice = '{"id": "b", "intent": "Ask", "slots": {"city": "Bath", "city": "Rome"}}\n'
    assert found(lines(GOOD, GOOD).splitlines(keepends=True)[0] + twice) == (
        None,
        [(2, "slots.city", "json_doubled_key")],
    )
    whole = '{"frames": {"a": {"intent": "Ask", "slots": {}},\n "b": {"intent": "Ask", "intent": "Book", "slots": {}}}}'
    assert found(whole, OBJECT) == (None, [(2, "intent", "json_doubled_key")])


@pytest.mark.parametrize("task", [LINES, OBJECT], ids=["lines", "object"])
def test_what_is_written_is_read_again(task):
    answers = KIND.array([CANONICAL, '["Ask",{}]'])
    assert found(write_predictions(task, IDS.ids, answers).decode(), task) == (answers.tolist(), [])
