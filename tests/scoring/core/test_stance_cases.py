"""The stance benchmark's datasets: every number that the official scorers give for an acceptable file."""

import csv
import json
from collections import Counter
from pathlib import Path

import pytest

from catalogue.answers import ConfidentLabel, Label
from scoring.core import ScoreReport, score
from tests.scoring.core.case_files import (
    expected_numbers,
    label_codes,
    label_confidences,
    read_column,
    read_repeated_column,
)

pytestmark = pytest.mark.cases

FNC1 = Label(names=("unrelated", "discuss", "agree", "disagree"))
FNC1_SYSTEMS = (
    "model_b", "edge2000_all_agree", "edge2000_model_b", "edge2000_never_disagree", "edge2000_random",
    "majority_unrelated", "model_a",
)  # fmt: skip
STANCES = Label(names=("AGAINST", "FAVOR", "NONE", "UNKNOWN"), never_right=("UNKNOWN",))
STANCE_SYSTEMS = (
    "B_edge_UNKNOWN_label", "B_majority_AGAINST", "B_majority_NONE", "B_model_a.aligned", "B_never_FAVOR",
    "B_random", "B_model_b.aligned", "B_model_c.aligned",
)  # fmt: skip
REPLIES = Label(names=("support", "deny", "query", "comment"))
VERACITY = ConfidentLabel(names=("true", "false", "unverified"), never_right=("unverified",))
RUMOUR_SYSTEMS = (
    "model_a", "model_b", "model_c",
    "model_d", "majority_comment_false", "perfect_conf1", "perfect_unverified_conf0",
    "random",
)  # fmt: skip
PAPER_KEYS = {
    "accuracy": "ACC",
    "f1_macro": "F1_macro",
    "f1_micro": "F1_micro",
    "precision_macro": "Precision_macro",
    "recall_macro": "Recall_macro",
}


