"""Two teams become one: nothing is lost, and no quota is won."""

from contextlib import suppress
from functools import partial
from threading import Barrier, BrokenBarrierError

import pytest

from accounts.models import Team, User
from accounts.services import (
    InvitationInvalid,
    create_team,
    invitation_token,
    read_invitation,
    revoke_invitations,
)
from benchmarks.models import Benchmark
from leaderboard.models import Release
from leaderboard.personal_data import erasure
from leaderboard.personal_data.erasure import erase
from leaderboard.publication.services import refresh, refresh_stale
from submissions.exceptions import QuotaUsedUp
from submissions.models import Submission, System
from submissions.participants import TeamRegistration
from submissions.quota.groups import link_teams
from submissions.quota.slots import quotas
from submissions.systems import team_merges
from submissions.systems.board_names import take_team_name_off
from submissions.systems.name_removals import remove_team_name
from submissions.systems.team_merges import CannotMerge, merge_teams
from tests.conftest import NOW, person
from tests.pages import text_of
from tests.published import published
from tests.threads import at_once
from tests.weeks import CUT_OFF, HALF_WRONG, ONE_WRONG, WEEK, run_batch, upload

pytestmark = pytest.mark.postgres


@pytest.fixture
def away(db):
    """Another team with a system of the same name."""
    team = create_team(name="Away", founder=person("guest"), now=NOW)
    System.objects.create(team=team, name="Larch", created_at=NOW)
    return team


def test_people_systems_and_submissions_go_over_and_quotas_are_added_up(phase, team, system, away, owner):
    phase.quota_limit = 3
    phase.save()
    upload(system, phase)
    upload(away.systems.get(), phase, mood=ONE_WRONG)

    merge_teams(team=away, into=team, now=NOW)

    assert sorted(team.systems.values_list("name", flat=True)) == ["Larch", "Larch (Away)"]
    assert sorted(team.members.values_list("email", flat=True)) == ["guest@example.org", "owner@example.org"]
    assert [away.members.count(), away.systems.count()] == [0, 0]
    (quota,) = quotas(owner, [team], [phase], NOW)
    assert (quota.used, quota.left) == (2, 1)
    upload(system, phase, mood=HALF_WRONG)
    with pytest.raises(QuotaUsedUp):
        upload(team.systems.get(name="Larch (Away)"), phase, mood="bad bad bad bad bad bad")


@pytest.mark.django_db(transaction=True)
def test_who_is_erased_at_the_same_moment_and_the_merge_do_not_wait_for_each_other(
    team, owner, away, monkeypatch
):
    both_hold = Barrier(2)

    def meet(before):
        def wait_and_do(*args, **kwargs):
            with suppress(BrokenBarrierError):
                both_hold.wait(timeout=1)
            return before(*args, **kwargs)

        return wait_and_do

    monkeypatch.setattr(team_merges, "link_teams", meet(link_teams))
    monkeypatch.setattr(erasure, "revoke_invitations", meet(revoke_invitations))
    guest = away.members.get()
    merged, erased = at_once(
        [partial(merge_teams, team=away, into=team, now=NOW), partial(erase, user=guest, now=NOW)]
    )
    assert (merged, erased) == (team, None)
    assert [*team.members.values_list("email", flat=True)] == [owner.email]
    assert not User.objects.get(pk=guest.pk).is_active


def test_who_has_not_sent_anything_yet_shares_the_quota_too(phase, team, system, away):
    upload(system, phase)
    merge_teams(team=away, into=team, now=NOW)
    guest = away_member = team.members.get(email="guest@example.org")
    own = create_team(name="Third", founder=guest, now=NOW)
    (quota,) = quotas(away_member, [own], [phase], NOW)
    assert quota.used == 1


