"""Build It Break It over HTTP, from real files to the cells of the published boards, with the official numbers."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from accounts.models import User
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

PHASE = "bibi/main"
BUILDERS = range(1, 8)
BREAKERS = range(1, 5)
BOARDS = "/benchmarks/bibi/boards"
SHARE = "sentiment:pairs_broken_share"
DEV = "sentence_id\tsentence\tsentiment_label\n" + "".join(f"d{at}\t-\t{1 - at % 2 * 2}\n" for at in range(8))


def name_of(builder: int) -> str:
    return f"Builder {builder}"


def load_gold_of(split: str, path: Path) -> None:
    """As the organiser does on the command line."""
    arguments = ("load_gold", "bibi", "sentiment", str(path), "--split", split)
    call_command(*arguments, stdout=io.StringIO(), stderr=io.StringIO())


def last_of_each_id(rows: list[str]) -> list[str]:
    """What the official script makes of ids that stand there twice."""
    return list({row.split("\t")[0]: row for row in rows}.values())


def repaired_gold(source: Path, folder: Path) -> Path:
    """The gold file with one row for each id, as the organiser has decided."""
    header, *rows = source.read_text("utf-8").splitlines()
    copy = folder / source.name
    copy.write_text("\n".join([header, *last_of_each_id(rows)]), "utf-8")
    return copy


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


def numbers(cases: Path) -> dict[str, Any]:
    return official_numbers(cases / "bibi2017_sentiment")


@pytest.fixture
def bibi(db: None, gold_keys: object, cases: Path, tmp_path: Path) -> None:
    """The benchmark with the breakers' sets."""
    call_command("sync_benchmarks", stdout=io.StringIO())
    for breaker in BREAKERS:
        source = cases / "bibi2017_sentiment" / "gold" / f"Team{breaker}_breaker_test.tsv"
        load_gold_of(f"team{breaker}", repaired_gold(source, tmp_path))


@pytest.fixture
def builders(bibi: None, cases: Path, owner: User) -> dict[int, System]:
    """All seven builders, sent and accepted; the first in the browser."""
    systems = {builder: new_system(owner, name_of(builder)) for builder in BUILDERS}
    for builder, system in systems.items():
        take = accepted_in_browser if builder == 1 else accepted
        take(owner, system, PHASE, upload_of(cases, builder), "pairs.zip")
    return systems


@pytest.fixture
def released(builders: dict[int, System]) -> dict[int, System]:
    close(PHASE)
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
        i: {"sentiment": mean[i], SHARE: share[i]} | {f"sentiment@team{j}": f1[i, j] for j in BREAKERS}
        for i in BUILDERS
    }
    assert_cells(f"{BOARDS}/builders-sentiment.json", {name_of(i): own[i] for i in BUILDERS})
    shares = {
        i: {SHARE: share[i]} | {f"sentiment@team{j}:pairs_broken_share": broken[i, j] for j in BREAKERS}
        for i in BUILDERS
    }
    assert_cells(f"{BOARDS}/matrix-sentiment.json", {name_of(i): shares[i] for i in BUILDERS})
    board = published(f"{BOARDS}/builders-sentiment.json")
    for i, j in pairs:
        beside = row_of(board, name_of(i))["cells"][f"sentiment@team{j}"]["beside"]
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
    assert_cells("/benchmarks/bibi.json", {name_of(i): {"sentiment": f1[i]} for i in BUILDERS})


def test_the_share_of_a_breaker_is_the_mean_of_the_official_rates(released, cases):
    rates = numbers(cases)["_breaker_rates"]
    board = published(f"{BOARDS}/breakers-sentiment.json")
    for j in BREAKERS:
        mean = sum(rates[f"T{j}"][f"B{i}"]["exactly_one_correct_rate"] for i in BUILDERS) / len(BUILDERS)
        cells = row_of(board, f"Breaker team {j}")["cells"]
        assert cells[SHARE]["value"] == pytest.approx(mean, abs=1e-9)
        assert cells["sentiment:breaker_score"]["undefined"] == "no_system"  # development data were blind
    page = text_of(Client().get(f"{BOARDS}/breakers-sentiment/"))
    assert "Not counted, for want of predictions for the development data: Builder 1, Builder 2" in page


