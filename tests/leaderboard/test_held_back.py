"""A submission that organisers hold back: on no board until it is let go, with the reason told to its team alone."""

import datetime as dt

import pytest
from django.core import mail
from django.test import Client
from rest_framework.test import APIClient

from accounts.models import User
from accounts.services import create_team
from benchmarks.models import Phase
from leaderboard.mail.publication import publication_letters
from leaderboard.models import Page, Release, ReleaseCell, WatchReport
from leaderboard.publication.reproduction import reproduce
from leaderboard.publication.services import publish_ready, refresh_stale
from scoring.models import Disclosed, FinalAnswer, JudgedAnswer
from scoring.queue.batches import close_due, finish_batches
from scoring.queue.runs import score_all_due
from submissions.exceptions import CannotChange
from submissions.models import Choice, Submission, System
from submissions.systems.status_transitions import choose, hold_back, let_go, withdraw
from tests.conftest import NOW, person
from tests.pages import browser_of, text_of
from tests.people import appoint
from tests.published import published
from tests.quiz import end_now, make_quiz, new_system, send
from tests.weeks import CUT_OFF, HALF_WRONG, ONE_WRONG, WEEK, board, row_of, run_batch, systems_on, upload

pytestmark = pytest.mark.thorough

HOUR = dt.timedelta(hours=1)
REASON = "It agrees with another file on every hard item."


@pytest.fixture
def rival(outsider) -> System:
    """Of another team."""
    team = create_team(name="South", founder=outsider, now=NOW)
    return System.objects.create(team=team, name="Birch", created_at=NOW)


@pytest.fixture
def held(phase, system, rival) -> Submission:
    """A scored submission that was held back before its release, which has come out."""
    upload(rival, phase, mood=ONE_WRONG)
    submission = upload(system, phase)
    hold_back(submission=submission, reason=REASON, now=CUT_OFF - HOUR)
    run_batch(CUT_OFF)
    return submission


def hold(submission: Submission, at: dt.datetime) -> None:
    hold_back(submission=submission, reason=REASON, now=at)


def score_batch(now: dt.datetime) -> None:
    """Everything that happens at a cut-off, but for the release."""
    close_due(now)
    score_all_due(now)
    finish_batches(now)


@pytest.fixture
def organiser(toy) -> User:
    user = person("organiser", is_staff=True)
    appoint(toy, user)
    return user


def told(submission: Submission) -> dict:
    api = APIClient()
    api.force_authenticate(submission.submitted_by)
    answer: dict = api.get(f"/api/v1/submissions/{submission.pk}/").json()
    return answer


def differences() -> list[str]:
    releases = Release.objects.select_related("benchmark", "phase", "batch")
    return [line for release in releases for line in reproduce(release)[0].differences]


def test_a_release_goes_out_without_it_and_the_next_after_letting_go_has_it(held):
    assert held.system.name not in systems_on(board())
    held.refresh_from_db()
    assert held.status == Submission.Status.SCORED

    let_go(submission=held, now=CUT_OFF + HOUR)
    run_batch(CUT_OFF + WEEK)

    assert systems_on(board())[0] == held.system.name
    held.refresh_from_db()
    assert held.status == Submission.Status.PUBLISHED
    assert differences() == []


def test_what_is_published_leaves_the_next_board_and_stays_in_earlier_releases(phase, system, rival):
    upload(rival, phase, mood=HALF_WRONG)
    submission = upload(system, phase)
    run_batch(CUT_OFF)
    before = Page.objects.get(pk="/benchmarks/toy/releases/1/").body

    hold_back(submission=submission, reason=REASON, now=CUT_OFF + HOUR)
    refresh_stale()
    run_batch(CUT_OFF + WEEK)

    assert system.name not in systems_on(board())
    assert Release.objects.count() == 2
    assert bytes(Page.objects.get(pk="/benchmarks/toy/releases/1/").body) == bytes(before)
    assert differences() == []


def test_an_earlier_submission_of_the_row_stands_in(phase, system):
    upload(system, phase, mood=ONE_WRONG)
    newer = upload(system, phase, at=CUT_OFF - HOUR)
    hold_back(submission=newer, reason=REASON, now=CUT_OFF - HOUR)

    run_batch(CUT_OFF)

    (row,) = [row for row in board()["rows"] if row["system"] == system.name]
    assert row["cells"]["mood"]["value"] < 1


