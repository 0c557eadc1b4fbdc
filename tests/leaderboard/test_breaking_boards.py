"""Boards of builders, breakers and both against each other, on data computed by hand (`tests/pairs.py`)."""

import re
from typing import Any

import pytest

from benchmarks.models import Phase
from benchmarks.spec.protocol import boards_anyway
from leaderboard.models import Page, Release
from leaderboard.serving.published_scores import published_scores
from scoring.models import GoldVersion, Score
from submissions.models import System
from tests.conftest import NOW, synced, the_system, the_team
from tests.pairs import BASE, FIR, LARCH, OAK, YEW, load_twins, submit_answers
from tests.published import systems_published
from tests.weeks import CUT_OFF, WEEK, board, row_of, run_batch, systems_on

SHARE = "mood:pairs_broken_share"
SCORE = "mood:breaker_score"


@pytest.fixture
def twins(sync: Any, gold_keys: Any) -> Phase:
    return load_twins(sync)


@pytest.fixture
def released(answered: None) -> Phase:
    return Phase.objects.get()


@pytest.fixture(scope="module")
def answered(stage: None) -> None:
    twins, team, system = load_twins(synced), the_team(), the_system()
    kinds = {"Base": System.Kind.BASELINE}
    others = {
        name: System.objects.create(
            team=team, name=name, kind=kinds.get(name, System.Kind.SYSTEM), created_at=NOW
        )
        for name in ("Fir", "Yew", "Oak", "Base")
    }
    submit_answers(system, twins, LARCH)
    for name, answers in (("Fir", FIR), ("Yew", YEW), ("Oak", OAK), ("Base", BASE)):
        submit_answers(others[name], twins, answers)
    run_batch(CUT_OFF)


def found(key: str) -> dict[str, Any]:
    return board(f"/benchmarks/twins/boards/{key}-mood.json")


def page_of(path: str) -> str:
    return bytes(Page.objects.get(pk=path).body).decode()


def values(key: str, row: str) -> dict[str, float | None]:
    return {column: cell["value"] for column, cell in row_of(found(key), row)["cells"].items()}


def test_a_release_has_the_boards_that_pairs_bring(released):
    """A definition may not give these ids to boards of its own."""
    anyway = boards_anyway([], [], ["mood"])
    assert anyway == ["overall", "builders-mood", "breakers-mood", "matrix-mood"]
    assert set(Release.objects.get().boards) == {*anyway, "mood"}


# What a run stores


def test_a_run_stores_what_becomes_of_its_pairs(released):
    scores = Score.objects.filter(run__submission__system__name="Larch", metric__startswith="pairs_")
    found = {(one.run.split.slug, one.metric): one.value for one in scores}
    assert found == {
        ("one", "pairs_both"): 1,
        ("one", "pairs_broken"): 1,
        ("one", "pairs_none"): 0,
        ("one", "pairs_broken_share"): 0.5,
        ("two", "pairs_both"): 1,
        ("two", "pairs_broken"): 2,
        ("two", "pairs_none"): 1,
        ("two", "pairs_broken_share"): 0.5,
    }


# Builders


def test_a_builder_has_the_mean_over_the_sets_and_the_share_of_all_pairs(released):
    wanted = {"Larch": (0.625, 3 / 6), "Fir": (0.75, 2 / 6), "Yew": (0.9375, 1 / 6), "Base": (0.5, 1.0)}
    for name, (mean, share) in wanted.items():
        own = values("builders", name)
        assert [own["mood"], own[SHARE]] == pytest.approx([mean, share]), name


def test_a_builder_has_score_and_share_per_breaker(released):
    cells = row_of(found("builders"), "Larch")["cells"]
    assert [(cells[one]["value"], cells[one]["beside"]) for one in ("mood@one", "mood@two")] == [
        (0.75, 0.5),
        (0.5, 0.5),
    ]


