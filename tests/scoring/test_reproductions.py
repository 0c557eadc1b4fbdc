"""Figures that definitions say their formulas give from published files, computed anew where those files are there."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from benchmarks.spec import BenchmarkSpec, ReproducedFigure, ReproductionSpec, RowKind
from benchmarks.spec.document import DefinitionError
from benchmarks.spec.loader import load_definition
from scoring.core.measures.human import human_estimate
from scoring.reproduction.evaluation import evaluate_file
from tests.conftest import CASES

DEFINITIONS = sorted(Path("benchmarks/definitions").glob("*.yaml"))
Figure = tuple[BenchmarkSpec, ReproductionSpec, ReproducedFigure]


def figures() -> Iterator[Figure]:
    for path in DEFINITIONS:
        spec = load_definition(path.read_text("utf-8"), path.name)
        for reproduction in spec.reproductions:
            for figure in reproduction.figures:
                yield spec, reproduction, figure


# Files of minimal pairs repeat items with other labels, which an organiser decides: tests/functional/test_bibi_case.py.
ALONE = [figure for figure in figures() if not any(task.pairs for task in figure[0].tasks)]


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("spec", "reproduction", "figure"), ALONE, ids=lambda part: getattr(part, "column", "")
)
def test_a_figure_is_what_our_formula_gives_from_the_published_files(spec, reproduction, figure):
    folder = CASES / reproduction.case
    if not folder.is_dir():
        pytest.skip(
            f"{folder} is not here: {figure.system}, {figure.column} is taken as the definition says."
        )
    column, _, metric = figure.column.partition(":")
    task_id, _, split = column.partition("@")
    task = spec.task(task_id)
    gold = folder / figure.gold
    human = {row.system for row in spec.reported if row.kind is RowKind.HUMAN}
    if figure.system in human:
        assert human_f1(gold, metric.removeprefix("f1_")) == pytest.approx(figure.ours, abs=1e-6)
        return
    predictions = folder / figure.predictions
    cells = evaluate_file(
        spec,
        task,
        gold=(gold.name, gold.read_bytes()),
        predictions=(predictions.name, predictions.read_bytes()),
        split=split or "test",
    ).document["tasks"][task_id][split or "test"]
    value = cells[metric or task.primary_metric.name]["value"]
    assert value == pytest.approx(figure.ours, abs=1e-6)


def human_f1(path: Path, label: str) -> float:
    """F1 of a label, or the macro average, of the five annotators that the authors' seed makes."""
    rows = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    responses = [
        [name for name, workers in row["label_distribution"].items() for _ in workers] for row in rows
    ]
    gold = [row["gold_label"] for row in rows]
    estimate = human_estimate(responses, gold, ("negative", "neutral", "positive"), seeds=[1])
    return (estimate.per_label[label] if label else estimate.macro).f1


def test_there_are_figures_of_every_kind():
    kinds = {reproduction.because != "" for _, reproduction, _ in figures()}
    assert kinds == {True, False}
    assert len(ALONE) > 20


def test_a_published_share_over_items_is_refused_as_a_share_over_pairs():
    text = Path("benchmarks/definitions/bibi.yaml").read_text("utf-8")
    with pytest.raises(DefinitionError) as refused:
        load_definition(text.replace("0.5086", "0.2543"), "bibi.yaml")
    assert "Strawman has 0.2543 in sentiment:pairs_broken_share, and 25.43 is printed" in str(refused.value)
    assert "on the scale of boards expected 0.5086" in str(refused.value)
