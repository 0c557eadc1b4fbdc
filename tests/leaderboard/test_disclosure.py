"""Rules of disclosure through the whole house: what pages and exports show while a phase runs, and at its end."""

import datetime as dt
from math import log2

import pytest
from django.db import connection

from accounts.server.append_only_triggers import drop_statements
from benchmarks.models import Benchmark, Phase
from leaderboard.ledger.accounts import keep_ledger
from leaderboard.models import LedgerEntry, Page, Release
from leaderboard.publication.paired_test_schedule import pairs_of
from leaderboard.publication.reproduction import reproduce
from scoring.gold.versions import load_gold
from scoring.models import Disclosed
from submissions.systems.status_transitions import withdraw
from tests.pages import text_of
from tests.quiz import GOLD, ITEMS, OTHER, as_file, make_quiz, new_system, send
from tests.weeks import CUT_OFF, WEEK, board, row_of, run_batch

HOUR = dt.timedelta(hours=1)
PATH = "/benchmarks/quiz.json"
TASK = "/benchmarks/quiz/tasks/quiz.json"


def shown(name: str) -> float:
    """The number that the task's board has of a system."""
    found: float = row_of(board(TASK), name)["cells"]["quiz"]["value"]
    return found


@pytest.fixture
def ladder(sync, gold_keys) -> Phase:
    return make_quiz(sync, "ladder")


def test_the_ladder_keeps_the_number_of_a_gain_that_may_be_chance(ladder):
    larch = new_system("Larch")
    send(larch, ladder, range(300), at=CUT_OFF - HOUR)
    run_batch(CUT_OFF)
    assert shown("Larch") == pytest.approx(0.7)

    # Right on twenty others, wrong on eighteen that were right: a gain of two items among 38 that differ.
    send(larch, ladder, [*range(20, 300), *range(300, 318)], at=CUT_OFF + HOUR)
    run_batch(CUT_OFF + WEEK)
    assert shown("Larch") == pytest.approx(0.7)

    send(larch, ladder, range(250), at=CUT_OFF + WEEK + HOUR)
    run_batch(CUT_OFF + 2 * WEEK)
    assert shown("Larch") == pytest.approx(0.75)


def test_an_answer_that_is_worse_changes_nothing(ladder):
    larch = new_system("Larch")
    send(larch, ladder, range(300), at=CUT_OFF - HOUR)
    run_batch(CUT_OFF)
    send(larch, ladder, range(400), at=CUT_OFF + HOUR)
    run_batch(CUT_OFF + WEEK)

    assert shown("Larch") == pytest.approx(0.7)


def test_while_a_rule_is_in_force_nothing_but_its_number_is_told(ladder):
    for name, wrong in (("Larch", range(300)), ("Oak", range(100, 350)), ("Elm", range(500))):
        send(new_system(name), ladder, wrong, at=CUT_OFF - HOUR)
    run_batch(CUT_OFF)

    for path, key in ((PATH, "overall"), (PATH, "quiz"), (TASK, "quiz")):
        for row in board(path)["rows"]:
            cell = row["cells"][key]
            assert cell["value"] is not None
            assert (cell["ci_low"], cell["ci_high"], row["rank_low"], row["rank_high"]) == (None,) * 4
    other = row_of(board(TASK), "Oak")["cells"]["f1_macro"]
    assert (other["value"], other["undefined"]) == (None, "not_shown_yet")
    assert "chance" not in board(PATH)
    assert board(PATH)["disclosure"] == "ladder"
    assert pairs_of(Release.objects.get()) == []
    assert not Page.objects.filter(path__contains="pairwise").exists()


def test_pages_say_which_rule_is_in_force(ladder, client):
    send(new_system("Larch"), ladder, range(300), at=CUT_OFF - HOUR)
    run_batch(CUT_OFF)

    for address in ("/benchmarks/quiz/", "/benchmarks/quiz/tasks/quiz/"):
        page = text_of(client.get(address))
        assert "No exact scores.</b> While the phase runs, each number is the best of a row so far" in page
    assert "a row shows its best answer so far, and moves only on a gain" in text_of(
        client.get("/benchmarks/quiz/")
    )
    assert "no exact score: shown by the rule ladder" in text_of(
        client.get("/benchmarks/quiz/releases/1/provenance/")
    )
    csv = bytes(Page.objects.get(pk="/benchmarks/quiz.csv").body).decode()
    assert csv.splitlines()[0].endswith("disclosure")
    assert csv.splitlines()[1].endswith("ladder")