def test_builders_are_ranked_by_their_mean_and_published_rows_stand_between(released):
    assert systems_on(found("builders")) == ["Yew", "Fir", "Larch", "Oak"]
    assert [row["system"] for row in found("builders")["rows"]] == [
        "Yew", "Fir", "Elder", "Larch", "Base", "Oak",
    ]  # fmt: skip
    assert [row["rank"] for row in found("builders")["rows"]] == [1, 2, None, 3, None, None]


def test_a_system_that_left_out_a_set_has_no_mean_anywhere(released):
    for path in ("/benchmarks/twins.json", "/benchmarks/twins/tasks/mood.json"):
        row = row_of(board(path), "Oak")
        assert (row["cells"]["mood"]["undefined"], row["rank"]) == ("missing_set", None), path
    assert values("builders", "Oak") == {"mood": None, SHARE: None, "mood@one": 0.5, "mood@two": None}


def test_overall_and_task_boards_show_the_mean_of_the_sets(released):
    for path in ("/benchmarks/twins.json", "/benchmarks/twins/tasks/mood.json"):
        assert systems_on(board(path)) == ["Yew", "Fir", "Larch", "Oak"], path
        assert row_of(board(path), "Larch")["cells"]["mood"]["value"] == pytest.approx(0.625), path


def test_secondary_metrics_are_means_of_the_sets_too(released):
    """F1 of n right among m, all of them pro, is 2n / (n + m)."""
    cell = row_of(board("/benchmarks/twins/tasks/mood.json"), "Larch")["cells"]["f1_pro"]
    assert cell["value"] == pytest.approx((6 / 7 + 8 / 12) / 2)


def test_development_data_alone_give_a_system_no_score(twins, system):
    submit_answers(system, twins, {"dev": 4})
    run_batch(CUT_OFF)
    cell = row_of(board("/benchmarks/twins.json"), "Larch")["cells"]["mood"]
    assert (cell["value"], cell["undefined"]) == (None, "not_submitted")
    assert systems_on(found("builders")) == []


def test_sets_may_come_one_by_one_and_a_mean_of_several_submissions_names_none(twins, system):
    submit_answers(system, twins, {"one": LARCH["one"]})
    second = submit_answers(system, twins, {"two": LARCH["two"]}, received_at=NOW + WEEK / 168)
    run_batch(CUT_OFF)
    cells = row_of(found("builders"), "Larch")["cells"]
    assert (cells["mood"]["value"], cells["mood"]["submission"]) == (0.625, None)
    assert cells["mood@two"]["submission"] == str(second.pk)


# Breakers


def test_a_breaker_earns_the_mean_of_accuracy_times_share(released):
    """Larch and Fir count: (3/4 · 1/2 + 1/4 · 1) / 2 and (3/4 · 1/2 + 1/4 · 0) / 2."""
    assert values("breakers", "Set one")[SCORE] == pytest.approx(0.3125)
    assert values("breakers", "Set two")[SCORE] == pytest.approx(0.1875)


def test_the_plain_share_of_a_breaker_is_over_all_systems_with_the_set(released):
    assert values("breakers", "Set one")[SHARE] == pytest.approx((0.5 + 1 + 0 + 0) / 4)
    assert values("breakers", "Set two")[SHARE] == pytest.approx((0.5 + 0 + 0.25) / 3)


def test_breakers_stand_by_their_score_without_ranks_beside_published_ones(released):
    rows = found("breakers")["rows"]
    assert [(row["system"], row["kind"], row["rank"]) for row in rows] == [
        ("Set one", "breaker", None),
        ("Breakers of old", "reported", None),
        ("Set two", "breaker", None),
    ]


def test_the_page_says_which_systems_take_no_part_and_why(released):
    page = page_of("/benchmarks/twins/boards/breakers-mood/")
    assert "Not counted, for want of predictions for some of the sets: Oak." in page
    assert "Not counted, for want of predictions for the development data: Yew." in page
    assert re.search(r'<th scope="col" class="name"[^>]*>Breaker\b', page)


