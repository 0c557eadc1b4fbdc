"""A removed name stands on no page and in no export, also of releases that are out; ranks and digests stay."""

import pytest

from accounts.services import create_team
from leaderboard.models import Page, Release
from leaderboard.publication.log_comparison import LogComparison
from leaderboard.publication.services import refresh_stale
from submissions.models import Submission, System
from submissions.systems.name_removals import NameIsRemoved, remove_system_name, remove_team_name
from tests.conftest import NOW, TOY_DEFINITION, person
from tests.pages import text_of
from tests.people import appoint
from tests.weeks import CUT_OFF, HALF_WRONG, ONE_WRONG, WEEK, row_of, run_batch, upload
from transparency.models import LogEntry

pytestmark = pytest.mark.postgres


@pytest.fixture
def rude(db, phase, system):
    """Two releases; the second one says that a system left the board, and the first one has the name frozen."""
    team = create_team(name="Awful words", founder=person("guest"), now=NOW)
    row = System.objects.create(team=team, name="Worse words", created_at=NOW)
    System.objects.create(team=team, name="Awful words II", created_at=NOW)
    upload(system, phase)
    upload(row, phase, mood=ONE_WRONG)
    run_batch(CUT_OFF)
    upload(system, phase, mood=HALF_WRONG, at=CUT_OFF)
    run_batch(CUT_OFF + WEEK)
    return row


def everything():
    """All published pages and files in one text, to lower case."""
    return "\n".join(
        f"{page.path}\n{bytes(page.body).decode('utf-8', 'replace')}" for page in Page.objects.all()
    ).casefold()


def redrawn():
    refresh_stale()
    return everything()


def test_a_systems_name_leaves_every_page_of_every_release(rude):
    assert "worse words" in everything()
    frozen = Release.objects.order_by("number").values_list("boards", flat=True)
    before = [row_of(board["overall"], "Worse words") for board in frozen]

    called = remove_system_name(system=rude, reason="offensive", now=CUT_OFF)

    assert called.startswith("Name removed on 2026-")
    assert ": offensive [" in called
    pages = redrawn()
    assert "worse words" not in pages
    assert (
        called.casefold()
        in bytes(Page.objects.get(pk="/benchmarks/toy/releases/1.csv").body).decode().casefold()
    )
    frozen = Release.objects.order_by("number").values_list("boards", flat=True)
    assert [row_of(board["overall"], "Worse words") for board in frozen] == before


def test_a_teams_name_goes_with_the_systems_that_are_called_after_it(rude):
    assert "awful words" in everything()
    remove_team_name(team=rude.team, reason="offensive", now=CUT_OFF)
    pages = redrawn()
    assert "awful words" not in pages
    assert "worse words" in pages
    assert not System.objects.filter(name__icontains="awful").exists()


def test_the_log_tells_it_and_finds_nothing_changed_in_silence(rude):
    remove_team_name(team=rude.team, reason="offensive", now=CUT_OFF)
    redrawn()
    told = [entry.facts for entry in LogEntry.objects.filter(kind="names")]
    assert [(facts["removed"], facts["reason"]) for facts in told] == [(True, "offensive")]
    comparison = LogComparison()
    differences = [
        difference for release in Release.objects.all() for difference in comparison.of_release(release.pk)
    ]
    assert differences == []


def test_a_name_is_removed_once(rude):
    remove_system_name(system=rude, reason="offensive", now=CUT_OFF)
    with pytest.raises(NameIsRemoved):
        remove_system_name(system=rude, reason="again", now=CUT_OFF)
    remove_team_name(team=rude.team, reason="offensive", now=CUT_OFF)
    with pytest.raises(NameIsRemoved):
        remove_team_name(team=rude.team, reason="again", now=CUT_OFF)


@pytest.mark.sqlite
def test_organisers_remove_a_name_in_the_admin(client, staff, rude):
    client.force_login(staff)
    address = f"/admin/submissions/system/{rude.pk}/remove_system_name/"
    assert "also of releases that are out" in text_of(client.get(address))
    told = text_of(client.post(address, {"confirmed": "yes", "reason": "offensive"}, follow=True))
    rude.refresh_from_db()
    assert f"It is called {rude.name} now." in told


@pytest.mark.sqlite
def test_a_name_that_stands_on_other_organisers_boards_too_is_not_theirs_to_remove(
    client, toy, phase, rude, sync
):
    organiser = person("organiser", is_staff=True)
    appoint(toy, organiser)
    client.force_login(organiser)
    theirs = sync(TOY_DEFINITION.replace("id: toy\n", "id: elsewhere\n", 1)).phases.get()
    Submission.objects.filter(system=rude).update(phase=theirs)
    upload(rude, phase, mood=HALF_WRONG, at=CUT_OFF + WEEK)

    page = text_of(client.get(f"/admin/submissions/system/{rude.pk}/change/"))
    answer = client.post(
        f"/admin/submissions/system/{rude.pk}/remove_system_name/", {"confirmed": "yes", "reason": "x"}
    )

    assert "Remove name" not in page
    assert answer.status_code == 403
    rude.refresh_from_db()
    assert rude.name == "Worse words"
