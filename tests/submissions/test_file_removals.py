"""Files that are gone: after a time of grace, or for a reason; digests, scores and ranks stay."""

import datetime as dt
import json
from pathlib import Path

import pytest
from django.core.files.storage import default_storage

from accounts.models import User
from leaderboard.models import Page
from leaderboard.publication.predictions import finish_removals
from submissions.exceptions import CannotChange
from submissions.models import PredictionCodes, Submission, System
from submissions.systems.file_removals import GRACE, remove_file, remove_withdrawn
from submissions.systems.status_transitions import disqualify, withdraw
from tests.leaderboard.test_reproduce import reproduced
from tests.locks import taken_in_order
from tests.pages import browser_of, text_of
from tests.weeks import CUT_OFF, ONE_WRONG, WEEK, run_batch, upload
from transparency.models import LogEntry

pytestmark = [pytest.mark.thorough, pytest.mark.django_db]
LATER = CUT_OFF + dt.timedelta(days=1)
REASON = "it held somebody's address"


@pytest.fixture
def published(toy, phase, system: System) -> Submission:
    found = upload(system, phase, mood=ONE_WRONG)
    run_batch(CUT_OFF)
    return Submission.objects.get(pk=found.pk)


def stored(settings) -> list[Path]:
    return [path for path in Path(settings.MEDIA_ROOT).rglob("*") if path.is_file()]


def gone(submission: Submission) -> bool:
    return not PredictionCodes.objects.filter(predictions__submission=submission).exists()


def test_a_withdrawn_file_is_gone_after_the_time_of_grace_and_not_before(published, owner, settings):
    withdraw(submission=published, user=owner, now=LATER)
    assert remove_withdrawn(LATER + GRACE - dt.timedelta(seconds=1)) == 0
    assert len(stored(settings)) == 1
    assert remove_withdrawn(LATER + GRACE) == 1
    finish_removals()
    assert stored(settings) == []
    assert gone(published)


def test_nothing_of_what_stands_is_removed(published, settings):
    with pytest.raises(CannotChange, match="still counts"):
        remove_file(submission=published, reason=REASON, now=LATER)
    assert remove_withdrawn(LATER + 10 * GRACE) == 0
    assert len(stored(settings)) == 1


def test_the_log_is_locked_last(published, owner):
    withdraw(submission=published, user=owner, now=LATER)
    with taken_in_order():
        remove_file(submission=published, reason=REASON, now=LATER)


def test_bytes_that_a_killed_sweep_left_behind_go_with_the_next(published, owner, settings):
    disqualify(submission=published, reason="Copied.", now=LATER)
    remove_file(submission=published, reason=REASON, now=LATER)
    assert len(stored(settings)) == 1
    assert finish_removals() == 1
    assert stored(settings) == []
    assert finish_removals() == 0


def test_its_team_reads_when_and_why_on_the_page_and_in_the_api(published, owner):
    disqualify(submission=published, reason="Copied.", now=LATER)
    remove_file(submission=published, reason=REASON, now=LATER)
    finish_removals()
    browser = browser_of(owner)
    page = text_of(browser.get(published.get_absolute_url()))
    assert f"removed on {LATER:%a %-d %b %Y}" in page
    assert REASON.replace("'", "&#x27;") in page
    answer = browser.get(f"/submissions/{published.pk}/file/", follow=True)
    assert answer.status_code == 200
    assert "Its file was removed on" in text_of(answer)
    said = browser.get(f"/api/v1/submissions/{published.pk}/").json()
    assert said["file_removed_because"] == REASON
    refused = browser.get(f"/api/v1/submissions/{published.pk}/file/")
    assert (refused.status_code, refused.json()["code"]) == (410, "file_removed")


def test_the_release_keeps_rank_and_digest_and_reproduce_says_what_is_gone(published, owner, settings):
    board = bytes(Page.objects.get(pk="/benchmarks/toy/releases/1/").body)
    disqualify(submission=published, reason="Copied.", now=LATER)
    remove_file(submission=published, reason=REASON, now=LATER)
    finish_removals()
    status, said = reproduced()
    assert "NOT MADE AGAIN" in said
    assert REASON in said
    assert "DIFFERS" not in said
    assert status == 1  # no score at all was made again, which is no all-clear
    assert bytes(Page.objects.get(pk="/benchmarks/toy/releases/1/").body) == board
    entry = LogEntry.objects.get(kind="file")
    assert entry.facts["sha256"] == published.file_sha256
    assert entry.facts["reason"] == REASON


def test_a_next_release_goes_out_without_it(published, owner, system, phase):
    withdraw(submission=published, user=owner, now=LATER)
    remove_withdrawn(LATER + GRACE)
    other = System.objects.create(team=system.team, name="Alder", created_at=LATER)
    upload(other, phase, at=CUT_OFF + 3 * WEEK)
    run_batch(CUT_OFF + 4 * WEEK)
    newest = bytes(Page.objects.get(pk="/benchmarks/toy.json").body)
    systems = {row["system"] for row in json.loads(newest)["rows"]}
    assert "Alder" in systems
    assert "Larch" not in systems


def test_what_other_answers_are_judged_against_stays_until_the_phase_is_over(published, owner: User, phase):
    withdraw(submission=published, user=owner, now=LATER)
    end = CUT_OFF + 52 * WEEK
    type(phase).objects.filter(pk=phase.pk).update(
        disclosure="open", counting="best", closes_at=end, one_per_team=True
    )
    assert remove_withdrawn(LATER + GRACE) == 0
    with pytest.raises(CannotChange, match="judged against"):
        remove_file(submission=published, reason=REASON, now=LATER)


def test_one_file_that_cannot_be_deleted_holds_up_no_other(
    published, owner, system, phase, settings, monkeypatch
):
    other = System.objects.create(team=system.team, name="Alder", created_at=LATER)
    second = upload(other, phase, at=LATER)
    for one in (published, second):
        withdraw(submission=one, user=owner, now=LATER)
    assert remove_withdrawn(LATER + GRACE) == 2
    delete = default_storage.delete

    def refusing(name: str) -> None:
        if name == published.stored_file.name:
            raise OSError("The disk is read-only.")
        delete(name)

    monkeypatch.setattr(default_storage, "delete", refusing)
    assert finish_removals() == 1
    assert len(stored(settings)) == 1
    monkeypatch.undo()
    assert finish_removals() == 1
    assert stored(settings) == []
