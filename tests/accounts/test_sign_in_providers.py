"""Signing in over other sites: which are offered, the whole way there and back, and whose account it is."""

import re
from html import unescape

import httpx
import pytest
from allauth.account.models import EmailAddress
from allauth.socialaccount.models import SocialAccount
from django.core import mail
from django.core.management import call_command
from django.core.management.base import SystemCheckError
from django.test import Client

from accounts.models import User
from config.providers import half_set_providers, sign_in_providers
from tests.accounts import (
    urls_with_providers,
)  # before any test sets variables, as a server reads them only once
from tests.accounts.provider import CLIENT_ID, SECRET, running_provider
from tests.pages import browser_of, text_of

pytestmark = pytest.mark.thorough

# Imported above, before any test sets variables: addresses are made once, as a server does when it starts.
ADDRESSES = urls_with_providers.__name__
GITHUB = {"HELDOUT_GITHUB_CLIENT_ID": "one", "HELDOUT_GITHUB_SECRET": "two"}
ORCID = {"HELDOUT_ORCID_CLIENT_ID": "three", "HELDOUT_ORCID_SECRET": "four"}


def variables(values):
    return lambda name: values.get(name, "")


def oidc(issuer: str) -> dict[str, str]:
    return {
        "HELDOUT_OIDC_CLIENT_ID": CLIENT_ID,
        "HELDOUT_OIDC_SECRET": SECRET,
        "HELDOUT_OIDC_ISSUER": issuer,
        "HELDOUT_OIDC_NAME": "Example University",
    }


@pytest.fixture
def offer(settings):
    """Set the variables of providers, as a server's environment would."""

    def _offer(**values: str) -> None:
        settings.SOCIALACCOUNT_PROVIDERS = sign_in_providers(variables(values))
        settings.ROOT_URLCONF = ADDRESSES
        settings.ACCOUNT_EMAIL_VERIFICATION = "mandatory"

    return _offer


@pytest.fixture
def provider(offer):
    with running_provider() as running:
        offer(**oidc(running.issuer))
        yield running


def set_out(browser: Client, query: str = "") -> str:
    """The provider's address that the page with the button leads to."""
    answer = browser.post(f"/accounts/oidc/login/{query}")
    shown = re.search(r'<a href="([^"]+)" rel="noreferrer">', text_of(answer))
    assert shown
    assert answer["Refresh"] == f"0; url={unescape(shown[1])}"
    return unescape(shown[1])


def round_trip(browser: Client, query: str = ""):
    """There and back again; the answer that the way ends with."""
    back = httpx.get(set_out(browser, query)).headers["Location"]
    return browser.get(back.removeprefix("http://testserver"), follow=True)


# Which are offered


@pytest.mark.parametrize("page", ["/accounts/login/", "/accounts/signup/"])
def test_buttons_are_those_of_the_providers_that_are_set_up(db, client, offer, page):
    offer(**GITHUB, **ORCID, **oidc("https://id.example.edu"))

    buttons = re.findall(r"<button[^>]*>Sign (?:in|up) with ([^<]+)<", text_of(client.get(page)))

    assert sorted(buttons) == ["Example University", "GitHub", "ORCID"]


@pytest.mark.parametrize("page", ["/accounts/login/", "/accounts/signup/"])
def test_no_button_stands_where_nothing_is_set_up(db, client, page):
    assert " with " not in text_of(client.get(page)).split("<main")[1]


def test_half_set_provider_has_no_button(db, client, offer):
    offer(**ORCID, HELDOUT_GITHUB_CLIENT_ID="one")

    page = text_of(client.get("/accounts/login/"))

    assert "with ORCID" in page
    assert "GitHub" not in page


def test_half_set_provider_is_found_by_the_deployment_check(db, settings):
    settings.HALF_SET_PROVIDERS = half_set_providers(variables({"HELDOUT_GITHUB_CLIENT_ID": "one"}))

    with pytest.raises(SystemCheckError, match="because HELDOUT_GITHUB_SECRET is not set"):
        call_command("check", deploy=True)


def test_provider_without_a_name_is_called_by_its_host():
    values = oidc("https://id.example.edu/realms/all/") | {"HELDOUT_OIDC_NAME": ""}

    (app,) = sign_in_providers(variables(values))["openid_connect"]["APPS"]

    assert (app["name"], app["settings"]["server_url"]) == (
        "id.example.edu",
        "https://id.example.edu/realms/all",
    )


