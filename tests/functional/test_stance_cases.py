"""The stance benchmark over HTTP, from real files to the cells of the published boards, with the official numbers."""

import io
import re
from pathlib import Path

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
    published,
    refusal,
    row_of,
    send,
)
from tests.pages import text_of

pytestmark = [pytest.mark.thorough, pytest.mark.django_db, pytest.mark.cases]

PHASE = "stance/main"
SEEDS = 5
FULL = ("model_b", "majority_unrelated", "model_a")
FIRST_2000 = (
    "edge2000_all_agree", "edge2000_model_b", "edge2000_never_disagree", "edge2000_random",
)  # fmt: skip
NEWS_METRICS = {
    "fnc1": "f1_macro",
    "fnc1_relative": "relative_percent",
    "f1_micro": "f1_micro",
    "accuracy": "accuracy",
}
POINTS = "/benchmarks/stance/tasks/fnc1.json"
TWEETS_B = "semeval2016t6b"
TWEET_SYSTEMS = (
    "B_edge_UNKNOWN_label", "B_majority_AGAINST", "B_majority_NONE", "B_model_a.aligned", "B_never_FAVOR",
    "B_random", "B_model_b.aligned", "B_model_b.raw", "B_model_c.aligned",
    "B_model_c.raw",
)  # fmt: skip


@pytest.fixture
def stance(db: None, gold_keys: object) -> None:
    call_command("sync_benchmarks", stdout=io.StringIO())


# FNC-1


@pytest.fixture
def news(stance: None, cases: Path) -> Path:
    folder = cases / "fnc1"
    load_gold_file("stance", "fnc1", folder / "gold" / "competition_test_stances.csv")
    return folder


@pytest.fixture
def first_2000(stance: None, cases: Path) -> Path:
    folder = cases / "fnc1"
    load_gold_file("stance", "fnc1", folder / "gold" / "first2000.csv")
    return folder


@pytest.fixture
def challenge(news: Path) -> Path:
    """The real files of the Fake News Challenge, sent and published; that of Talos in the browser."""
    for name in FULL:
        take = accepted_in_browser if name == "model_a" else accepted
        data = (news / "predictions" / f"{name}.csv").read_bytes()
        take(new_system(name), PHASE, data, "fnc1.csv")
    close(PHASE)
    return news


def test_the_fake_news_challenge_has_the_official_numbers_in_every_cell(challenge, cases):
    numbers = official_numbers(challenge)
    wanted = {name: {column: numbers[name][key] for column, key in NEWS_METRICS.items()} for name in FULL}
    assert_cells(POINTS, wanted)
    paper = official_numbers(cases / "mdl_stance_metrics")["fnc1"]
    assert_cells("/benchmarks/stance.json", {name: {"fnc1": paper[name]["F1_macro"]} for name in FULL})
    board = published("/benchmarks/stance.json")
    for name in FULL:
        beside = row_of(board, name)["cells"]["fnc1"]["beside"]
        assert beside == pytest.approx(numbers[name]["relative_percent"], abs=1e-9)
        assert beside == pytest.approx(paper[name]["FNC-1"], abs=1e-9)


def test_the_points_of_the_fake_news_challenge_have_a_column(challenge):
    numbers = official_numbers(challenge)
    board = published(POINTS)
    assert [column["title"] for column in board["columns"]][:3] == [
        "Fake News Challenge", "FNC-1 score, relative (%)", "FNC-1 score",
    ]  # fmt: skip
    key = board["columns"][2]["key"]
    assert_cells(POINTS, {name: {key: numbers[name]["official_score"]} for name in FULL})


def cells_of(page: str, system: str) -> str:
    """The HTML of one row's cells, without its mark-up."""
    row = next(row for row in page.split("<tr") if f">{system}<" in row)
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", row))


PUBLISHED_SCORES = {"model_a": (".578", "82.02"), "model_b": (".600", "81.97")}
"""What was published of the two best teams of the challenge, whose files ../shared/cases has."""


@pytest.mark.parametrize("system", PUBLISHED_SCORES)
def test_boards_show_the_official_scores_to_the_published_digits(challenge, request, system):
    numbers = official_numbers(challenge)[system]
    f1, relative = f"{numbers['f1_macro']:.3f}".removeprefix("0"), f"{numbers['relative_percent']:.2f}"
    if "published" in request.node.callspec.id:
        assert (f1, relative) == PUBLISHED_SCORES[system]

    overall = cells_of(text_of(Client().get("/benchmarks/stance/?view=columns")), system)
    assert f" {f1} ({relative}) " in overall
    task = cells_of(text_of(Client().get("/benchmarks/stance/tasks/fnc1/?view=columns")), system)
    assert f" {relative} " in task


def test_a_single_upload_is_one_seed_of_five_and_unranked(challenge):
    row = row_of(published(POINTS), "model_a")
    assert (row["rank"], row["cells"]["fnc1"]["seeds"], row["cells"]["fnc1"]["seeds_wanted"]) == (
        None,
        1,
        SEEDS,
    )


