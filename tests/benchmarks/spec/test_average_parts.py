"""Averages with weights, other metrics, ends and a rule for what is missing: what they give, and what is refused."""

import json
from collections.abc import Mapping
from math import inf
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml
from scipy.stats import rankdata

from benchmarks.spec import BenchmarkSpec
from benchmarks.spec.averages import averages, ends_of
from benchmarks.spec.document import DefinitionError
from benchmarks.spec.loader import load_definition
from catalogue.answers import Label
from catalogue.metrics import METRICS
from catalogue.metrics.metric import Metric
from catalogue.metrics.statistics import COUNTS
from tests.benchmarks.spec.test_metrics import HEAD
from tests.conftest import CASES

PUBLISHED = CASES / "averages"
FILE = "file: {path: '{task}.csv', id_column: i, label_column: l}"
TASKS = f"""  - {{id: cola, code: C, title: Cola, labels: ["0", "1"], {FILE}, metrics: [{{name: mcc, title: MCC}}]}}
  - {{id: relations, code: R, title: Relations, labels: [Cause, Other], {FILE},
     metrics: [{{name: "f1_micro_excluding[Other]", title: F1}}, {{name: accuracy, title: Accuracy}}]}}
  - {{id: mrpc, code: M, title: Mrpc, labels: ["0", "1"], {FILE},
     metrics: [{{name: "mean[f1_1,accuracy]", title: Mean}}, {{name: accuracy, title: Accuracy}}]}}
  - {{id: images, code: I, title: Images, output: {{kind: number, low: 0, high: 5}}, {FILE},
     metrics: [{{name: rmse, title: RMSE}}]}}
  - {{id: classes, code: K, title: Classes, output: {{kind: ordered_classes, low: 0, high: 5}}, {FILE},
     metrics: [{{name: mae_macro, title: MAE}}]}}
"""
DIGITS = f"""  - {{id: digits, code: D, title: Digits, labels: ["0", "1"], {FILE},
     metrics: [{{name: surprise, title: Surprise}}]}}
"""
# Lower is better, and a score can be worse without end, as of log loss.
SURPRISE = Metric(
    name="surprise",
    title="Surprise",
    kinds=(Label,),
    statistic=COUNTS,
    formula=lambda counts: 0.0,
    reference="Made up for this test.",
    higher_is_better=False,
    high=inf,
)


def loaded(of: str, tasks: str = TASKS) -> BenchmarkSpec:
    return load_definition(f"{HEAD}{tasks}averages:\n  - {{id: overall, title: Overall, {of}}}\n", "toy.yaml")


def value(spec: BenchmarkSpec, scores: Mapping[str, float], metric: str = "") -> Any:
    found = averages(spec.averages, {task.id: None for task in spec.tasks} | dict(scores), metric)[
        "overall"
    ].value
    return None if found is None else pytest.approx(found, abs=1e-12)


def test_parts_weigh_as_much_as_the_definition_says():
    spec = loaded("of: [{task: cola, weight: 1}, {task: relations, weight: 3}]")

    assert value(spec, {"cola": 0.2, "relations": 0.6}) == 0.5


def test_a_part_of_weight_0_is_missed_by_nobody():
    spec = loaded("of: [{task: cola, weight: 0}, relations]")

    assert value(spec, {"relations": 0.6}) == 0.6


def test_several_metrics_of_one_task_are_parts():
    spec = loaded('of: ["relations", "relations:accuracy", {task: mrpc, metric: accuracy, weight: 2}]')

    assert value(spec, {"relations": 0.1, "relations:accuracy": 0.5, "mrpc:accuracy": 0.9}) == 0.6
    # The mean of another metric has the weights of the tasks.
    assert value(spec, {"relations": 0.1, "mrpc": 0.5}, metric="accuracy") == 0.3


