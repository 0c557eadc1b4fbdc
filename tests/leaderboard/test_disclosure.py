"""Rules of disclosure through the whole house: what pages and exports show while a phase runs, and at its end."""

import datetime as dt
from math import sqrt

import numpy as np
import pytest
from django.db import connection

from accounts.server.append_only_triggers import drop_statements
from benchmarks.models import Phase
from catalogue.answers import Label
from catalogue.disclosure.noised_error import error_of_noised
from catalogue.disclosure.noisy_display import NoisyDisplay
from catalogue.disclosure.rule import NOISED
from leaderboard.models import Page, Release
from leaderboard.publication.paired_test_schedule import pairs_of
from leaderboard.publication.reproduction import reproduce
from scoring.core import score as measured
from scoring.disclosure.lots import draw_lots
from scoring.gold.alignment import opened_version
from scoring.gold.holdout_split import items_of_part
from scoring.gold.versions import load_gold
from scoring.models import Batch, Disclosed, GoldVersion, JudgedAnswer, RunReplicates, Score, ScoringRun
from scoring.queue.runs import score_all_due
from scoring.queue.wanted_runs import make_runs
from scoring.run_scoring import display_of
from submissions.models import Submission
from submissions.services import PredictionUpload, submit_predictions
from submissions.systems.status_transitions import withdraw
from tests.pages import text_of
from tests.quiz import (
    DEFINITION,
    GOLD,
    ITEMS,
    OTHER,
    WEEKLY,
    answers,
    as_file,
    end_now,
    make_quiz,
    new_system,
    send,
)
from tests.weeks import CUT_OFF, WEEK, board, row_of, run_batch

pytestmark = pytest.mark.thorough

