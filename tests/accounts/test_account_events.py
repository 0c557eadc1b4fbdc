"""What happened to an account is written down: who sees it, that nobody changes it, and that it is forgotten."""

import base64
import datetime as dt
import re

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.db import DatabaseError, transaction
from django.test import Client
from django.utils import timezone

from accounts.events.log import forget_old_events, note
from accounts.models import AccountEvent, ApiToken, EventKind, User
from accounts.server.worker_rounds import last_rounds
from accounts.services import accept_invitation, invitation_token, leave_team, remove_member
from accounts.tokens.scopes import Scope
from accounts.tokens.services import create_token
from benchmarks.people.models import Role
from benchmarks.people.services import give_role
from leaderboard.jobs import forget
from tests.conftest import NOW
from tests.pages import browser_of, text_of

pytestmark = pytest.mark.postgres


@pytest.fixture
def browser(owner: User) -> Client:
    """The owner's browser."""
    return browser_of(owner)


def kinds(user):
    """What happened to the account, in its order."""
    return list(AccountEvent.objects.filter(user=user).order_by("at", "pk").values_list("kind", flat=True))


def forgotten_before(user):
    """Nothing of what the fixtures did counts."""
    return AccountEvent.objects.filter(user=user).count()


def test_signing_in_and_failing_to_are_noted_with_the_client_behind_the_proxy(owner, settings):
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = 1
    before = forgotten_before(owner)
    browser = Client(REMOTE_ADDR="172.18.0.1", HTTP_X_FORWARDED_FOR="203.0.113.9, 198.51.100.7")
    for password in ("wrong", "owner-password"):
        browser.post("/accounts/login/", {"login": owner.email, "password": password})

    assert kinds(owner)[before:] == [EventKind.SIGN_IN_FAILED, EventKind.SIGN_IN]
    assert set(AccountEvent.objects.filter(kind__startswith="sign_in").values_list("client", flat=True)) == {
        "198.51.100.7"
    }


def test_a_wrong_password_over_the_api_is_noted(owner):
    words = base64.b64encode(b"owner@example.org:wrong").decode()

    Client().post("/api/v1/auth/login/", HTTP_AUTHORIZATION=f"Basic {words}")

    assert kinds(owner)[-1] == EventKind.SIGN_IN_FAILED


def test_an_address_that_nobody_has_leaves_no_trace(owner):
    before = AccountEvent.objects.count()

    Client().post("/accounts/login/", {"login": "nobody@example.org", "password": "wrong"})

    assert AccountEvent.objects.count() == before


def test_password_and_tokens_are_noted(browser, owner):
    before = forgotten_before(owner)
    _, token = create_token(user=owner, name="cluster", scopes=[Scope.READ], now=timezone.now())
    Client().post("/accounts/password/reset/", {"email": owner.email})
    Client(headers={"Authorization": f"Token {token}"}).post("/api/v1/auth/logout/")
    browser.post(
        "/accounts/password/change/",
        {"oldpassword": "owner-password", "password1": "another-good-one", "password2": "another-good-one"},
    )

    assert kinds(owner)[before:] == [
        EventKind.TOKEN_MADE,
        EventKind.RESET_ASKED,
        EventKind.TOKEN_ENDED,
        EventKind.PASSWORD,
    ]


def test_joining_leaving_being_removed_and_roles_are_noted(owner, team, teammate, outsider, toy, staff):
    before = forgotten_before(outsider)
    accept_invitation(token=invitation_token(team), user=outsider, now=NOW)
    remove_member(team=team, member=outsider, by=owner)
    team.refresh_from_db()
    accept_invitation(token=invitation_token(team), user=outsider, now=NOW)
    leave_team(team=team, user=outsider)
    give_role(benchmark=toy, user=outsider, role=Role.READER, by=staff)

    found = list(AccountEvent.objects.filter(user=outsider).order_by("at", "pk"))[before:]
    assert [(one.detail, one.by) for one in found] == [
        ("joined North", None),
        ("removed from North", owner),
        ("joined North", None),
        ("left North", None),
        ("reader of Toy", staff),
    ]