def test_ends_bring_metrics_of_both_directions_to_one_scale():
    spec = loaded("of: [{task: cola, from: -1, to: 1}, {task: images, from: 0, to: 2, weight: 3}]")

    assert value(spec, {"cola": 0.0, "images": 0.5}) == (0.5 + 3 * 0.75) / 4
    assert value(spec, {"cola": 1.0, "images": 4.0}) == 1 / 4  # what lies beyond an end counts as the end
    assert ends_of(spec, "overall") == (0.0, 1.0)


@pytest.mark.parametrize(
    ("missing", "of_scores", "of_errors"),
    [("unranked", None, None), ("worst", -0.2, 3.0), ("partial", 0.6, 1.0)],
)
def test_a_missing_task_does_what_the_average_says(missing, of_scores, of_errors):
    scores = loaded(f"of: [cola, relations], missing: {missing}")
    errors = loaded(f"of: [images, classes], missing: {missing}")

    assert value(scores, {"relations": 0.6}) == of_scores
    assert value(errors, {"images": 1.0}) == of_errors


def test_nobody_gains_by_leaving_out_a_task_where_it_counts_as_the_worst():
    inner = "of: [cola, relations], missing: worst}\n  - {id: outer, title: Outer, of: [overall, mrpc], missing: worst"
    spec = loaded(inner)

    nothing = averages(spec.averages, {"mrpc": 1.0})

    assert nothing["overall"].value == -0.5
    assert nothing["outer"].value == 0.25


RANKS = "of: [cola, {task: images, weight: 2}], normalise: rank"
SYSTEMS: dict[str, dict[str, float | None]] = {
    "a": {"cola": 0.9, "images": 1.0},
    "b": {"cola": 0.5, "images": 0.2},
    "c": {"cola": 0.5, "images": 3.0},
    "d": {"cola": None, "images": 0.2},
}


def mean_rank(name: str, missing: str) -> float | None:
    others = [scores for other, scores in SYSTEMS.items() if other != name]
    among = {key: np.array([scores[key] for scores in others], dtype=float) for key in ("cola", "images")}
    spec = loaded(f"{RANKS}, missing: {missing}")
    return averages(spec.averages, SYSTEMS[name], others=among)["overall"].value


def test_ranks_are_those_of_each_task_with_the_best_first_whichever_way_it_goes():
    """Of cola a is first, b and c share 2 and 3; of an error b and d share 1 and 2, then a, then c."""
    found = {name: mean_rank(name, "unranked") for name in SYSTEMS}

    assert found == {"a": (1 + 2 * 3) / 3, "b": (2.5 + 2 * 1.5) / 3, "c": (2.5 + 2 * 4) / 3, "d": None}
    ranks = rankdata([-0.9, -0.5, -0.5]), rankdata([1.0, 0.2, 3.0, 0.2])
    assert found["b"] == (ranks[0][1] + 2 * ranks[1][1]) / 3


@pytest.mark.parametrize(
    ("missing", "wanted"), [("worst", (4 + 2 * 1.5) / 3), ("partial", 1.5), ("unranked", None)]
)
def test_who_lacks_a_task_is_ranked_last_or_not_at_all(missing, wanted):
    assert mean_rank("d", missing) == wanted


def test_a_mean_rank_of_nobody_else_is_no_number():
    spec = loaded(RANKS)

    assert averages(spec.averages, SYSTEMS["a"])["overall"].undefined == "no_others"
    assert ends_of(spec, "overall") == (1.0, inf)


def refused(of: str) -> str:
    with METRICS.extended(SURPRISE), pytest.raises(DefinitionError) as error:
        loaded(of, TASKS + DIGITS)
    return "\n".join(error.value.mistakes)


