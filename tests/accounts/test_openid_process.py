"""Signing in over a real OpenID Connect provider in a process of its own, with registered client and signed tokens."""

import re
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from html import unescape
from typing import Any

import httpx
import pytest
from allauth.account.models import EmailAddress
from allauth.socialaccount.models import SocialAccount
from django.core import mail
from django.core.exceptions import ImproperlyConfigured
from django.test import Client

from accounts.models import AccountEvent, EventKind, User
from accounts.sign_in.addresses import confirm_address
from benchmarks.people.models import BenchmarkRole, Role
from benchmarks.people.services import give_role
from config.providers import roles_of_groups, sign_in_providers
from tests.accounts import (
    urls_with_providers,  # before any test sets variables, as a server reads them only once
)
from tests.pages import browser_of, text_of
from tests.ports import free_port

pytestmark = pytest.mark.thorough

ADDRESSES = urls_with_providers.__name__
CALLBACK = "http://testserver/accounts/oidc/callback/"


@pytest.fixture(scope="module")
def issuer() -> Iterator[str]:
    """The address of the provider, which knows nobody yet and takes registered clients alone."""
    port = free_port()
    command = [
        sys.executable,
        "-m",
        "oidc_provider_mock",
        "--port",
        str(port),
        "--require-registration",
        "true",
    ]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        _wait_for(f"http://localhost:{port}/.well-known/openid-configuration")
        yield f"http://localhost:{port}"
    finally:
        process.terminate()
        process.wait(timeout=10)


def _wait_for(address: str, status: int = 200) -> None:
    for _ in range(100):
        with suppress(httpx.TransportError):
            assert httpx.get(address).status_code == status
            return
        time.sleep(0.1)
    raise AssertionError(f"nobody answers at {address}")


@pytest.fixture(scope="module")
def client_at_provider(issuer: str) -> dict[str, str]:
    """What the provider gave when this site was registered there."""
    asked = {"redirect_uris": [CALLBACK], "token_endpoint_auth_method": "client_secret_post"}
    given: dict[str, str] = httpx.post(f"{issuer}/oauth2/clients", json=asked).raise_for_status().json()
    return given


@pytest.fixture
def offered(issuer, client_at_provider, settings):
    """The provider has a button here; its secret may be given wrong."""

    def _offered(secret: str = client_at_provider["client_secret"]) -> None:
        values = {
            "HELDOUT_OIDC_CLIENT_ID": client_at_provider["client_id"],
            "HELDOUT_OIDC_SECRET": secret,
            "HELDOUT_OIDC_ISSUER": issuer,
            "HELDOUT_OIDC_NAME": "Example University",
        }
        settings.SOCIALACCOUNT_PROVIDERS = sign_in_providers(lambda name: values.get(name, ""))
        settings.ROOT_URLCONF = ADDRESSES
        settings.ACCOUNT_EMAIL_VERIFICATION = "mandatory"

    _offered()
    return _offered


def knows(issuer: str, subject: str, **claims: Any) -> None:
    """Have the provider know somebody."""
    httpx.put(f"{issuer}/users/{subject}", json=claims).raise_for_status()


def round_trip(browser: Client, query: str = "", **pressed: str) -> Any:
    """To the provider, its form, and back; the answer that the way ends with."""
    shown = re.search(
        r'<a href="([^"]+)" rel="noreferrer">', text_of(browser.post(f"/accounts/oidc/login/{query}"))
    )
    assert shown
    back = httpx.post(unescape(shown[1]), data=pressed).headers["Location"]
    assert back.startswith(CALLBACK)
    return browser.get(back.removeprefix("http://testserver"), follow=True)


def test_somebody_new_signs_up_with_what_the_provider_confirms(db, client, issuer, offered):
    knows(issuer, "ada", name="Ada Lovelace", email="Ada@Example.org", email_verified=True)

    answer = round_trip(client, sub="ada")

    user = User.objects.get()
    assert answer.context["user"] == user
    assert (user.name, user.email) == ("Ada Lovelace", "ada@example.org")
    assert EmailAddress.objects.get(user=user).verified
    assert AccountEvent.objects.filter(user=user, kind=EventKind.SIGN_IN).exists()


