"""Feedback on test splits: under the rule of the phase, charged before it is told, to the team alone."""

import datetime as dt

import pytest
from rich.console import Console

from benchmarks.models import Phase
from benchmarks.spec.document import DefinitionError
from client.show import show_feedback
from leaderboard.ledger.accounts import keep_ledger
from leaderboard.models import LedgerEntry, Release
from scoring.disclosure.told_answers import feedback_on
from scoring.models import Batch, Disclosed, Score, ScoringRun, ToldAnswer
from scoring.queue.batches import close_due, finish_batches
from scoring.queue.feedback import make_feedback_runs, tell_feedback
from scoring.queue.runs import score_all_due
from submissions.models import Submission
from submissions.quota.slots import quotas
from submissions.systems.file_removals import remove_file
from submissions.systems.status_transitions import hold_back, withdraw
from tests.admin.test_phases import save
from tests.api.conftest import client_of
from tests.leaderboard.test_disclosure import BY_F1, is_displayed
from tests.pages import browser_of, text_of
from tests.people import appoint
from tests.quiz import DEFINITION, WEEKLY, make_quiz, new_system, send
from tests.weeks import CUT_OFF, WEEK, run_batch

pytestmark = pytest.mark.thorough

HOUR, DAY = dt.timedelta(hours=1), dt.timedelta(days=1)
BEFORE = CUT_OFF - 60 * HOUR  # Friday, 12:00 UTC


def phase_with(sync, rule, feedback, **values):
    phase = make_quiz(sync, rule)
    Phase.objects.filter(pk=phase.pk).update(feedback=feedback, **values)
    phase.refresh_from_db()
    return phase


def pass_time(now):
    """What beat and workers do without a cut-off."""
    make_feedback_runs(now)
    score_all_due(now)
    return tell_feedback(now)


def cut_off_without_release(now):
    close_due(now)
    score_all_due(now)
    finish_batches(now)
    tell_feedback(now)


def told(submission):
    submission.refresh_from_db()
    return [(one.value, one.undefined) for one in feedback_on(submission) or []]


def wrong_on(displayed, count):
    """So many even questions of one half."""
    found = (at for at in range(0, 2000, 2) if is_displayed(at) is displayed)
    return [at for at, _ in zip(found, range(count), strict=False)]


def test_open_tells_the_displayed_half_and_nothing_of_the_other(sync, gold_keys):
    """Two worlds that differ in answers to what is kept back alone cannot be told apart."""
    phase = phase_with(sync, "open", "immediate")
    displayed, kept = wrong_on(True, 40), wrong_on(False, 300)
    one = send(new_system("Larch"), phase, displayed, at=BEFORE)
    other = send(new_system("Oak"), phase, [*displayed, *kept], at=BEFORE)

    assert pass_time(BEFORE + HOUR) == 2

    assert told(one) == told(other)
    run = ScoringRun.objects.get(submission=one)
    assert run.item_count
    assert told(one) == [(round(1 - 40 / run.item_count, 4), "")]
    assert not Score.objects.filter(run__part="").exists()
    page = text_of(browser_of(one.submitted_by).get(f"/submissions/{one.pk}/"))
    assert "Feedback, provisional" in page
    assert "The half that is kept back has no part in any number here" in page
    assert not Release.objects.exists()


def test_what_was_told_is_charged_and_withdrawing_undoes_neither(sync, gold_keys):
    phase = phase_with(sync, "open", "immediate", counting="latest")
    larch = new_system("Larch")
    first = send(larch, phase, range(100), at=BEFORE)
    pass_time(BEFORE + HOUR)
    answer = ToldAnswer.objects.get()
    assert (answer.told_at, answer.bits > 9) == (BEFORE + HOUR, True)

    first.refresh_from_db()
    withdraw(submission=first, user=first.submitted_by, now=BEFORE + 2 * HOUR)
    (quota,) = quotas(first.submitted_by, [larch.team], [phase], BEFORE + 3 * HOUR)
    assert quota.used == 1
    send(larch, phase, range(200), at=BEFORE + 3 * HOUR)
    run_batch(CUT_OFF)
    keep_ledger()

    entry = LedgerEntry.objects.get(release=Release.objects.get())
    assert entry.answer_count == 2


