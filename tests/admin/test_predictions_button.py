"""Organisers publish the predictions behind a release with a button, once labels are public."""

import io
import json
import zipfile

import pytest
from django.urls import reverse

from accounts.models import AuditEntry
from accounts.server.clock import database_now
from benchmarks.models import Phase
from leaderboard.models import Page, Release
from leaderboard.publication.log_comparison import LogComparison
from leaderboard.publication.predictions import finish_removals, publish_predictions
from leaderboard.publication.services import refresh_stale
from leaderboard.publication.visibility import hide_names, lift_anonymity
from scoring.gold.opening import open_gold
from scoring.models import GoldVersion
from submissions.models import Submission, System
from submissions.systems.file_removals import remove_file
from submissions.systems.name_removals import remove_system_name
from submissions.systems.status_transitions import disqualify
from tests.conftest import NOW
from tests.weeks import CUT_OFF, ONE_WRONG, WEEK, run_batch, upload

pytestmark = pytest.mark.django_db
ZIP = "/benchmarks/toy/releases/1/predictions.zip"


@pytest.fixture
def release(toy, phase, system, client, staff):
    upload(system, phase, mood=ONE_WRONG)
    run_batch(CUT_OFF)
    client.force_login(staff)
    return Release.objects.get()


def button(release: Release) -> str:
    return reverse("admin:leaderboard_release_publish_predictions", args=[release.pk])


def test_the_button_is_not_offered_while_labels_are_sealed(release, client):
    page = client.get(reverse("admin:leaderboard_release_change", args=[release.pk])).content.decode()
    assert "Publish predictions" not in page
    client.post(button(release), {"confirmed": "yes"})
    assert not Page.objects.filter(pk=ZIP).exists()


def test_the_button_puts_the_predictions_beside_the_release(release, client, monkeypatch):
    monkeypatch.setattr("leaderboard.admin.releases.predictions.database_now", lambda: CUT_OFF + WEEK)
    opened()
    refresh_stale()
    page = client.get(reverse("admin:leaderboard_release_change", args=[release.pk])).content.decode()
    assert "Publish predictions" in page
    asked = client.get(button(release)).content.decode()
    assert "cannot be undone" in asked
    client.post(button(release), {"confirmed": "yes"}, follow=True)
    assert client.get(ZIP)["Content-Type"] == "application/zip"
    assert f'href="{ZIP}"' in bytes(Page.objects.get(pk="/benchmarks/toy/releases/1/").body).decode()
    assert AuditEntry.objects.filter(kind="publish predictions", benchmark="toy").exists()


def opened() -> None:
    """All phases are over and all gold labels public."""
    Phase.objects.update(closes_at=CUT_OFF, next_cut_off_at=CUT_OFF + 4 * WEEK)
    for version in GoldVersion.objects.all():
        open_gold(version=version, now=CUT_OFF)


def predictions() -> zipfile.ZipFile:
    return zipfile.ZipFile(io.BytesIO(bytes(Page.objects.get(pk=ZIP).body)))


def manifest() -> dict[str, list[dict[str, str]]]:
    said: dict[str, list[dict[str, str]]] = json.loads(predictions().read("predictions.json"))
    return said


def test_a_file_that_is_removed_leaves_the_public_predictions_which_say_so(release, client):
    opened()
    publish_predictions(release, CUT_OFF + WEEK)
    submission = Submission.objects.get()
    later = database_now() + WEEK
    disqualify(submission=submission, reason="Copied.", now=later)
    remove_file(submission=submission, reason="It held an address.", now=later)
    assert finish_removals() == 1
    assert predictions().namelist() == ["predictions.json"]
    assert [one["reason"] for one in manifest()["removed"]] == ["It held an address."]


def test_a_removed_name_leaves_the_public_predictions_too(release, system):
    opened()
    publish_predictions(release, CUT_OFF + WEEK)
    assert {one["system"] for one in manifest()["files"]} == {system.name}
    called = remove_system_name(system=system, reason="offensive", now=CUT_OFF)
    refresh_stale()
    assert {one["system"] for one in manifest()["files"]} == {called}
    assert [*LogComparison().of_release(release.pk)] == []


def test_predictions_of_anonymous_systems_stand_by_their_numbers_and_by_name_afterwards(toy, phase, system):
    hide_names(toy)
    systems = [system]
    for letter in "abcdefghi":
        systems.append(System.objects.create(team=system.team, name=f"System-{letter}", created_at=NOW))
    Phase.objects.update(quota_limit=len(systems))
    phase.refresh_from_db()
    for each in systems:
        upload(each, phase, mood=ONE_WRONG)
    run_batch(CUT_OFF)
    opened()
    publish_predictions(Release.objects.get(), CUT_OFF + WEEK)
    stand = [one["system"] for one in manifest()["files"]]
    assert list(dict.fromkeys(stand)) == [f"System {number}" for number in range(1, 11)]
    lift_anonymity(toy)
    refresh_stale()
    assert {one["system"] for one in manifest()["files"]} == {each.name for each in systems}