def test_a_person_sees_their_own_events_and_nobody_elses(browser, owner, outsider):
    note(owner, EventKind.FACTOR, "an authenticator app was added")
    note(outsider, EventKind.TOKEN_MADE, "somebody else's")

    page = text_of(browser.get("/account/security/"))

    assert "an authenticator app was added" in page
    assert "somebody else" not in page


def test_operators_see_everybodys_and_organisers_nobodys(owner, outsider, toy, staff):
    note(owner, EventKind.FACTOR, "an authenticator app was added")

    assert "an authenticator app was added" in text_of(browser_of(staff).get("/admin/accounts/accountevent/"))
    give_role(benchmark=toy, user=outsider, role=Role.OWNER)
    assert browser_of(outsider).get("/admin/accounts/accountevent/").status_code == 403


def test_a_row_is_neither_changed_nor_deleted_before_a_year_is_over(owner):
    note(owner, EventKind.SIGN_IN)
    event = AccountEvent.objects.latest("pk")

    for change in (lambda: AccountEvent.objects.update(detail="x"), event.delete):
        with pytest.raises(DatabaseError, match="append-only"), transaction.atomic():
            change()


def test_what_is_older_than_a_year_is_forgotten_with_tokens_that_are_over(owner):
    now = timezone.now()
    rows = [
        AccountEvent(at=now - dt.timedelta(days=days), user=owner, kind=EventKind.SIGN_IN, detail=str(days))
        for days in (364, 367)
    ]
    AccountEvent.objects.bulk_create(rows)
    create_token(user=owner, name="", scopes=[Scope.READ], now=now)
    ApiToken.objects.update(expiry=now - dt.timedelta(days=1))

    forget()

    assert list(AccountEvent.objects.filter(detail__in=["364", "367"]).values_list("detail", flat=True)) == [
        "364"
    ]
    assert not ApiToken.objects.exists()
    assert "forgetting" in last_rounds()
    assert forget_old_events(now) == 0


def warnings(address: str) -> list[str]:
    """What a person was told at an address about their account."""
    return [
        str(one.body)
        for one in mail.outbox
        if "If it was you, there is nothing to do" in one.body and address in one.to
    ]


def test_who_has_an_account_is_told_of_a_further_address_and_of_a_new_password(owner):
    browser = browser_of(owner)
    browser.post("/accounts/email/", {"email": "further@example.net", "action_add": ""})
    [link] = re.findall(r"http://testserver(/accounts/confirm-email/\S+)", str(mail.outbox[-1].body))

    browser.post(link)

    [told] = warnings(owner.email)
    assert "a further one was confirmed" in " ".join(told.split())
    assert not warnings("further@example.net")
    assert "a further one was confirmed" in text_of(browser.get("/account/security/"))

    fields = {
        "oldpassword": "owner-password",
        "password1": "another-good-one",
        "password2": "another-good-one",
    }
    browser.post("/accounts/password/change/", fields)

    assert "the password was changed" in " ".join(warnings(owner.email)[-1].split())
    assert len(warnings("further@example.net")) == 1


def test_who_is_warned_is_led_to_all_that_signs_in_without_the_new_password(owner):
    browser = browser_of(owner)
    EmailAddress.objects.create(user=owner, email="strangers@example.net", verified=True)
    fields = {
        "oldpassword": "owner-password",
        "password1": "another-good-one",
        "password2": "another-good-one",
    }

    browser.post("/accounts/password/change/", fields)

    said = " ".join(warnings(owner.email)[-1].split())
    assert "remove every second factor, address and connected site that is not yours" in said
    page = browser.get("/account/security/")
    assert "strangers@example.net" in text_of(page)
    assert {"/accounts/email/", "/accounts/second-factor/"} <= set(
        re.findall(r'<li><a href="([^"]+)"', page.text)
    )


def test_nobody_is_told_of_the_address_that_an_account_begins_with(client, db):
    client.post("/accounts/signup/", {"email": "new@example.org", "password1": "long-enough-words"})
    [link] = re.findall(r"http://testserver(/accounts/confirm-email/\S+)", str(mail.outbox[-1].body))

    client.post(link)

    assert not warnings("new@example.org")