def test_without_development_data_breakers_have_no_score(twins, system):
    submit_answers(system, twins, YEW)
    run_batch(CUT_OFF)
    cell = row_of(found("breakers"), "Set two")["cells"]
    assert (cell[SCORE]["undefined"], cell[SHARE]["value"]) == ("no_system", 0.25)


# The matrix


def test_the_matrix_has_the_share_of_pairs_broken_in_every_cell(released):
    wanted = {
        "Larch": (3 / 6, 0.5, 0.5),
        "Fir": (2 / 6, 1.0, 0.0),
        "Yew": (1 / 6, 0.0, 0.25),
        "Oak": (None, 0.0, None),
        "Base": (1.0, 1.0, 1.0),
    }
    for name, shares in wanted.items():
        own = values("matrix", name)
        columns = (SHARE, "mood@one:pairs_broken_share", "mood@two:pairs_broken_share")
        assert tuple(own[one] for one in columns) == pytest.approx(shares), name


def test_the_matrix_ranks_who_is_broken_least_first(released):
    assert systems_on(found("matrix")) == ["Yew", "Fir", "Larch", "Oak"]


def test_cells_of_the_matrix_are_shaded_by_class_and_carry_their_number(released):
    page = page_of("/benchmarks/twins/boards/matrix-mood/")
    (row,) = re.findall(r"<tr[^>]*><td[^>]*>(?:(?!</tr>).)*>Yew<(?:(?!</tr>).)*</tr>", page, re.S)
    cells = re.findall(r'<td class="([^"]*)"[^>]*><span>(?:<a [^>]*>)?([^<]*)<', row)
    shades = [(re.search(r"heat-\d", css), text) for css, text in cells]
    assert [(shade and shade[0], text) for shade, text in shades][-3:] == [
        ("heat-0", ".167"), ("heat-0", ".000"), ("heat-1", ".250"),
    ]  # fmt: skip
    assert "style=" not in page


# Elsewhere


def test_the_page_of_a_system_shows_the_mean_and_its_published_scores_each_set(released, system):
    assert ".625" in systems_published()[f"/systems/{system.pk}/"].decode()
    scores = {one.split: one.value for one in published_scores(system.submissions.get())}
    assert scores == {"dev": 0.75, "one": 0.75, "two": 0.5}


@pytest.mark.parametrize("key", ["builders", "breakers", "matrix"])
@pytest.mark.parametrize("ending", ["csv", "tex"])
def test_every_board_of_pairs_is_exported(released, key, ending):
    assert page_of(f"/benchmarks/twins/boards/{key}-mood.{ending}")


def test_the_page_of_the_task_names_the_file_and_the_commitment_of_every_set(released):
    page = page_of("/benchmarks/twins/tasks/mood/")
    for path, title, split in (
        ("dev.csv", "Development data", "dev"),
        ("set_one.csv", "Set one", "one"),
        ("set_two.csv", "Set two", "two"),
    ):
        assert f"<code>{path}</code> ({title})" in page
        commitment = GoldVersion.objects.get(split__slug=split).commitment
        assert re.search(rf"<dt>Gold labels, {title}</dt>\s*<dd>version 1.*{commitment}", page)
    assert "alone as" not in page


def test_what_breakers_earn_has_an_interval(released):
    earned = [cell for row in found("breakers")["rows"] for cell in row["cells"].values() if cell["value"]]

    assert any(cell["ci_low"] is not None for cell in earned)
    for cell in earned:
        if cell["ci_low"] is not None:
            assert cell["ci_low"] < cell["value"] < cell["ci_high"]


@pytest.mark.parametrize("key", ["builders", "matrix"])
def test_ranks_on_boards_of_pairs_say_what_chance_leaves_open(released, key):
    shown = found(key)

    ranges = [(row["rank_low"], row["rank"], row["rank_high"]) for row in shown["rows"] if row["rank"]]

    assert shown["chance"]["replicates"] == 1000
    assert all(low <= rank <= high for low, rank, high in ranges)