def test_whoever_comes_back_has_the_same_account_whatever_their_address_is_now(db, issuer, offered):
    knows(issuer, "eve", email="eve@example.org", email_verified=True)
    round_trip(Client(), sub="eve")
    knows(issuer, "eve", email="eve@elsewhere.org", email_verified=True)

    answer = round_trip(Client(), sub="eve")

    assert answer.context["user"] == User.objects.get()


def test_a_signed_in_person_connects_the_provider(owner, issuer, offered):
    knows(issuer, "owner-there", email="other@example.edu", email_verified=True)

    round_trip(browser_of(owner), "?process=connect", sub="owner-there")

    assert SocialAccount.objects.get().user == owner
    assert AccountEvent.objects.filter(user=owner, kind=EventKind.PROVIDER, detail="connected").exists()
    assert round_trip(Client(), sub="owner-there").context["user"] == owner


def test_an_address_that_the_provider_has_not_confirmed_takes_over_no_account(client, owner, issuer, offered):
    knows(issuer, "mallory", email=owner.email, email_verified=False)

    answer = round_trip(client, sub="mallory")

    assert not answer.context["user"].is_authenticated
    assert not SocialAccount.objects.exists()
    assert mail.outbox[0].to == [owner.email]


def test_whoever_says_no_there_comes_back_signed_out(db, client, offered):
    answer = round_trip(client, action="deny")

    assert not answer.context["user"].is_authenticated
    assert not User.objects.exists()


@pytest.fixture
def by_groups(offered, settings, toy):
    settings.GROUP_ROLES = roles_of_groups("nlp staff=staff, people=toy/organiser,gone=nowhere/reader")
    return toy


def told(user: User) -> list[str]:
    kinds = AccountEvent.objects.filter(user=user, kind=EventKind.ROLE).order_by("pk")
    return list(kinds.values_list("detail", flat=True))


def test_groups_give_and_take_at_each_sign_in(db, issuer, by_groups):
    ada = {"email": "ada@example.org", "email_verified": True}
    for groups, is_staff, roles in (
        (["people", "nlp staff", "gone", "others"], True, ["organiser"]),
        (["people"], False, ["organiser"]),
        ("nlp staff", True, []),
        (None, False, []),
    ):
        knows(issuer, "ada", **ada, **({} if groups is None else {"groups": groups}))
        browser = Client()
        assert round_trip(browser, sub="ada").context["user"].is_authenticated
        user = User.objects.get(email="ada@example.org")
        assert (user.is_staff, user.is_superuser) == (is_staff, False)
        assert [one.role for one in BenchmarkRole.objects.filter(user=user)] == roles
    assert told(user) == [
        "may begin benchmarks, by a group at the provider",
        "organiser of Toy",
        "may no longer begin benchmarks, by a group at the provider",
        "may begin benchmarks, by a group at the provider",
        "no organiser of Toy any more",
        "may no longer begin benchmarks, by a group at the provider",
    ]


def test_what_people_gave_is_not_taken_and_superusers_stay(issuer, by_groups, staff):
    staff.is_superuser = False
    staff.save()
    give_role(benchmark=by_groups, user=staff, role=Role.OWNER)
    confirm_address(staff)
    for groups in (["people", "nlp staff"], []):
        knows(issuer, "staff", email=staff.email, email_verified=True, groups=groups)
        round_trip(Client(), sub="staff")
        staff.refresh_from_db()
        assert staff.is_staff
        assert BenchmarkRole.objects.get(user=staff).role == Role.OWNER
    staff.is_superuser = True
    staff.save()
    round_trip(Client(), sub="staff")
    staff.refresh_from_db()
    assert (staff.is_superuser, staff.is_staff) == (True, True)


@pytest.mark.parametrize("wrong", ["staff", "a=", "a=superuser", "a=raft/owner", "=staff"])
def test_a_group_gives_no_more_than_it_may(wrong):
    with pytest.raises(ImproperlyConfigured, match="expected GROUP=staff"):
        roles_of_groups(wrong)


def test_a_wrong_secret_lets_nobody_in_and_is_said(db, client, issuer, offered):
    knows(issuer, "ada", email="ada@example.org", email_verified=True)
    offered(secret="not what it gave")

    answer = round_trip(client, sub="ada")

    assert answer.status_code in (401, 502)
    assert not User.objects.exists()
