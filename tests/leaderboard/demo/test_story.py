"""The demo's past weeks: what a visitor finds after the first start."""

from __future__ import annotations

import datetime as dt
import json
from itertools import pairwise
from typing import Any

import pytest

from accounts.models import User
from benchmarks.models import Phase
from leaderboard.demo import cast, story
from leaderboard.models import Page, Release
from submissions.models import Refusal, Submission
from tests.conftest import NOW

WEEK = dt.timedelta(days=7)


@pytest.fixture(scope="module")
def told(django_db_setup, django_db_blocker, tmp_path_factory, keypair):
    """The whole story, told once for the tests of this module and taken back afterwards."""
    from django.conf import settings
    from django.db import transaction

    folder = tmp_path_factory.mktemp("demo")
    private = folder / "gold.private"
    private.write_text(keypair.private)
    with pytest.MonkeyPatch.context() as patch, django_db_blocker.unblock(), transaction.atomic():
        patch.setattr(settings, "GOLD_PUBLIC_KEY", keypair.public)
        patch.setattr(settings, "GOLD_PRIVATE_KEY_FILE", str(private))
        patch.setattr(settings, "MEDIA_ROOT", folder / "uploads")
        story.tell(now=NOW, password="a password of this folder")
        yield
        transaction.set_rollback(True)


@pytest.fixture
def board(told, db) -> dict[str, Any]:
    return json.loads(bytes(Page.objects.get(pk="/benchmarks/raft.json").body))


def test_story_publishes_a_release_for_every_past_week(told, db):
    published = list(Release.objects.order_by("number").values_list("published_at", flat=True))

    assert len(published) == cast.WEEKS
    assert NOW - WEEK < published[-1] <= NOW
    assert all(later - earlier == WEEK for earlier, later in pairwise(published))


def test_story_leaves_the_next_cut_off_in_the_future(told, db):
    assert NOW < Phase.objects.named("raft/main").next_cut_off_at <= NOW + WEEK


def test_story_board_spreads_like_the_paper_and_says_that_it_is_synthetic(board):
    overall = [
        row["cells"]["overall"]["value"]
        for row in board["rows"]
        if row["kind"] in ("system", "baseline") and row["cells"]["overall"]["value"] is not None
    ]

    assert board["synthetic"] is True
    assert min(overall) < 0.40
    assert max(overall) > 0.75


def test_story_leaves_a_system_with_one_task_unranked(board):
    plover = next(row for row in board["rows"] if row["system"] == "Plover")

    assert plover["rank"] is None
    assert plover["cells"]["overruling"]["value"] is not None


def test_story_takes_the_withdrawn_system_off_the_board(board):
    assert Release.objects.filter(cells__system__name="Heron").exists()
    assert "Heron" not in [row["system"] for row in board["rows"]]


def test_story_systems_improve_over_the_releases(told, db):
    def overall(number: int) -> float:
        rows = Release.objects.get(number=number).boards["overall"]["rows"]
        return next(row for row in rows if row["system"] == "Dunlin")["cells"]["overall"]["value"]

    assert overall(1) < overall(2) < overall(4) < overall(6)


def test_story_leaves_submissions_waiting_and_a_refused_upload_that_cost_nothing(told, db):
    waiting = Submission.objects.filter(status=Submission.Status.ACCEPTED)

    assert waiting.count() == 3
    assert all(one.received_at < NOW < one.cut_off_at for one in waiting)
    assert Refusal.objects.count() == 2


def test_story_accounts_sign_in_with_the_password_of_the_folder(told, db):
    for email in (cast.ORGANISER_EMAIL, *cast.PARTICIPANT_EMAILS):
        assert User.objects.get(email=email).check_password("a password of this folder")
    assert not User.objects.get(email="hill@example.org").has_usable_password()
