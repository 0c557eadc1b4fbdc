"""The second factor, whom it is compulsory for, and who is asked again who they are."""

import base64
import re
import time
from io import StringIO
from typing import Any

import pytest
import time_machine
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP, format_hotp_value, hotp_value
from django.core.management import call_command
from django.test import Client

from accounts.models import AccountEvent, ApiToken, EventKind, User
from benchmarks.people.models import Role
from benchmarks.people.services import give_role
from tests.api.conftest import client_of
from tests.pages import browser_of, text_of

SECRET = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP"
FACTORS = "/accounts/second-factor/"
NEW_TOKEN = {"name": "nightly", "scopes": ["read"], "days": "30"}


def code(secret: str = SECRET, *, steps: int = 0) -> str:
    """What an authenticator app shows, so many half minutes from now."""
    return format_hotp_value(hotp_value(secret, int(time.time()) // 30 + steps))


def with_factor(user: User) -> User:
    TOTP.activate(user, SECRET)
    return user


def sign_in(browser: Client, user: User) -> Any:
    form = {"login": user.email, "password": f"{user.email.partition('@')[0]}-password"}
    return browser.post("/accounts/login/", form)


def confirm(browser: Client, user: User) -> Any:
    password = f"{user.email.partition('@')[0]}-password"
    return browser.post("/accounts/reauthenticate/", {"password": password})


@pytest.fixture
def browser(owner: User) -> Any:
    """The owner's browser."""
    return browser_of(owner)


@pytest.fixture
def compulsory(settings):
    settings.STAFF_MFA = True


@pytest.fixture
def asks_again(settings):
    settings.ACCOUNT_REAUTHENTICATION_REQUIRED = True


# Adding one, and signing in with it


def test_an_app_is_added_after_the_password_and_asked_for_from_then_on(browser, owner):
    assert browser.get(f"{FACTORS}totp/activate/").url.startswith("/accounts/reauthenticate/")
    confirm(browser, owner)
    secret = re.search(
        r'id="secret" readonly value="(\w+)"', text_of(browser.get(f"{FACTORS}totp/activate/"))
    )
    assert secret
    wrong = browser.post(f"{FACTORS}totp/activate/", {"code": "000000"})
    assert "Incorrect code" in text_of(wrong)

    added = browser.post(f"{FACTORS}totp/activate/", {"code": code(secret[1])}, follow=True)

    assert "10 of 10 are left" in text_of(added)
    later = Client()
    assert sign_in(later, owner).url == f"{FACTORS}authenticate/"
    assert later.get("/account/").status_code == 302
    assert later.post(f"{FACTORS}authenticate/", {"code": code(secret[1])}).status_code == 302
    assert later.get("/account/").status_code == 200


def test_a_wrong_code_does_not_sign_in_and_is_noted(client, owner):
    with_factor(owner)
    sign_in(client, owner)

    answer = client.post(f"{FACTORS}authenticate/", {"code": "000000"})

    assert "Incorrect code" in text_of(answer)
    assert client.get("/account/").status_code == 302
    assert AccountEvent.objects.filter(user=owner, kind=EventKind.FACTOR_FAILED).count() == 1


def test_a_code_serves_once(owner):
    with_factor(owner)
    shown = code()
    for expected in (200, 302):
        browser = Client()
        sign_in(browser, owner)
        browser.post(f"{FACTORS}authenticate/", {"code": shown})
        assert browser.get("/account/").status_code == expected


def test_a_code_serves_once_for_as_long_as_it_is_taken(owner):
    with_factor(owner)
    begins = time.time() // 30 * 30
    with time_machine.travel(begins, tick=False):
        shown = code()
    for later, expected in ((0, 200), (31, 302), (59, 302)):
        with time_machine.travel(begins + later, tick=False):
            browser = Client()
            sign_in(browser, owner)
            browser.post(f"{FACTORS}authenticate/", {"code": shown})
            assert browser.get("/account/").status_code == expected


def test_many_wrong_codes_are_slowed_down(client, owner):
    with_factor(owner)
    sign_in(client, owner)
    answers = [text_of(client.post(f"{FACTORS}authenticate/", {"code": "000000"})) for _ in range(8)]
    assert "Too many" in answers[-1]

    client.post(f"{FACTORS}authenticate/", {"code": code()})

    assert client.get("/account/").status_code == 302


def test_a_recovery_code_signs_in_once(owner):
    with_factor(owner)
    first, *_ = RecoveryCodes.activate(owner).get_unused_codes()
    for expected in (200, 302):
        browser = Client()
        sign_in(browser, owner)
        browser.post(f"{FACTORS}authenticate/", {"code": first})
        assert browser.get("/account/").status_code == expected


def test_the_password_alone_gives_no_token_to_an_account_with_a_second_factor(owner):
    with_factor(owner)
    words = base64.b64encode(b"owner@example.org:owner-password").decode()

    answer = Client().post("/api/v1/auth/login/", HTTP_AUTHORIZATION=f"Basic {words}")

    assert (answer.status_code, answer.json()["code"]) == (401, "second_factor_needed")
    assert not ApiToken.objects.exists()


# Compulsory


@pytest.mark.parametrize("place", ["/admin/", "/account/", "/submissions/", "/teams/"])
def test_staff_without_one_reach_nothing_but_the_page_that_adds_it(place, staff, compulsory):
    browser: Any = browser_of(staff)

    assert browser.get(place).url == FACTORS
    assert "Add an authenticator app or a passkey" in text_of(browser.get(FACTORS))
    with_factor(staff)
    assert browser.get(place).status_code == 200


def test_an_organiser_needs_one_and_a_participant_does_not(owner, toy, compulsory):
    browser: Any = browser_of(owner)
    assert browser.get("/account/").status_code == 200

    give_role(benchmark=toy, user=owner, role=Role.ORGANISER)

    assert browser.get("/account/").url == FACTORS


def test_tokens_of_staff_without_one_are_refused_in_words(staff, compulsory):
    program = client_of(staff)

    answer = program.get("/api/v1/teams/")

    assert (answer.status_code, answer.json()["code"]) == (403, "second_factor_missing")
    with_factor(staff)
    assert program.get("/api/v1/teams/").status_code == 200


def test_sessions_of_staff_without_one_do_not_reach_the_api_either(staff, compulsory):
    assert browser_of(staff).get("/api/v1/teams/").json()["code"] == "second_factor_missing"


def test_sessions_of_those_who_run_something_end_within_the_day(staff, owner):
    ages = []
    for user in (staff, owner):
        with_factor(user)
        browser = Client()
        sign_in(browser, user)
        browser.post(f"{FACTORS}authenticate/", {"code": code()})
        ages.append(browser.session.get_expiry_age())

    assert ages[0] <= 12 * 3600 < 14 * 24 * 3600 - 60 < ages[1]


def test_an_operator_lets_in_who_has_lost_everything(owner):
    with_factor(owner)
    finder, program = browser_of(owner), client_of(owner)
    assert finder.get("/account/").status_code == 200
    assert program.get("/api/v1/teams/").status_code == 200

    call_command("remove_second_factor", "Owner@example.org", stdout=StringIO())

    assert not Authenticator.objects.exists()
    assert finder.get("/account/").status_code == 302
    assert program.get("/api/v1/teams/").status_code == 401
    browser = Client()
    sign_in(browser, owner)
    assert browser.get("/account/").status_code == 200
    assert "removed by an operator" in text_of(browser.get("/account/security/"))


def test_who_waited_at_the_code_signs_in_after_an_operator_removed_the_factor(owner):
    with_factor(owner)
    browser = Client()
    assert sign_in(browser, owner).url.startswith(FACTORS)

    call_command("remove_second_factor", owner.email, stdout=StringIO())

    assert browser.get("/accounts/login/", follow=True).status_code == 200
    sign_in(browser, owner)
    assert browser.get("/account/").status_code == 200


# Asked again


def test_a_token_is_made_after_the_password_was_given_again(browser, owner, asks_again):
    asked = browser.post("/account/tokens/", NEW_TOKEN)
    assert asked.url.startswith("/accounts/reauthenticate/")
    assert not ApiToken.objects.exists()

    made = browser.post(asked.url, {"password": "owner-password", "next": "/account/tokens/"})

    assert made.status_code == 201
    assert ApiToken.objects.get().name == "nightly"
    assert browser.post("/account/tokens/", NEW_TOKEN).status_code == 201


def test_five_minutes_later_it_is_asked_for_again(browser, owner, asks_again, settings):
    confirm(browser, owner)
    assert browser.post("/account/tokens/", NEW_TOKEN).status_code == 201

    settings.ACCOUNT_REAUTHENTICATION_TIMEOUT = 0

    assert browser.post("/account/tokens/", NEW_TOKEN).status_code == 302


def test_a_wrong_password_confirms_nothing(browser, owner, asks_again):
    answer = browser.post("/accounts/reauthenticate/", {"password": "wrong"})

    assert "Is it you?" in text_of(answer)
    assert browser.post("/account/tokens/", NEW_TOKEN).status_code == 302


def test_an_address_is_added_after_the_password_was_given_again(browser, owner, asks_again):
    form = {"email": "other@example.org", "action_add": ""}
    assert browser.post("/accounts/email/", form).url.startswith("/accounts/reauthenticate/")
    assert not EmailAddress.objects.filter(email="other@example.org").exists()

    confirm(browser, owner)

    browser.post("/accounts/email/", form)
    assert EmailAddress.objects.filter(email="other@example.org").exists()


def test_gold_labels_are_loaded_after_the_password_was_given_again(toy, staff, asks_again):
    task = toy.tasks.get(slug="mood")
    browser: Any = browser_of(staff)
    place = f"/admin/benchmarks/task/{task.pk}/load_gold/"
    assert browser.get(place).url.startswith("/accounts/reauthenticate/")
    assert browser.post(place, {"confirmed": "1"}).url.startswith("/accounts/reauthenticate/")

    confirm(browser, staff)

    assert "Load gold labels" in text_of(browser.get(place))


def test_a_page_with_a_file_may_be_sent_for_half_an_hour(toy, staff, asks_again, settings):
    task = toy.tasks.get(slug="mood")
    browser: Any = browser_of(staff)
    place = f"/admin/benchmarks/task/{task.pk}/load_gold/"
    confirm(browser, staff)

    settings.ACCOUNT_REAUTHENTICATION_TIMEOUT = 0

    assert browser.get(place).status_code == 302
    assert browser.post(place, {"confirmed": "1"}).status_code == 200
