"""DynaSent: systems, the human estimate, and the annotators' agreement, as computed from the published files."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from catalogue.answers import Label
from scoring.core import score
from scoring.core.measures.agreement import fleiss_kappa
from scoring.core.measures.human import human_estimate
from scoring.core.measures.votes import majority
from tests.scoring.core.case_files import expected_numbers, label_codes, read_column, read_jsonl

pytestmark = pytest.mark.cases

SENTIMENT = Label(names=("negative", "neutral", "positive"))
CATEGORIES = ("positive", "negative", "neutral", "mixed")
FILES = {
    "round1_test": "dynasent-v1.1-round01-yelp-test.jsonl",
    "round2_dev": "dynasent-v1.1-round02-dynabench-dev.jsonl",
    "round2_test": "dynasent-v1.1-round02-dynabench-test.jsonl",
}
SYSTEMS = [
    ("round1_test", "majority_positive"), ("round1_test", "model_0"), ("round1_test", "never_neutral"),
    ("round1_test", "model"), ("round2_dev", "model_1"), ("round2_test", "majority_positive"),
    ("round2_test", "model_1"), ("round2_test", "never_neutral"), ("round2_test", "model"),
]  # fmt: skip


def read_gold(cases: Path, split: str) -> list[dict[str, Any]]:
    return read_jsonl(cases / "dynasent_v1_1" / "gold" / FILES[split])


def answers_of(row: dict[str, Any]) -> list[str]:
    return [label for label, workers in row["label_distribution"].items() for _ in workers]


@pytest.mark.parametrize(("split", "system"), SYSTEMS)
def test_systems_have_the_official_figures(cases, split, system):
    official = expected_numbers(cases / "dynasent_v1_1")[split]["systems"][system]
    gold = {row["text_id"]: row["gold_label"] for row in read_gold(cases, split)}
    path = cases / "dynasent_v1_1" / "predictions" / f"{split}.{system}.csv"
    parts = [f"{part}_{label}" for label in SENTIMENT.names for part in ("precision", "recall", "f1")]
    predictions = read_column(path, 1, delimiter=",")

    report = score(
        SENTIMENT, ["f1_macro", "f1_macro_declared", *parts], *label_codes(gold, predictions, SENTIMENT.names)
    )

    assert report["f1_macro_declared"].value == pytest.approx(official["macro_f1_over_3_labels"], abs=1e-9)
    seen = official["macro_f1_sklearn_labels_seen_in_gold_or_pred"]
    assert report["f1_macro"].value == pytest.approx(seen, abs=1e-9)
    for metric in parts:
        part, label = metric.split("_")
        assert report[metric].value == pytest.approx(official["per_class"][label][part], abs=1e-9), metric


@pytest.mark.parametrize("split", ["round1_test", "round2_test"])
def test_a_label_that_may_be_predicted_but_is_never_right_lowers_only_the_mean_over_labels_seen(cases, split):
    official = expected_numbers(cases / "dynasent_v1_1")[split]["systems"]["predicts_mixed_sometimes"]
    output = Label(names=(*SENTIMENT.names, "mixed"), never_right=("mixed",))
    gold = {row["text_id"]: row["gold_label"] for row in read_gold(cases, split)}
    path = cases / "dynasent_v1_1" / "predictions" / f"{split}.predicts_mixed_sometimes.csv"
    y_true, y_pred = label_codes(gold, read_column(path, 1, delimiter=","), output.names)

    report = score(output, ["f1_macro", "f1_macro_declared"], y_true, y_pred)

    assert report["f1_macro_declared"].value == pytest.approx(official["macro_f1_over_3_labels"], abs=1e-9)
    seen = official["macro_f1_sklearn_labels_seen_in_gold_or_pred"]
    assert report["f1_macro"].value == pytest.approx(seen, abs=1e-9)


@pytest.mark.parametrize("split", FILES)
def test_human_estimate_of_the_published_seed_has_the_official_figures(cases, split):
    official = expected_numbers(cases / "dynasent_v1_1")[split]["human_estimate_random_state_1"]
    rows = read_gold(cases, split)
    responses = [answers_of(row) for row in rows]

    found = human_estimate(responses, [row["gold_label"] for row in rows], SENTIMENT.names, seeds=[1])

    for name, scores in (*found.per_label.items(), ("Macro avg", found.macro)):
        assert scores.precision == pytest.approx(official[name]["precision"], abs=1e-9)
        assert scores.recall == pytest.approx(official[name]["recall"], abs=1e-9)
        assert scores.f1 == pytest.approx(official[name]["F1"], abs=1e-9)


def test_human_estimate_over_many_seeds_is_near_that_of_the_published_seed(cases):
    rows = read_gold(cases, "round2_test")
    responses = [answers_of(row) for row in rows]
    gold = [row["gold_label"] for row in rows]

    one = human_estimate(responses, gold, SENTIMENT.names, seeds=[1])
    many = human_estimate(responses, gold, SENTIMENT.names)

    assert many.macro.f1 == pytest.approx(one.macro.f1, abs=0.01)
    assert many.macro.f1 != one.macro.f1
    assert many.macro.recall == pytest.approx(
        one.macro.recall, abs=1e-9
    )  # every answer is dealt exactly once


@pytest.mark.parametrize("split", FILES)
def test_annotators_agree_as_published(cases, split):
    official = expected_numbers(cases / "dynasent_v1_1")[split]["fleiss_kappa_4cats"]
    distributions = [row["label_distribution"] for row in read_gold(cases, split)]
    counts = np.array([[len(each[category]) for category in CATEGORIES] for each in distributions])

    assert fleiss_kappa(counts) == pytest.approx(official, abs=1e-9)


@pytest.mark.parametrize("split", FILES)
def test_gold_labels_are_the_majority_of_the_responses(cases, split):
    for row in read_gold(cases, split):
        assert majority(answers_of(row), needed=3) == row["gold_label"]
