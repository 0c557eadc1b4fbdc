"""What holds for every metric: an oracle's number, what must not change it, and what the ledger counts for it.

Each metric has an oracle in `tests/catalogue/metrics/oracles.py` for each kind of answer it takes.
"""

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import cache
from math import isfinite
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.models import Benchmark
from catalogue.answers import (
    AnswerKind,
    ConfidentLabel,
    Label,
    LabelSubset,
    Number,
    OrderedClass,
    Probabilities,
)
from catalogue.answers.arrays import as_rows, as_table
from catalogue.comparison import Comparison, ConfusionMatrix
from catalogue.metrics import METRICS
from catalogue.metrics.choice import metrics_for
from catalogue.metrics.metric import AnyMetric, Metric, Undefined
from catalogue.metrics.statistics import MATRIX, DeterminedBy
from scoring.core import score
from scoring.core.uncertainty.replicates import replicate_scores
from scoring.gold.versions import load_gold
from submissions.models import System
from tests.at_length import examples
from tests.catalogue.answer_facts import CASES, EACH_KIND, FACTS, few_items
from tests.catalogue.metrics.oracles import ORACLES, Case
from tests.conftest import NOW, TOY_DEFINITION, TOY_GOLD
from tests.pages import browser_of, text_of
from tests.weeks import CUT_OFF, board, row_of, run_batch, upload

# Another share than the gold one may tell more, as in PyEvALL: of gold shares .9, .8, 1, .8 and .9, whose others are
# what is left to 1, the answer .3 in place of the second .8 scores 1.02 of what the gold shares do.
BEYOND_THE_BEST = ("icm_soft", "icm_soft_norm")
NAMING_LABELS = ("fnc1", "fnc1_relative", "f1_favor_against")
ROUNDING = 1e-9
# Of a kind: all its metrics are held to each case that is drawn, and named where they fail.
SOME = settings(max_examples=examples(40))


def value(metric: AnyMetric, case: Case) -> float | Undefined:
    return metric.value(Comparison(case.output, case.y_true, case.y_pred))


def number(metric: AnyMetric, case: Case) -> float | None:
    found = value(metric, case)
    return None if isinstance(found, Undefined) else found


def numbers(metrics: Iterable[AnyMetric], case: Case) -> dict[str, float | None]:
    """By the metric's name."""
    return {metric.name: number(metric, case) for metric in metrics}


def close(found: float | dict[str, float | None] | None) -> Any:
    return None if found is None else pytest.approx(found, abs=1e-9)


def test_a_name_means_one_metric_for_a_kind_of_answer():
    names = [(metric.name, kind) for metric in METRICS for kind in metric.kinds]

    assert len(set(names)) == len(names)


def test_every_kind_that_a_metric_takes_has_cases():
    assert {kind for metric in METRICS for kind in metric.kinds} <= set(CASES)


@EACH_KIND
def test_oracles_are_of_metrics_that_there_are(kind):
    assert set(ORACLES[kind]) == {metric.name for metric in metrics_for(kind)}


@pytest.mark.parametrize("metric", METRICS, ids=lambda metric: metric.key)
def test_metric_documents_itself(metric):
    documentation = metric.formula.__doc__

    assert all(
        f"{section}\n    ---" in documentation
        for section in ("Parameters", "Returns", "References", "Examples")
    )
    assert metric.reference
    assert all(metric.undefined.values())
    assert metric.version >= 1
    assert metric.low < metric.high


@EACH_KIND
@SOME
@given(data=st.data())
def test_metric_equals_its_oracle(kind, data):
    case = data.draw(CASES[kind])

    assert numbers(metrics_for(kind), case) == close(
        {name: oracle(case) for name, oracle in ORACLES[kind].items()}
    )


@EACH_KIND
@SOME
@given(data=st.data())
def test_order_of_items_does_not_matter(kind, data):
    case = data.draw(CASES[kind])
    order = data.draw(st.permutations(range(len(case.y_true))))

    shuffled = Case(case.output, case.y_true[order], case.y_pred[order])

    assert numbers(metrics_for(kind), shuffled) == close(numbers(metrics_for(kind), case))


@EACH_KIND
@SOME
@given(data=st.data())
def test_value_is_in_range_or_undefined_by_a_declared_code(kind, data):
    case = data.draw(CASES[kind])

    for metric in metrics_for(kind):
        found = value(metric, case)
        if isinstance(found, Undefined):
            assert found.code in metric.undefined, metric.name
        else:
            # sacrebleu gives a perfect answer 100.00000000000004, and so it is here.
            assert metric.low - ROUNDING <= found <= metric.high + ROUNDING, metric.name


