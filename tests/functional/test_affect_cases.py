"""Affect in Tweets over HTTP, from real files to the cells of the published boards, with the official numbers."""

import io
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client

from tests.official import (
    accepted,
    accepted_in_browser,
    assert_cells,
    close,
    load_gold_file,
    new_system,
    official_numbers,
    post_form,
    published,
    refusal,
    row_of,
    send,
)
from tests.pages import text_of
from tests.uploads import zip_folder

pytestmark = [pytest.mark.thorough, pytest.mark.django_db, pytest.mark.cases]

PHASE = "ait2018/evaluation"
EMOTIONS = ("anger", "fear", "joy", "sadness")
HIGH = "pearson_gold_ge_0.5"
INTENSITY_SYSTEMS = (
    "model", "model_shuffled", "random", "constant_0.100", "constant_0.5", "constant_0.700",
)  # fmt: skip
CLASS_SYSTEMS = (
    "edge_bare_integers", "edge_never_predicts_top_class", "edge_two_labels_only", "model", "model_shuffled",
    "majority", "random",
)  # fmt: skip
CLASS_METRICS = {
    "V-oc-en": "pearson",
    "pearson_some": "pearson_some_emotion",
    "kappa_quadratic": "qwk",
    "kappa_quadratic_some": "qwk_some_emotion",
}
SUBSET_SYSTEMS = (
    "all_one", "all_zero", "edge_trust_never_predicted", "model", "model_shuffled", "random",
)  # fmt: skip
SUBSET_METRICS = {"E-c-en": "jaccard_accuracy", "f1_micro": "f1_micro", "f1_macro": "f1_macro"}


@pytest.fixture(scope="module")
def affect(stage: None) -> None:
    call_command("sync_benchmarks", stdout=io.StringIO())


@pytest.fixture
def intensities(affect: None, cases: Path) -> Path:
    folder = cases / "ait2018_ei_reg_en"
    for emotion in EMOTIONS:
        path = folder / "gold" / f"2018-EI-reg-En-{emotion}-gold.txt"
        load_gold_file("ait2018", f"EI-reg-en-{emotion}", path)
    return folder


@pytest.fixture
def classes(affect: None, cases: Path) -> Path:
    folder = cases / "ait2018_v_oc_en"
    load_gold_file("ait2018", "V-oc-en", folder / "gold" / "2018-Valence-oc-En-gold.txt")
    return folder


@pytest.fixture
def subsets(affect: None, cases: Path) -> Path:
    folder = cases / "ait2018_e_c_en"
    load_gold_file("ait2018", "E-c-en", folder / "gold" / "2018-E-c-En-gold.txt")
    return folder


def official_intensity(numbers: Any, part: str, metric: str) -> float:
    """The official number; where rounding made the scorer say nothing about a constant, 0 as for every constant."""
    value = numbers[part][metric]
    return 0.0 if value is None else value


# Emotion intensities: four files of one language, and the bottom lines


@pytest.fixture
def ranked_intensities(intensities: Path) -> dict[str, Any]:
    """Every acceptable system sent and published: by zip over the API, the last one in the browser."""
    numbers = official_numbers(intensities)
    *most, last = INTENSITY_SYSTEMS
    for name in most:
        data = zip_folder(intensities / "predictions" / name)
        accepted(new_system(name), PHASE, data, "predictions.zip")
    data = zip_folder(intensities / "predictions" / last)
    accepted_in_browser(new_system(last), PHASE, data, "predictions.zip")
    close(PHASE)
    return {name: numbers[name] for name in INTENSITY_SYSTEMS}


def test_every_cell_of_the_english_intensity_boards_has_the_official_number(ranked_intensities):
    for emotion in EMOTIONS:
        wanted = {
            name: {
                f"EI-reg-en-{emotion}": official_intensity(numbers, emotion, "pearson"),
                HIGH: official_intensity(numbers, emotion, HIGH),
            }
            for name, numbers in ranked_intensities.items()
        }
        assert_cells(f"/benchmarks/ait2018/tasks/EI-reg-en-{emotion}.json", wanted)

    parts = {"macro_avg": "EI-reg-en"} | {emotion: f"EI-reg-en-{emotion}" for emotion in EMOTIONS}
    wanted = {
        name: {
            f"{column}{suffix}": official_intensity(numbers, part, metric)
            for part, column in parts.items()
            for metric, suffix in (("pearson", ""), (HIGH, f":{HIGH}"))
        }
        for name, numbers in ranked_intensities.items()
    }
    assert_cells("/benchmarks/ait2018/boards/EI-reg-en.json", wanted)

    bottom = {
        name: {"EI-reg-en": official_intensity(numbers, "macro_avg", "pearson")}
        for name, numbers in ranked_intensities.items()
    }
    for path in (
        "ait2018",
        "ait2018/boards/en",
        "ait2018/boards/EI-reg",
        "ait2018/releases/1/boards/EI-reg-en",
    ):
        assert_cells(f"/benchmarks/{path}.json", bottom)


def test_the_html_of_the_english_board_shows_the_bottom_lines(ranked_intensities):
    numbers = ranked_intensities["model"]["macro_avg"]
    page = text_of(Client().get("/benchmarks/ait2018/boards/EI-reg-en/"))
    for metric in ("pearson", HIGH):
        assert f">{numbers[metric]:.3f}<".replace(">0", ">") in page