def test_what_was_told_is_charged_also_where_its_file_is_gone_before_the_next_release(sync, gold_keys):
    """Nobody has the predictions any more, but their team has read a score of them."""
    phase = phase_with(sync, "exact", "daily")
    send(new_system("Oak"), phase, range(200), at=BEFORE)
    run_batch(CUT_OFF)
    asked = send(new_system("Larch"), phase, range(100), at=CUT_OFF + HOUR)
    pass_time(CUT_OFF + DAY)
    asked.refresh_from_db()
    withdraw(submission=asked, user=asked.submitted_by, now=CUT_OFF + DAY)
    remove_file(submission=asked, reason="it names a person", now=CUT_OFF + DAY)
    send(new_system("Elm"), phase, range(200), at=CUT_OFF + DAY)  # the same again tells nothing

    run_batch(CUT_OFF + WEEK)
    keep_ledger()

    entry = LedgerEntry.objects.get(release__number=2)
    assert entry.carried_bits == pytest.approx(ToldAnswer.objects.get(run__submission=asked).bits)


def test_daily_feedback_waits_for_midnight_in_the_zone_of_the_phase(sync, gold_keys):
    phase = phase_with(sync, "open", "daily", timezone="Europe/Berlin")
    larch, oak = new_system("Larch"), new_system("Oak")
    kept, back = send(larch, phase, range(100), at=BEFORE), send(oak, phase, range(50), at=BEFORE)
    midnight = BEFORE.replace(hour=23)  # in Berlin

    assert pass_time(midnight - HOUR) == 0
    assert not ScoringRun.objects.exists()
    page = text_of(browser_of(kept.submitted_by).get(f"/submissions/{kept.pk}/"))
    assert "Its scores stand here once it is scored, from Fri 20 Nov 2026, 23:00 UTC on." in page
    withdraw(submission=back, user=back.submitted_by, now=midnight - HOUR)
    assert quotas(back.submitted_by, [oak.team], [phase], midnight)[0].used == 0

    assert pass_time(midnight) == 1

    assert told(kept) != []
    assert told(back) == []
    assert ToldAnswer.objects.filter(run__submission=back).count() == 0


def test_a_cut_off_tells_teams_before_any_release(sync, gold_keys):
    phase = phase_with(sync, "exact", "at-cut-off", publish_automatically=False)
    sent = send(new_system("Larch"), phase, range(500), at=BEFORE)
    assert pass_time(BEFORE + HOUR) == 0

    cut_off_without_release(CUT_OFF)

    assert told(sent) == [(0.75, "")]
    assert Batch.objects.get().status == Batch.Status.SCORED
    assert not Release.objects.exists()
    answer = client_of(sent.submitted_by).get(f"/api/v1/submissions/{sent.pk}/").json()
    assert (answer["feedback"][0]["value"], answer["scores"]) == (0.75, [])
    assert "They are provisional" in answer["feedback_note"]


def test_protected_tells_the_noised_number_of_the_row_and_what_is_left(sync, gold_keys):
    phase = phase_with(sync, "protected", "at-cut-off", publish_automatically=False)
    larch = new_system("Larch")
    better = send(larch, phase, range(400), at=BEFORE)
    cut_off_without_release(CUT_OFF)
    worse = send(larch, phase, range(1_200), at=CUT_OFF + HOUR)
    cut_off_without_release(CUT_OFF + WEEK)

    shown = Disclosed.objects.get(run__submission=better).shown
    exact = Score.objects.get(run__submission=better).value
    assert told(better) == [(shown, "")]
    assert shown != exact
    assert told(worse) == []
    note = client_of(worse.submitted_by).get(f"/api/v1/submissions/{worse.pk}/").json()["feedback_note"]
    assert "it did not move your number, or was not drawn yet" in note
    assert (
        "Answers to Quiz that may still be judged, of you and those you are in teams with: 8 of 10." in note
    )
    assert not ToldAnswer.objects.filter(bits__gt=0).exists()  # charged when they were judged

    Phase.objects.update(publish_automatically=True)
    send(larch, phase, range(1_100), at=CUT_OFF + WEEK + HOUR)
    run_batch(CUT_OFF + 2 * WEEK)
    keep_ledger()
    assert sum(LedgerEntry.objects.values_list("answer_count", flat=True)) == 3


def test_once_another_metric_ranks_no_number_of_the_former_is_told_by_its_name(sync, gold_keys):
    phase = phase_with(sync, "protected", "at-cut-off", publish_automatically=False)
    sent = send(new_system("Larch"), phase, range(400), at=BEFORE)
    cut_off_without_release(CUT_OFF)
    assert len(told(sent)) == 1

    sync(BY_F1.replace("CUT_OFF", WEEKLY).replace("RULE", "protected"))

    assert told(Submission.objects.get(pk=sent.pk)) == []


