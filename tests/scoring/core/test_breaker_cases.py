"""Build It Break It: seven builders against four breakers' pairs."""

import re
from math import fsum
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

from catalogue.answers import Label
from scoring.core import ScoreReport, score
from scoring.core.measures.pairs import PairOutcomes, pair_outcomes, pooled_share
from tests.scoring.core.case_files import expected_numbers

pytestmark = pytest.mark.cases

# Some builders answered 0, which no breaker's gold label is.
SENTIMENT = Label(names=("-1", "0", "1"), never_right=("0",))
BUILDERS = range(1, 8)
BREAKERS = range(1, 5)
METRICS = ["accuracy", "f1_macro", "precision_macro", "recall_macro", "f1_weighted"]


class Result(NamedTuple):
    report: ScoreReport
    outcomes: PairOutcomes


def read_answers(path: Path) -> dict[str, str]:
    """Sentiments by sentence id; the official script keeps the last of a repeated one, and so do its numbers."""
    rows = [re.split(r"[\t ]", line) for line in path.read_text(encoding="utf-8").splitlines() if line]
    return {row[0]: row[-1].lstrip("+") for row in rows if "sentence_id" not in row[0]}


def compare(cases: Path, builder: int, breaker: int) -> Result:
    folder = cases / "bibi2017_sentiment"
    gold = read_answers(folder / "gold" / f"Team{breaker}_breaker_test.tsv")
    (path,) = (folder / "predictions" / f"Builder_Team_{builder}").glob(f"Team{breaker}_*")
    predictions = read_answers(path)
    ids = list(gold)
    y_true = np.array([SENTIMENT.names.index(gold[item]) for item in ids], dtype=np.uint8)
    y_pred = np.array([SENTIMENT.names.index(predictions[item]) for item in ids], dtype=np.uint8)
    stems = list(dict.fromkeys(item[:-2] for item in ids))
    pairs = np.array([[ids.index(f"{stem}_a"), ids.index(f"{stem}_b")] for stem in stems])
    labels = [f"{part}_{label}" for label in ("-1", "1") for part in ("precision", "recall", "f1")]
    return Result(score(SENTIMENT, METRICS + labels, y_true, y_pred), pair_outcomes(y_true == y_pred, pairs))


@pytest.fixture(scope="module")
def results(cases: Path) -> dict[tuple[int, int], Result]:
    return {(i, j): compare(cases, i, j) for i in BUILDERS for j in BREAKERS}


@pytest.fixture(scope="module")
def expected(cases: Path) -> dict[str, Any]:
    return expected_numbers(cases / "bibi2017_sentiment")


@pytest.mark.parametrize("breaker", BREAKERS)
@pytest.mark.parametrize("builder", BUILDERS)
def test_builder_scores_as_the_official_scorer_says(results, expected, builder, breaker):
    report = results[builder, breaker].report
    official = expected[f"B{builder}_vs_T{breaker}"]
    macro = official["macro_over_present_labels"]

    found = [report[name].value for name in METRICS]

    wanted = [official["accuracy"], macro["f1"], macro["p"], macro["r"], official["weighted"]["f1"]]
    assert found == pytest.approx(wanted, abs=1e-9)
    for place, label in ((0, "-1"), (2, "1")):
        for part in ("precision", "recall", "f1"):
            assert report[f"{part}_{label}"].value == pytest.approx(official[part][place], abs=1e-9)


@pytest.mark.parametrize("breaker", BREAKERS)
@pytest.mark.parametrize("builder", BUILDERS)
def test_pairs_come_out_as_the_official_scorer_says(results, expected, builder, breaker):
    official = expected[f"B{builder}_vs_T{breaker}"]
    rates = expected["_breaker_rates"][f"T{breaker}"][f"B{builder}"]

    outcomes = results[builder, breaker].outcomes

    assert outcomes == PairOutcomes(
        both=official["pairs_both_correct"],
        broken=official["pairs_exactly_one_correct"],
        none=official["pairs_none_correct"],
    )
    assert outcomes.broken_share == pytest.approx(rates["exactly_one_correct_rate"], abs=1e-9)
    assert 1 - outcomes.both / outcomes.count == pytest.approx(rates["not_both_correct_rate"], abs=1e-9)


@pytest.mark.parametrize("builder", BUILDERS)
def test_builder_is_published_with_mean_f1_and_share_of_all_pairs_broken(results, expected, builder):
    official = expected["_builder_pooled"][f"B{builder}"]
    own = [results[builder, breaker] for breaker in BREAKERS]
    f1 = [each.report["f1_weighted"].value for each in own]

    broken_share = pooled_share([each.outcomes for each in own])

    assert fsum(f1) / 4 == pytest.approx(official["mean_weighted_f1_over_breakers"], abs=1e-9)
    assert broken_share == pytest.approx(official["exactly_one_correct"] / official["pairs"], abs=1e-9)
    accuracies = [each.report["accuracy"].value for each in own]
    assert fsum(accuracies) / 4 == pytest.approx(official["mean_accuracy"], abs=1e-9)


@pytest.mark.parametrize("breaker", BREAKERS)
def test_breaker_breaks_the_official_share_of_all_systems_pairs(results, expected, breaker):
    official = expected["_breaker_rates"][f"T{breaker}"]
    first, *others = [results[builder, breaker].outcomes for builder in BUILDERS]

    pooled = sum(others, start=first)

    assert pooled.broken_share == pytest.approx(official["pooled_all7_exactly_one"], abs=1e-9)
    assert 1 - pooled.both / pooled.count == pytest.approx(official["pooled_all7_not_both"], abs=1e-9)