def test_addresses_of_providers_do_not_exist_where_nothing_is_set_up(db, client):
    assert client.post("/accounts/github/login/").status_code == 404


def test_github_and_orcid_are_set_out_to(db, client, offer):
    offer(**GITHUB, **ORCID)

    for name, start in (("github", "https://github.com/login/"), ("orcid", "https://orcid.org/oauth/")):
        assert client.post(f"/accounts/{name}/login/")["Refresh"].startswith(f"0; url={start}")


# There and back


def test_confirmed_address_signs_up_without_a_mail(db, client, provider):
    provider.person |= {"email": "Ada@Example.org", "email_verified": True}

    answer = round_trip(client, "?next=/submit/")

    user = User.objects.get()
    assert answer.redirect_chain[-1][0] == "/submit/"
    assert (user.email, user.name, user.has_usable_password()) == ("ada@example.org", "Ada Lovelace", False)
    assert EmailAddress.objects.filter(user=user, verified=True).exists()
    assert mail.outbox == []


def test_same_person_comes_back_to_the_same_account(db, provider):
    provider.person |= {"email": "ada@example.org", "email_verified": True}

    round_trip(Client())
    provider.person["email"] = "ada@elsewhere.org"
    answer = round_trip(Client())

    assert answer.context["user"] == User.objects.get()


@pytest.mark.parametrize("verified", [False, "false", "true", 1, None], ids=repr)
def test_unconfirmed_address_has_to_be_confirmed_here(db, client, provider, verified):
    provider.person |= {"email": "ada@example.org", "email_verified": verified}

    answer = round_trip(client)

    assert not answer.context["user"].is_authenticated
    assert "/accounts/confirm-email/" in mail.outbox[0].body


def test_address_that_nobody_gave_is_asked_for(db, client, provider):
    answer = round_trip(client)

    assert "One thing is missing" in text_of(answer)
    client.post("/accounts/3rdparty/signup/", {"email": "ada@example.org"})
    assert not EmailAddress.objects.get(email="ada@example.org").verified


# Whose account it is


def test_confirmed_address_signs_in_to_the_account_that_has_it(client, owner, provider):
    provider.person |= {"email": owner.email, "email_verified": True}

    answer = round_trip(client)

    assert answer.context["user"] == owner
    owner.refresh_from_db()
    assert owner.has_usable_password()


@pytest.mark.parametrize("verified", [False, "false", "true"], ids=repr)
def test_unconfirmed_address_takes_over_no_account(client, owner, provider, verified):
    provider.person |= {"email": owner.email, "email_verified": verified}

    answer = round_trip(client)

    assert not answer.context["user"].is_authenticated
    assert not SocialAccount.objects.exists()
    assert mail.outbox[0].to == [owner.email]
    assert "connect that site on your account page" in mail.outbox[0].body


def test_password_of_whoever_signed_up_with_a_foreign_address_no_longer_works(client, owner, provider):
    EmailAddress.objects.filter(user=owner).update(verified=False)
    provider.person |= {"email": owner.email, "email_verified": True}

    round_trip(client)

    owner.refresh_from_db()
    assert not owner.has_usable_password()


def test_signed_in_person_connects_a_provider(owner, provider):
    browser = browser_of(owner)

    answer = round_trip(browser, "?process=connect")

    assert "Example University" in text_of(answer)
    assert SocialAccount.objects.get().user == owner
    assert "/accounts/3rdparty/" in text_of(browser.get("/account/"))


# What goes wrong


def test_unreachable_provider_is_said(db, client, offer):
    with running_provider() as gone:
        offer(**oidc(gone.issuer))

    answer = client.post("/accounts/oidc/login/")

    assert answer.status_code == 502
    assert "could not be reached" in text_of(answer)


@pytest.mark.parametrize("person", [{}, {"sub": None, "email": 7}, {"sub": "1", "name": "\0"}], ids=repr)
def test_nonsense_of_a_provider_is_no_error_of_ours(db, client, provider, person):
    provider.person = person

    assert round_trip(client).status_code < 503


def test_answer_that_nobody_asked_for_is_refused(db, client, provider):
    answer = client.get("/accounts/oidc/callback/?code=a-code&state=made-up")

    assert answer.status_code == 401
    assert "Nothing was changed" in text_of(answer)


def test_way_there_is_begun_by_a_press_only(db, client, provider):
    assert "Go on" in text_of(client.get("/accounts/oidc/login/"))
