"""Intents and slots of SNIPS: the expected numbers, and the places at which wrong files are refused."""

import json
from typing import Any

import pytest
import yaml

from benchmarks.spec import BenchmarkSpec
from benchmarks.spec.document import parse_yaml
from benchmarks.spec.loader import build_spec
from scoring.file_refusal import FileRefused
from scoring.reproduction.evaluation import evaluate_file
from tests.conftest import CASES
from tests.contracts.test_label_kinds_released import EXAMPLES

CASE = CASES / "json_slots"
pytestmark = [
    pytest.mark.published,
    pytest.mark.skipif(not CASE.is_dir(), reason="the published files are not part of the project"),
]
METRICS = (
    "slot_f1", "slot_precision", "slot_recall", "slot_names_f1", "exact_match", "intent_accuracy", "frame_accuracy",
)  # fmt: skip


def content_of(name: str) -> Any:
    return json.loads((CASE / name).read_text(encoding="utf-8"))


@pytest.fixture(scope="module")
def benchmark() -> BenchmarkSpec:
    """The example of the documents with the case's intents, slots and metrics."""
    definition = yaml.safe_load((EXAMPLES / "frames.yaml").read_text(encoding="utf-8"))
    slots_of = content_of("ontology.json")
    (task,) = definition["tasks"]
    task["labels"] = list(slots_of)
    task["output"]["slots"] = sorted({slot for slots in slots_of.values() for slot in slots})
    task["metrics"] = [{"name": name, "title": name} for name in METRICS]
    return build_spec(parse_yaml(yaml.safe_dump(definition), "frames.yaml"), "frames.yaml")


def evaluated(benchmark: BenchmarkSpec, path: str) -> dict[str, float | None]:
    gold = CASE / "gold" / "snips_validate.jsonl"
    evaluation = evaluate_file(
        benchmark,
        benchmark.tasks[0],
        gold=(gold.name, gold.read_bytes()),
        predictions=("frames.jsonl", (CASE / path).read_bytes()),
    )
    return {name: cell["value"] for name, cell in evaluation.document["tasks"]["frames"]["test"].items()}


@pytest.mark.parametrize("system", content_of("expected.json")["systems"] if CASE.is_dir() else [])
def test_slots_are_counted_as_expected(benchmark, system):
    official = content_of("expected.json")["systems"][system]["snips"]
    numbers = {name: official[name] for name in METRICS}
    assert evaluated(benchmark, official["pred"]) == pytest.approx(numbers, abs=1e-9)


def test_wrong_files_are_refused_where_they_are_wrong(benchmark):
    wrong = content_of("bad/expected-problems.json")["files"]
    assert wrong
    for file in wrong:
        with pytest.raises(FileRefused) as refused:
            evaluated(benchmark, file["file"])
        first = refused.value.problems[0]
        assert (first.line, first.column) == (file["line"], file["column"]), file["file"]