def test_its_team_reads_the_reason_and_nobody_else_does(held, owner, django_capture_on_commit_callbacks):
    page = text_of(browser_of(owner).get(f"/submissions/{held.pk}/"))
    assert "Held back" in page
    assert REASON in page
    told = browser_of(owner).get(f"/api/v1/submissions/{held.pk}/").json()
    assert REASON in str(told)

    assert not [path for path, body in published().items() if REASON.encode() in body]
    addresses = ["/", "/benchmarks/toy/", f"/systems/{held.system.pk}/", f"/submissions/{held.pk}/"]
    assert not any(REASON in text_of(Client().get(address, follow=True)) for address in addresses)

    with django_capture_on_commit_callbacks(execute=True):
        let_go(submission=held, now=CUT_OFF + HOUR)
    assert [message.to for message in mail.outbox] == [[owner.email]]
    assert "counts again from the next release on" in mail.outbox[0].body


def test_its_team_gets_the_reason_by_mail(phase, system, owner, django_capture_on_commit_callbacks):
    submission = upload(system, phase)
    with django_capture_on_commit_callbacks(execute=True):
        hold_back(submission=submission, reason=REASON, now=CUT_OFF - HOUR)
    assert [message.to for message in mail.outbox] == [[owner.email]]
    assert REASON in " ".join(mail.outbox[0].body.split())


def test_twice_held_back_and_let_go_without_need_are_refused(held, owner):
    with pytest.raises(CannotChange, match="held back already"):
        hold_back(submission=held, reason="Again.", now=CUT_OFF + HOUR)
    let_go(submission=held, now=CUT_OFF + HOUR)
    with pytest.raises(CannotChange, match="not held back"):
        let_go(submission=held, now=CUT_OFF + HOUR)


def test_a_team_may_withdraw_what_is_held_back(held, owner):
    withdraw(submission=held, user=owner, now=CUT_OFF + HOUR)
    held.refresh_from_db()
    assert (held.status, held.is_held_back) == ("withdrawn", False)
    with pytest.raises(CannotChange, match="withdrawn already"):
        hold_back(submission=held, reason=REASON, now=CUT_OFF + 2 * HOUR)


def test_through_noise_it_is_not_judged_before_it_is_let_go(sync, gold_keys):
    protected = make_quiz(sync, "protected")
    submission = send(new_system("Larch"), protected, range(600), at=CUT_OFF - HOUR)
    hold_back(submission=submission, reason=REASON, now=CUT_OFF - HOUR)
    run_batch(CUT_OFF)
    assert not JudgedAnswer.objects.exists()

    let_go(submission=submission, now=CUT_OFF + HOUR)
    run_batch(CUT_OFF + WEEK)

    assert JudgedAnswer.objects.count() == 1
    assert systems_on(board("/benchmarks/quiz.json")) == ["Larch"]


def test_one_that_was_on_no_board_makes_no_release_of_its_own(phase, system, rival):
    upload(rival, phase, mood=ONE_WRONG)
    submission = upload(system, phase)
    score_batch(CUT_OFF)
    hold(submission, CUT_OFF + HOUR)
    publish_ready(CUT_OFF + 2 * HOUR)
    run_batch(CUT_OFF + WEEK)
    assert Release.objects.count() == 1


@pytest.mark.parametrize("counting", ["latest", "best", "chosen"])
def test_what_counted_before_stands_in(counting, system, phase):
    Phase.objects.filter(pk=phase.pk).update(counting=counting)
    phase.refresh_from_db()
    first = upload(system, phase, mood=HALF_WRONG)
    second = upload(system, phase, at=NOW + HOUR)
    if counting == "chosen":
        choose(submission=second, user=second.submitted_by, now=NOW)
    run_batch(CUT_OFF)
    whole = row_of(board(), "Larch")
    hold(second, CUT_OFF + HOUR)
    run_batch(CUT_OFF + WEEK)
    cells = ReleaseCell.objects.of(Release.objects.get(number=2))

    assert {cell.submission_id for cell in cells} == {first.pk}
    assert row_of(board(), "Larch") != whole
    let_go(submission=second, now=CUT_OFF + WEEK + HOUR)
    run_batch(CUT_OFF + 2 * WEEK)
    cells = ReleaseCell.objects.of(Release.objects.get(number=3))
    assert {cell.submission_id for cell in cells} == {second.pk}
    assert Choice.objects.exists() == (counting == "chosen")


def test_scores_that_were_published_are_not_beside_the_reason(system, phase):
    submission = upload(system, phase)
    run_batch(CUT_OFF)
    hold(submission, CUT_OFF + HOUR)
    assert told(submission)["scores"] == []
    assert "Another submission of this system" not in text_of(
        browser_of(submission.submitted_by).get(f"/submissions/{submission.pk}/")
    )


