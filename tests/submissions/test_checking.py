"""Checks that cost nothing: the verdict of a submission, and no trace of one."""

import html
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from benchmarks.models import Phase
from submissions import services as checking
from submissions.models import Refusal, Submission, System
from submissions.participants import GroupUse
from tests.api.conftest import UPLOADS, client_of, upload_form
from tests.pages import text_of
from tests.uploads import toy_zip

BAD = toy_zip(mood="good good bad bad Good bad")


def check(browser: Client, system: System, data: bytes | None = None) -> Any:
    file = SimpleUploadedFile("larch.zip", toy_zip() if data is None else data)
    form = {"phase": "toy/main", "system": str(system.pk), "file": file, "check_only": "1"}
    return browser.post("/submit/", form)


def said(answer: Any) -> str:
    return html.unescape(text_of(answer))


def traces() -> tuple[int, int, int]:
    return Submission.objects.count(), Refusal.objects.count(), GroupUse.objects.count()


def test_a_check_says_what_was_read_and_leaves_no_trace(browser, system, phase):
    answer = check(browser, system)

    assert answer.status_code == 200
    assert "No problem found: 2 of 2 tasks, 10 labels" in said(answer)
    assert "in 4 days" in said(answer)
    assert "You and your team have used 0 of 5 submissions this week." in said(answer)
    assert traces() == (0, 0, 0)


def test_a_check_shows_the_problems_and_leaves_no_trace(browser, system, phase):
    answer = check(browser, system, BAD)

    assert answer.status_code == 422
    assert "<b>Line 6, column Label:</b>" in said(answer)
    assert traces() == (0, 0, 0)


def test_a_file_is_checked_even_where_the_quota_is_used_up(browser, system, phase):
    Phase.objects.update(quota_limit=1)
    file = SimpleUploadedFile("larch.zip", toy_zip(mood="bad bad bad bad bad bad"))
    browser.post("/submit/", {"phase": "toy/main", "system": str(system.pk), "file": file})

    answer = check(browser, system)

    assert answer.status_code == 200
    assert "The quota is used up" in said(answer)


def test_a_closed_phase_checks_nothing(browser, system, phase):
    Phase.objects.update(closes_at=phase.next_cut_off_at.replace(year=2020))

    assert check(browser, system).status_code == 403


def test_too_many_checks_in_an_hour_are_refused_with_what_to_do(browser, system, phase, monkeypatch):
    monkeypatch.setattr(checking, "CHECKS_PER_HOUR", 1)
    check(browser, system)

    answer = check(browser, system)

    assert answer.status_code == 429
    assert answer["Retry-After"] == "3600"
    assert "from 13:00 UTC on" in said(answer)
    assert "heldout check" in said(answer)


def test_refused_uploads_are_limited_too_and_leave_no_more_rows(browser, system, phase, monkeypatch):
    monkeypatch.setattr(checking, "CHECKS_PER_HOUR", 1)
    fields = {"phase": "toy/main", "system": str(system.pk)}
    answers = [
        browser.post("/submit/", {**fields, "file": SimpleUploadedFile("larch.zip", BAD)}) for _ in range(3)
    ]

    assert [answer.status_code for answer in answers] == [422, 429, 429]
    assert Refusal.objects.count() == 1
    sent = browser.post("/submit/", {**fields, "file": SimpleUploadedFile("larch.zip", toy_zip())})
    assert sent.status_code == 302
    assert Submission.objects.count() == 1


@pytest.mark.parametrize(
    ("address", "field"),
    [(f"{UPLOADS}?dry_run=true", {}), (UPLOADS, {"dry_run": "true"})],
    ids=["query", "form"],
)
def test_the_api_checks_too(owner, system, phase, address, field):
    answer = client_of(owner).post(address, upload_form(system, **field))

    assert answer.status_code == 200
    assert answer.json()["dry_run"] is True
    assert answer.json()["labels_read"] == 10
    assert answer.json()["quota"]["used"] == 0
    assert traces() == (0, 0, 0)


def test_the_api_tells_problems_of_a_file_that_is_only_checked(owner, system, phase):
    answer = client_of(owner).post(f"{UPLOADS}?dry_run=true", upload_form(system, BAD))

    assert answer.status_code == 422
    assert answer.json()["problems"][0]["line"] == 6
    assert traces() == (0, 0, 0)


def test_the_api_limits_checks(owner, system, phase, monkeypatch):
    monkeypatch.setattr(checking, "CHECKS_PER_HOUR", 0)

    answer = client_of(owner).post(f"{UPLOADS}?dry_run=true", upload_form(system))

    assert (answer.status_code, answer.json()["code"]) == (429, "throttled")
    assert "Retry-After" in answer


def test_a_dry_run_that_is_neither_yes_nor_no_is_told(owner, system, phase):
    answer = client_of(owner).post(f"{UPLOADS}?dry_run=perhaps", upload_form(system))

    assert answer.status_code == 400
    assert "dry_run" in answer.json()["fields"]
    assert traces() == (0, 0, 0)
