"""Checkpoints go out with a release: at the foot of its page, in its mails and in the feed."""

import pytest

from accounts.models import Mail
from leaderboard.models import Page, Release
from leaderboard.publication.services import refresh
from tests.weeks import CUT_OFF, ONE_WRONG, run_batch, upload
from transparency.core.checkpoints import read_checkpoint
from transparency.keys import KeyRole
from transparency.models import Checkpoint, LogEntry

pytestmark = pytest.mark.django_db


def body(path: str) -> str:
    return bytes(Page.objects.get(pk=path).body).decode()


@pytest.fixture
def head(toy, phase, system, signers):
    upload(system, phase, mood=ONE_WRONG)
    run_batch(CUT_OFF)
    return Release.objects.get().reports["log_head"]


def test_a_release_hands_out_what_was_signed_just_before_it(head, signers):
    found = read_checkpoint(head["note"], signers[KeyRole.LOG].verifier)
    assert (found.size, found.root.hex()) == (head["size"], head["root"])
    assert found.size == LogEntry.objects.get(kind="release").index
    assert Checkpoint.objects.get().note == head["note"]


@pytest.mark.parametrize("path", ["/benchmarks/toy/releases/1/", "/benchmarks/toy/releases/"])
def test_it_stands_at_the_foot_of_the_page_and_stays(head, toy, path):
    signature = head["note"].splitlines()[-1].removeprefix("\u2014 ").split()[1]
    assert signature.replace("+", "&#43;") in body(path) or signature in body(path)
    before = body("/benchmarks/toy/releases/1/")
    refresh(toy, archive=True)
    assert body("/benchmarks/toy/releases/1/") == before


def test_it_goes_out_by_mail(head):
    (mail,) = Mail.objects.filter(kind="publication")
    assert head["note"] in mail.text


def test_it_stands_in_the_feed(head):
    said = f"The log of this site had {head['size']} entries before it, with the root {head['root']}."
    assert said in body("/benchmarks/toy/feed.atom")


def test_without_a_key_a_release_says_nothing_of_it(toy, phase, system):
    upload(system, phase, mood=ONE_WRONG)
    run_batch(CUT_OFF)
    assert "log_head" not in Release.objects.get().reports
    assert "checkpoint" not in Mail.objects.get(kind="publication").text


def test_a_log_that_was_rewritten_stops_no_release(toy, phase, system, signers, monkeypatch):
    from transparency import services
    from transparency.services import LogRewritten

    def rewritten(now):
        raise LogRewritten

    monkeypatch.setattr(services, "sign_log", rewritten)
    upload(system, phase, mood=ONE_WRONG)
    run_batch(CUT_OFF)
    assert Release.objects.exists()


def test_a_key_that_cannot_be_read_stops_no_release_and_the_log_is_signed_once_it_can(
    toy, phase, system, signers, settings
):
    from transparency.services import newest_checkpoint, sign_log

    path, settings.LOG_KEY_FILE = settings.LOG_KEY_FILE, "/nowhere/log.private"
    upload(system, phase, mood=ONE_WRONG)
    run_batch(CUT_OFF)
    assert Release.objects.exists()
    assert newest_checkpoint() is None
    settings.LOG_KEY_FILE = path
    assert sign_log(CUT_OFF) is not None