HOUR = dt.timedelta(hours=1)
PATH = "/benchmarks/quiz.json"
TASK = "/benchmarks/quiz/tasks/quiz.json"
DISPLAY = NoisyDisplay(ITEMS // 2, 1 / (ITEMS // 2))


def shown(name: str) -> float:
    """The number that the task's board has of a system."""
    found: float = row_of(board(TASK), name)["cells"]["quiz"]["value"]
    return found


def is_displayed(question: int) -> bool:
    """Whether a question is of the displayed half."""
    version = GoldVersion.objects.latest("number")
    displayed = items_of_part(NOISED, version.pk)
    assert displayed is not None
    return bool(displayed[opened_version(version.pk)[1].ids.index(f"q{question}")])


@pytest.fixture
def protected(sync, gold_keys) -> Phase:
    return make_quiz(sync, "protected")


def test_a_number_is_the_score_of_the_displayed_half_with_noise(protected):
    send(new_system("Larch"), protected, range(600), at=CUT_OFF - HOUR)
    run_batch(CUT_OFF)

    assert {run.part for run in ScoringRun.objects.all()} == {NOISED}
    assert shown("Larch") == Disclosed.objects.get().shown != pytest.approx(0.7, abs=1e-9)
    assert shown("Larch") == pytest.approx(0.7, abs=5 * DISPLAY.deviation + 0.05)
    assert shown("Larch") == round(shown("Larch"), 4)


def test_nothing_exact_of_the_displayed_half_is_stored(protected):
    send(new_system("Larch"), protected, range(0, ITEMS, 3), at=CUT_OFF - HOUR)
    run_batch(CUT_OFF)

    (score,) = Score.objects.all()
    assert score.metric == "accuracy"
    assert (score.ci_low, score.ci_high) == (None, None)
    assert not RunReplicates.objects.exists()
    run = ScoringRun.objects.get()
    assert run.item_count
    assert score.value is not None
    assert abs(score.value * run.item_count - round(score.value * run.item_count)) > 1e-6


def test_a_clear_gain_moves_a_number_and_a_loss_does_not(protected):
    larch = new_system("Larch")
    send(larch, protected, range(600), at=CUT_OFF - HOUR)
    run_batch(CUT_OFF)
    first = shown("Larch")

    send(larch, protected, range(1_000), at=CUT_OFF + HOUR)
    run_batch(CUT_OFF + WEEK)
    assert shown("Larch") == first

    send(larch, protected, range(200), at=CUT_OFF + WEEK + HOUR)
    run_batch(CUT_OFF + 2 * WEEK)
    assert shown("Larch") > first + 0.1


def test_the_same_predictions_again_show_the_same_number(protected):
    """Whoever sends them: noise is drawn for predictions. They are judged again all the same."""
    for name in ("Larch", "Oak"):
        send(new_system(name), protected, range(600), at=CUT_OFF - HOUR)
    run_batch(CUT_OFF)

    assert shown("Larch") == shown("Oak")
    assert JudgedAnswer.objects.count() == 2


def test_while_a_rule_is_in_force_nothing_but_its_number_is_told(protected):
    for name, wrong in (("Larch", range(600)), ("Oak", range(100, 700)), ("Elm", range(1_000))):
        send(new_system(name), protected, wrong, at=CUT_OFF - HOUR)
    run_batch(CUT_OFF)

    for path, key in ((PATH, "overall"), (PATH, "quiz"), (TASK, "quiz")):
        for row in board(path)["rows"]:
            cell = row["cells"][key]
            assert cell["value"] is not None
    other = row_of(board(TASK), "Oak")["cells"].get("f1_macro", {"value": None})
    assert other["value"] is None
    assert board(PATH)["disclosure"] == "protected"
    assert pairs_of(Release.objects.get()) == []


def test_ranges_and_decisions_follow_from_the_numbers_shown_with_their_noise(protected):
    for name, wrong in (("Larch", range(600)), ("Oak", range(100, 700)), ("Elm", range(1_000))):
        send(new_system(name), protected, wrong, at=CUT_OFF - HOUR)
    run_batch(CUT_OFF)

    for path, key in ((PATH, "overall"), (TASK, "quiz")):
        for row in board(path)["rows"]:
            cell = row["cells"][key]
            of_items = cell["value"] * (1 - cell["value"]) / DISPLAY.item_count
            error = sqrt(of_items + 2 * DISPLAY.deviation**2)
            assert cell["ci_high"] - cell["ci_low"] == pytest.approx(2 * 1.96 * error, rel=0.05)
        larch, oak, elm = (row_of(board(path), name) for name in ("Larch", "Oak", "Elm"))
        assert (larch["rank_low"], larch["rank_high"]) == (oak["rank_low"], oak["rank_high"]) == (1, 2)
        assert (elm["rank_low"], elm["rank_high"], elm["leads"]) == (3, 3, 0.0)
    release = Release.objects.get()
    assert reproduce(release)[0].differences == []
    page = bytes(Page.objects.get(pk="/benchmarks/quiz/").body).decode()
    assert "Ranges of scores and of ranks are made from these numbers" in " ".join(page.split())


def test_a_range_holds_the_score_on_other_items_as_often_as_it_says():
    random, accuracy = np.random.default_rng(5), 0.8
    display = NoisyDisplay(2_500, 1 / 2_500)
    held = 0
    for _ in range(1_000):
        right, row = random.random(display.item_count) < accuracy, None
        for _turn in range(4):  # answers that differ in a tenth of the items, none better than another
            changed = random.random(display.item_count) < 0.1
            right = np.where(changed, random.random(display.item_count) < accuracy, right)
            level = float(right.mean()) + display.deviation * random.standard_normal()
            row = display.row_after(row, level, round(0.1 * 0.32 * display.item_count)) or row
        assert row is not None
        deviation = sqrt(2) * display.deviation
        error = error_of_noised(row.shown, deviation=deviation, effect=display.label_effect, low=0, high=1)
        held += abs(row.shown - accuracy) <= 1.96 * error

    assert 0.93 <= held / 1_000 <= 0.99


def test_pages_say_which_rule_is_in_force(protected, client):
    larch = new_system("Larch")
    send(larch, protected, range(600), at=CUT_OFF - HOUR)
    run_batch(CUT_OFF)

    for address in ("/benchmarks/quiz/", "/benchmarks/quiz/tasks/quiz/"):
        page = text_of(client.get(address))
        assert (
            "No exact scores.</b> Provisional: numbers of the displayed half of the items, with noise" in page
        )
    assert "a row shows its best answer so far on the other half, through noise." in text_of(
        client.get("/benchmarks/quiz/rules/")
    )
    assert "no exact score: shown by the rule protected" in text_of(
        client.get(f"/benchmarks/quiz/releases/1/provenance/{str(larch.pk)[:8]}/")
    )
    csv = bytes(Page.objects.get(pk="/benchmarks/quiz.csv").body).decode()
    assert csv.splitlines()[0].endswith("disclosure")
    assert csv.splitlines()[1].endswith("protected")


def test_two_systems_are_compared_by_what_is_shown_of_them_and_not_tested(protected, client):
    systems = [new_system(name) for name in ("Larch", "Oak")]
    for system, wrong in zip(systems, (range(600), range(100, 800)), strict=True):
        send(system, protected, wrong, at=CUT_OFF - HOUR)
    run_batch(CUT_OFF)

    asked = "&".join(f"system={system.pk}" for system in systems)
    page = text_of(client.get(f"/benchmarks/quiz/compare/?{asked}"))

    assert "No exact scores." in page
    assert f"{shown('Larch'):.3f}".removeprefix("0") in page
    assert "more than chance" not in page.partition("<main")[2]


def test_the_release_of_the_last_cut_off_shows_exact_scores_and_how_sure_they_are(protected):
    larch = new_system("Larch")
    send(larch, protected, range(600), at=CUT_OFF - HOUR)
    run_batch(CUT_OFF)

    end_now(CUT_OFF + WEEK)
    send(new_system("Oak"), protected, range(500), at=CUT_OFF + HOUR)
    run_batch(CUT_OFF + WEEK)

    assert shown("Larch") == pytest.approx(0.7, abs=0.05)
    cell = row_of(board(TASK), "Larch")["cells"]["quiz"]
    assert cell["ci_low"] < cell["value"] < cell["ci_high"]
    assert "disclosure" not in board(PATH)
    assert row_of(board(TASK), "Oak")["cells"]["f1_macro"]["value"] is not None
    for release in Release.objects.select_related("benchmark", "phase", "batch"):
        assert reproduce(release)[0].differences == []


def test_when_the_leading_answer_is_withdrawn_the_number_before_it_stands_again(protected):
    larch = new_system("Larch")
    send(larch, protected, range(600), at=CUT_OFF - HOUR)
    run_batch(CUT_OFF)
    first = shown("Larch")
    better = send(larch, protected, range(200), at=CUT_OFF + HOUR)
    run_batch(CUT_OFF + WEEK)
    assert shown("Larch") > first

    withdraw(submission=better, user=better.submitted_by, now=CUT_OFF + WEEK + HOUR)
    run_batch(CUT_OFF + 2 * WEEK)

    assert shown("Larch") == first
    assert JudgedAnswer.objects.count() == 2


@pytest.fixture
def two_releases(protected) -> Release:
    """With an answer that moved nothing and one that did; the second of them."""
    larch, oak = new_system("Larch"), new_system("Oak")
    send(larch, protected, range(600), at=CUT_OFF - 2 * HOUR)
    send(oak, protected, range(100, 800), at=CUT_OFF - HOUR)
    run_batch(CUT_OFF)
    send(larch, protected, range(1_000), at=CUT_OFF + HOUR)
    send(oak, protected, range(300), at=CUT_OFF + 2 * HOUR)
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

    assert "the rule protected showed" in found


def test_new_gold_labels_leave_what_was_judged_as_it_was(protected):
    """To judge it again would tell more of every label."""
    larch = new_system("Larch")
    send(larch, protected, range(600), at=CUT_OFF - HOUR)
    run_batch(CUT_OFF)
    before = shown("Larch")
    load_gold(
        task=protected.benchmark.tasks.get(),
        data=as_file([OTHER[label] if at < 200 else label for at, label in enumerate(GOLD)]),
        file_name="quiz.csv",
        now=CUT_OFF + HOUR,
        note="The first two hundred were wrong.",
        confirm_clues=True,
    )
    run_batch(CUT_OFF + WEEK)

    assert shown("Larch") == before
    assert JudgedAnswer.objects.count() == 1

    end_now(CUT_OFF + 2 * WEEK)
    run_batch(CUT_OFF + 2 * WEEK)
    assert shown("Larch") == pytest.approx(0.8, abs=0.05)


def test_the_same_predictions_before_and_after_a_correction_do_not_tell_what_was_corrected(protected):
    """Under one draw of noise their difference would be the exact change of the score."""
    send(new_system("Larch"), protected, range(600), at=CUT_OFF - HOUR)
    run_batch(CUT_OFF)
    corrected = next(at for at in range(ITEMS) if is_displayed(at))
    load_gold(
        task=protected.benchmark.tasks.get(),
        data=as_file([OTHER[label] if at == corrected else label for at, label in enumerate(GOLD)]),
        file_name="quiz.csv",
        now=CUT_OFF + HOUR,
        confirm_clues=True,
    )
    send(new_system("Oak"), protected, range(600), at=CUT_OFF + HOUR)
    run_batch(CUT_OFF + WEEK)

    before, after = ScoringRun.objects.order_by("pk").values_list("scores__value", "item_count")
    items_apart = (after[0] - before[0]) * before[1]
    assert abs(items_apart - round(items_apart)) > 1e-6
    assert JudgedAnswer.objects.count() == 2


STATING = DEFINITION.replace("test_size: 2000", "test_size: 2000\n    rarest_label_share: 0.3")
BY_F1 = STATING.replace(
    "[{name: accuracy, title: Accuracy}, {name: f1_macro, title: F1 macro}]",
    "[{name: f1_macro, title: F1 macro}, {name: accuracy, title: Accuracy}]",
)


def drawn_for(run: ScoringRun, wrong: range) -> float:
    """The noise of a judged answer that is wrong on these items, in standard deviations."""
    (score,) = run.scores.all()
    sealed, displayed = opened_version(run.gold_version_id)[1], items_of_part(NOISED, run.gold_version_id)
    assert displayed is not None
    at_fault = np.array([int(item.removeprefix("q")) in wrong for item in sealed.ids])
    gold = sealed.codes[displayed]
    answered = np.where(at_fault[displayed], 1 - gold, gold).astype(gold.dtype)
    exact = measured(Label(names=("no", "yes")), [score.metric], gold, answered)[score.metric].value
    display = display_of(run, len(gold))
    assert display is not None
    assert exact is not None
    assert score.value is not None
    return float((score.value - exact) / display.deviation)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (STATING, BY_F1.replace("CUT_OFF", WEEKLY)),
        (BY_F1, BY_F1.replace("CUT_OFF", WEEKLY).replace("share: 0.3", "share: 0.2")),
    ],
    ids=["another metric", "another share of the rarest label"],
)
def test_the_same_predictions_have_other_noise_once_it_is_made_otherwise(sync, gold_keys, before, after):
    """Under one draw, whose scale alone is another, two numbers of an answer would tell its exact scores."""
    phase = make_quiz(sync, "protected", definition=before)
    send(new_system("Larch"), phase, range(600), at=CUT_OFF - HOUR)
    run_batch(CUT_OFF)
    then = drawn_for(ScoringRun.objects.get(), range(600))

    sync(after.replace("RULE", "protected"))
    send(new_system("Oak"), phase, range(600), at=CUT_OFF + HOUR)
    run_batch(CUT_OFF + WEEK)

    now = drawn_for(ScoringRun.objects.latest("pk"), range(600))
    assert abs(now - then) > 1e-3


