"""Build It Break It over HTTP, from real files to the cells of the published boards, with the official numbers.

The builders' labels for the development data of 2017 are not known: here are eight made-up items, of which builder 1
gets seven right, builder 2 six, and so on.
"""

from __future__ import annotations

import io
import re
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from accounts.models import User
from accounts.server.clock import database_now
from breaking.contests.decisions import decide
from breaking.models import Contest
from leaderboard.board.model.number_format import score
from submissions.models import System
from tests.official import (
    accepted,
    accepted_in_browser,
    assert_cells,
    close,
    new_system,
    official_numbers,
    published,
    refusal,
    row_of,
    send,
)
from tests.pages import text_of
from tests.uploads import zip_of

pytestmark = [pytest.mark.django_db, pytest.mark.cases]

BUILD, BREAK, SCORE = "bibi/build", "bibi/break", "bibi/score"
BUILDERS = range(1, 8)
BREAKERS = range(1, 5)
BOARDS = "/benchmarks/bibi/boards"
SHARE = "sentiment:pairs_broken_share"
DEV_ITEMS = 8
DEV = "sentence_id\tsentence\tsentiment_label\n" + "".join(
    f"d{at}\t-\t{1 - at % 2 * 2}\n" for at in range(DEV_ITEMS)
)
# Items that a file of 2017 gives twice, by breaker.
REPEATED = {3: {"645_a", "645_b"}, 4: {"52_a", "52_b", "587_a", "587_b", "766_a", "766_b"}}


def name_of(builder: int) -> str:
    return f"Builder {builder}"


def split_of(breaker: int) -> str:
    """What the set of a breaker is called in columns."""
    return f"breaker-team-{breaker}"


def accuracy_of(builder: int) -> float:
    """That of the development data."""
    return (DEV_ITEMS - builder) / DEV_ITEMS


def command(name: str, *arguments: str, **options: Any) -> str:
    """What the organiser reads on the command line."""
    said = io.StringIO()
    call_command(name, *arguments, **options, stdout=said, stderr=said)
    return said.getvalue()


def set_file(cases: Path, breaker: int) -> Path:
    return cases / "bibi2017_sentiment" / "gold" / f"Team{breaker}_breaker_test.tsv"


def import_set(path: Path, breaker: int, *more: str) -> str:
    """As the organiser does on the command line."""
    names = ("--breaker", f"Breaker team {breaker}", "--predictions", f"Team{breaker}_breaker_*")
    return command("import_pairs", "bibi", "sentiment", str(path), *names, *more)


def last_of_each_id(rows: list[str]) -> list[str]:
    """What the official script makes of ids that stand there twice."""
    return list({row.split("\t")[0]: row for row in rows}.values())


def builder_file(cases: Path, builder: int, breaker: int) -> Path:
    folder = cases / "bibi2017_sentiment" / "predictions" / f"Builder_Team_{builder}"
    (path,) = folder.glob(f"Team{breaker}_*")
    return path


def repaired_predictions(path: Path) -> str:
    """A builder's file in the form the task asks for: some left out the header or the tabs, all repeat what repeats."""
    rows = ["\t".join(line.split()) for line in path.read_text("utf-8").splitlines()]
    rows = [row for row in rows if "sentence_id" not in row]
    return "\n".join(["sentence_id\tsentence\tlabel", *last_of_each_id(rows)]) + "\n"


def upload_of(cases: Path, builder: int) -> bytes:
    files = (builder_file(cases, builder, breaker) for breaker in BREAKERS)
    return zip_of({path.name: repaired_predictions(path) for path in files})


def dev_file_of(builder: int) -> bytes:
    """The development data with as many wrong labels as the builder's number."""
    header, *rows = DEV.splitlines()
    wrong = [row.rpartition("\t")[0] + "\t0" for row in rows[:builder]]
    return "\n".join([header.replace("sentiment_label", "label"), *wrong, *rows[builder:], ""]).encode()


def numbers(cases: Path) -> dict[str, Any]:
    return official_numbers(cases / "bibi2017_sentiment")


@pytest.fixture(scope="module")
def building(stage: None, tmp_path_factory: pytest.TempPathFactory) -> None:
    """The benchmark in its first phase."""
    command("sync_benchmarks")
    path = tmp_path_factory.mktemp("gold") / "sentiment_dev.tsv"
    path.write_text(DEV, "utf-8")
    command("load_gold", "bibi", "sentiment", str(path), "--split", "dev")


@pytest.fixture
def builders(building: None) -> dict[int, System]:
    """All seven builders, with their labels for the development data; the first hands in in the browser."""
    systems = {builder: new_system(name_of(builder)) for builder in BUILDERS}
    for builder, system in systems.items():
        take = accepted_in_browser if builder == 1 else accepted
        take(system, BUILD, dev_file_of(builder), "sentiment_dev.tsv")
    return systems


@pytest.fixture
def imported(building: None, cases: Path) -> None:
    """The four sets of 2017, in the break phase; what they repeat is contested."""
    close(BUILD)
    for breaker in BREAKERS:
        import_set(set_file(cases, breaker), breaker, "--contest-repeats")


@pytest.fixture
def scoring(imported: None, staff: User) -> None:
    """The score phase: the organiser has decided as the official script does, the last line wins."""
    for contest in Contest.objects.open():
        decide(contest=contest, choice="last", note="As the script of 2017.", user=staff, now=database_now())
    close(BREAK)


@pytest.fixture
def released(builders: dict[int, System], scoring: None, cases: Path) -> dict[int, System]:
    """All seven builders have answered all sets, which are scored and published."""
    for builder, system in builders.items():
        accepted(system, SCORE, upload_of(cases, builder), "pairs.zip")
    close(SCORE)
    return builders


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


SAME = {
    "Strawman": 1,
    "Phrase-based CNN": 2,
    "Sentence-based CNN": 3,
    "RNTN": 5,
    "DCNN": 6,
    "Bag-of-ngrams": 7,
}
"""Which builder's files are those of a published system."""


@pytest.mark.parametrize("name", SAME)
def test_a_published_system_breaks_as_often_as_its_own_files_scored_here(released, name):
    """It is printed in hundredths of a percent, over items: twice that is right to .0002 of the pairs."""
    board = published(f"{BOARDS}/builders-sentiment.json")
    printed, scored = (row_of(board, one) for one in (name, name_of(SAME[name])))
    assert printed["cells"][SHARE]["value"] == pytest.approx(scored["cells"][SHARE]["value"], abs=2e-4)
    f1 = score(scored["cells"]["sentiment"]["value"])
    assert f"F1 not reproduced ({f1} from the files)" in printed["source"]
    assert "of 574 items = " in printed["source"]


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
    assert set(shades) == {"heat-0", "heat-1", "heat-2", "heat-3"}


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