def test_what_cannot_be_told_keeps_nobody_else_waiting(sync, gold_keys, monkeypatch):
    phase = phase_with(sync, "open", "immediate")
    one, other = (
        send(new_system(name), phase, range(at), at=BEFORE) for at, name in enumerate(["Larch", "Oak"])
    )

    def _bits_of_all_but_one(run):
        if run.submission_id == one.pk:
            raise MemoryError
        return 1.0

    with monkeypatch.context() as patched:
        patched.setattr("scoring.queue.feedback._bits", _bits_of_all_but_one)
        assert pass_time(BEFORE + HOUR) == 1
        assert [len(told(one)), len(told(other))] == [0, 1]
    assert tell_feedback(BEFORE + HOUR) == 1
    assert len(told(one)) == 1


def test_who_is_held_back_is_told_nothing(sync, gold_keys):
    phase = phase_with(sync, "open", "immediate")
    sent = send(new_system("Larch"), phase, range(100), at=BEFORE)
    hold_back(submission=sent, reason="Copies.", now=BEFORE)
    assert pass_time(BEFORE + HOUR) == 0
    assert told(sent) == []


def definition(rule, feedback, more=""):
    text = DEFINITION.replace("CUT_OFF", "at: close" if rule == "sealed" else WEEKLY)
    stated = f"    disclosure: {rule}\n" if rule else ""
    return text.replace("    disclosure: RULE\n", f"{stated}    feedback: {{when: {feedback}}}\n{more}")


@pytest.mark.parametrize(
    ("rule", "feedback", "said"),
    [
        (
            "sealed",
            "immediate",
            "nothing of quiz/test is shown before the end, so there is no feedback on it",
        ),
        ("sealed", "at-cut-off", "nothing of quiz/test is shown before the end"),
        ("protected", "immediate", "judged at cut-offs, by lot"),
        ("protected", "daily", "Please choose feedback at cut-offs, or none"),
        ("exact", "immediate", "would give the labels of quiz/test away"),
        ("", "daily", "is missing; feedback before a release tells the labels of quiz/test little by little"),
        ("", "at-cut-off", "`exact` says that you know"),
    ],
)
def test_feedback_that_a_rule_keeps_back_is_refused_in_words(sync, gold_keys, rule, feedback, said):
    with pytest.raises(DefinitionError, match=said):
        sync(definition(rule, feedback))


@pytest.mark.parametrize(
    ("rule", "feedback"),
    [
        ("open", "immediate"),
        ("open", "daily"),
        ("protected", "at-cut-off"),
        ("exact", "daily"),
        ("sealed", "none"),
    ],
)
def test_feedback_that_a_rule_allows_is_taken(sync, gold_keys, rule, feedback):
    assert sync(definition(rule, feedback)).phases.get().feedback == feedback


def test_the_form_says_what_holds_and_refuses_alike(sync, gold_keys, staff):
    phase = phase_with(sync, "protected", "none")
    appoint(phase.benchmark, staff)
    page = f"/admin/benchmarks/phase/{phase.pk}/change/"
    shown = text_of(browser_of(staff).get(page))
    assert "At any time: exact scores of the displayed half." in shown
    assert "None of the test set." in shown

    ends = {"closes_at_0": "2027-02-01", "closes_at_1": "00:00", "one_per_team": "on", "counting": "best"}
    answer = save(browser_of(staff), phase, feedback="daily", disclosure="protected", **ends)

    assert "judged at cut-offs, by lot" in text_of(answer)
    phase.refresh_from_db()
    assert phase.feedback == "none"


def test_the_client_shows_what_was_told(capsys):
    feedback = [{"task": "quiz", "split": "test", "metric": "accuracy", "value": 0.75, "undefined": ""}]
    show_feedback(
        Console(width=120), {"scores": [], "feedback": feedback, "feedback_note": "They are provisional."}
    )
    shown = capsys.readouterr().out
    assert "0.7500" in shown
    assert "They are provisional." in shown


def test_the_rule_stays_once_a_team_was_told_something_under_it(sync, gold_keys, staff):
    phase = phase_with(sync, "open", "immediate")
    appoint(phase.benchmark, staff)
    send(new_system("Larch"), phase, range(100), at=BEFORE)
    pass_time(BEFORE + HOUR)
    ends = {"closes_at_0": "2027-02-01", "closes_at_1": "00:00", "one_per_team": "on", "counting": "best"}

    answer = save(browser_of(staff), phase, disclosure="protected", **ends)

    assert "A team was told scores under the rule, so it holds until the phase closes." in text_of(answer)