@pytest.mark.parametrize(
    ("of", "place", "why"),
    [
        ("of: [{task: cola}, {task: images}]", "of: line 28", "lower is better for images (rmse)"),
        (
            "of: [{task: cola}, {task: mrpc, weight: -0.5}]",
            "of[1].weight: line 28",
            "expected 0 or more, found -0.5",
        ),
        ("of: [{task: cola, weight: .nan}]", "of[0].weight", "expected a finite number"),
        ("of: [{task: cola, weight: 0}, {task: mrpc, weight: 0}]", "of: line 28", "all weights are 0"),
        (
            "of: [{task: images, from: 5, to: 0}]",
            "of[0].from: line 28",
            "expected a number below `to`, 0, found 5",
        ),
        ("of: [{task: images, from: 5}]", "of[0].to", "is missing"),
        ("of: [images, classes], missing: zero", "missing: line 28", "0 is the best value"),
        ("of: [digits], missing: worst", "missing: line 28", "digits can be worse without end"),
        ("of: [cola, cola]", "of", "'cola' is listed twice"),
        ("of: [cola, 3]", "of[1]", "expected a part or a mapping"),
        ("of: cola", "of", "expected a list of parts"),
        ("of: [{task: cola, wieght: 2}]", "of[0].wieght", "did you mean 'weight'?"),
        ("of: [{task: colla}]", "of[0].task", "no task or average is called 'colla'; did you mean 'cola'?"),
        ("of: [cola, images], normalise: ranks", "normalise", "expected one of none, rank, found 'ranks'"),
        ("of: [cola], normalise: rank, missing: zero", "missing: line 28", "0 is better than any rank"),
        ("of: [{task: images, from: 0, to: 5}], normalise: rank", "of", "no `from` and `to` beside"),
        ("of: [{task: cola, metric: rmse}]", "of[0].task", "has no metric 'rmse'; expected one of mcc"),
    ],
)
def test_a_part_that_says_nothing_sensible_is_refused_at_its_place(of, place, why):
    found = refused(of)

    assert f"toy.yaml: averages[overall].{place}: " in found
    assert why in found


def test_a_mean_rank_is_of_tasks_and_no_part_of_another_average():
    inner = "of: [cola, mrpc]}\n  - {id: ranks, title: Ranks, of: [overall, images], normalise: rank"

    assert "expected tasks, because systems are ranked on tasks; found overall" in refused(inner)
    outer = "of: [cola, images], normalise: rank}\n  - {id: outer, title: Outer, of: [overall, mrpc]"
    assert "expected no mean rank as a part; found overall" in refused(outer)


# The published case


def written(average: Mapping[str, Any]) -> str:
    parts = [{"task": task, **said} for task, said in average["tasks"].items()]
    return yaml.safe_dump(
        {"of": parts, "missing": average["missing"]}, default_flow_style=True, sort_keys=False, width=10_000
    ).strip()[1:-1]


def published() -> list[dict[str, Any]]:
    file = PUBLISHED / "gold" / "averages.json"
    return json.loads(file.read_text("utf-8")) if file.is_file() else []


def read(name: str) -> dict[str, Any]:
    return json.loads(Path(PUBLISHED / name).read_text("utf-8"))


@pytest.mark.published
@pytest.mark.parametrize("average", published(), ids=lambda average: average["id"])
def test_averages_are_those_of_the_published_case(average):
    wanted, systems = read("expected.json")["averages"][average["id"]], read("gold/cells.json")["systems"]
    if wanted.get("refused"):
        assert refused(written(average))
        return
    with METRICS.extended(SURPRISE):
        spec = loaded(written(average), TASKS + DIGITS)

    found = {name: value(spec, scores) for name, scores in systems.items()}

    assert found == wanted["values"]


def test_who_lacks_a_task_of_labels_in_an_order_is_at_their_far_end():
    """The worst mean error of four labels is three steps."""
    levels = f"""  - {{id: levels, code: L, title: Levels, labels: [low, middle, high, top], {FILE},
     output: {{kind: ordered_labels}}, metrics: [{{name: mae, title: MAE}}]}}
"""
    spec = loaded("of: [levels, images], missing: worst", TASKS + levels)

    assert value(spec, {"images": 1.0}) == (3 + 1) / 2