def test_a_single_file_with_a_constant_stratum_scores_as_the_official_scorer_says(intensities):
    name = "edge_constant_only_on_gold_ge_0.5"
    data = (intensities / "predictions" / name / "EI-reg_en_anger_pred.txt").read_bytes()
    accepted_in_browser(new_system(name), PHASE, data, "EI-reg_en_anger_pred.txt")
    close(PHASE)

    numbers = official_numbers(intensities)[name]["anger"]
    wanted = {"EI-reg-en-anger": numbers["pearson"], HIGH: numbers[HIGH] or 0.0}
    assert_cells("/benchmarks/ait2018/tasks/EI-reg-en-anger.json", {name: wanted})
    cells = row_of(published("/benchmarks/ait2018/boards/EI-reg-en.json"), name)["cells"]
    for bottom_line in ("EI-reg-en", f"EI-reg-en:{HIGH}"):
        assert (cells[bottom_line]["value"], cells[bottom_line]["undefined"]) == (None, "missing_task")


SCORE = "Intensity Score"


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("edge_missing_header", ("header_missing", 1, None)),
        ("edge_out_of_range", ("number_out_of_range", 26, SCORE)),
    ],
)
def test_unacceptable_intensities_are_refused_with_code_and_line(intensities, system, name, problem):
    data = (intensities / "predictions" / name / "EI-reg_en_anger_pred.txt").read_bytes()
    assert refusal(send(system, PHASE, data, "EI-reg_en_anger_pred.txt")) == problem


def test_the_page_of_a_refused_file_names_its_line(intensities, system):
    folder = intensities / "predictions" / "edge_out_of_range"
    data = (folder / "EI-reg_en_anger_pred.txt").read_bytes()
    answer = post_form(system, PHASE, data, "EI-reg_en_anger_pred.txt")
    assert answer.status_code == 422
    assert f"<b>Line 26, column {SCORE}:</b>" in text_of(answer)


# Valence classes


def test_every_cell_of_the_valence_class_board_has_the_official_number(classes):
    numbers = official_numbers(classes)
    for place, name in enumerate(CLASS_SYSTEMS):
        data = (classes / "predictions" / name / "V-oc_en_pred.txt").read_bytes()
        take = accepted if place else accepted_in_browser
        take(new_system(name), PHASE, data, "V-oc_en_pred.txt")
    close(PHASE)

    wanted = {
        name: {column: numbers[name]["valence"][key] for column, key in CLASS_METRICS.items()}
        for name in CLASS_SYSTEMS
    }
    assert_cells("/benchmarks/ait2018/tasks/V-oc-en.json", wanted)
    renamed = {
        name: {
            column if column == "V-oc-en" else f"V-oc-en:{column}": value for column, value in cells.items()
        }
        for name, cells in wanted.items()
    }
    assert_cells("/benchmarks/ait2018/boards/V-oc.json", renamed)
    primary = {name: {"V-oc-en": cells["V-oc-en"]} for name, cells in wanted.items()}
    assert_cells("/benchmarks/ait2018.json", primary)
    assert_cells("/benchmarks/ait2018/boards/en.json", primary)


def test_gold_labels_that_lack_a_class_give_the_official_kappa(classes):
    """A prediction of a class that no gold label has counts in the correlation and drops out of kappa."""
    gold = classes / "gold_missing_top_class" / "2018-Valence-oc-En-gold.txt"
    load_gold_file("ait2018", "V-oc-en", gold)
    name = "edge_gold_missing_top_class"
    data = (classes / "predictions" / name / "V-oc_en_pred.txt").read_bytes()
    accepted(new_system(name), PHASE, data, "V-oc_en_pred.txt")
    close(PHASE)

    numbers = official_numbers(classes)[name]["valence"]
    wanted = {column: numbers[key] for column, key in CLASS_METRICS.items()}
    assert_cells("/benchmarks/ait2018/tasks/V-oc-en.json", {name: wanted})


CLASS = "Intensity Class"


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("edge_empty_label", ("empty_label", 5, CLASS)),
        ("edge_one_row_missing", ("missing_ids", None, "ID")),
    ],
)
def test_unacceptable_classes_are_refused_with_code_and_line(classes, system, name, problem):
    data = (classes / "predictions" / name / "V-oc_en_pred.txt").read_bytes()
    assert refusal(send(system, PHASE, data, "V-oc_en_pred.txt")) == problem


# Sets of emotions


def test_every_cell_of_the_emotions_board_has_the_official_number(subsets):
    numbers = official_numbers(subsets)
    for place, name in enumerate(SUBSET_SYSTEMS):
        data = (subsets / "predictions" / name / "E-C_en_pred.txt").read_bytes()
        take = accepted if place else accepted_in_browser
        take(new_system(name), PHASE, data, "E-C_en_pred.txt")
    close(PHASE)

    wanted = {
        name: {column: numbers[name]["all"][key] for column, key in SUBSET_METRICS.items()}
        for name in SUBSET_SYSTEMS
    }
    assert_cells("/benchmarks/ait2018/tasks/E-c-en.json", wanted)
    renamed = {
        name: {column if column == "E-c-en" else f"E-c-en:{column}": value for column, value in cells.items()}
        for name, cells in wanted.items()
    }
    assert_cells("/benchmarks/ait2018/boards/E-c.json", renamed)
    assert_cells(
        "/benchmarks/ait2018.json", {name: {"E-c-en": one["E-c-en"]} for name, one in wanted.items()}
    )


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("edge_12_columns", ("short_row", 6, None)),
        ("edge_value_2", ("not_zero_or_one", 6, "trust")),
    ],
)
def test_unacceptable_sets_are_refused_with_code_and_line(subsets, system, name, problem):
    data = (subsets / "predictions" / name / "E-C_en_pred.txt").read_bytes()
    assert refusal(send(system, PHASE, data, "E-C_en_pred.txt")) == problem