def test_with_development_data_a_breaker_has_its_score(builders, cases, owner, tmp_path):
    """Builder 1 gets 6 of 8 right, builder 2 gets 4; the others send none."""
    (tmp_path / "sentiment_dev.tsv").write_text(DEV, "utf-8")
    load_gold_of("dev", tmp_path / "sentiment_dev.tsv")
    for builder, wrong in ((1, 2), (2, 4)):
        lines = DEV.replace("sentiment_label", "label").splitlines()
        lines[1 : 1 + wrong] = [line.rpartition("\t")[0] + "\t0" for line in lines[1 : 1 + wrong]]
        data = ("\n".join(lines) + "\n").encode()
        accepted(owner, builders[builder], PHASE, data, "sentiment_dev.tsv")
    close(PHASE)
    rates = numbers(cases)["_breaker_rates"]
    board = published(f"{BOARDS}/breakers-sentiment.json")
    for j in BREAKERS:
        rate = {i: rates[f"T{j}"][f"B{i}"]["exactly_one_correct_rate"] for i in (1, 2)}
        score = row_of(board, f"Breaker team {j}")["cells"]["sentiment:breaker_score"]["value"]
        assert score == pytest.approx((0.75 * rate[1] + 0.5 * rate[2]) / 2, abs=1e-9)


def test_published_rows_stand_on_the_boards_of_builders_and_breakers(released):
    assert_cells(f"{BOARDS}/builders-sentiment.json", {"Strawman": {"sentiment": 0.528, SHARE: 0.2543}})
    assert_cells(f"{BOARDS}/breakers-sentiment.json", {"Utrecht": {"sentiment:breaker_score": 0.3117}})


@pytest.mark.parametrize(("breaker", "line"), [(3, 98), (4, 8)])
def test_gold_labels_that_repeat_pairs_are_refused_with_their_line(db, gold_keys, cases, breaker, line):
    call_command("sync_benchmarks", stdout=io.StringIO())
    source = cases / "bibi2017_sentiment" / "gold" / f"Team{breaker}_breaker_test.tsv"
    with pytest.raises(CommandError, match=rf"{source.name}, line {line}: "):
        load_gold_of(f"team{breaker}", source)


@pytest.mark.parametrize(
    ("builder", "code"), [(4, "header_names"), (5, "header_names"), (7, "header_missing")]
)
def test_files_as_they_were_sent_in_2017_without_header_are_refused(
    bibi, cases, owner, system, builder, code
):
    path = builder_file(cases, builder, 1)
    assert refusal(send(owner, system, PHASE, path.read_bytes(), path.name))[:2] == (code, 1)


def test_a_file_as_it_was_sent_in_2017_is_taken_by_its_name(bibi, cases, owner, system):
    path = builder_file(cases, 2, 1)
    accepted(owner, system, PHASE, path.read_bytes(), path.name)
    close(PHASE)
    official = numbers(cases)["B2_vs_T1"]
    wanted = {"Larch": {"sentiment@team1": official["weighted"]["f1"]}}
    assert_cells(f"{BOARDS}/builders-sentiment.json", wanted)


# QA-SRL

QASRL_GOLD = (
    "id,sentence,predicate,question,answer\n"
    "1_a,UCD won by beating Vincents,beating,Who beat someone?,UCD\n"
    "1_b,UCD won when they beat Vincents,beat,Who beat someone?,UCD\n"
    "2_a,A tall man saw it,saw,Who saw something?,A tall man\n"
    "2_b,A very tall man saw it,saw,Who saw something?,A very tall man\n"
)


def test_spans_are_right_or_wrong_in_pairs_and_half_right_in_tokens(db, gold_keys, owner, system, tmp_path):
    """Token F1 of three of four tokens, all predicted ones right: 2 · 3 / 7."""
    call_command("sync_benchmarks", stdout=io.StringIO())
    path = tmp_path / "qasrl_team1.csv"
    path.write_text(QASRL_GOLD, "utf-8")
    arguments = ("load_gold", "bibi", "qasrl", str(path), "--split", "team1")
    call_command(*arguments, stdout=io.StringIO(), stderr=io.StringIO())
    data = b"id,answer\n1_a,UCD\n1_b,they\n2_b,A tall man\n2_a,A  tall man\n"
    accepted(owner, system, PHASE, data, path.name)
    close(PHASE)
    wanted = {"qasrl": 0.5, "token_f1": (1 + 0 + 1 + 6 / 7) / 4}
    assert_cells("/benchmarks/bibi/tasks/qasrl.json", {"Larch": wanted})
    shares = {"qasrl:pairs_broken_share": 1.0, "qasrl@team1:pairs_broken_share": 1.0}
    assert_cells(f"{BOARDS}/matrix-qasrl.json", {"Larch": shares})


def test_gold_labels_of_a_set_that_the_definition_does_not_name_are_refused(db, gold_keys, tmp_path):
    call_command("sync_benchmarks", stdout=io.StringIO())
    with pytest.raises(CommandError, match=r"no split “test”.*--split: dev, team1"):
        load_gold_of("test", tmp_path / "any.tsv")
