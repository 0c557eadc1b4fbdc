"""How far off each answer may be, by a column of the gold file; and metrics that are made of formulas."""

import numpy as np
import pytest

from benchmarks.spec.document import DefinitionError
from catalogue.answers import Number
from catalogue.answers.declared_metric import DeclaredMetric
from catalogue.comparison import Comparison
from catalogue.item_groups import ItemGroups, groups_at
from catalogue.metrics.choice import metric_for
from scoring.core.figure_bits import FigureBits, PublishedFigure
from scoring.core.uncertainty.replicates import replicate_scores
from scoring.core.uncertainty.weights import item_weights
from scoring.file_refusal import FileRefused
from tests.scoring.test_shared_task_shapes import benchmark, scores

NEAR = {"name": "near", "title": "Within one deviation", "formula": "within[sd] / items"}
COUNT = 60


def rated(metrics, **more):
    """As plausibility of senses (SemEval-2026 Task 5): the mean of ratings, and how far these lie apart."""
    given = {
        "output": {"kind": "number", "low": 1, "high": 5},
        "file": {"path": "a.csv", "id_column": "id", "label_column": "mean"},
        "gold_file": {
            "path": "g.csv",
            "columns": ["id", "language", "sd", "mean"],
            "id_column": "id",
            "label_column": "mean",
            "group_columns": ["language", "sd"],
        },
    }
    return benchmark(metrics, **given | more)


def drawn():
    random = np.random.default_rng(3)
    gold, found = np.round(random.uniform(1, 5, (2, COUNT)), 1)
    return gold, found, np.round(random.uniform(0, 2, COUNT), 1), random.choice(["en", "fr"], COUNT)


def gold_file(gold, deviations, languages):
    rows = zip(range(COUNT), languages, deviations, gold, strict=True)
    return "id,language,sd,mean\n" + "".join(",".join(map(str, row)) + "\n" for row in rows)


def answers(found):
    return "id,mean\n" + "".join(f"{at},{value}\n" for at, value in enumerate(found.tolist()))


def test_each_answer_may_be_off_by_what_its_item_allows():
    gold, found, deviations, languages = drawn()

    of_all, by_language = scores(
        rated([NEAR, "mean_over[near,language]"]), gold_file(gold, deviations, languages), answers(found)
    )

    is_near = np.abs(found - gold) <= deviations
    assert of_all == pytest.approx(is_near.mean(), abs=1e-12)
    of_languages = [is_near[languages == language].mean() for language in ("en", "fr")]
    assert by_language == pytest.approx(np.mean(of_languages), abs=1e-12)


def test_labels_in_an_order_may_be_off_by_some_steps():
    spec = rated([NEAR], labels=["low", "middle", "high"], output={"kind": "ordered_labels"})
    gold = "id,language,sd,mean\n1,en,1,low\n2,en,0,low\n3,fr,1,low\n4,fr,2,high\n"

    assert scores(spec, gold, "id,mean\n1,middle\n2,middle\n3,high\n4,low\n") == [0.5]


@pytest.mark.parametrize("name", ["near", "mean_over[near,language]"])
def test_a_resample_allows_of_each_item_what_it_allows(name):
    formula = DeclaredMetric("near", NEAR["formula"], True, 0, 1)
    kind = Number(1, 5, groups=("language", "sd"), formulas=(formula,))
    gold, found, deviations, languages = drawn()
    columns = {
        "language": ItemGroups.of_cells(languages.tolist()),
        "sd": ItemGroups.of_cells([str(one) for one in deviations.tolist()]),
    }
    weights = item_weights(b"tolerances", COUNT, 8)

    of_each = replicate_scores(Comparison(kind, gold, found, groups=columns), [name], weights)[name]

    for value, row in zip(of_each, weights, strict=True):
        items = np.repeat(np.arange(COUNT), row)
        alone = Comparison(kind, gold[items], found[items], groups=groups_at(columns, items))
        assert value == pytest.approx(metric_for(kind, name).value(alone), abs=1e-12)


def test_items_that_all_answer_alike_are_not_alike_for_the_ledger():
    """Two items with one gold label and one answer are near or not by what each allows."""
    kinds = [
        Number(1, 5, groups=("sd",), formulas=(DeclaredMetric("near", formula, True, 0, 1),))
        for formula in (NEAR["formula"], "within[0.5] / items")
    ]

    of_column, plain = (FigureBits(kind, COUNT, [PublishedFigure("near")]) for kind in kinds)

    assert of_column.unlike > 0
    assert plain.unlike == 0


@pytest.mark.parametrize("cell", ["-1", "x", "", "1,5"])
def test_a_gold_file_without_a_number_to_allow_is_refused(cell):
    gold = f'id,language,sd,mean\n1,en,1,2\n2,fr,"{cell}",3\n'

    with pytest.raises(FileRefused, match="The column sd, which a metric reads as numbers"):
        scores(rated([NEAR]), gold, "id,mean\n1,2\n2,3\n")


def test_nothing_need_be_allowed():
    gold = "id,language,sd,mean\n1,en,0,2\n2,fr,0,3\n"

    assert scores(rated([NEAR]), gold, "id,mean\n1,2\n2,3.5\n") == [0.5]


def test_a_column_that_is_not_named_is_told():
    with pytest.raises(DefinitionError, match=r"expected a number.*group_columns` \(language, sd\)"):
        rated([NEAR | {"formula": "within[deviation] / items"}])


# Metrics that are made of formulas

COST = {"name": "cost", "title": "Cost", "formula": "absolute_error / items", "range": [0, "any"]}


@pytest.mark.parametrize("is_first", [True, False])
def test_a_metric_may_be_made_of_a_formula_wherever_that_stands(is_first):
    """The documentation's own example was refused."""
    gold, found, deviations, languages = drawn()
    metrics = ["weighted[cost,sd]", "worst[cost,language]", "mean[cost,near]"]
    spec = rated([COST, NEAR, *metrics] if is_first else [*metrics, COST, NEAR])

    numbers = scores(spec, gold_file(gold, deviations, languages), answers(found))

    errors = np.abs(found - gold)
    wanted = [
        np.average(errors, weights=deviations),
        min(errors[languages == language].mean() for language in ("en", "fr")),
        (errors.mean() + (errors <= deviations).mean()) / 2,
    ]
    assert (numbers[2:] if is_first else numbers[:3]) == pytest.approx(wanted, abs=1e-12)


def test_a_formula_that_is_wrong_is_told_once():
    with pytest.raises(DefinitionError) as error:
        rated(["weighted[cost,sd]", COST | {"formula": "absolute_error / item"}])

    (mistake,) = error.value.mistakes
    assert "metrics[1].formula" in mistake
