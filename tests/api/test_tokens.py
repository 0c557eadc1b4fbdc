"""Signing in and out over the API."""

import base64

import pytest
from allauth.account.models import EmailAddress
from django.core.cache import cache

from accounts.models import ApiToken
from tests.api.conftest import UPLOADS, client_of

LOGIN, LOGOUT = "/api/v1/auth/login/", "/api/v1/auth/logout/"


@pytest.fixture(autouse=True)
def _no_attempts_so_far():
    cache.clear()


def basic(email: str, password: str) -> dict[str, str]:
    return {"HTTP_AUTHORIZATION": "Basic " + base64.b64encode(f"{email}:{password}".encode()).decode()}


def test_password_gives_a_token_that_works(anyone, owner):
    answer = anyone.post(LOGIN, **basic("owner@example.org", "owner-password"))
    assert set(answer.json()) == {"token", "expiry", "scopes"}
    assert anyone.get(UPLOADS, HTTP_AUTHORIZATION=f"Token {answer.json()['token']}").status_code == 200


def test_token_is_stored_hashed(anyone, owner):
    token = anyone.post(LOGIN, **basic("owner@example.org", "owner-password")).json()["token"]
    stored = ApiToken.objects.get()
    assert token not in (stored.digest, stored.token_key)


@pytest.mark.parametrize(
    ("email", "password"),
    [
        ("owner@example.org", "wrong"),
        ("nobody@example.org", "owner-password"),
        ("owner@example.org", ""),
        ("", ""),
        ("owner\0@example.org", "owner-password"),
        ("owner@example.org", "owner-password\0"),
    ],
)
def test_wrong_password_gives_none(email, password, anyone, owner):
    answer = anyone.post(LOGIN, **basic(email, password))
    assert (answer.status_code, answer.json()["code"]) == (401, "authentication_failed")
    assert answer["WWW-Authenticate"].startswith("Basic")


@pytest.mark.parametrize("header", ["Basic", "Basic x", "Basic !!!!", "Basic a b", "Token x", "Bearer x", ""])
def test_malformed_credentials_give_none(header, anyone, owner):
    assert anyone.post(LOGIN, HTTP_AUTHORIZATION=header).status_code == 401


def test_many_wrong_passwords_are_slowed_down(anyone, owner):
    answers = [anyone.post(LOGIN, **basic("owner@example.org", "wrong")).status_code for _ in range(7)]
    assert answers[0] == 401
    assert answers[-1] == 429


def test_inactive_person_gets_no_token(anyone, owner):
    owner.is_active = False
    owner.save()
    assert anyone.post(LOGIN, **basic("owner@example.org", "owner-password")).status_code == 401


@pytest.mark.parametrize(("is_confirmed", "status"), [(False, 401), (True, 200)])
def test_address_has_to_be_confirmed_where_the_site_asks_for_it(
    is_confirmed, status, anyone, owner, settings
):
    settings.ACCOUNT_EMAIL_VERIFICATION = "mandatory"
    EmailAddress.objects.filter(user=owner).update(verified=is_confirmed)
    assert anyone.post(LOGIN, **basic("owner@example.org", "owner-password")).status_code == status


def test_signing_out_makes_the_token_useless_and_leaves_the_others(owner):
    one, other = client_of(owner), client_of(owner)
    assert one.post(LOGOUT).status_code == 204
    assert one.get(UPLOADS).status_code == 401
    assert other.get(UPLOADS).status_code == 200


@pytest.mark.parametrize("token", ["", "x", "x" * 64, "é", "a b", "\xff\xfe", "\0", "0" * 10_000])
def test_wrong_token_is_told(token, anyone):
    answer = anyone.get(UPLOADS, HTTP_AUTHORIZATION=f"Token {token}")
    assert (answer.status_code, answer["WWW-Authenticate"]) == (401, "Token")
    assert answer.json()["code"] in ("authentication_failed", "not_authenticated")


def test_password_opens_nothing_but_the_login(anyone, owner):
    assert anyone.get(UPLOADS, **basic("owner@example.org", "owner-password")).status_code == 401
