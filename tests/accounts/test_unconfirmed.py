"""Nobody learns whether there is an account of an address; whoever has the mailbox gets in."""

import base64
import re
from importlib import import_module
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.apps import apps
from django.contrib.auth.hashers import get_hasher
from django.core import mail
from django.test import Client

from accounts.models import User
from accounts.sign_in.addresses import confirm_address

PASSWORD = "long-enough-words"


@pytest.fixture(autouse=True)
def _confirmed(db: None, settings: Any) -> None:
    settings.ACCOUNT_EMAIL_VERIFICATION = "mandatory"


def sign_up(address: str) -> Any:
    return Client().post("/accounts/signup/", {"email": address, "password1": PASSWORD})


def sign_in(address: str, password: str = PASSWORD) -> Any:
    return Client().post("/accounts/login/", {"login": address, "password": password})


def seen(answer: Any, address: str) -> tuple[Any, ...]:
    """What whoever asked may compare; without what is drawn for each page."""
    page = re.sub(r'name="csrfmiddlewaretoken" value="[^"]*"', "", answer.content.decode())
    page = re.sub(r'nonce="?[^" ]*"?', "", page)
    return answer.status_code, answer.headers.get("Location"), page.replace(address, "")


def over_the_api(address: str) -> tuple[int, Any]:

    basic = base64.b64encode(f"{address}:{PASSWORD}".encode()).decode()
    answer = Client().post("/api/v1/auth/login/", headers={"Authorization": f"Basic {basic}"})
    return answer.status_code, answer.json()


def test_signing_in_after_signing_up_does_not_tell_whether_the_address_was_new(owner):
    for address in ("new@example.org", owner.email):
        sign_up(address)

    assert seen(sign_in("new@example.org"), "new@example.org") == seen(sign_in(owner.email), owner.email)
    assert over_the_api("new@example.org") == over_the_api(owner.email)


def test_signing_in_counts_as_an_attempt_before_an_address_is_confirmed(owner, settings, monkeypatch):
    settings.ACCOUNT_RATE_LIMITS = {"login_failed": "3/m/key"}
    sign_up("new@example.org")

    told = [seen(sign_in("new@example.org"), "new@example.org")[2] for _ in range(4)]
    known = [seen(sign_in(owner.email), owner.email)[2] for _ in range(4)]

    assert told == known
    assert "Too many failed" in told[3]


def test_signing_up_hashes_as_many_passwords_whether_or_not_the_address_is_known(owner, monkeypatch):
    hasher = type(get_hasher())
    encode = hasher.encode
    made: list[str] = []

    def noted(self: Any, password: str, *given: Any) -> str:
        made.append(password)
        return encode(self, password, *given)

    monkeypatch.setattr(hasher, "encode", noted)

    sign_up("new@example.org")
    new = len(made)
    sign_up(owner.email)

    assert (new, len(made) - new) == (new, new)
    assert new


def test_whoever_got_no_mail_gets_in_with_a_new_password():
    told = Client().get(sign_up("new@example.org")["Location"]).content.decode()
    assert 'href="/accounts/password/reset/"' in told

    browser = Client()
    browser.post("/accounts/password/reset/", {"email": "new@example.org"})
    found = re.search(r"http://testserver(/accounts/password/reset/key/\S+)", str(mail.outbox[-1].body))
    assert found
    form = browser.get(found[1], follow=True)
    another = "another-good-one"
    browser.post(form.request["PATH_INFO"], {"password1": another, "password2": another})

    assert sign_in("new@example.org", another).headers["Location"] == "/submissions/"


def ask_for_a_new_password(address: str) -> str:
    """The mail that comes of it."""
    Client().post("/accounts/password/reset/", {"email": address})
    assert mail.outbox[-1].to == [address]
    return str(mail.outbox[-1].body)


def choose(told: str, password: str) -> None:
    """Choose a new password by the link of a mail."""
    found = re.search(r"http://testserver(/accounts/password/reset/key/\S+)", told)
    assert found
    browser = Client()
    form = browser.get(found[1], follow=True)
    browser.post(form.request["PATH_INFO"], {"password1": password, "password2": password})


def test_new_password_confirms_none_of_several_addresses(owner):
    EmailAddress.objects.filter(user=owner).update(verified=False)
    EmailAddress.objects.create(user=owner, email="second@example.org", verified=True)

    choose(ask_for_a_new_password("second@example.org"), "another-good-one")

    assert not EmailAddress.objects.get(user=owner, email=owner.email).verified