def test_after_a_change_of_the_metric_answers_are_judged_again_by_the_new_one_and_count_again(
    sync, gold_keys
):
    phase = make_quiz(sync, "protected", definition=STATING)
    send(new_system("Larch"), phase, range(600), at=CUT_OFF - HOUR)
    run_batch(CUT_OFF)
    by_accuracy = shown("Larch")

    sync(BY_F1.replace("CUT_OFF", WEEKLY).replace("RULE", "protected"))
    run_batch(CUT_OFF + WEEK)

    assert Release.objects.count() == 2
    assert shown("Larch") != by_accuracy
    assert list(Score.objects.order_by("pk").values_list("metric", flat=True)) == ["accuracy", "f1_macro"]
    assert JudgedAnswer.objects.count() == 2


def test_nothing_is_shown_through_noise_that_a_stated_share_makes_too_small(sync, gold_keys):
    """Stated after the labels were loaded, when nobody could hold it against them."""
    phase = make_quiz(sync, "protected", definition=BY_F1)
    stated = BY_F1.replace("CUT_OFF", WEEKLY).replace("RULE", "protected")
    sync(stated.replace("share: 0.3", "share: 0.48"))
    send(new_system("Larch"), phase, range(600), at=CUT_OFF - HOUR)
    run_batch(CUT_OFF)

    assert not Score.objects.exists()
    assert ScoringRun.objects.get().error == ScoringRun.Error.NOT_YET