def test_two_systems_are_compared_by_what_is_shown_of_them_and_not_tested(ladder, client):
    systems = [new_system(name) for name in ("Larch", "Oak")]
    for system, wrong in zip(systems, (range(300), range(50, 400)), strict=True):
        send(system, ladder, wrong, at=CUT_OFF - HOUR)
    run_batch(CUT_OFF)

    asked = "&".join(f"system={system.pk}" for system in systems)
    page = text_of(client.get(f"/benchmarks/quiz/compare/?{asked}"))

    assert "No exact scores." in page
    assert ".700" in page
    assert "more than chance" not in page.partition("<main")[2]


def test_the_release_of_the_last_cut_off_shows_exact_scores_and_how_sure_they_are(ladder):
    larch = new_system("Larch")
    send(larch, ladder, range(300), at=CUT_OFF - HOUR)
    run_batch(CUT_OFF)
    send(larch, ladder, [*range(5, 300), *range(300, 304)], at=CUT_OFF + HOUR)
    run_batch(CUT_OFF + WEEK)
    assert shown("Larch") == pytest.approx(0.7)

    Phase.objects.update(closes_at=CUT_OFF + 2 * WEEK)
    send(new_system("Oak"), ladder, range(250), at=CUT_OFF + WEEK + HOUR)
    run_batch(CUT_OFF + 2 * WEEK)

    assert shown("Larch") == pytest.approx(0.701)
    cell = row_of(board(TASK), "Larch")["cells"]["quiz"]
    assert cell["ci_low"] < 0.701 < cell["ci_high"]
    assert "disclosure" not in board(PATH)
    assert row_of(board(TASK), "Oak")["cells"]["f1_macro"]["value"] is not None


def test_a_new_rule_holds_from_the_next_cut_off_on(ladder):
    larch = new_system("Larch")
    send(larch, ladder, range(301), at=CUT_OFF - HOUR)
    run_batch(CUT_OFF)
    Phase.objects.update(disclosure="precision", disclosure_digits=1)
    assert shown("Larch") == pytest.approx(0.699)

    send(new_system("Oak"), ladder, range(260), at=CUT_OFF + HOUR)
    run_batch(CUT_OFF + WEEK)

    assert board(PATH)["disclosure"] == "precision 1"
    assert (shown("Larch"), shown("Oak")) == (0.7, 0.7)


def test_when_the_leading_answer_is_withdrawn_the_number_before_it_stands_again(ladder):
    larch = new_system("Larch")
    send(larch, ladder, range(300), at=CUT_OFF - HOUR)
    run_batch(CUT_OFF)
    better = send(larch, ladder, range(200), at=CUT_OFF + HOUR)
    run_batch(CUT_OFF + WEEK)
    assert shown("Larch") == pytest.approx(0.8)

    withdraw(submission=better, user=better.submitted_by, now=CUT_OFF + WEEK + HOUR)
    run_batch(CUT_OFF + 2 * WEEK)

    assert shown("Larch") == pytest.approx(0.7)


def test_the_sparing_rule_puts_systems_level_that_cannot_be_told_apart(sync, gold_keys):
    phase = make_quiz(sync, "sparing")
    send(new_system("Larch"), phase, range(300), at=CUT_OFF - 2 * HOUR)
    # Eleven items apart, five for it and six against: nobody could say which is better.
    send(new_system("Oak"), phase, [*range(5, 300), *range(300, 306)], at=CUT_OFF - HOUR)
    send(new_system("Elm"), phase, range(500), at=CUT_OFF - HOUR)
    run_batch(CUT_OFF)

    assert shown("Larch") == shown("Oak")
    assert shown("Elm") < shown("Larch")
    assert abs(shown("Larch") - 0.7) < 0.03
    ranks = {row["system"]: row["rank"] for row in board(TASK)["rows"]}
    assert ranks == {"Larch": 1, "Oak": 1, "Elm": 3}


def test_precision_rounds(sync, gold_keys):
    phase = make_quiz(sync, "precision, digits: 2")
    send(new_system("Larch"), phase, range(304), at=CUT_OFF - HOUR)
    run_batch(CUT_OFF)

    assert shown("Larch") == 0.7
    assert Disclosed.objects.get().shown == 0.7


def test_baselines_are_shown_as_they_are(sync, gold_keys):
    phase = make_quiz(sync, "sparing")
    floor = new_system("Floor")
    floor.kind = "baseline"
    floor.save()
    send(floor, phase, range(489), at=CUT_OFF - HOUR)
    run_batch(CUT_OFF)

    assert shown("Floor") == (ITEMS - 489) / ITEMS
    assert Disclosed.objects.get().mark == (ITEMS - 489) / ITEMS


