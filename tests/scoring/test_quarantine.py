"""A submission that fails in two batches enters no further one, until an organiser has it scored again."""

import pytest
from django.urls import reverse
from django.utils.html import strip_tags

from accounts.models import Mail, User
from benchmarks.models import Phase
from scoring.models import BatchEntry, ScoringRun
from scoring.queue.quarantine import is_quarantined
from submissions.models import PredictionCodes, Predictions, Submission, System
from tests.conftest import NOW
from tests.pages import browser_of, text_of
from tests.people import appoint
from tests.weeks import CUT_OFF, WEEK, run_batch, status_of, upload

pytestmark = pytest.mark.thorough


@pytest.fixture
def whole(system: System, phase: Phase) -> dict[int, bytes]:
    """A submission whose stored predictions are damaged; returns what they were."""
    upload(system, phase)
    kept = {one.pk: bytes(one.codes.packed) for one in Predictions.objects.all()}
    PredictionCodes.objects.update(packed=b"damaged")
    return kept


def weeks(first: int, last: int) -> None:
    for week in range(first, last + 1):
        run_batch(CUT_OFF + week * WEEK)


def test_it_enters_two_batches_and_no_more(whole):
    weeks(0, 4)
    assert BatchEntry.objects.count() == 2
    assert {run.finished_at < CUT_OFF + 2 * WEEK for run in ScoringRun.objects.all()} == {True}


def test_its_batch_goes_on_without_it(whole, team, phase):
    weeks(0, 1)
    other = upload(System.objects.create(team=team, name="Fir", created_at=NOW), phase, at=CUT_OFF + WEEK)
    weeks(2, 2)
    assert status_of(other) == Submission.Status.PUBLISHED


def test_its_owner_and_the_organisers_are_told(whole, phase, owner, outsider):
    appoint(phase.benchmark, outsider)
    weeks(0, 1)
    told = {mail.user: mail.text for mail in Mail.objects.filter(kind="failure").order_by("created_at")}
    assert set(told) == {owner, outsider}
    assert all("It failed in 2 batches and is quarantined" in text for text in told.values())
    assert "next try" not in told[owner]


def test_its_page_promises_no_further_try(whole, owner):
    assert "Next try" in page_after_week(0, whole, owner)
    page = page_after_week(1, whole, owner)
    assert "Next try" not in page
    assert "No further batch tries it" in page


def page_after_week(week: int, whole: dict[int, bytes], owner: User) -> str:
    PredictionCodes.objects.update(packed=b"damaged")
    weeks(week, week)
    repair(whole)
    return text_of(browser_of(owner).get(Submission.objects.get().get_absolute_url()))


def repair(whole: dict[int, bytes]) -> None:
    for pk, codes in whole.items():
        PredictionCodes.objects.filter(pk=pk).update(packed=codes)


def test_the_admin_shows_it_and_score_again_takes_it_up(whole, staff):
    weeks(0, 1)
    submission = Submission.objects.get()
    admin = browser_of(staff)
    waiting = strip_tags("".join(admin.get("/admin/").context["busy"][0].waiting))
    assert "1 submission failed again and again: quarantined" in waiting
    page = reverse("admin:submissions_submission_change", args=[submission.pk])
    assert "quarantined" in admin.get(page).content.decode()

    repair(whole)
    admin.post(
        reverse("admin:submissions_submission_score_again", args=[submission.pk]), {"confirmed": "yes"}
    )
    assert not is_quarantined(submission)
    weeks(2, 2)
    assert status_of(submission) == Submission.Status.PUBLISHED


def test_a_missing_key_quarantines_nothing(system, phase, settings):
    submission = upload(system, phase)
    key, settings.GOLD_PRIVATE_KEY_FILE = settings.GOLD_PRIVATE_KEY_FILE, ""
    weeks(0, 2)
    settings.GOLD_PRIVATE_KEY_FILE = key
    weeks(3, 3)
    assert status_of(submission) == Submission.Status.PUBLISHED