def test_files_for_the_first_2000_rows_have_the_official_numbers(first_2000):
    numbers = official_numbers(first_2000)
    for name in (*FIRST_2000, "edge2000_shuffled_rows"):
        data = (first_2000 / "predictions" / f"{name}.csv").read_bytes()
        accepted(new_system(name), PHASE, data, "fnc1.csv")
    close(PHASE)

    wanted = {
        name: {column: numbers[name][key] for column, key in NEWS_METRICS.items()} for name in FIRST_2000
    }
    assert_cells(POINTS, wanted | {"edge2000_shuffled_rows": wanted["edge2000_model_b"]})


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("edge2000_extra_200_rows", ("unknown_id", 2002, "Headline")),
        ("edge2000_label_uppercase", ("label_case", 7, "Stance")),
    ],
)
def test_unacceptable_news_files_are_refused_with_code_and_line(first_2000, system, name, problem):
    data = (first_2000 / "predictions" / f"{name}.csv").read_bytes()
    assert refusal(send(system, PHASE, data, "fnc1.csv")) == problem


# Perspectrum, of which a pair stands in the test set twice


def test_perspectrum_has_the_papers_metrics_in_every_cell(stance, cases):
    folder = cases / "mdl_stance_metrics"
    load_gold_file("stance", "perspectrum", folder / "gold" / "perspectrum_test.csv")
    numbers = official_numbers(folder)["perspectrum"]
    for place, name in enumerate(numbers):
        take = accepted if place else accepted_in_browser
        data = (folder / "predictions" / f"perspectrum.{name}.csv").read_bytes()
        take(new_system(name), PHASE, data, "perspectrum.csv")
    close(PHASE)

    wanted = {
        name: {"perspectrum": one["F1_macro"], "f1_micro": one["F1_micro"], "accuracy": one["ACC"]}
        for name, one in numbers.items()
    }
    assert_cells("/benchmarks/stance/tasks/perspectrum.json", wanted)
    board = published("/benchmarks/stance.json")
    for name, one in numbers.items():
        cell = row_of(board, name)["cells"]["perspectrum"]
        assert cell["value"] == pytest.approx(one["F1_macro"], abs=1e-9)
        assert cell["beside"] == pytest.approx(one["F1_micro"], abs=1e-9)


# SemEval-2016 Task 6 B


@pytest.fixture
def tweets(stance: None, cases: Path) -> Path:
    folder = cases / "semeval2016t6"
    load_gold_file("stance", TWEETS_B, folder / "gold" / "SemEval2016-Task6-subtaskB-testdata-gold.txt")
    return folder


def test_every_cell_of_the_tweets_about_trump_has_the_official_number(tweets):
    numbers = official_numbers(tweets)
    for place, name in enumerate(TWEET_SYSTEMS):
        take = accepted if place else accepted_in_browser
        data = (tweets / "predictions" / f"{name}.txt").read_bytes()
        take(new_system(name), PHASE, data, f"{TWEETS_B}.txt")
    close(PHASE)

    wanted = {
        name: {TWEETS_B: numbers[name]["macro_f_favor_against"]}
        | {
            f"{measure}_{label}": numbers[name][label][measure]
            for label in ("FAVOR", "AGAINST")
            for measure in ("f1", "precision", "recall")
        }
        for name in TWEET_SYSTEMS
    }
    assert_cells(f"/benchmarks/stance/tasks/{TWEETS_B}.json", wanted)


def test_rows_are_matched_by_id_where_the_official_scorer_goes_by_position(tweets, system):
    data = (tweets / "predictions" / "B_edge_shuffled_perfect_rows.txt").read_bytes()
    accepted(system, PHASE, data, f"{TWEETS_B}.txt")
    close(PHASE)
    assert_cells(f"/benchmarks/stance/tasks/{TWEETS_B}.json", {"Larch": {TWEETS_B: 1.0}})


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("B_edge_lowercase_label", ("label_case", 5, "Stance")),
        ("B_model_a.raw", ("long_row", 2, None)),
    ],
)
def test_unacceptable_tweet_files_are_refused_with_code_and_line(tweets, system, name, problem):
    data = (tweets / "predictions" / f"{name}.txt").read_bytes()
    assert refusal(send(system, PHASE, data, f"{TWEETS_B}.txt")) == problem


def test_a_task_without_gold_labels_is_told_apart_from_a_bad_file(tweets, system):
    answer = send(system, PHASE, b"id,label\n1,agree\n", "snopes.csv")
    assert refusal(answer) == ("unknown_task", None, None)
    assert "has not loaded the ids of snopes yet" in answer.json()["problems"][0]["message"]


def test_the_shipped_stance_board_shows_ten_data_sets_and_task_b_apart(challenge):
    """Task B of SemEval-2016 is no part of the mean, and `UNKNOWN` is no label that a tweet can have."""
    columns = published("/benchmarks/stance.json")["columns"]
    groups = {column["key"]: column.get("group", "") for column in columns}
    assert [key for key, group in groups.items() if group == "In no mean"] == ["semeval2016t6b"]
    assert len([key for key, group in groups.items() if not group]) == 11
    page = text_of(Client().get("/benchmarks/stance/tasks/semeval2016t6/"))
    assert "Each answer is one of 3 labels (UNKNOWN may be given too and is never right)." in page
    assert "<li><code>UNKNOWN</code></li>" not in page


def test_published_figures_of_stance_stand_on_boards_with_what_the_text_says(challenge):
    assert_cells("/benchmarks/stance.json", {"Majority class": {"semeval2016t6b": 0.2972}})
    assert_cells(POINTS, {"SOLAT in the SWEN": {"fnc1_relative": 82.02}, "Athene": {"fnc1_relative": 81.97}})
    note = "Reproduced from the published files: Final scores of the Fake News Challenge (2 figures, to within 0.005)."
    assert note in published(POINTS)["note"]
    tracks = published("/benchmarks/stance/boards/tracks.json")["note"]
    assert "falls to 1.5 points where both see 10 % of the training data" in tracks
