"""Teams and invitations."""

import datetime as dt
import html
import re
from typing import Any

import pytest
from django.db.models import F
from django.test import Client

from accounts.audit.log import entries_of
from accounts.models import Team, User
from accounts.services import accept_invitation, invitation_token, owner_of
from submissions.models import System
from tests.pages import browser_of, text_of


def link_on_page(browser: Client, team: Team) -> str:
    """The path of the invitation link that the team's page shows."""
    page = text_of(browser.get(f"/teams/{team.pk}/"))
    address = re.search(r'id="invitation" readonly value="http://testserver([^"]+)"', page)
    assert address
    return html.unescape(address[1])


@pytest.fixture
def browser(owner: User) -> Client:
    return browser_of(owner)


def members(team: Team) -> set[str]:
    return set(team.members.values_list("name", flat=True))


def test_founder_is_the_first_member_and_sees_the_teams_page(browser):
    answer = browser.post("/teams/new/", {"name": "Spruce"}, follow=True)

    assert "<h1>Spruce</h1>" in text_of(answer)
    assert members(Team.objects.get(name="Spruce")) == {"Owner"}


def test_taken_name_is_refused_in_words(browser, team):
    answer = browser.post("/teams/new/", {"name": "North"})

    assert answer.status_code == 422
    assert "There is a team of this name already" in text_of(answer)


def test_who_has_founded_as_many_teams_as_a_person_may_is_told_what_to_do(browser, team, settings):
    settings.MOST_TEAMS = 1

    answer = browser.post("/teams/new/", {"name": "South"})

    assert answer.status_code == 422
    assert "You have founded as many teams as a person may (1)." in text_of(answer)
    assert not Team.objects.filter(name="South").exists()


def test_founding_leads_on_to_where_the_person_came_from(browser):
    page = text_of(browser.get("/teams/new/?next=/submit/"))
    answer = browser.post("/teams/new/", {"name": "Spruce", "next": "/submit/"})

    assert '<input type="hidden" name="next" value="/submit/">' in page
    assert answer.url == "/submit/"


@pytest.mark.parametrize(
    "elsewhere",
    ["https://evil.example/", "//evil.example/", "/\\evil.example", "javascript:alert(1)", "\thttp://x"],
)
def test_nobody_is_led_to_another_site(browser, elsewhere):
    page = text_of(browser.get("/teams/new/", {"next": elsewhere}))
    answer: Any = browser.post("/teams/new/", {"name": "Spruce", "next": elsewhere})

    assert 'name="next"' not in page
    assert answer.url == Team.objects.get().get_absolute_url()


def test_invitation_link_on_the_teams_page_lets_someone_join(browser, team, outsider):
    link = link_on_page(browser, team)
    guest = browser_of(outsider)

    page = text_of(guest.get(link))
    before = members(team)
    answer: Any = guest.post(link)

    assert "Join North?" in page
    assert before == {"Owner"}
    assert members(team) == {"Owner", "Outsider"}
    assert answer.url == f"/teams/{team.pk}/"


def test_joining_twice_changes_nothing(team, outsider):
    guest = browser_of(outsider)
    link = f"/join/{invitation_token(team)}/"

    guest.post(link)
    guest.post(link)

    assert team.memberships.count() == 2


def test_revoked_link_no_longer_works(browser, team, outsider):
    link = link_on_page(browser, team)

    browser.post(f"/teams/{team.pk}/invitation/revoke/")
    answer = browser_of(outsider).post(link)

    assert answer.status_code == 404
    assert "This link no longer works" in text_of(answer)
    assert members(team) == {"Owner"}
    assert link_on_page(browser, team) != link


def test_expired_link_no_longer_works(team, outsider, monkeypatch):
    link = f"/join/{invitation_token(team)}/"
    monkeypatch.setattr("accounts.services.INVITATION_LIFETIME", dt.timedelta(seconds=-1))

    answer = browser_of(outsider).post(link)

    assert answer.status_code == 404
    assert "Ask a member of the team for a new link" in text_of(answer)
    assert members(team) == {"Owner"}


def test_looking_at_the_teams_page_does_not_lengthen_the_life_of_a_link(browser, team, outsider):
    Team.objects.update(invitation_made_at=F("invitation_made_at") - dt.timedelta(days=6))
    link = link_on_page(browser, team)
    Team.objects.update(invitation_made_at=F("invitation_made_at") - dt.timedelta(days=1))
    page = text_of(browser.get(f"/teams/{team.pk}/"))

    assert "lets nobody join any more" in page
    assert "Make a new link" in page
    assert browser_of(outsider).post(link).status_code == 404


def test_a_new_link_takes_the_place_of_one_that_was_too_old(browser, team, outsider):
    Team.objects.update(invitation_made_at=F("invitation_made_at") - dt.timedelta(days=15))

    browser.post(f"/teams/{team.pk}/invitation/revoke/")

    assert browser_of(outsider).post(link_on_page(browser, team)).status_code == 302


@pytest.mark.parametrize("token", ["x", "a:b:c", "WyJ4Il0:1:x", "é"])
def test_invented_link_does_not_work(outsider, token):
    assert browser_of(outsider).get(f"/join/{token}/").status_code == 404