def test_no_link_for_a_new_password_goes_to_an_address_that_was_merely_added(owner):
    EmailAddress.objects.create(user=owner, email="stranger@example.net")

    assert "/accounts/password/reset/key/" not in ask_for_a_new_password("stranger@example.net")

    EmailAddress.objects.filter(email="stranger@example.net").update(verified=True)

    assert "/accounts/password/reset/key/" in ask_for_a_new_password("stranger@example.net")


def test_who_has_lost_a_password_to_somebody_else_loses_them_by_a_new_one(owner):
    """An address that somebody else has added may be confirmed for days, by a link that no new password ends."""
    browser = Client()
    browser.force_login(owner)
    browser.post("/accounts/email/", {"email": "intruder@example.net", "action_add": ""})
    [link] = re.findall(r"http://testserver(/accounts/confirm-email/\S+)", str(mail.outbox[-1].body))

    choose(ask_for_a_new_password(owner.email), "another-good-one")
    Client().post(link)

    assert "/accounts/password/reset/key/" not in ask_for_a_new_password("intruder@example.net")
    assert EmailAddress.objects.get(user=owner).email == owner.email


def test_nobody_is_kept_from_signing_up_by_somebody_who_adds_their_address(owner, settings):
    settings.ACCOUNT_RATE_LIMITS = {"confirm_email": "9/m/key"}  # else no second mail is sent within minutes
    browser = Client()
    browser.force_login(owner)
    browser.post("/accounts/email/", {"email": "new@example.org", "action_add": ""})

    sign_up("new@example.org")
    [link] = re.findall(r"http://testserver(/accounts/confirm-email/\S+)", str(mail.outbox[-1].body))
    Client().post(link)

    assert sign_in("new@example.org").headers["Location"] == "/submissions/"
    assert User.objects.get(email="new@example.org") != owner


def test_operator_whose_account_a_command_made_is_sent_a_link_when_signing_in():
    User.objects.create_superuser("operator@example.org", PASSWORD)

    assert sign_in("operator@example.org").headers["Location"] == "/accounts/confirm-email/"
    assert mail.outbox[-1].to == ["operator@example.org"]


UNICODE, ENCODED = "ada@MÜNCHEN.example", "ada@xn--mnchen-3ya.example"


@pytest.mark.parametrize(("first", "second"), [(UNICODE, ENCODED), (ENCODED, UNICODE)])
def test_two_spellings_of_a_mailbox_are_one_account(first, second):
    sign_up(first)
    sign_up(second)
    assert [str(one) for one in User.objects.all()] == [ENCODED]
    confirm_address(User.objects.get())

    assert sign_in(first).headers["Location"] == sign_in(second).headers["Location"] == "/submissions/"
    assert over_the_api(first)[0] == over_the_api(second)[0] == 200


def test_link_for_a_new_password_is_sent_for_either_spelling():
    sign_up(UNICODE)
    mail.outbox.clear()
    Client().post("/accounts/password/reset/", {"email": UNICODE})
    assert "/accounts/password/reset/key/" in str(mail.outbox[0].body)


def test_another_spelling_of_somebodys_address_cannot_be_added(owner):
    sign_up(UNICODE)
    confirm_address(User.objects.get(email=ENCODED))
    browser = Client()
    browser.force_login(owner)
    browser.post("/accounts/email/", {"email": UNICODE, "action_add": ""})
    assert not EmailAddress.objects.filter(user=owner, email=UNICODE.lower()).exists()


def test_stored_addresses_get_one_spelling_and_no_account_is_lost(owner):
    respell = import_module("accounts.migrations.0009_one_spelling_of_addresses").respell
    alone, clashing, other = (
        User.objects.create(email=one) for one in ("a@\u00fc.example", "b@\u00fc.example", "c@x.example")
    )
    for person, address in ((alone, alone.email), (clashing, clashing.email), (other, "b@xn--tda.example")):
        EmailAddress.objects.create(user=person, email=address, verified=True, primary=True)

    respell(apps, None)

    found = {one.pk: one.email for one in User.objects.all()}
    stored = {one.user_id: one.email for one in EmailAddress.objects.all()}
    assert found[alone.pk] == stored[alone.pk] == "a@xn--tda.example"
    assert found[clashing.pk] == stored[clashing.pk] == "b@\u00fc.example"
    assert (found[other.pk], stored[other.pk]) == ("c@x.example", "b@xn--tda.example")
    assert found[owner.pk] == "owner@example.org"