def read_headlines(path: Path) -> dict[tuple[str, str, int], str]:
    """Stances by headline, body and how often the two stood together before."""
    seen: Counter[tuple[str, str]] = Counter()
    stances = {}
    with path.open(newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            pair = (row["Headline"], row["Body ID"])
            stances[(*pair, seen[pair])] = row["Stance"]
            seen[pair] += 1
    return stances


def score_fnc1(folder: Path, system: str, gold: str, metrics: list[str]) -> ScoreReport:
    y_true, y_pred = label_codes(
        read_headlines(folder / "gold" / gold),
        read_headlines(folder / "predictions" / f"{system}.csv"),
        FNC1.names,
    )
    return score(FNC1, metrics, y_true, y_pred)


@pytest.mark.parametrize("system", FNC1_SYSTEMS)
def test_fnc1_scores_as_the_official_scorer_says(cases, system):
    official = expected_numbers(cases / "fnc1")[system]
    label_metrics = [f"f1_{label}" for label in FNC1.names]
    metrics = ["fnc1", "fnc1_relative", "accuracy", "f1_macro_declared", "f1_micro", *label_metrics]

    report = score_fnc1(cases / "fnc1", system, official["gold"], metrics)

    assert report["fnc1"].value == pytest.approx(official["official_score"], abs=1e-9)
    assert report["fnc1_relative"].value == pytest.approx(official["relative_percent"], abs=1e-9)
    assert report["accuracy"].value == pytest.approx(official["accuracy"], abs=1e-9)
    assert report["f1_macro_declared"].value == pytest.approx(official["f1_macro"], abs=1e-9)
    assert report["f1_micro"].value == pytest.approx(official["f1_micro"], abs=1e-9)
    for label in FNC1.names:
        assert report[f"f1_{label}"].value == pytest.approx(official["f1_per_class"][label], abs=1e-9)


@pytest.mark.parametrize("gold", ["competition_test_stances.csv", "first2000.csv"])
def test_fnc1_gives_a_perfect_file_the_official_maximum(cases, gold):
    official = {
        each["gold"]: each for each in expected_numbers(cases / "fnc1").values() if "official_max" in each
    }
    stances = read_headlines(cases / "fnc1" / "gold" / gold)
    y_true, y_pred = label_codes(stances, stances, FNC1.names)

    assert score(FNC1, ["fnc1"], y_true, y_pred)["fnc1"].value == official[gold]["official_max"]


@pytest.mark.parametrize("system", ["model_b", "majority_unrelated", "model_a"])
def test_fnc1_has_the_stance_papers_figures(cases, system):
    official = expected_numbers(cases / "mdl_stance_metrics")["fnc1"][system]
    metrics = [*PAPER_KEYS, "fnc1_relative"]

    report = score_fnc1(cases / "fnc1", system, "competition_test_stances.csv", metrics)

    for metric, key in PAPER_KEYS.items():
        assert report[metric].value == pytest.approx(official[key], abs=1e-9), metric
    assert report["fnc1_relative"].value == pytest.approx(official["FNC-1"], abs=1e-9)


@pytest.mark.parametrize("system", ["majority", "random", "model"])
def test_perspectrum_has_the_stance_papers_figures(cases, system):
    folder = cases / "mdl_stance_metrics"
    official = expected_numbers(folder)["perspectrum"][system]
    output = Label(names=tuple(official["label_order"]))
    gold = read_repeated_column(folder / "gold" / "perspectrum_test.csv", 1, delimiter=",")
    predictions = read_repeated_column(folder / "predictions" / f"perspectrum.{system}.csv", 1, delimiter=",")
    label_metrics = [f"f1_{label}" for label in output.names]

    report = score(output, [*PAPER_KEYS, *label_metrics], *label_codes(gold, predictions, output.names))

    for metric, key in PAPER_KEYS.items():
        assert report[metric].value == pytest.approx(official[key], abs=1e-9), metric
    for metric, value in zip(label_metrics, official["F1_clw"], strict=True):
        assert report[metric].value == pytest.approx(value, abs=1e-9), metric


@pytest.mark.parametrize("system", STANCE_SYSTEMS)
def test_semeval_stances_score_as_the_official_scorer_says(cases, system):
    folder = cases / "semeval2016t6"
    official = expected_numbers(folder)[system]
    gold = read_column(folder / "gold" / official["gold"], 3, encoding="latin-1")
    predictions = read_column(folder / "predictions" / official["pred"], 3, encoding="latin-1")
    parts = [f"{part}_{label}" for label in ("FAVOR", "AGAINST") for part in ("precision", "recall", "f1")]
    metrics = ["f1_favor_against", "f1_macro[FAVOR,AGAINST]", *parts]

    report = score(STANCES, metrics, *label_codes(gold, predictions, STANCES.names))

    assert report["f1_favor_against"].value == pytest.approx(official["macro_f_favor_against"], abs=1e-9)
    assert report["f1_macro[FAVOR,AGAINST]"].value == report["f1_favor_against"].value
    for metric in parts:
        part, label = metric.split("_")
        assert report[metric].value == pytest.approx(official[label][part], abs=1e-9), metric


@pytest.mark.parametrize("system", RUMOUR_SYSTEMS)
def test_rumour_replies_and_veracity_score_as_the_official_scorer_says(cases, system):
    folder = cases / "rumoureval2019"
    official = expected_numbers(folder)[system]
    gold = json.loads((folder / "gold" / "final-eval-key.twitter-only.json").read_text())
    answers = json.loads((folder / "predictions" / f"{system}.json").read_text())
    replies = label_codes(gold["subtaskaenglish"], answers["subtaskaenglish"], REPLIES.names)
    veracity = label_confidences(gold["subtaskbenglish"], answers["subtaskbenglish"], VERACITY.names)

    task_a = score(REPLIES, ["accuracy", "f1_macro"], *replies)
    task_b = score(VERACITY, ["accuracy", "f1_macro", "rmse"], *veracity)

    assert task_a["accuracy"].value == pytest.approx(official["taskA_accuracy"], abs=1e-9)
    assert task_a["f1_macro"].value == pytest.approx(official["taskA_macro_f1"], abs=1e-9)
    assert task_b["accuracy"].value == pytest.approx(official["taskB_accuracy"], abs=1e-9)
    assert task_b["f1_macro"].value == pytest.approx(official["taskB_macro_f1"], abs=1e-9)
    assert task_b["rmse"].value == pytest.approx(official["taskB_rmse"], abs=1e-9)


@pytest.mark.parametrize(
    "system",
    ["model_b", "model_d", "majority_comment_false", "random"],
)
def test_rumour_replies_have_the_stance_papers_figures(cases, system):
    folder = cases / "rumoureval2019"
    official = expected_numbers(cases / "mdl_stance_metrics")["semeval2019t7"][system]
    gold = json.loads((folder / "gold" / "final-eval-key.twitter-only.json").read_text())["subtaskaenglish"]
    answers = json.loads((folder / "predictions" / f"{system}.json").read_text())["subtaskaenglish"]
    label_metrics = [f"f1_{label}" for label in REPLIES.names]

    report = score(REPLIES, [*PAPER_KEYS, *label_metrics], *label_codes(gold, answers, REPLIES.names))

    for metric, key in PAPER_KEYS.items():
        assert report[metric].value == pytest.approx(official[key], abs=1e-9), metric
    for metric, value in zip(label_metrics, official["F1_clw"], strict=True):
        assert report[metric].value == pytest.approx(value, abs=1e-9), metric


def test_a_file_of_shuffled_rows_scores_by_id_and_not_by_position(cases):
    """The official scorer compares line by line and gives these perfect answers 0.327."""
    folder = cases / "semeval2016t6"
    gold_file = folder / "gold" / "SemEval2016-Task6-subtaskB-testdata-gold.txt"
    gold = read_column(gold_file, 3, encoding="latin-1")
    predictions = read_column(
        folder / "predictions" / "B_edge_shuffled_perfect_rows.txt", 3, encoding="latin-1"
    )

    report = score(STANCES, ["f1_favor_against"], *label_codes(gold, predictions, STANCES.names))

    assert report["f1_favor_against"].value == 1.0