def test_the_count_of_tries_does_not_tell_of_it(system, phase):
    upload(system, phase, mood=HALF_WRONG)
    second = upload(system, phase, at=NOW + HOUR)
    score_batch(CUT_OFF)
    hold(second, CUT_OFF + HOUR)
    publish_ready(CUT_OFF + 2 * HOUR)
    (line,) = Release.objects.get().reports["tries"]
    assert line["tasks"] == {"mood": 1, "colour": 1}


def test_a_release_that_was_built_with_it_does_not_go_out(system, phase, monkeypatch):
    submission = upload(system, phase)
    score_batch(CUT_OFF)

    def letters(*arguments):
        hold(submission, CUT_OFF)
        return publication_letters(*arguments)

    with monkeypatch.context() as meanwhile:
        meanwhile.setattr("leaderboard.publication.services.publication_letters", letters)
        assert publish_ready(CUT_OFF) == []
    assert len(publish_ready(CUT_OFF)) == 1
    assert systems_on(board()) == []


@pytest.mark.parametrize("end", ["hold back", "withdraw"])
def test_releases_through_noise_are_made_again_after_a_leading_answer_left(sync, gold_keys, end):
    protected = make_quiz(sync, "protected")
    larch = new_system("Larch")
    first = send(larch, protected, range(300), at=CUT_OFF - HOUR)
    run_batch(CUT_OFF)
    if end == "withdraw":
        withdraw(submission=first, user=first.submitted_by, now=CUT_OFF + HOUR)
    else:
        hold(first, CUT_OFF + HOUR)
    send(larch, protected, range(800), at=CUT_OFF + 2 * HOUR)
    run_batch(CUT_OFF + WEEK)
    assert Disclosed.objects.filter(leads=True).count() == 2
    assert differences() == []
    if end == "hold back":
        let_go(submission=first, now=CUT_OFF + WEEK + HOUR)
        send(larch, protected, range(100), at=CUT_OFF + WEEK + 2 * HOUR)
        run_batch(CUT_OFF + 2 * WEEK)
        assert differences() == []


def test_a_final_answer_is_chosen_among_those_that_are_not_held_back(sync, gold_keys):
    phase = make_quiz(sync, "open")
    larch = new_system("Larch")
    first = send(larch, phase, range(600), at=CUT_OFF - 2 * HOUR)
    better = send(larch, phase, range(100), at=CUT_OFF - HOUR)
    run_batch(CUT_OFF)
    hold(better, CUT_OFF + HOUR)
    end_now(CUT_OFF + WEEK)
    run_batch(CUT_OFF + WEEK)
    assert FinalAnswer.objects.get().submission == first
    assert differences() == []


@pytest.fixture
def report(system, rival, phase, monkeypatch) -> WatchReport:
    """Of a batch that waits for a look, with a finding about two submissions."""
    named = [upload(system, phase, mood=HALF_WRONG), upload(rival, phase, mood=HALF_WRONG)]
    finding = {"kind": "staircase", "submissions": [str(one.pk) for one in named], "tasks": []}
    monkeypatch.setattr("leaderboard.publication.batch_watch.find", lambda batch: [finding])
    run_batch(CUT_OFF)
    return WatchReport.objects.get()


def test_an_organiser_holds_back_a_row_on_the_report_and_the_release_goes_out_after_the_look(
    report, system, organiser
):
    browser, address = browser_of(organiser), f"/admin/leaderboard/watchreport/{report.pk}"
    held = system.submissions.get()
    assert "Larch (" in text_of(browser.get(f"{address}/hold_rows/"))

    given = {"confirmed": "yes", "submissions": [str(held.pk)], "reason": REASON}
    answer = browser.post(f"{address}/hold_rows/", given, follow=True)
    assert "1 held back. Their teams are written to." in text_of(answer)
    assert publish_ready(CUT_OFF + HOUR) == []
    browser.post(f"{address}/looked_at/", {"confirmed": "yes"})
    assert len(publish_ready(CUT_OFF + HOUR)) == 1

    assert systems_on(board()) == ["Birch"]
    assert str(held.pk) not in text_of(browser.get(f"{address}/hold_rows/"))
    history = text_of(browser.get(f"/admin/submissions/submission/{held.pk}/history/"))
    assert f"Held back. {REASON}" in history


def test_what_the_report_does_not_name_is_not_held_back_there(report, system, organiser):
    later = upload(system, report.batch.phase, at=CUT_OFF)
    given = {"confirmed": "yes", "submissions": [str(later.pk)], "reason": REASON}
    browser_of(organiser).post(f"/admin/leaderboard/watchreport/{report.pk}/hold_rows/", given)
    later.refresh_from_db()
    assert not later.is_held_back