@pytest.fixture
def two_releases(sync, gold_keys) -> Release:
    """Under the sparing rule, with an answer that moved nothing and one that did; the second of them."""
    phase = make_quiz(sync, "sparing")
    larch, oak = new_system("Larch"), new_system("Oak")
    send(larch, phase, range(300), at=CUT_OFF - 2 * HOUR)
    send(oak, phase, range(50, 400), at=CUT_OFF - HOUR)
    run_batch(CUT_OFF)
    send(larch, phase, [*range(5, 300), *range(300, 304)], at=CUT_OFF + HOUR)
    send(oak, phase, range(200), at=CUT_OFF + 2 * HOUR)
    run_batch(CUT_OFF + WEEK)
    return Release.objects.select_related("benchmark", "phase", "batch").get(number=2)


def test_a_release_under_a_rule_can_be_made_again(two_releases):
    assert [one.leads for one in Disclosed.objects.order_by("pk")] == [True, True, False, True]
    assert reproduce(two_releases)[0].differences == []


def test_making_a_release_again_finds_a_number_that_the_rule_does_not_give(two_releases):
    with connection.cursor() as cursor:
        for statement in drop_statements(connection.vendor, "scoring_disclosed"):
            cursor.execute(statement)
    Disclosed.objects.filter(leads=False).update(leads=True)

    (found, *_others) = reproduce(two_releases)[0].differences

    assert "the rule sparing showed" in found


def test_new_gold_labels_are_judged_from_the_first_answer_on(ladder):
    larch = new_system("Larch")
    send(larch, ladder, range(300), at=CUT_OFF - HOUR)
    run_batch(CUT_OFF)
    corrected = [OTHER[label] if at < 100 else label for at, label in enumerate(GOLD)]
    load_gold(
        task=Benchmark.objects.get().tasks.get(),
        data=as_file(corrected),
        file_name="quiz.csv",
        now=CUT_OFF + HOUR,
        note="The first hundred were wrong.",
        confirm_clues=True,
    )
    run_batch(CUT_OFF + WEEK)

    assert shown("Larch") == pytest.approx(0.8)
    moved = Release.objects.get(number=2).reports["gold"]["systems"][0]["cells"][0]
    assert (moved["before"], moved["after"]) == (pytest.approx(0.7), pytest.approx(0.8))


def test_the_ledger_counts_a_bit_of_an_answer_that_moved_nothing(ladder):
    larch = new_system("Larch")
    send(larch, ladder, range(300), at=CUT_OFF - HOUR)
    run_batch(CUT_OFF)
    send(larch, ladder, range(400), at=CUT_OFF + HOUR)
    run_batch(CUT_OFF + WEEK)
    keep_ledger()

    first, second = LedgerEntry.objects.order_by("release__number")
    # Half of the items are answered yes, half no: of each 0 to 500 may be right, fewer than there are numbers to show.
    assert first.carried_bits == pytest.approx(2 * log2(501))
    assert (second.answer_count, second.carried_bits) == (1, 1.0)


def test_the_ledger_counts_exact_scores_on_top_once_they_are_published(ladder):
    for name, wrong in (("Larch", range(300)), ("Oak", range(50, 400))):
        send(new_system(name), ladder, wrong, at=CUT_OFF - HOUR)
    run_batch(CUT_OFF)
    Phase.objects.update(closes_at=CUT_OFF + WEEK)
    run_batch(CUT_OFF + WEEK)
    keep_ledger()

    exact = LedgerEntry.objects.get(release__number=2)
    assert exact.answer_count == 2
    assert exact.bound_bits > 2 * 2 * log2(401)


def test_a_phase_that_ends_without_new_submissions_shows_its_exact_scores_all_the_same(ladder):
    send(new_system("Larch"), ladder, range(300), at=CUT_OFF - HOUR)
    run_batch(CUT_OFF)
    run_batch(CUT_OFF + WEEK)
    assert Release.objects.count() == 1

    Phase.objects.update(closes_at=CUT_OFF + 2 * WEEK)
    run_batch(CUT_OFF + 2 * WEEK)

    assert "disclosure" not in board(PATH)
    assert row_of(board(TASK), "Larch")["cells"]["quiz"]["ci_low"] is not None


def test_what_the_last_exact_release_showed_is_not_left_standing_among_the_current_pages(sync, gold_keys):
    phase = make_quiz(sync, "exact")
    for name, wrong in (("Larch", range(300)), ("Oak", range(50, 400)), ("Elm", range(500))):
        send(new_system(name), phase, wrong, at=CUT_OFF - HOUR)
    run_batch(CUT_OFF)
    assert Page.objects.filter(path="/benchmarks/quiz/pairwise/").exists()

    Phase.objects.update(disclosure="sparing")
    run_batch(CUT_OFF + WEEK)

    assert not Page.objects.filter(path="/benchmarks/quiz/pairwise/").exists()
    assert Page.objects.filter(path="/benchmarks/quiz/releases/1/pairwise/").exists()
