"""Metrics of labels, numbers and ordered classes on published files: every number that the field's scorers give."""

import csv
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from catalogue.answers import AnswerKind, Label, Number, OrderedClass
from scoring.core import score
from tests.conftest import CASES

pytestmark = [
    pytest.mark.published,
    pytest.mark.skipif(not (CASES / "numbers_and_ordered").is_dir(), reason="needs ../shared/cases"),
]

Answers = dict[str, str]


def headless(delimiter: str) -> Callable[[Path], Answers]:
    def read(path: Path) -> Answers:
        with path.open(newline="", encoding="utf-8") as file:
            return {
                row[0]: row[1] for row in csv.reader(file, delimiter=delimiter, quoting=csv.QUOTE_MINIMAL)
            }

    return read


def one_a_line(path: Path) -> Answers:
    return {str(number): line for number, line in enumerate(path.read_text("utf-8").splitlines())}


def json_lines(path: Path) -> Answers:
    rows = map(json.loads, path.read_text("utf-8").splitlines())
    return {str(row["idx"]): str(row["label"]) for row in rows}


ZERO_OR_ONE = Label(names=("0", "1"))
OF_LABELS = {
    name: name
    for name in ("accuracy", "balanced_accuracy", "mcc", "kappa", "f1_weighted", "f1_macro_declared")
} | {"f1_macro_seen": "f1_macro"}


def with_positive(label: str) -> dict[str, str]:
    return OF_LABELS | {"f1_positive": f"f1_{label}", "mean_f1_accuracy": f"mean[f1_{label},accuracy]"}


OF_NUMBERS = {name: name for name in ("mae", "rmse", "r2", "ccc", "pearson", "spearman", "kendall_tau_b")}
OF_CLASSES = {
    name: name
    for name in (
        "mae", "mae_macro", "kappa", "kappa_linear", "kappa_quadratic", "kappa_linear_scale", "kappa_quadratic_scale",
        "kendall_tau_b",
    )
}  # fmt: skip
WITHOUT_OTHER = {
    f"{name}_excluding": f"{name}_excluding[Other]"
    for name in ("f1_micro", "precision_micro", "recall_micro", "f1_macro")
}
# Of a constant prediction Pearson and Spearman say 0 here and nothing there.
CONSTANT_IS_0 = {"pearson", "spearman"}


def labels_of(case: str, task: str) -> Label:
    numbers: dict[str, Any] = json.loads((CASES / case / "expected.json").read_text("utf-8"))
    return Label(names=tuple(numbers["tasks"][task]["labels"]))


def tasks() -> list[tuple[str, str, Callable[[Path], Answers], AnswerKind, dict[str, str]]]:
    if not (CASES / "numbers_and_ordered").is_dir():
        return []
    one, lines, numbers = "layouts_one_label", "jsonl_superglue", "numbers_and_ordered"
    tsv, comma = headless("\t"), headless(",")
    return [
        (one, "cola", tsv, ZERO_OR_ONE, with_positive("1")),
        (one, "irony_a", one_a_line, ZERO_OR_ONE, with_positive("1")),
        (one, "mrpc", comma, ZERO_OR_ONE, with_positive("1")),
        (one, "relations", tsv, labels_of(one, "relations"), OF_LABELS | WITHOUT_OTHER),
        (lines, "RTE", json_lines, Label(names=("entailment", "not_entailment")), OF_LABELS),
        (lines, "entails", json_lines, Label(names=("False", "True")), with_positive("True")),
        (lines, "choice", json_lines, Label(names=tuple("0123")), OF_LABELS),
        (lines, "sense", json_lines, Label(names=("HARD1", "HARD2", "HARD3")),
         OF_LABELS | {"mean_f1_macro_accuracy": "mean[f1_macro,accuracy]"}),
        (numbers, "sts2014_images", tsv, Number(low=0, high=5), OF_NUMBERS),
        (numbers, "sts2014_images_classes", tsv, OrderedClass(low=0, high=5), OF_CLASSES),
        (numbers, "diabetes", comma, Number(low=0, high=1000), OF_NUMBERS),
    ]  # fmt: skip


def array(output: AnswerKind, answers: list[str]) -> np.ndarray:
    if isinstance(output, Label):
        return np.array([output.names.index(answer) for answer in answers], dtype=np.uint8)
    return np.array([float(answer) for answer in answers]).astype(output.dtype)


@pytest.mark.parametrize(
    ("case", "task", "read", "output", "metrics"), tasks(), ids=lambda part: str(part)[:20]
)
def test_scores_are_those_of_the_official_scorers(case, task, read, output, metrics):
    systems = json.loads((CASES / case / "expected.json").read_text("utf-8"))["systems"]
    for of_task in (tasks_of[task] for tasks_of in systems.values() if task in tasks_of):
        gold, predicted = (read(CASES / case / of_task[side]) for side in ("gold", "pred"))
        ids = [one for one in gold if one not in ("id", "idx")]

        report = score(
            output,
            list(metrics.values()),
            *(array(output, [answers[one] for one in ids]) for answers in (gold, predicted)),
        )

        for name in metrics.keys() & of_task.keys():
            wanted = 0.0 if of_task[name] is None and name in CONSTANT_IS_0 else of_task[name]
            assert report[metrics[name]].value == (
                None if wanted is None else pytest.approx(wanted, abs=1e-9)
            ), (of_task["pred"], name)
