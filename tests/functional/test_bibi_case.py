"""Build It Break It over HTTP, from files to the cells of the published boards, with the official numbers."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.test import Client

from benchmarks.spec.loader import load_definition
from submissions.models import System
from tests.builders import (
    BOARDS,
    BREAKERS,
    BUILDERS,
    SCORE,
    SHARE,
    accuracy_of,
    decide_as_the_script,
    import_sets,
    name_of,
    new_builders,
    numbers,
    open_building,
    split_of,
    upload_of,
)
from tests.conftest import person
from tests.official import accepted, assert_cells, close, published, row_of
from tests.pages import text_of
from tests.stage import taken_back

pytestmark = [pytest.mark.thorough, pytest.mark.django_db, pytest.mark.cases]


@pytest.fixture(scope="module")
def released(
    stage: None, cases: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[dict[int, System]]:
    """All seven builders have answered all sets, which are scored and published."""
    with taken_back():
        open_building(tmp_path_factory.mktemp("gold"))
        builders = new_builders()
        import_sets(cases)
        decide_as_the_script(person("decider"))
        for builder, system in builders.items():
            accepted(system, SCORE, upload_of(cases, builder), "pairs.zip")
        close(SCORE)
        yield builders


def test_every_cell_of_seven_builders_and_four_breakers_has_the_official_number(released, cases):
    official = numbers(cases)
    pairs = {(i, j): official[f"B{i}_vs_T{j}"] for i in BUILDERS for j in BREAKERS}
    pooled = official["_builder_pooled"]
    share = {i: one["exactly_one_correct"] / one["pairs"] for i in BUILDERS for one in [pooled[f"B{i}"]]}
    broken = {key: one["pairs_exactly_one_correct"] / one["pairs"] for key, one in pairs.items()}
    mean = {i: pooled[f"B{i}"]["mean_weighted_f1_over_breakers"] for i in BUILDERS}
    f1 = {(i, j): one["weighted"]["f1"] for (i, j), one in pairs.items()}

    own = {
        i: {"sentiment": mean[i], SHARE: share[i]} | {f"sentiment@{split_of(j)}": f1[i, j] for j in BREAKERS}
        for i in BUILDERS
    }
    assert_cells(f"{BOARDS}/builders-sentiment.json", {name_of(i): own[i] for i in BUILDERS})
    shares = {
        i: {SHARE: share[i]} | {f"sentiment@{split_of(j)}:pairs_broken_share": broken[i, j] for j in BREAKERS}
        for i in BUILDERS
    }
    assert_cells(f"{BOARDS}/matrix-sentiment.json", {name_of(i): shares[i] for i in BUILDERS})
    board = published(f"{BOARDS}/builders-sentiment.json")
    for i, j in pairs:
        beside = row_of(board, name_of(i))["cells"][f"sentiment@{split_of(j)}"]["beside"]
        assert beside == pytest.approx(broken[i, j], abs=1e-9)


def test_task_and_overall_board_have_the_means_of_the_official_numbers(released, cases):
    official = numbers(cases)
    f1 = {i: official["_builder_pooled"][f"B{i}"]["mean_weighted_f1_over_breakers"] for i in BUILDERS}
    accuracy = {i: official["_builder_pooled"][f"B{i}"]["mean_accuracy"] for i in BUILDERS}
    macro = {
        i: sum(official[f"B{i}_vs_T{j}"]["macro_over_present_labels"]["f1"] for j in BREAKERS) / 4
        for i in BUILDERS
    }
    wanted = {i: {"sentiment": f1[i], "accuracy": accuracy[i], "f1_macro": macro[i]} for i in BUILDERS}
    assert_cells("/benchmarks/bibi/tasks/sentiment.json", {name_of(i): wanted[i] for i in BUILDERS})
    overall = {i: {"sentiment": f1[i], "sentiment@dev:accuracy": accuracy_of(i)} for i in BUILDERS}
    assert_cells("/benchmarks/bibi.json", {name_of(i): overall[i] for i in BUILDERS})


def test_a_breaker_has_the_official_rates_times_the_accuracy_on_the_development_data(released, cases):
    rates = numbers(cases)["_breaker_rates"]
    board = published(f"{BOARDS}/breakers-sentiment.json")
    for j in BREAKERS:
        rate = {i: rates[f"T{j}"][f"B{i}"]["exactly_one_correct_rate"] for i in BUILDERS}
        cells = row_of(board, f"Breaker team {j}")["cells"]
        assert cells[SHARE]["value"] == pytest.approx(sum(rate.values()) / len(BUILDERS), abs=1e-9)
        score = sum(accuracy_of(i) * rate[i] for i in BUILDERS) / len(BUILDERS)
        assert cells["sentiment:breaker_score"]["value"] == pytest.approx(score, abs=1e-9)


BIBI = load_definition(Path("benchmarks/definitions/bibi.yaml").read_text("utf-8"), "bibi.yaml")
FIGURES = [figure for reproduction in BIBI.reproductions for figure in reproduction.figures]


@pytest.mark.parametrize("figure", FIGURES, ids=lambda figure: f"{figure.system} {figure.column}")
def test_a_published_system_has_the_figures_of_its_own_files(released, cases, request, figure):
    """What the definition says of the files of 2017 is what they score here."""
    if "published" not in request.node.callspec.id:
        pytest.skip(
            "The files of 2017 are not in this case: what they score is taken as the definition says."
        )
    builder = int(figure.predictions.rpartition("_")[2])
    scored = row_of(published(f"{BOARDS}/builders-sentiment.json"), name_of(builder))
    assert scored["cells"][figure.column]["value"] == pytest.approx(figure.ours, abs=1e-6)


def test_boards_say_which_published_figures_come_out_here_and_on_what_scale(released):
    builders = text_of(Client().get(f"{BOARDS}/builders-sentiment/"))
    for sentence in [reproduction.sentence for reproduction in BIBI.reproductions]:
        assert sentence in builders
    task = text_of(Client().get("/benchmarks/bibi/tasks/sentiment/"))
    assert "Not reproduced from the published files: Table 1, average F1" in task
    assert "Reproduced from" not in text_of(Client().get(f"{BOARDS}/breakers-sentiment/"))


def test_published_rows_stand_on_the_boards_of_builders_and_breakers(released):
    assert_cells(f"{BOARDS}/builders-sentiment.json", {"Strawman": {"sentiment": 0.528, SHARE: 0.5086}})
    assert_cells(f"{BOARDS}/breakers-sentiment.json", {"Utrecht": {"sentiment:breaker_score": 0.6234}})
    page = text_of(Client().get(f"{BOARDS}/breakers-sentiment/"))
    assert "31.17 % over items = 62.3 % over pairs" in page


def test_published_systems_without_a_cell_of_any_breaker_are_not_on_the_matrix(released):
    kinds = {row["kind"] for row in published(f"{BOARDS}/matrix-sentiment.json")["rows"]}
    assert kinds == {"system"}


def test_the_shades_of_the_matrix_tell_its_cells_apart(released):
    page = text_of(Client().get(f"{BOARDS}/matrix-sentiment/"))
    shades = re.findall(r'<td class="[^"]*(heat-\d)', page)
    assert len(shades) == len(BUILDERS) * (len(BREAKERS) + 1)
    assert len(set(shades)) >= 3
