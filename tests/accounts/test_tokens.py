"""What an API token lets a program do, where, how long, and what ends it."""

import base64
import datetime as dt
import re
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.contrib.auth.base_user import AbstractBaseUser
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.api.token_scopes import needed_scope
from accounts.models import ApiToken, User
from accounts.tokens.scopes import Scope
from accounts.tokens.services import MOST_TOKENS, create_token
from benchmarks.models import Benchmark
from benchmarks.people.models import Role
from config.api.urls import v1
from leaderboard.publication.services import refresh_stale
from leaderboard.publication.visibility import Visibility
from tests.api.conftest import client_of, upload_form
from tests.pages import browser_of, text_of
from tests.people import appoint

UPLOADS = "/api/v1/submissions/"
FORM = {"name": "nightly", "scopes": ["read"], "days": "30"}


def client(user: User, *scopes: Scope, benchmark: str = "") -> Any:
    """A program with a token of the person's for these scopes."""
    made = client_of(None)
    _, token = create_token(user=user, name="", scopes=scopes, benchmark=benchmark, now=timezone.now())
    made.credentials(HTTP_AUTHORIZATION=f"Token {token}")
    return made


def refused(answer: Any, code: str) -> bool:
    return bool(answer.status_code == 403 and answer.json()["code"] == code)


# Scopes


def test_reading_does_not_let_a_program_send(owner, system, phase):
    reads = client(owner, Scope.READ)

    assert reads.get(UPLOADS).status_code == 200
    answer = reads.post(UPLOADS, upload_form(system))
    assert refused(answer, "token_scope")
    assert "its scope is read, and this needs submit" in answer.json()["detail"]


def test_submitting_does_not_let_a_program_withdraw_accept_terms_or_found_teams(owner, system, phase):
    submits = client(owner, Scope.READ, Scope.SUBMIT)
    sent = submits.post(UPLOADS, upload_form(system))
    assert sent.status_code == 201

    for address in (
        f"{UPLOADS}{sent.json()['id']}/withdraw/",
        "/api/v1/benchmarks/toy/terms/",
        "/api/v1/teams/",
    ):
        assert refused(submits.post(address, {"name": "Elm", "version": 1}), "token_scope")
    assert client(owner, Scope.MANAGE).post("/api/v1/teams/", {"name": "Elm"}).status_code == 201


def test_a_token_ends_itself_whatever_its_scope(owner):
    reads = client(owner, Scope.READ)

    assert reads.post("/api/v1/auth/logout/").status_code == 204
    assert reads.get(UPLOADS).status_code == 401


def test_nothing_is_changed_with_a_token_that_reads():
    """Every address of the API, with whatever methods it has: a new one that says nothing needs `manage`."""
    for pattern in v1:
        view: Any = vars(pattern.callback)["cls"]
        for method in ("POST", "PUT", "PATCH", "DELETE"):
            if hasattr(view, method.lower()) and pattern.name not in ("sign-in", "sign-out"):
                assert needed_scope(view, method) in (Scope.SUBMIT, Scope.MANAGE), pattern.name


# One benchmark


def test_a_token_for_one_benchmark_is_refused_at_another(owner, system, phase):
    elsewhere = client(owner, *Scope, benchmark="duel")

    assert refused(elsewhere.get("/api/v1/benchmarks/toy/"), "token_benchmark")
    answer = elsewhere.post(UPLOADS, upload_form(system))
    assert refused(answer, "token_benchmark")
    assert "only for duel, and this is about toy" in answer.json()["detail"]
    assert client(owner, *Scope, benchmark="toy").post(UPLOADS, upload_form(system)).status_code == 201
    assert elsewhere.get(UPLOADS).json()["results"] == []


def test_an_address_that_does_not_say_how_it_holds_to_one_benchmark_refuses_such_tokens(owner):
    here = client(owner, *Scope, benchmark="toy")

    assert refused(here.get("/api/v1/contests/"), "token_benchmark")
    assert here.get("/api/v1/me/").status_code == 200


def test_a_limited_token_opens_a_private_benchmark_if_it_covers_the_address_and_else_finds_nothing(
    owner, outsider, toy
):
    refresh_stale()
    appoint(toy, owner, Role.READER)
    Benchmark.objects.filter(pk="toy").update(visibility=Visibility.PRIVATE)
    here, elsewhere = client(owner, Scope.READ, benchmark="toy"), client(owner, Scope.READ, benchmark="duel")
    sends, theirs = client(owner, Scope.SUBMIT), client(outsider, Scope.READ, benchmark="toy")

    for address in ("/api/v1/benchmarks/toy/", "/benchmarks/toy/"):
        assert here.get(address).status_code == 200
        for program in (elsewhere, sends, theirs):
            hidden, none = (program.get(path) for path in (address, address.replace("toy", "none")))
            assert hidden.status_code == none.status_code == 404
            assert text_of(hidden) == text_of(none)


# Time and number


def test_a_token_ends_when_its_days_are_over(owner):
    _, token = create_token(user=owner, name="", scopes=[Scope.READ], days=1, now=timezone.now())
    program = Client(headers={"Authorization": f"Token {token}"})
    assert program.get(UPLOADS).status_code == 200

    ApiToken.objects.update(expiry=timezone.now() - dt.timedelta(seconds=1))

    answer = program.get(UPLOADS)
    assert answer.status_code == 401
    assert "its time is over" in answer.json()["detail"]


