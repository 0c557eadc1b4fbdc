"""Build It Break It: which files of sets and of builders are taken, which are refused, and what repeated items do."""

from pathlib import Path

import pytest
from django.core.management import CommandError
from django.test import Client

from accounts.models import User
from breaking.models import Contest
from submissions.models import System
from tests.builders import (
    BOARDS,
    BREAK,
    BREAKERS,
    BUILD,
    REPEATED,
    SCORE,
    accuracy_of,
    builder_file,
    command,
    decide_as_the_script,
    import_set,
    import_sets,
    name_of,
    new_builders,
    numbers,
    open_building,
    set_file,
    split_of,
    upload_of,
)
from tests.official import accepted, assert_cells, close, new_system, published, refusal, row_of, send
from tests.pages import text_of

pytestmark = [pytest.mark.thorough, pytest.mark.django_db, pytest.mark.cases]


@pytest.fixture(scope="module")
def building(stage: None, tmp_path_factory: pytest.TempPathFactory) -> None:
    open_building(tmp_path_factory.mktemp("gold"))


@pytest.fixture
def builders(building: None) -> dict[int, System]:
    return new_builders()


@pytest.fixture
def imported(building: None, cases: Path) -> None:
    import_sets(cases)


@pytest.fixture
def scoring(imported: None, staff: User) -> None:
    decide_as_the_script(staff)


def test_a_builder_without_development_labels_takes_no_part_in_the_scores_of_breakers(
    builders, scoring, cases
):
    late = new_system("Latecomer")
    for system in (builders[1], builders[2], late):
        builder = 3 if system is late else {builders[1].pk: 1, builders[2].pk: 2}[system.pk]
        accepted(system, SCORE, upload_of(cases, builder), "pairs.zip")
    close(SCORE)
    rates = numbers(cases)["_breaker_rates"]
    board = published(f"{BOARDS}/breakers-sentiment.json")
    for j in BREAKERS:
        rate = {i: rates[f"T{j}"][f"B{i}"]["exactly_one_correct_rate"] for i in (1, 2)}
        score = row_of(board, f"Breaker team {j}")["cells"]["sentiment:breaker_score"]["value"]
        assert score == pytest.approx((accuracy_of(1) * rate[1] + accuracy_of(2) * rate[2]) / 2, abs=1e-9)
    page = text_of(Client().get(f"{BOARDS}/breakers-sentiment/"))
    assert "Not counted, for want of predictions for the development data: Latecomer" in page


# What the files of 2017 repeat


@pytest.mark.parametrize(("breaker", "line", "first"), [(3, 98, 36), (4, 8, 6)])
def test_a_set_that_repeats_pairs_is_refused_with_both_lines(building, cases, breaker, line, first):
    path = set_file(cases, breaker)
    with pytest.raises(CommandError) as refused:
        import_set(path, breaker)
    assert f"{path.name}, line {line}, column sentence_id: The id stands on line {first} already" in str(
        refused.value
    )


@pytest.mark.parametrize("breaker", REPEATED)
def test_items_that_a_set_repeats_come_up_as_contested_ones(building, cases, breaker):
    said = import_set(set_file(cases, breaker), breaker, "--contest-repeats")
    assert f"Items in several rows, which wait for an organiser's decision: {len(REPEATED[breaker])}" in said
    contests = Contest.objects.open()
    assert {contest.item for contest in contests} == REPEATED[breaker]
    assert all(contest.reason.startswith("Lines ") for contest in contests)


def test_until_they_are_decided_the_first_line_counts(builders, imported, cases):
    """Of 645_b and 587_b the two lines differ, so the numbers of the third and fourth breaker do."""
    close(BREAK)
    accepted(builders[1], SCORE, upload_of(cases, 1), "pairs.zip")
    close(SCORE)
    row = row_of(published(f"{BOARDS}/builders-sentiment.json"), name_of(1))
    official = {j: numbers(cases)[f"B1_vs_T{j}"]["weighted"]["f1"] for j in BREAKERS}
    found = {j: row["cells"][f"sentiment@{split_of(j)}"]["value"] for j in BREAKERS}
    assert [j for j in BREAKERS if abs(found[j] - official[j]) > 1e-9] == [3, 4]