def test_a_cut_off_judges_no_more_than_its_share_of_the_budget(protected):
    systems = [new_system(f"Tree{at}") for at in range(DISPLAY.week_budget + 3)]
    for at, system in enumerate(systems):
        send(system, protected, range(at, 600 + at), at=CUT_OFF - HOUR)
    run_batch(CUT_OFF)

    assert JudgedAnswer.objects.count() == DISPLAY.week_budget
    assert len(board(TASK)["rows"]) == DISPLAY.week_budget
    # What was not drawn waits for the next lot.
    run_batch(CUT_OFF + WEEK)
    assert JudgedAnswer.objects.count() == len(systems)


def test_a_team_is_judged_no_more_than_its_share_of_the_budget(protected):
    larch = new_system("Larch")
    for week in range(3):
        for at in range(6):
            send(larch, protected, range(10 * week + at, 600), at=CUT_OFF + week * WEEK - HOUR)
        run_batch(CUT_OFF + week * WEEK)

    assert JudgedAnswer.objects.count() == DISPLAY.group_budget == 10


def test_a_task_that_is_called_otherwise_since_goes_on_with_the_budget(protected, sync):
    larch = new_system("Larch")
    for at in range(6):
        send(larch, protected, range(at, 600), at=CUT_OFF - HOUR)
    run_batch(CUT_OFF)
    renamed = DEFINITION.replace("- id: quiz", "- id: riddle").replace("RULE", "protected")
    task = sync(renamed.replace("CUT_OFF", WEEKLY)).tasks.get(slug="riddle")
    load_gold(task=task, data=as_file(GOLD), file_name="riddle.csv", now=CUT_OFF, confirm_clues=True)
    phase = task.benchmark.phases.get()
    for week in (1, 2):
        for at in range(6):
            upload = PredictionUpload(
                system=larch,
                phase=phase,
                user=larch.team.members.get(),
                data=answers(range(10 * week + at, 600)),
                file_name="riddle.csv",
                received_at=CUT_OFF + week * WEEK - HOUR,
            )
            submit_predictions(upload)
        run_batch(CUT_OFF + week * WEEK)

    assert JudgedAnswer.objects.filter(split__task=task).exists()
    assert JudgedAnswer.objects.count() == DISPLAY.group_budget