def test_a_person_has_so_many_tokens_and_no_more(owner):
    browser = browser_of(owner)
    answers = [browser.post("/account/tokens/", FORM) for _ in range(MOST_TOKENS + 1)]
    assert [answer.status_code for answer in answers] == [201] * MOST_TOKENS + [422]
    assert f"You have {MOST_TOKENS} API tokens" in text_of(answers[-1])

    words = base64.b64encode(b"owner@example.org:owner-password").decode()
    by_password = Client().post("/api/v1/auth/login/", HTTP_AUTHORIZATION=f"Basic {words}")
    assert refused(by_password, "too_many_tokens")


@pytest.mark.parametrize(
    "wrong",
    [
        {"days": "366"},
        {"days": "0"},
        {"scopes": []},
        {"scopes": ["all"]},
        {"benchmark": "no-such"},
        {"name": ""},
    ],
)
def test_a_token_that_may_not_be_is_not_made(wrong, owner):
    assert browser_of(owner).post("/account/tokens/", FORM | wrong).status_code == 422
    assert not ApiToken.objects.exists()


def test_use_is_noted_and_not_at_every_request(owner):
    reads = client(owner, Scope.READ)
    reads.get(UPLOADS)
    first = ApiToken.objects.get().last_used_at
    assert abs(first - timezone.now()) < dt.timedelta(minutes=1)

    reads.get(UPLOADS)
    assert ApiToken.objects.get().last_used_at == first
    ApiToken.objects.update(last_used_at=first - dt.timedelta(minutes=11))
    reads.get(UPLOADS)
    assert ApiToken.objects.get().last_used_at > first - dt.timedelta(minutes=1)


def test_a_new_token_that_is_loaded_anew_makes_no_second_one(owner):
    """A browser sends the form again, with the token against forged requests that its page had."""
    browser = browser_of(owner)
    form, other_page = FORM | {"csrfmiddlewaretoken": "a"}, FORM | {"csrfmiddlewaretoken": "b"}
    made = browser.post("/account/tokens/", form)
    again = browser.post("/account/tokens/", form, follow=True)

    assert (made.status_code, again.redirect_chain) == (201, [("/account/tokens/", 302)])
    assert "This token has been made" in text_of(again)
    assert ApiToken.objects.filter(user=owner).count() == 1
    assert browser.post("/account/tokens/", other_page).status_code == 201


# Listed and ended


def test_the_account_page_lists_what_each_token_may_do(owner, toy):
    create_token(
        user=owner, name="cluster", scopes=[Scope.READ, Scope.SUBMIT], benchmark="toy", now=timezone.now()
    )

    shown = text_of(browser_of(owner).get("/account/tokens/"))

    assert re.search(r"cluster.*read, submit.*toy.*never", shown, re.DOTALL)


def test_tokens_are_listed_and_ended_over_the_api_and_nobody_elses(owner, outsider):
    manages, theirs = client(owner, *Scope), client(outsider, Scope.READ)
    client(owner, Scope.READ)
    listed = manages.get("/api/v1/tokens/").json()
    assert [(one["scopes"], one["is_this"]) for one in listed] == [
        (["read"], False), (["read", "submit", "manage"], True)
    ]  # fmt: skip

    assert manages.delete(f"/api/v1/tokens/{listed[0]['key']}/").status_code == 204
    other = ApiToken.objects.get(user=outsider).token_key
    assert manages.delete(f"/api/v1/tokens/{other}/").status_code == 404
    assert theirs.get(UPLOADS).status_code == 200
    assert len(manages.get("/api/v1/tokens/").json()) == 1


def test_another_primary_address_ends_tokens_and_a_further_one_does_not(owner):
    program, browser = client(owner, Scope.READ), browser_of(owner)
    EmailAddress.objects.update_or_create(
        user=owner, email=owner.email, defaults={"verified": True, "primary": True}
    )
    EmailAddress.objects.create(user=owner, email="other@example.org", verified=True)
    assert program.get(UPLOADS).status_code == 200

    browser.post(reverse("account_email"), {"email": "other@example.org", "action_primary": ""})

    owner.refresh_from_db()
    assert owner.email == "other@example.org"
    assert program.get(UPLOADS).status_code == 401


def test_signing_out_everywhere_ends_every_session_and_token_of_that_person_alone(owner, outsider):
    here, there, other = browser_of(owner), browser_of(owner), browser_of(outsider)
    program, theirs = client(owner, Scope.READ), client(outsider, Scope.READ)

    here.post("/account/sign-out-everywhere/")

    assert [one.get("/account/").status_code for one in (here, there, other)] == [302, 302, 200]
    assert [one.get(UPLOADS).status_code for one in (program, theirs)] == [401, 200]


def test_sessions_from_before_there_was_a_nonce_go_on(owner):
    """The hash that a session is known by is Django's own until somebody signs out everywhere."""
    assert owner.get_session_auth_hash() == AbstractBaseUser._get_session_auth_hash(owner)  # type: ignore[attr-defined]


@pytest.mark.thorough
@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_tokens_from_before_they_had_scopes_go_on_and_end_some_day(owner):
    _, token = create_token(user=owner, name="", scopes=[Scope.READ], now=timezone.now())
    ApiToken.objects.update(expiry=None)
    MigrationExecutor(connection).migrate([("accounts", "0003_rounds_and_operators")])

    executor = MigrationExecutor(connection)
    executor.migrate(executor.loader.graph.leaf_nodes())

    stored = ApiToken.objects.get()
    assert stored.scopes == list(Scope)
    assert dt.timedelta(days=179) < stored.expiry - timezone.now() <= dt.timedelta(days=180)
    program = Client(headers={"Authorization": f"Token {token}"})
    assert program.get(UPLOADS).status_code == 200
