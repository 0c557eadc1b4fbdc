"""A half that is kept back ranks exactly once: in a later phase on the same items its numbers carry noise."""

import datetime as dt
from math import sqrt

import numpy as np
import pytest

from benchmarks.models import Benchmark, Phase
from catalogue.disclosure.rule import ALL, DISPLAYED, RANKED_AGAIN, REMAINDER
from leaderboard.ledger.accounts import keep_ledger
from leaderboard.models import LedgerEntry, Release
from leaderboard.publication.reproduction import reproduce
from leaderboard.publication.services import refresh_stale
from scoring.gold.rankings import rankings_before
from scoring.gold.versions import load_gold
from scoring.models import Score, ScoringRun
from scoring.queue.runs import score_all_due
from scoring.queue.wanted_runs import make_runs
from submissions.models import Predictions
from submissions.services import PredictionUpload, submit_predictions
from tests.leaderboard.test_remainder import numbers
from tests.pages import text_of
from tests.quiz import DEFINITION, GOLD, WEEKLY, answers, as_file, end_now, make_quiz, new_system, send
from tests.weeks import CUT_OFF, WEEK, board, row_of, run_batch

pytestmark = pytest.mark.thorough

HOUR = dt.timedelta(hours=1)
TASK = "/benchmarks/quiz/tasks/quiz.json"
WRONG, FEWER = range(600), range(550)
SECOND_END = CUT_OFF + 4 * WEEK
QUARTER = 0.125 / 1000**0.5
"""Of a standard error, of about a thousand items."""


@pytest.fixture
def first(sync, gold_keys) -> Phase:
    """The first phase, closed and released."""
    phase = make_quiz(sync, "open")
    send(new_system("Larch"), phase, WRONG, at=CUT_OFF - HOUR)
    end_now(CUT_OFF)
    run_batch(CUT_OFF)
    phase.refresh_from_db()
    return phase


def follow(phase: Phase, slug: str = "second", closes: dt.datetime = SECOND_END) -> Phase:
    """A phase after it, on the same items."""
    later = Phase.objects.get(pk=phase.pk)
    later.pk, later.slug, later.title = None, slug, slug.title()
    later.opens_at, later.closes_at, later.next_cut_off_at = phase.closes_at, closes, closes
    later.save(force_insert=True)
    Benchmark.objects.filter(pk="quiz").mark_stale(archive=True)
    refresh_stale()
    return later


@pytest.fixture
def second(first) -> Phase:
    """The second phase, closed and released: Alder is new, Birch sends what Larch had sent."""
    phase = follow(first)
    send(new_system("Alder"), phase, FEWER, at=SECOND_END - HOUR)
    send(new_system("Birch"), phase, WRONG, at=SECOND_END - HOUR)
    run_batch(SECOND_END)
    return phase


def exact(wrong: range) -> float:
    return float(np.mean([at not in wrong for at in numbers(REMAINDER)]))


def test_the_first_ranking_is_exact_and_says_so(first, client):
    assert row_of(board(TASK), "Larch")["cells"]["quiz"]["value"] == pytest.approx(exact(WRONG), abs=1e-4)
    assert board(TASK)["part"] == REMAINDER
    assert "These items rank for the first time: exactly." in text_of(client.get("/benchmarks/quiz/"))


def test_the_second_ranking_of_the_same_items_carries_noise_and_nothing_tells_the_exact_number(second):
    cell = row_of(board(TASK), "Alder")["cells"]["quiz"]

    assert cell["value"] != pytest.approx(exact(FEWER), abs=1e-4)
    assert cell["value"] == pytest.approx(exact(FEWER), abs=6 * QUARTER)
    error = sqrt(cell["value"] * (1 - cell["value"]) / len(numbers(REMAINDER)) + QUARTER**2)
    assert cell["ci_high"] - cell["ci_low"] == pytest.approx(2 * 1.96 * error, rel=0.05)
    assert board(TASK)["part"] == RANKED_AGAIN[REMAINDER]
    scores = Score.objects.filter(run__submission__phase=second, run__part=RANKED_AGAIN[REMAINDER])
    assert {score.metric for score in scores} == {"accuracy"}
    assert not scores.filter(ci_low__isnull=False).exists()
    kept = ScoringRun.objects.filter(submission__phase=second)
    assert not kept.filter(part__in=[REMAINDER, ALL]).exists()
    assert not kept.filter(part__in=RANKED_AGAIN.values(), replicates__isnull=False).exists()


def test_the_score_over_all_items_that_stands_beside_it_carries_noise_too(second):
    displayed = Score.objects.get(
        run__submission__phase=second,
        run__submission__system__name="Alder",
        run__part="displayed",
        metric="accuracy",
    )
    over_all = Score.objects.get(
        run__submission__phase=second, run__submission__system__name="Alder", run__part=RANKED_AGAIN[ALL]
    )
    assert displayed.value is not None
    assert over_all.value is not None
    right = displayed.value * (2000 - len(numbers(REMAINDER)))
    assert over_all.value * 2000 - right != pytest.approx(exact(FEWER) * len(numbers(REMAINDER)), abs=1e-6)


