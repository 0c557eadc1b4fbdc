"""Affect in Tweets: every number that the official scorer gives for an acceptable file."""

from pathlib import Path

import numpy as np
import pytest

from catalogue.answers import LabelSubset, Number, OrderedClass
from scoring.core import score
from tests.scoring.core.case_files import expected_numbers, masks, numbers, read_column

pytestmark = pytest.mark.cases

EMOTIONS = ("anger", "fear", "joy", "sadness")
INTENSITY_SYSTEMS = (
    "constant_0.100",
    "constant_0.5",
    "constant_0.700",
    "random",
    "model",
    "model_shuffled",
)
EDGE_SYSTEMS = ("edge_constant_only_on_gold_ge_0.5", "edge_mystery_unknown_id_ignored")
INTENSITY = Number(low=0.0, high=1.0)
VALENCE = OrderedClass(low=-3, high=3)
VALENCE_SYSTEMS = (
    "edge_bare_integers", "edge_gold_missing_top_class", "edge_never_predicts_top_class", "edge_two_labels_only",
    "model", "model_shuffled", "majority", "random",
)  # fmt: skip
VALENCE_METRICS = {
    "pearson": "pearson",
    "pearson_some": "pearson_some_emotion",
    "kappa_quadratic": "qwk",
    "kappa_quadratic_some": "qwk_some_emotion",
}
ELEVEN = LabelSubset(
    names=(
        "anger", "anticipation", "disgust", "fear", "joy", "love", "optimism", "pessimism", "sadness",
        "surprise", "trust",
    )
)  # fmt: skip
ELEVEN_SYSTEMS = (
    "all_one", "all_zero", "edge_trust_never_predicted", "model", "model_shuffled", "random"
)  # fmt: skip


def intensity_scores(folder: Path, system: str, emotion: str) -> dict[str, float | None]:
    rows = read_column(folder / "gold" / f"2018-EI-reg-En-{emotion}-gold.txt", 3)
    gold = {item: cell for item, cell in rows.items() if "mystery" not in item}  # those are scored apart
    predictions = read_column(folder / "predictions" / system / f"EI-reg_en_{emotion}_pred.txt", 3)
    report = score(INTENSITY, ["pearson", "pearson_gold_ge_0.5"], *numbers(gold, predictions, np.float64))
    return {value.metric: value.value for value in report.values}


@pytest.mark.parametrize("emotion", EMOTIONS)
@pytest.mark.parametrize("system", INTENSITY_SYSTEMS)
def test_intensity_correlates_as_the_official_scorer_says(cases, system, emotion):
    folder = cases / "ait2018_ei_reg_en"
    official = expected_numbers(folder)[system][emotion]

    found = intensity_scores(folder, system, emotion)

    for metric in ("pearson", "pearson_gold_ge_0.5"):
        # Rounding makes the official scorer say nothing about some constant predictions; here all score 0.
        wanted = 0.0 if official[metric] is None and system.startswith("constant") else official[metric]
        assert found[metric] == pytest.approx(wanted, abs=1e-9), metric


@pytest.mark.parametrize("system", EDGE_SYSTEMS)
def test_intensity_of_a_single_emotion_correlates_as_the_official_scorer_says(cases, system):
    folder = cases / "ait2018_ei_reg_en"
    official = expected_numbers(folder)[system]["anger"]

    found = intensity_scores(folder, system, "anger")

    assert found["pearson"] == pytest.approx(official["pearson"], abs=1e-9)
    # Where all predictions are equal, scipy says 0 or nothing; here they score 0.
    assert found["pearson_gold_ge_0.5"] == pytest.approx(official["pearson_gold_ge_0.5"] or 0.0, abs=1e-9)


@pytest.mark.parametrize("system", INTENSITY_SYSTEMS)
def test_intensity_bottom_line_is_the_mean_of_the_four_emotions(cases, system):
    folder = cases / "ait2018_ei_reg_en"
    official = expected_numbers(folder)[system]["macro_avg"]["pearson"]

    found = [intensity_scores(folder, system, emotion)["pearson"] for emotion in EMOTIONS]

    assert sum(value or 0.0 for value in found) / 4 == pytest.approx(official or 0.0, abs=1e-9)


@pytest.mark.parametrize("system", INTENSITY_SYSTEMS[:3])
def test_constant_prediction_scores_exactly_nothing(cases, system):
    found = intensity_scores(cases / "ait2018_ei_reg_en", system, "fear")

    assert found == {"pearson": 0.0, "pearson_gold_ge_0.5": 0.0}


@pytest.mark.parametrize("system", VALENCE_SYSTEMS)
def test_valence_classes_score_as_the_official_scorer_says(cases, system):
    folder = cases / "ait2018_v_oc_en"
    official = expected_numbers(folder)[system]["valence"]
    gold = read_column(folder / official["gold"], 3)
    predictions = read_column(folder / official["pred"], 3)

    report = score(VALENCE, list(VALENCE_METRICS), *numbers(gold, predictions, np.int16))

    for metric, key in VALENCE_METRICS.items():
        assert report[metric].value == pytest.approx(official[key], abs=1e-9), metric


@pytest.mark.parametrize("system", ELEVEN_SYSTEMS)
def test_sets_of_emotions_score_as_the_official_scorer_says(cases, system):
    folder = cases / "ait2018_e_c_en"
    official = expected_numbers(folder)[system]["all"]
    gold, predictions = masks(folder / official["gold"]), masks(folder / official["pred"])
    y_true = np.array(list(gold.values()), dtype=np.uint64)
    y_pred = np.array([predictions[item] for item in gold], dtype=np.uint64)

    report = score(ELEVEN, ["jaccard", "f1_micro", "f1_macro"], y_true, y_pred)

    assert report["jaccard"].value == pytest.approx(official["jaccard_accuracy"], abs=1e-9)
    assert report["f1_micro"].value == pytest.approx(official["f1_micro"], abs=1e-9)
    assert report["f1_macro"].value == pytest.approx(official["f1_macro"], abs=1e-9)