def test_member_leaves_after_being_told_what_it_means(browser, team, teammate):
    page = text_of(browser_of(teammate).get(f"/teams/{team.pk}/leave/"))
    browser_of(teammate).post(f"/teams/{team.pk}/leave/")

    assert "What you submitted stays with the team." in html.unescape(page)
    assert members(team) == {"Owner"}
    assert browser_of(teammate).get(f"/teams/{team.pk}/").status_code == 404


def test_who_has_left_does_not_come_back_by_a_link_kept_from_before(browser, team, teammate):
    link = link_on_page(browser_of(teammate), team)
    browser_of(teammate).post(f"/teams/{team.pk}/leave/")

    answer = browser_of(teammate).post(link)

    assert answer.status_code == 404
    assert members(team) == {"Owner"}
    assert link_on_page(browser, team) != link


def test_the_owner_removes_a_member_whose_old_link_ends(browser, team, teammate):
    link = link_on_page(browser_of(teammate), team)
    page = text_of(browser.get(f"/teams/{team.pk}/members/{teammate.pk}/remove/"))
    answer = browser.post(f"/teams/{team.pk}/members/{teammate.pk}/remove/", follow=True)

    assert "Remove Teammate from North?" in page
    assert "Teammate is no longer in the team North." in text_of(answer)
    assert members(team) == {"Owner"}
    assert browser_of(teammate).post(link).status_code == 404


def test_nobody_but_the_owner_removes_members(team, owner, teammate, outsider):
    path = f"/teams/{team.pk}/members/{owner.pk}/remove/"
    answer = browser_of(teammate).post(path, follow=True)

    assert "Only Owner, who owns the team, removes members." in text_of(answer)
    assert browser_of(outsider).post(path).status_code == 404
    assert members(team) == {"Owner", "Teammate"}
    assert "/remove/" not in text_of(browser_of(teammate).get(f"/teams/{team.pk}/"))


def test_a_team_passes_on_when_its_owner_leaves_and_says_to_whom(browser, team, owner, teammate):
    page = text_of(browser.get(f"/teams/{team.pk}/leave/"))
    browser.post(f"/teams/{team.pk}/leave/")
    accept_invitation(
        token=invitation_token(Team.objects.get()), user=owner, now=team.created_at + dt.timedelta(days=9)
    )

    assert "it passes to Teammate" in page
    assert owner_of(team) == teammate  # also when the founder comes back
    assert browser_of(teammate).get(f"/teams/{team.pk}/members/{owner.pk}/remove/").status_code == 200


def test_a_team_is_not_owned_by_somebody_who_cannot_sign_in(browser, team, owner, teammate):
    owner.is_active = False
    owner.save()
    other = browser_of(teammate)
    assert owner_of(team) == teammate
    left = text_of(other.post(f"/teams/{team.pk}/leave/", follow=True))
    assert "You are its last member" in left
    other.post(f"/teams/{team.pk}/members/{owner.pk}/remove/")
    assert members(team) == {"Teammate"}


def test_joins_leaves_and_removals_are_in_the_audit_log(browser, team, owner, teammate, outsider):
    browser_of(outsider).post(f"/join/{invitation_token(team)}/")
    browser_of(outsider).post(f"/join/{invitation_token(team)}/")
    browser_of(outsider).post(f"/teams/{team.pk}/leave/")
    browser.post(f"/teams/{team.pk}/members/{teammate.pk}/remove/")

    told = entries_of(team).order_by("pk").values_list("actor__name", "kind", "what")
    assert list(told) == [
        ("Outsider", "join", "Outsider joined by an invitation."),
        ("Outsider", "leave", "Outsider left."),
        ("Owner", "remove member", "Owner removed Teammate."),
    ]


def test_last_member_stays(browser, team):
    answer = browser.post(f"/teams/{team.pk}/leave/", follow=True)

    assert "You are its last member" in text_of(answer)
    assert members(team) == {"Owner"}


def test_names_of_teams_and_people_are_text_and_never_markup(browser, owner, team):
    owner.name = "<i>Olga</i>"
    owner.save()
    Team.objects.update(name="<b>North</b>")
    System.objects.create(team=team, name="<u>Larch</u>", created_at=team.created_at)

    pages = [
        text_of(browser.get(path)) for path in ("/teams/", f"/teams/{team.pk}/", "/account/", "/submit/")
    ]

    assert not [page for page in pages if re.search(r"<[ibu]>(Olga|North|Larch)", page)]
    assert "&lt;b&gt;North" in pages[1]


def test_list_counts_the_members_of_my_teams(browser, team, teammate):
    page = text_of(browser.get("/teams/"))

    assert re.search(r'North</a></th><td class="number">2</td>', page)


def test_stranger_who_opens_an_invitation_is_told_what_to_sign_up_for_and_comes_back_to_it(client, team):
    invitation = f"/join/{invitation_token(team)}/"

    page = client.get(invitation, follow=True)
    sign_up = html.unescape(re.findall(r'href="(/accounts/signup/[^"]*)"', text_of(page))[0])
    form = text_of(client.get(sign_up))
    answer = client.post(
        sign_up, {"email": "new@example.org", "password1": "long-enough-words", "next": invitation}
    )

    assert "You are invited to a team." in text_of(page)
    assert "join the team that you are invited to" in form
    assert answer["Location"] == invitation
