"""Entities of WNUT-17: the numbers of seqeval, and the places at which wrong files are refused."""

import json
from pathlib import Path
from typing import Any

import pytest

from benchmarks.spec import BenchmarkSpec
from benchmarks.spec.document import parse_yaml
from benchmarks.spec.loader import build_spec
from scoring.file_refusal import FileRefused
from scoring.reproduction.evaluation import evaluate_file
from tests.conftest import CASES

CASE = CASES / "ner_conll"
pytestmark = [
    pytest.mark.published,
    pytest.mark.skipif(not CASE.is_dir(), reason="the published files are not part of the project"),
]
TYPES = ("corporation", "creative-work", "group", "location", "person", "product")
METRICS = (
    "f1_micro", "precision_micro", "recall_micro", "f1_macro", "f1_weighted", "token_accuracy", "f1_micro_conll",
    "precision_micro_conll", "recall_micro_conll", "f1_macro_conll",
    *(f"{measure}_{of}" for measure in ("f1", "precision", "recall") for of in TYPES),
)  # fmt: skip
DEFINITION = f"""
id: wnut
title: WNUT-17
summary: Entities that are new.
url: https://example.org
citation: Nobody
bundle: {{files: any}}
phases:
  - id: main
    title: Main
    cut_off: {{weekday: monday, time: "00:00", timezone: UTC}}
    quota: {{per_cut_off: 2}}
    counting: latest
tasks:
  - id: wnut17
    code: W
    title: Entities
    summary: Which ones
    instructions: Say so
    licence: CC BY 4.0
    citation: Nobody
    output: {{kind: token_entities, scheme: iob2, types: [{", ".join(TYPES)}]}}
    file: {{path: wnut17.conll, dialect: conll, label_column: label}}
    metrics: [{", ".join(f"{{name: {name}, title: {name}}}" for name in METRICS)}]
"""


@pytest.fixture(scope="module")
def benchmark() -> BenchmarkSpec:
    return build_spec(parse_yaml(DEFINITION, "wnut.yaml"), "wnut.yaml")


def evaluated(benchmark: BenchmarkSpec, path: str) -> dict[str, float]:
    gold = CASE / "gold" / "wnut17_test.conll"
    evaluation = evaluate_file(
        benchmark,
        benchmark.task("wnut17"),
        gold=(gold.name, gold.read_bytes()),
        predictions=("wnut17.conll", (CASE / path).read_bytes()),
    )
    cells = evaluation.document["tasks"]["wnut17"]["test"]
    return {name: cell["value"] for name, cell in cells.items()}


def expected() -> dict[str, Any]:
    content: dict[str, Any] = json.loads((CASE / "expected.json").read_text(encoding="utf-8"))
    return content


def names_here(official: dict[str, Any]) -> dict[str, float]:
    """seqeval's numbers by our names: strict ones bear the scheme's name there."""
    numbers = {
        key.removesuffix("_strict_iob2"): value for key, value in official.items() if type(value) is float
    }
    for of, row in official["per_type_strict_iob2"].items():
        measures = {"f1": "f1-score", "precision": "precision", "recall": "recall"}
        numbers |= {f"{name}_{of}": row[key] for name, key in measures.items()}
    return numbers


@pytest.mark.parametrize("system", expected()["systems"] if CASE.is_dir() else [])
def test_entities_are_counted_as_seqeval_counts_them(benchmark, system):
    official = expected()["systems"][system]["wnut17"]
    numbers = names_here(official)
    found = evaluated(benchmark, official["pred"])
    assert numbers.keys() == set(METRICS)
    assert found == pytest.approx(numbers, abs=1e-9)


def test_wrong_files_are_refused_where_they_are_wrong(benchmark):
    wrong = json.loads((CASE / "bad" / "expected-problems.json").read_text(encoding="utf-8"))["files"]
    assert wrong
    for file in wrong:
        with pytest.raises(FileRefused) as refused:
            evaluated(benchmark, file["file"])
        places = [(problem.line, problem.column) for problem in refused.value.problems]
        assert places == [(file["line"], file["column"])], Path(file["file"]).name
