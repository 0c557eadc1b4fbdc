"""A submission that organisers hold back: on no board until it is let go, with the reason told to its team alone."""

import datetime as dt

import pytest
from django.core import mail
from django.db.models import Q
from django.test import Client

from accounts.services import create_team
from leaderboard.models import Page, Release
from leaderboard.publication.reproduction import reproduce
from leaderboard.publication.services import refresh_stale
from scoring.models import JudgedAnswer
from submissions.exceptions import CannotChange
from submissions.models import Submission, System
from submissions.systems.status_transitions import hold_back, let_go, withdraw
from tests.conftest import NOW
from tests.pages import browser_of, text_of
from tests.quiz import make_quiz, new_system, send
from tests.weeks import CUT_OFF, HALF_WRONG, ONE_WRONG, WEEK, board, run_batch, systems_on, upload

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

    assert not Page.objects.filter(Q(body__contains=REASON.encode())).exists()
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
    assert (held.status, held.held_back_at) == ("withdrawn", None)
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
