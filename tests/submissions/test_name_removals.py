"""A removed name stands on no page and in no export, also of releases that are out; ranks and digests stay."""

import pytest

from accounts.services import create_team
from benchmarks.models import Benchmark
from leaderboard.models import Page, Release
from leaderboard.publication.log_comparison import LogComparison
from leaderboard.publication.services import refresh_stale
from submissions.models import Submission, System
from submissions.systems.name_removals import NameIsRemoved, remove_system_name, remove_team_name
from submissions.systems.services import change_system
from tests.conftest import NOW, TOY_DEFINITION, person
from tests.pages import text_of
from tests.people import appoint
from tests.published import published
from tests.weeks import CUT_OFF, HALF_WRONG, ONE_WRONG, WEEK, row_of, run_batch, upload
from transparency.models import LogEntry

pytestmark = [pytest.mark.thorough, pytest.mark.postgres]


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
        f"{path}\n{body.decode('utf-8', 'replace')}" for path, body in published().items()
    ).casefold()


def redrawn():
    refresh_stale()
    return everything()


def test_a_systems_name_leaves_every_page_of_every_release(rude):
    assert "worse words" in everything()
    frozen = Release.objects.order_by("number").values_list("overall", flat=True)
    before = [row_of(board, "Worse words") for board in frozen]

    called = remove_system_name(system=rude, reason="offensive", now=CUT_OFF)

    assert called.startswith("Name removed on 2026-")
    assert ": offensive [" in called
    pages = redrawn()
    assert "worse words" not in pages
    assert (
        called.casefold()
        in bytes(Page.objects.get(pk="/benchmarks/toy/releases/1.csv").body).decode().casefold()
    )
    frozen = Release.objects.order_by("number").values_list("overall", flat=True)
    assert [row_of(board, "Worse words") for board in frozen] == before


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


def test_a_second_click_removes_no_name_again(rude):
    remove_system_name(system=rude, reason="offensive", now=CUT_OFF)
    with pytest.raises(NameIsRemoved):
        remove_system_name(system=rude, reason="offensive", now=CUT_OFF)
    remove_team_name(team=rude.team, reason="offensive", now=CUT_OFF)
    with pytest.raises(NameIsRemoved):
        remove_team_name(team=rude.team, reason="offensive", now=CUT_OFF)


def test_a_name_that_its_team_has_brought_back_is_removed_again(rude):
    remove_system_name(system=rude, reason="offensive", now=CUT_OFF)
    change_system(system=System.objects.get(pk=rude.pk), name="Worse words")
    assert "worse words" in redrawn()
    remove_system_name(system=rude, reason="still offensive", now=CUT_OFF + WEEK)
    assert "worse words" not in redrawn()


def test_a_system_that_was_called_after_its_team_later_loses_that_name_too(rude):
    remove_system_name(system=rude, reason="offensive", now=CUT_OFF)
    change_system(system=System.objects.get(pk=rude.pk), name="Awful words III")
    remove_team_name(team=rude.team, reason="offensive", now=CUT_OFF)
    assert "awful words" not in redrawn()


@pytest.mark.sqlite
def test_organisers_are_offered_to_remove_a_name_that_came_back(client, staff, rude):
    remove_system_name(system=rude, reason="offensive", now=CUT_OFF)
    change_system(system=System.objects.get(pk=rude.pk), name="Worse words")
    client.force_login(staff)
    assert "/remove_system_name/" in text_of(client.get(f"/admin/submissions/system/{rude.pk}/change/"))


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


def elsewhere_too(rude, sync):
    """The team has also sent something to a benchmark that others run."""
    theirs = sync(TOY_DEFINITION.replace("id: toy\n", "id: elsewhere\n", 1)).phases.get()
    one = Submission.objects.get(system=rude)
    Submission.objects.filter(pk=one.pk).update(phase=theirs)
    return theirs


def pressed(client, row, button, **form):
    address = f"/admin/{row._meta.app_label}/{row._meta.model_name}/{row.pk}/{button}/"
    return text_of(client.post(address, {"confirmed": "yes", "benchmark": "toy", **form}, follow=True))


def board_of(path):
    return bytes(Page.objects.get(pk=path).body).decode()


@pytest.fixture
def organiser(toy, client):
    found = person("organiser")
    appoint(toy, found)
    client.force_login(found)
    return found