def test_releases_stay_and_the_next_shows_the_new_team(phase, team, system, away):
    upload(away.systems.get(), phase)
    run_batch(CUT_OFF)
    merge_teams(team=away, into=team, now=CUT_OFF)
    upload(system, phase, mood=ONE_WRONG, at=CUT_OFF)
    run_batch(CUT_OFF + WEEK)

    first, second = (
        {(row["system"], row["team"]) for row in release.boards["overall"]["rows"] if row["rank"]}
        for release in Release.objects.order_by("number")
    )
    assert first == {("Larch", "Away")}
    assert second == {("Larch", "North"), ("Larch (Away)", "North")}


def test_a_team_is_not_merged_with_itself_nor_when_it_is_empty(team, away):
    with pytest.raises(CannotMerge, match="with itself"):
        merge_teams(team=team, into=team, now=NOW)
    empty = Team.objects.create(name="Empty", created_at=NOW)
    with pytest.raises(CannotMerge, match="nothing to merge"):
        merge_teams(team=empty, into=team, now=NOW)


@pytest.mark.sqlite
def test_staff_merge_teams_in_the_admin(client, staff, team, system, away, phase, mailoutbox):
    upload(away.systems.get(), phase)
    client.force_login(staff)
    address = f"/admin/accounts/team/{away.pk}/merge/"

    unknown = text_of(client.post(address, {"confirmed": "yes", "into": "north"}))
    assert "There is no team of that name." in unknown
    told = text_of(client.post(address, {"confirmed": "yes", "into": "North"}, follow=True))

    assert "Away is part of North now." in told
    assert Submission.objects.get().system.team == team


def everything() -> str:
    """All pages and files of benchmarks."""
    pages = {path: body for path, body in published().items() if path.startswith("/benchmarks/")}
    return "\n".join(body.decode("utf-8", "replace") for body in pages.values())


@pytest.mark.parametrize("for_all", [True, False])
def test_a_name_that_was_removed_from_boards_does_not_come_back(phase, team, system, away, owner, for_all):
    upload(system, phase)
    upload(away.systems.get(), phase, mood=ONE_WRONG)
    run_batch(CUT_OFF)
    assert "Away" in everything()
    if for_all:
        remove_team_name(team=away, reason="offensive", now=CUT_OFF)
    else:
        take_team_name_off(benchmark=phase.benchmark, team=away, reason="offensive", by=owner, now=CUT_OFF)
    refresh_stale()
    assert "Away" not in everything()

    merge_teams(team=Team.objects.get(pk=away.pk), into=team, now=CUT_OFF)
    refresh(phase.benchmark, archive=True)
    assert "Away" not in everything()


def asked(benchmark, team, user, **decided):
    return TeamRegistration.objects.create(
        benchmark=benchmark, team=team, asked_by=user, asked_at=NOW, **decided
    )


def test_what_organisers_decided_about_one_of_them_holds_for_both(toy, phase, team, away, owner):
    guest = away.members.get()
    asked(toy, away, guest, approved_at=NOW)
    asked(toy, team, owner)
    merge_teams(team=away, into=team, now=NOW)
    assert TeamRegistration.objects.get(benchmark=toy, team=team).state == "approved"
    toy.visibility = "private"
    toy.save()
    assert {one.email for one in (guest, owner) if Benchmark.objects.is_shown_to(one, toy)} == {
        guest.email,
        owner.email,
    }


def test_a_team_that_was_declined_is_not_approved_by_a_merger(toy, phase, team, away, owner):
    asked(toy, away, away.members.get(), approved_at=NOW)
    asked(toy, team, owner, declined_at=NOW, decline_reason="No.")
    merge_teams(team=away, into=team, now=NOW)
    assert TeamRegistration.objects.get(benchmark=toy, team=team).state == "declined"


def test_nobody_joins_the_empty_team_by_an_old_link(team, away):
    link = invitation_token(away)
    read_invitation(link)
    merge_teams(team=away, into=team, now=NOW)
    with pytest.raises(InvitationInvalid):
        read_invitation(link)