def test_the_same_predictions_get_the_same_number_in_every_later_phase(second):
    third = follow(second, "third", SECOND_END + WEEK)
    send(new_system("Cedar"), third, WRONG, at=SECOND_END + HOUR)
    run_batch(SECOND_END + WEEK)

    part = RANKED_AGAIN[REMAINDER]
    values = set(Score.objects.filter(run__part=part).values_list("run__submission__system__name", "value"))
    by_name = dict(values)
    assert by_name["Birch"] == by_name["Cedar"] != by_name["Alder"]


def test_the_scorer_refuses_the_exact_number_whoever_asks_for_it(second):
    predictions = Predictions.objects.get(submission__phase=second, submission__system__name="Alder")
    for part in (REMAINDER, ALL):
        make_runs([predictions.pk], part, now=SECOND_END)
    score_all_due(SECOND_END)

    errors = set(
        ScoringRun.objects.filter(part__in=[REMAINDER, ALL], submission__phase=second).values_list("error")
    )
    assert errors == {("not_yet",)}


def test_the_page_says_for_the_how_manieth_time_items_rank(second, client):
    page = text_of(client.get("/benchmarks/quiz/"))
    assert "These items rank for the second time: with noise of a quarter of a standard error" in page
    assert "exactly." not in page
    old = text_of(client.get("/benchmarks/quiz/releases/1/"))
    assert "These items rank for the first time: exactly." in old


def test_a_running_phase_says_which_guarantee_will_hold(first, client):
    follow(first)
    page = text_of(client.get("/benchmarks/quiz/tasks/quiz/"))
    assert "When the phase closes: These items rank for the second time" in page


@pytest.mark.parametrize("rule", ["sealed", "open"])
def test_a_running_phase_says_that_an_earlier_final_told_of_its_items(sync, gold_keys, client, rule):
    phase = make_quiz(sync, rule)
    refresh_stale()
    assert "ranked these items before" not in text_of(client.get("/benchmarks/quiz/tasks/quiz/"))
    send(new_system("Larch"), phase, WRONG, at=CUT_OFF - HOUR)
    end_now(CUT_OFF)
    run_batch(CUT_OFF)

    follow(Phase.objects.get())
    said = "an earlier phase has ranked these items before, and nothing bounds what that told of their labels"
    assert said in text_of(client.get("/benchmarks/quiz/tasks/quiz/"))


def test_a_release_on_items_that_ranked_before_is_made_again_bit_for_bit(second):
    for release in Release.objects.order_by("number"):
        result, _boards = reproduce(release)
        assert (result.differences, result.failed) == ([], [])
        assert result.score_count


def test_what_a_later_ranking_tells_is_charged(second):
    keep_ledger()
    first_entry, *_, last = LedgerEntry.objects.order_by("release__number")
    assert last.spent_bits > first_entry.spent_bits


def test_which_guarantee_holds_for_a_phase_does_not_change_with_later_ones(second, first):
    split = first.benchmark.tasks.get().splits.get()
    assert (rankings_before(first, split), rankings_before(second, split)) == (0, 1)


def test_a_task_that_is_called_otherwise_since_ranks_the_same_items_again(first, sync):
    """Whoever has seen the final of before has seen the same labels rank."""
    keep_ledger()
    told = LedgerEntry.objects.get(task__slug="quiz")
    renamed = sync(
        DEFINITION.replace("- id: quiz", "- id: riddle").replace("RULE", "open").replace("CUT_OFF", WEEKLY)
    )
    load_gold(
        task=renamed.tasks.get(slug="riddle"),
        data=as_file(GOLD),
        file_name="riddle.csv",
        now=CUT_OFF,
        confirm_clues=True,
    )
    phase, elm = follow(first), new_system("Elm")
    data, at = answers(WRONG), SECOND_END - HOUR
    upload = PredictionUpload(
        system=elm,
        phase=phase,
        user=elm.team.members.get(),
        data=data,
        file_name="riddle.csv",
        received_at=at,
    )
    submit_predictions(upload)
    run_batch(SECOND_END)
    keep_ledger()

    assert {run.part for run in ScoringRun.objects.filter(split__task__slug="riddle")} == {
        DISPLAYED,
        *RANKED_AGAIN.values(),
    }
    entries = {entry.task.slug: entry for entry in LedgerEntry.objects.filter(release__number=2)}
    assert entries["quiz"].spent_bits == told.spent_bits
    assert entries["riddle"].spent_bits > told.spent_bits