def test_an_organiser_renames_a_system_on_their_boards_alone(client, rude, organiser, sync):
    from submissions.systems.pseudonyms import public_names

    theirs = elsewhere_too(rude, sync).benchmark
    upload(rude, Release.objects.get(number=1).phase, mood=HALF_WRONG, at=CUT_OFF + WEEK)
    before = audited()
    told = pressed(client, rude, "rename_on_boards", name="Kind words", reason="offensive")
    assert "On the boards of Toy it is called Kind words now." in told
    refresh_stale()
    for path in ("/benchmarks/toy/releases/1.csv", "/benchmarks/toy/releases/2/"):
        assert "Worse words" not in board_of(path)
    assert "Kind words" in board_of("/benchmarks/toy/releases/1.csv")
    rude.refresh_from_db()
    assert rude.name == "Worse words"
    assert "Worse words" in {found.name for found in public_names(theirs).values()}
    [facts] = [entry.facts for entry in LogEntry.objects.filter(kind="names")]
    assert (facts["removed"], facts["reason"]) == (True, "offensive")
    assert audited() == before


def audited():
    return [found for release in Release.objects.all() for found in LogComparison().of_release(release.pk)]


def test_an_organiser_replaces_a_teams_name_on_their_boards_where_it_stands_on_others_too(
    client, rude, organiser, sync
):
    elsewhere_too(rude, sync)
    upload(rude, Release.objects.get(number=1).phase, mood=HALF_WRONG, at=CUT_OFF + WEEK)
    refused = pressed(client, rude.team, "remove_team_name", reason="offensive")
    assert "has also sent something to benchmarks that others run" in refused
    pressed(client, rude.team, "replace_on_boards", reason="offensive")
    refresh_stale()
    assert "Awful words" not in board_of("/benchmarks/toy/releases/1.csv")
    assert "Name removed on 20" in board_of("/benchmarks/toy/releases/1.csv")
    rude.team.refresh_from_db()
    assert rude.team.name == "Awful words"


def test_an_organiser_removes_a_teams_name_everywhere_where_all_it_has_sent_is_theirs(
    client, rude, organiser
):
    assert "It is called Name removed on" in pressed(
        client, rude.team, "remove_team_name", reason="offensive"
    )
    assert "awful words" not in redrawn()


def test_an_organiser_reads_nowhere_to_which_other_benchmarks_a_team_sends(
    client, rude, organiser, staff, sync
):
    theirs = elsewhere_too(rude, sync).benchmark
    Benchmark.objects.filter(pk=theirs.pk).update(visibility="private", title="Undisclosed")
    upload(rude, Release.objects.get(number=1).phase, mood=HALF_WRONG, at=CUT_OFF + WEEK)
    client.force_login(staff)
    pressed(client, rude, "rename_on_boards", name="Kind words", reason="x", benchmark=theirs.pk)
    pressed(client, rude.team, "replace_on_boards", reason="x", benchmark=theirs.pk)
    buttons = ((rude, "rename_on_boards"), (rude.team, "replace_on_boards"))
    for user, is_told in ((staff, True), (organiser, False)):
        client.force_login(user)
        for row, page in (*buttons, *((row, "history") for row, _ in buttons)):
            address = f"/admin/{row._meta.app_label}/{row._meta.model_name}/{row.pk}/{page}/"
            assert ("Undisclosed" in text_of(client.get(address))) is is_told, address
    pressed(client, rude, "rename_on_boards", name="Kinder words", reason="x")
    assert "Kinder words" in text_of(client.get(f"/admin/submissions/system/{rude.pk}/history/"))


def test_nobody_names_anything_on_boards_of_others_or_twice_alike(client, rude, organiser, sync):
    theirs = elsewhere_too(rude, sync)
    upload(rude, Release.objects.get(number=1).phase, mood=HALF_WRONG, at=CUT_OFF + WEEK)
    page = pressed(
        client, rude, "rename_on_boards", name="Kind words", reason="x", benchmark=theirs.benchmark_id
    )
    assert "Select a valid choice" in page
    second = System.objects.get(name="Awful words II")
    upload(second, Release.objects.get(number=1).phase, mood=ONE_WRONG, at=CUT_OFF + WEEK)
    assert "another system called Awful words II" in pressed(
        client, rude, "rename_on_boards", name="Awful words II", reason="x"
    )
