"""Signing in over GitHub and ORCID, each a process that checks client, secret, code and way back as theirs do."""

import re
import subprocess
import sys
from collections.abc import Iterator
from html import unescape
from typing import Any

import httpx
import pytest
from allauth.account.models import EmailAddress
from allauth.socialaccount.models import SocialAccount
from allauth.socialaccount.providers.github.views import GitHubOAuth2Adapter
from allauth.socialaccount.providers.orcid.views import OrcidOAuth2Adapter
from django.core import mail
from django.test import Client

from accounts.models import AccountEvent, EventKind, User
from config.providers import sign_in_providers
from tests.accounts import (
    urls_with_providers,  # before any test sets variables, as a server reads them only once
)
from tests.accounts.oauth_sites import CLIENT_ID, SECRET
from tests.accounts.test_openid_process import _wait_for
from tests.ops.demos import ROOT
from tests.pages import browser_of, text_of
from tests.ports import free_port

pytestmark = pytest.mark.thorough
BOTH = pytest.mark.parametrize("name", ["github", "orcid"])
ADA, ORCID_ID = "ada@example.org", "0000-0002-1825-0097"


@pytest.fixture(scope="module")
def site() -> Iterator[str]:
    port = free_port()
    command = [sys.executable, "-m", "tests.accounts.oauth_sites", str(port)]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        httpx.put(_when_it_answers(port), json={"id": "nobody", "name": "", "emails": []})
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait(timeout=10)


def _when_it_answers(port: int) -> str:
    _wait_for(
        f"http://127.0.0.1:{port}/oauth/authorize?client_id={CLIENT_ID}&redirect_uri=x&state=y", status=302
    )
    return f"http://127.0.0.1:{port}/person"


@pytest.fixture(autouse=True)
def offered(site, settings, monkeypatch):
    """Both providers are set up, and their addresses are those of the process: allauth has them when it is imported."""
    values = {f"HELDOUT_{name}_CLIENT_ID": CLIENT_ID for name in ("GITHUB", "ORCID")}
    values |= {f"HELDOUT_{name}_SECRET": SECRET for name in ("GITHUB", "ORCID")}
    settings.SOCIALACCOUNT_PROVIDERS = sign_in_providers(lambda name: values.get(name, ""))
    settings.ROOT_URLCONF = urls_with_providers.__name__
    settings.ACCOUNT_EMAIL_VERIFICATION = "mandatory"
    for adapter in (GitHubOAuth2Adapter, OrcidOAuth2Adapter):
        for place in ("authorize_url", "access_token_url", "profile_url", "emails_url"):
            if address := getattr(adapter, place, ""):
                path = re.sub(r"^https://(api\.github\.com(?=/)|[^/]+)", "", address)
                path = f"/api/v3{path}" if "api.github.com" in address else path
                monkeypatch.setattr(adapter, place, site + path)


@pytest.fixture
def knows(site):
    """Have the site know one person."""

    def _knows(name: str, email: str = ADA, *, verified: bool = True, **more: Any) -> None:
        emails = [{"email": email, "primary": True, "verified": verified}] if email else []
        person = {"id": "17" if name == "github" else ORCID_ID, "name": "Ada Lovelace", "emails": emails}
        httpx.put(f"{site}/person", json=person | more).raise_for_status()

    return _knows


def way_there(browser: Client, name: str, query: str = "") -> str:
    shown = re.search(
        r'<a href="([^"]+)" rel="noreferrer">', text_of(browser.post(f"/accounts/{name}/login/{query}"))
    )
    assert shown
    return unescape(shown[1])


def round_trip(browser: Client, name: str, query: str = "") -> Any:
    back = httpx.get(way_there(browser, name, query)).headers["Location"]
    assert back.startswith(f"http://testserver/accounts/{name}/login/callback/")
    return browser.get(back.removeprefix("http://testserver"), follow=True)


def test_somebody_new_signs_up_over_github_with_the_address_that_it_confirms(db, client, knows):
    knows("github")
    answer = round_trip(client, "github")
    user = User.objects.get()
    assert answer.context["user"] == user
    assert (user.name, user.email) == ("Ada Lovelace", ADA)
    assert EmailAddress.objects.get(user=user).verified
    assert AccountEvent.objects.filter(user=user, kind=EventKind.SIGN_IN).exists()
    assert round_trip(Client(), "github").context["user"] == user


def test_an_address_from_orcid_is_confirmed_by_a_mail_first(db, client, knows):
    """Allauth believes no address of ORCID's: its record is what people write into it."""
    knows("orcid")
    answer = round_trip(client, "orcid")
    assert not answer.context["user"].is_authenticated
    assert mail.outbox[0].to == [ADA]
    link = re.search(r"http://testserver(/\S+)", str(mail.outbox[0].body))
    assert link
    client.post(link[1])
    again = round_trip(Client(), "orcid")
    assert again.context["user"] == User.objects.get(name="Ada Lovelace")


@BOTH
def test_a_signed_in_person_connects_the_account_there(name, owner, knows):
    knows(name, "another@example.edu")
    round_trip(browser_of(owner), name, "?process=connect")
    assert SocialAccount.objects.get().user == owner
    assert AccountEvent.objects.filter(user=owner, kind=EventKind.PROVIDER, detail="connected").exists()
    assert round_trip(Client(), name).context["user"] == owner


@BOTH
def test_an_unconfirmed_address_of_somebody_else_lets_nobody_in(name, client, owner, knows):
    knows(name, owner.email, verified=False)
    answer = round_trip(client, name)
    assert not answer.context["user"].is_authenticated
    assert not SocialAccount.objects.exists()
    assert mail.outbox[0].to == [owner.email]


@BOTH
def test_whoever_says_no_there_is_nobody_here(name, db, client, knows):
    knows(name, refuses=True)
    assert not round_trip(client, name).context["user"].is_authenticated
    assert not User.objects.exists()


@BOTH
def test_the_way_back_serves_one_browser_once(name, db, knows):
    """Another's way back, in a browser that never set out, would sign its reader in as somebody else."""
    knows(name)
    mine = Client()
    back = httpx.get(way_there(mine, name)).headers["Location"].removeprefix("http://testserver")
    stolen = Client().get(back, follow=True)
    assert not stolen.context["user"].is_authenticated
    mine.get(back, follow=True)
    again = Client().get(back, follow=True)
    assert not again.context["user"].is_authenticated
    assert SocialAccount.objects.count() <= 1


@BOTH
def test_a_wrong_secret_lets_nobody_in_and_is_said(name, db, client, knows, settings):
    knows(name)
    settings.SOCIALACCOUNT_PROVIDERS[name]["APPS"][0]["secret"] = "not what they gave"
    answer = round_trip(client, name)
    assert answer.status_code in (401, 502)
    assert not User.objects.exists()