@pytest.mark.thorough
@pytest.mark.parametrize("metric", METRICS, ids=lambda metric: metric.key)
def test_undefined_codes_are_reached_and_have_sentences(metric):
    assert codes_reached(metric.kinds[-1], metric.formula) == set(metric.undefined)
    assert all(sentence.endswith(".") for sentence in metric.undefined.values())


@cache
def codes_reached(kind: type[AnswerKind], formula: Callable[..., Any]) -> set[str]:
    """Of all metrics that share a formula, as those of strata do: one of them reaches each code."""
    sharing = [metric for metric in metrics_for(kind) if metric.formula is formula]
    values = (value(metric, case) for case in few_items(kind) for metric in sharing)
    return {found.code for found in values if isinstance(found, Undefined)}


@EACH_KIND
@SOME
@given(data=st.data())
def test_perfect_answers_score_best(kind, data):
    case = data.draw(CASES[kind])
    perfect = Case(case.output, case.y_true, FACTS[kind.key].best(case))

    for metric in metrics_for(kind):
        best, found = number(metric, perfect), number(metric, case)
        if best is None or found is None or metric.name in BEYOND_THE_BEST:
            continue
        assert best >= found - 1e-9 if metric.higher_is_better else best <= found + 1e-9, metric.name


@EACH_KIND
@SOME
@given(data=st.data())
def test_unit_weights_give_the_direct_value(kind, data):
    case = data.draw(CASES[kind])
    weights = np.ones((1, len(case.y_true)), dtype=np.uint8)
    direct = numbers(metrics_for(kind), case)

    found = replicate_scores(Comparison(case.output, case.y_true, case.y_pred), list(direct), weights)

    assert {name: None if np.isnan(of[0]) else of[0] for name, of in found.items()} == close(direct)


# What the ledger counts: a change that keeps what a metric is said to follow from must not move it.


@EACH_KIND
@SOME
@given(data=st.data())
def test_metric_follows_from_what_the_ledger_counts(kind, data):
    case = data.draw(CASES[kind])
    random = data.draw(st.randoms(use_true_random=False))
    of_total, of_right, of_cells = (
        [metric for metric in metrics_for(kind) if metric.statistic.determined_by in those]
        for those in ([DeterminedBy.TOTAL], [DeterminedBy.RIGHT], set(DeterminedBy) - {DeterminedBy.ITEMS})
    )

    for metric in of_total:
        parts = metric.statistic.parts_of_item(len(case.output.labels)) * len(case.y_true)
        found = number(metric, case)
        assert found is None or found * parts == pytest.approx(round(found * parts), rel=1e-9), metric.name
    assert numbers(of_cells, without_confidences(case)) == close(numbers(of_cells, case))
    for given_case in (case, many_items(case.output)) if of_right else ():
        swapped = with_the_same_right_answers(given_case, random)
        assert numbers(of_right, swapped) == close(numbers(of_right, given_case))


def many_items(output: AnswerKind) -> Case:
    """Forty items answered at random: few items seldom have wrong answers that can be exchanged."""
    random = np.random.default_rng(1)
    return Case(output, output.gold.examples(40, random), output.examples(40, random))


def without_confidences(case: Case) -> Case:
    if isinstance(case.output, Probabilities):
        table = as_table(case.y_pred)
        return case._replace(y_pred=as_rows(np.eye(table.shape[1])[table.argmax(axis=1)]))
    if not isinstance(case.output, ConfidentLabel):
        return case
    answers = case.y_pred.copy()
    answers["confidence"] = 0.5
    return case._replace(y_pred=answers)


def with_the_same_right_answers(case: Case, random: Random) -> Case:
    """Gold labels exchanged among items that are wrong before and after; of sets, each label by itself."""
    gold = case.y_true.copy()
    if isinstance(case.output, LabelSubset):
        for bit in range(len(case.output.names)):
            mask = np.uint64(1 << bit)
            for items in (np.flatnonzero(case.y_pred & mask), np.flatnonzero(~case.y_pred & mask)):
                moved = gold[random.sample(items.tolist(), len(items))] & mask
                gold[items] = (gold[items] & ~mask) | moved
        return case._replace(y_true=gold)
    labels, predicted = (
        kind.positions(y) if isinstance(kind, Probabilities) else y["label"] if y.dtype.names else y
        for kind, y in ((case.output.gold, gold), (case.output, case.y_pred))
    )
    wrong = np.flatnonzero(labels != predicted).tolist()
    for _ in range(3 * len(wrong)):
        one, other = random.choice(wrong), random.choice(wrong)
        if labels[one] != predicted[other] and labels[other] != predicted[one]:
            labels[[one, other]] = labels[[other, one]]
    return case._replace(y_true=gold)