def test_the_scorer_refuses_above_the_budget_whoever_wrote_the_runs(protected):
    larch = new_system("Larch")
    sent = [send(larch, protected, range(at, 600), at=CUT_OFF - HOUR) for at in range(DISPLAY.budget + 5)]
    run_batch(CUT_OFF)
    predictions = Submission.objects.filter(pk__in=[one.pk for one in sent]).values_list(
        "predictions", flat=True
    )
    make_runs({int(pk) for pk in predictions}, NOISED, now=CUT_OFF)
    score_all_due(CUT_OFF)

    assert JudgedAnswer.objects.count() == DISPLAY.budget
    assert Score.objects.count() == DISPLAY.budget
    assert ScoringRun.objects.filter(error="budget_spent").count() == 5


def test_the_scorer_refuses_before_the_end_what_the_rule_keeps_to_itself(protected):
    send(new_system("Larch"), protected, range(600), at=CUT_OFF - HOUR)
    run_batch(CUT_OFF)
    run = ScoringRun.objects.get()
    for part in ("", "displayed", "remainder"):
        make_runs({run.predictions_id}, part, now=CUT_OFF)
    score_all_due(CUT_OFF)

    refused = ScoringRun.objects.exclude(part=NOISED)
    assert set(refused.values_list("part", "error")) == {
        (part, "not_yet") for part in ("", "displayed", "remainder")
    }
    assert Score.objects.count() == 1


def test_nobody_is_drawn_twice(protected):
    send(new_system("Larch"), protected, range(600), at=CUT_OFF - HOUR)
    run_batch(CUT_OFF)

    assert draw_lots(Batch.objects.get()) == set()


def test_a_phase_that_ends_without_new_submissions_shows_its_exact_scores_all_the_same(protected):
    send(new_system("Larch"), protected, range(600), at=CUT_OFF - HOUR)
    run_batch(CUT_OFF)
    run_batch(CUT_OFF + WEEK)
    assert Release.objects.count() == 1

    end_now(CUT_OFF + 2 * WEEK)
    run_batch(CUT_OFF + 2 * WEEK)

    assert "disclosure" not in board(PATH)
    assert row_of(board(TASK), "Larch")["cells"]["quiz"]["ci_low"] is not None


def test_a_sealed_phase_shows_nothing_before_its_end_and_everything_then(sync, gold_keys):
    phase = make_quiz(sync, "sealed")
    send(new_system("Larch"), phase, range(600), at=CUT_OFF - HOUR)
    run_batch(CUT_OFF)
    assert not ScoringRun.objects.exists()
    assert not Release.objects.exists()

    Phase.objects.update(closes_at=CUT_OFF + WEEK, next_cut_off_at=CUT_OFF + WEEK)
    Submission.objects.update(cut_off_at=CUT_OFF + WEEK)
    run_batch(CUT_OFF + WEEK)

    assert shown("Larch") == 0.7
    assert "part" not in board(PATH)
    assert row_of(board(TASK), "Larch")["cells"]["f1_macro"]["value"] is not None