@pytest.mark.parametrize("breaker", REPEATED)
def test_a_builder_file_that_repeats_items_is_refused_with_their_line(scoring, cases, system, breaker):
    path = builder_file(cases, 1, breaker)
    code, line, column = refusal(send(system, SCORE, path.read_bytes(), path.name))
    assert (code, line, column) == ("duplicate_id", {3: 98, 4: 8}[breaker], "sentence_id")


@pytest.mark.parametrize("breaker", REPEATED)
def test_gold_labels_that_repeat_pairs_are_refused_with_their_line(imported, cases, breaker):
    path = set_file(cases, breaker)
    with pytest.raises(CommandError, match=rf"{path.name}, line {({3: 98, 4: 8})[breaker]}: "):
        command("load_gold", "bibi", "sentiment", str(path), "--split", split_of(breaker))


@pytest.mark.parametrize(
    ("builder", "code"), [(4, "header_names"), (5, "header_names"), (7, "header_missing")]
)
def test_files_as_they_were_sent_in_2017_without_header_are_refused(scoring, cases, system, builder, code):
    path = builder_file(cases, builder, 1)
    assert refusal(send(system, SCORE, path.read_bytes(), path.name))[:2] == (code, 1)


def test_a_file_as_it_was_sent_in_2017_is_taken_by_its_name(scoring, cases, system):
    path = builder_file(cases, 2, 1)
    accepted(system, SCORE, path.read_bytes(), path.name)
    close(SCORE)
    official = numbers(cases)["B2_vs_T1"]
    wanted = {"Larch": {f"sentiment@{split_of(1)}": official["weighted"]["f1"]}}
    assert_cells(f"{BOARDS}/builders-sentiment.json", wanted)


# QA-SRL

QASRL_GOLD = (
    "id,sentence,predicate,question,answer\n"
    "1_a,UCD won by beating Vincents,beating,Who beat someone?,UCD\n"
    "1_b,UCD won when they beat Vincents,beat,Who beat someone?,UCD\n"
    "2_a,A tall man saw it,saw,Who saw something?,A tall man\n"
    "2_b,A very tall man saw it,saw,Who saw something?,A very tall man\n"
)


def test_spans_are_right_or_wrong_in_pairs_and_half_right_in_tokens(building, system, tmp_path):
    """Token F1 of three of four tokens, all predicted ones right: 2 · 3 / 7."""
    path = tmp_path / "pairs.csv"
    path.write_text(QASRL_GOLD, "utf-8")
    close(BUILD)
    command("import_pairs", "bibi", "qasrl", str(path), "--breaker", "East")
    close(BREAK)
    data = b"id,answer\n1_a,UCD\n1_b,they\n2_b,A tall man\n2_a,A  tall man\n"
    accepted(system, SCORE, data, "qasrl_east.csv")
    close(SCORE)
    wanted = {"qasrl": 0.5, "token_f1": (1 + 0 + 1 + 6 / 7) / 4}
    assert_cells("/benchmarks/bibi/tasks/qasrl.json", {"Larch": wanted})
    shares = {"qasrl:pairs_broken_share": 1.0, "qasrl@east:pairs_broken_share": 1.0}
    assert_cells(f"{BOARDS}/matrix-qasrl.json", {"Larch": shares})


def test_gold_labels_of_a_set_that_does_not_exist_are_refused(building, tmp_path):
    with pytest.raises(CommandError, match=r"no split “test”.*--split: dev"):
        command("load_gold", "bibi", "sentiment", str(tmp_path / "any.tsv"))