def test_what_is_said_to_follow_from_right_answers_is_moved_if_it_does_not():
    """Kappa needs all cells: it differs where the wrong answers are exchanged."""
    kappa = next(metric for metric in METRICS if metric.name == "kappa_quadratic")
    case = Case(
        OrderedClass(0, 3), np.array([0, 3, 1, 2], dtype=np.int16), np.array([1, 2, 1, 2], dtype=np.int16)
    )

    exchanged = {number(kappa, with_the_same_right_answers(case, Random(seed))) for seed in range(20)}

    assert len(exchanged) == 2


# Names of labels, and numbers at the ends of what can be.


@pytest.mark.parametrize("kind", [Label, ConfidentLabel, LabelSubset], ids=lambda kind: kind.key)
@given(data=st.data())
def test_metrics_do_not_depend_on_how_labels_are_named_and_ordered(kind, data):
    case = data.draw(CASES[kind])
    count = len(case.output.names)
    new_code = np.array(data.draw(st.permutations(range(count))))
    renamed = tuple(f"renamed {code}" for code in range(count))
    changed = {"names": renamed}
    if kind is not LabelSubset:
        old = [case.output.names.index(label) for label in case.output.never_right]
        changed["never_right"] = tuple(renamed[new_code[code]] for code in old)
    output = replace(case.output, **changed)

    moved = Case(
        output, recode(case.output, case.y_true, new_code), recode(case.output, case.y_pred, new_code)
    )

    for metric in metrics_for(kind):
        if metric.name not in NAMING_LABELS:
            assert number(metric, moved) == close(number(metric, case))


def recode(output: AnswerKind, y: np.ndarray, new_code: np.ndarray) -> np.ndarray:
    if isinstance(output, LabelSubset):
        bits = range(len(new_code))
        moved = [sum(1 << int(new_code[bit]) for bit in bits if int(mask) >> bit & 1) for mask in y]
        return np.array(moved, dtype=np.uint64)
    if isinstance(output, ConfidentLabel):
        moved_pairs = y.copy()
        moved_pairs["label"] = new_code[y["label"]]
        return moved_pairs
    moved_codes: np.ndarray = new_code[y].astype(y.dtype)
    return moved_codes


@given(
    st.lists(st.tuples(st.floats(-1e300, 1e300), st.floats(-1e300, 1e300)), min_size=1, max_size=20),
)
def test_scoring_never_fails_on_numbers_that_were_accepted(pairs):
    y_true, y_pred = (np.array(side, dtype=np.float64) for side in zip(*pairs, strict=True))
    output = Number(low=-1e300, high=1e300)

    by_name = {metric.name: metric for metric in metrics_for(Number)}
    report = score(output, list(by_name), y_true, y_pred)

    assert all(
        found.value is None
        or (isfinite(found.value) and by_name[found.metric].low <= found.value <= by_name[found.metric].high)
        for found in report.values
    )


# A metric that is new, from the definition to the published page.


def informedness(matrix: ConfusionMatrix) -> float | Undefined:
    right, gold = np.diagonal(matrix), matrix.sum(axis=1)
    return float((right / gold).sum() - 1) if gold.all() else Undefined("label_lacking")


INFORMEDNESS = Metric(
    name="informedness",
    title="Informedness",
    kinds=(Label,),
    statistic=MATRIX,
    formula=informedness,
    low=-1.0,
    reference="Made up for this test.",
    undefined={"label_lacking": "A label is in no gold label."},
)


def test_new_metric_goes_from_the_definition_to_the_published_page(
    sync: Callable[[str], Benchmark], system: System, gold_keys: object
):
    text = TOY_DEFINITION.replace(
        "{name: f1_macro, title: F1 macro}", "{name: informedness, title: Informed}"
    )
    with METRICS.extended(INFORMEDNESS):
        benchmark = sync(text.replace("labels: [red, green, dark blue]", "labels: [red, green]"))
        for task in benchmark.tasks.all():
            gold = TOY_GOLD[task.slug].replace(b"dark blue", b"green")
            load_gold(task=task, data=gold, file_name=f"{task.slug}.csv", now=NOW)
        upload(
            system, benchmark.phases.get(), mood="good good bad bad good good", colour="red,green,green,green"
        )
        run_batch(CUT_OFF)

        scores = row_of(board(), system.name)["cells"]
        page = text_of(browser_of(None).get("/benchmarks/toy/"))

    assert scores["mood"]["value"] == pytest.approx(2 / 3, abs=1e-4)
    assert scores["colour"]["value"] == pytest.approx(1 / 2, abs=1e-4)
    assert "Informed" in page
