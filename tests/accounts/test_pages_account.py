"""Account, tokens, signing up and in, and the pages for errors."""

import hashlib
import html
import re
from io import StringIO
from typing import Any

import pytest
from django.core import mail
from django.core.management import call_command
from django.template.loader import render_to_string
from django.test import Client

from accounts.models import ApiToken, User
from tests.pages import browser_of, text_of


@pytest.fixture
def browser(owner: User) -> Client:
    return browser_of(owner)


# Account


def test_name_and_time_zone_are_saved(browser, owner):
    browser.post("/account/", {"name": "Olga", "timezone": "Europe/Berlin"})

    owner.refresh_from_db()
    assert (owner.name, owner.timezone) == ("Olga", "Europe/Berlin")


@pytest.mark.parametrize("name", ["Olga\nBcc: x@example.org", "\u202eagalO", "\u200d"], ids=repr)
def test_name_is_one_line_of_what_is_seen(browser, owner, name):
    answer = browser.post("/account/", {"name": name, "timezone": "UTC"})

    owner.refresh_from_db()
    assert (answer.status_code, owner.name) == (422, "Owner")


@pytest.mark.parametrize("zone", ["Mars/Base", "", "../etc/passwd", "UTC\0"])
def test_invented_time_zone_is_refused(browser, owner, zone):
    answer = browser.post("/account/", {"name": "Olga", "timezone": zone})

    owner.refresh_from_db()
    assert (answer.status_code, owner.timezone) == (422, "UTC")


def test_zone_that_a_person_has_is_offered_although_it_is_named_after_no_place(browser, owner):
    User.objects.update(timezone="EST5EDT")

    assert '<option value="EST5EDT" selected>' in text_of(browser.get("/account/"))


def test_account_form_grants_no_rights(browser, owner):
    browser.post("/account/", {"name": "Olga", "timezone": "UTC", "is_staff": "1", "is_superuser": "1"})

    owner.refresh_from_db()
    assert (owner.is_staff, owner.is_superuser) == (False, False)


# Tokens


NEW_TOKEN = {"name": "nightly", "scopes": ["read", "submit"], "days": "30"}


def new_token(browser: Client) -> str:
    shown = re.search(
        r'id="token" readonly autofocus value="([0-9a-f]{64})"',
        text_of(browser.post("/account/tokens/", NEW_TOKEN)),
    )
    assert shown
    return shown[1]


def test_token_is_shown_once(browser):
    token = new_token(browser)

    assert token not in text_of(browser.get("/account/tokens/"))


def test_token_is_stored_hashed(browser, owner):
    token = new_token(browser)

    stored = ApiToken.objects.get(user=owner)
    assert stored.digest == hashlib.sha512(token.encode()).hexdigest()
    assert token not in {str(value) for value in vars(stored).values()}


def test_token_signs_in_to_the_api(browser):
    api = Client(headers={"Authorization": f"Token {new_token(browser)}"})

    assert api.get("/api/v1/submissions/").status_code == 200


def test_deleted_token_signs_in_no_more(browser, owner):
    api = Client(headers={"Authorization": f"Token {new_token(browser)}"})
    key = ApiToken.objects.get(user=owner).token_key

    answer = browser.post(f"/account/tokens/{key}/delete/", follow=True)

    assert "was deleted" in text_of(answer)
    assert api.get("/api/v1/submissions/").status_code == 401


def test_nobody_deletes_anothers_token(browser, owner, outsider):
    stored, _ = ApiToken.objects.create(outsider)

    browser.post(f"/account/tokens/{stored.token_key}/delete/")

    assert ApiToken.objects.filter(user=outsider).exists()


@pytest.mark.parametrize("key", ["x", "é", "a" * 500])
def test_token_that_does_not_exist_is_deleted_without_a_word(browser, key):
    answer = browser.post(f"/account/tokens/{key}/delete/", follow=True)

    assert answer.status_code == 200
    assert "was deleted" not in text_of(answer)


def test_anothers_tokens_are_not_listed(browser, outsider):
    stored, _ = ApiToken.objects.create(outsider)

    assert stored.token_key[:8] not in text_of(browser.get("/account/tokens/"))


# A new password ends all tokens


@pytest.fixture
def api(owner: User) -> Client:
    """A program with a token of the owner's."""
    return Client(headers={"Authorization": f"Token {ApiToken.objects.create(owner)[1]}"})


def lets_in(api: Client) -> bool:
    return api.get("/api/v1/submissions/").status_code == 200


def test_password_changed_on_its_page_ends_tokens(browser, api):
    assert lets_in(api)
    fields = {
        "oldpassword": "owner-password", "password1": "another-good-one", "password2": "another-good-one"
    }  # fmt: skip

    assert browser.post("/accounts/password/change/", fields).status_code == 302
    assert not lets_in(api)


def test_password_reset_by_mail_ends_tokens_and_nobody_elses(client, api, outsider):
    others = Client(headers={"Authorization": f"Token {ApiToken.objects.create(outsider)[1]}"})
    client.post("/accounts/password/reset/", {"email": "owner@example.org"})
    form = client.get(link_in_mail("/accounts/password/reset/key/"), follow=True)

    client.post(form.request["PATH_INFO"], {"password1": "another-good-one", "password2": "another-good-one"})

    assert not lets_in(api)
    assert lets_in(others)


def test_password_set_in_the_admin_ends_tokens(api, owner, staff):
    fields = {"password1": "another-good-one", "password2": "another-good-one", "usable_password": "true"}

    answer = browser_of(staff).post(f"/admin/accounts/user/{owner.pk}/password/", fields)

    assert answer.status_code == 302
    assert not lets_in(api)


def test_password_set_by_a_command_ends_tokens(api, owner, monkeypatch):
    monkeypatch.setattr("getpass.getpass", lambda prompt: "another-good-one")

    call_command("changepassword", owner.email, stdout=StringIO())

    assert not lets_in(api)


def test_password_that_is_merely_hashed_anew_ends_nothing(client, api, owner, settings):
    settings.PASSWORD_HASHERS = [
        "django.contrib.auth.hashers.ScryptPasswordHasher",
        "django.contrib.auth.hashers.MD5PasswordHasher",
    ]

    assert sign_in(client).status_code == 302

    owner.refresh_from_db()
    assert owner.password.startswith("scrypt")
    assert lets_in(api)


# Signing up and in


def test_signing_up_needs_only_an_address_and_a_password(client, db):
    answer = client.post("/accounts/signup/", {"email": "New@Example.org", "password1": "long-enough-words"})

    assert answer.url == "/submissions/"
    assert User.objects.get().email == "new@example.org"
    assert client.get("/submissions/").status_code == 200


def test_whoever_signs_up_reads_nothing_of_tokens_and_who_changes_a_password_does(client, browser):
    assert "API tokens of the account" not in client.get("/accounts/signup/").content.decode()
    assert "API tokens of the account" in browser.get("/accounts/password/change/").content.decode()


@pytest.mark.parametrize("path", ["signup", "login", "password/reset", "email"])
def test_every_form_calls_an_address_by_the_same_words(client, browser, path):
    asked = (browser if path == "email" else client).get(f"/accounts/{path}/").content.decode()
    assert re.search(r"<label for=[^>]*>E-mail address", asked)
    assert not re.search(r"<label for=[^>]*>Email", asked)


def test_signing_up_asks_for_a_name_and_takes_the_browsers_zone(client, db):
    fields = {
        "email": "new@example.org", "password1": "long-enough-words", "name": "Ada Lovelace", "timezone": "Asia/Tokyo",
    }  # fmt: skip

    page = client.post("/accounts/signup/", fields, follow=True)

    made = User.objects.get()
    assert (made.name, made.timezone) == ("Ada Lovelace", "Asia/Tokyo")
    assert text_of(page).partition('<ul class="messages">')[2].partition("</ul>")[0].count("<li") == 1
    assert "Ada Lovelace" in text_of(page)


def test_everything_of_ones_own_is_in_the_menu_on_every_personal_page(client, owner):
    client.force_login(owner)

    for address in ("/teams/", "/submissions/", "/account/"):
        page = client.get(address, follow=True).content.decode()
        menu = page.partition('<details class="menu who">')[2].partition("</details>")[0]
        for target in ("/teams/", "/account/tokens/", "/accounts/password/change/", "/accounts/logout/"):
            assert f'href="{target}"' in menu, (address, target)


@pytest.mark.parametrize("zone", ["", "Nowhere/Here", "../etc/passwd"])
def test_a_browser_that_names_no_zone_keeps_nobody_out(client, db, zone):
    fields = {"email": "new@example.org", "password1": "long-enough-words", "timezone": zone}

    assert client.post("/accounts/signup/", fields).status_code == 302
    assert User.objects.get().timezone == "UTC"


def test_signing_up_keeps_an_invitation_in_mind(client, db):
    page = text_of(client.get("/accounts/signup/?next=/join/token/"))
    fields = {"email": "new@example.org", "password1": "long-enough-words", "next": "/join/token/"}

    assert client.post("/accounts/signup/", fields).url == "/join/token/"
    assert 'name="next" value="/join/token/"' in page


def test_weak_password_is_refused_in_words(client, db):
    answer = client.post("/accounts/signup/", {"email": "new@example.org", "password1": "short"})

    assert "too short" in text_of(answer)
    assert not User.objects.exists()


def sign_in(client: Client, *, follow: bool = False, **fields: str) -> Any:
    form = {"login": "owner@example.org", "password": "owner-password", **fields}
    return client.post("/accounts/login/", form, follow=follow)


def link_in_mail(below: str) -> str:
    """The path of the link that the first mail holds."""
    found = re.search(rf"http://testserver({below}\S+)", str(mail.outbox[0].body))
    assert found
    return found[1]


def test_signing_in_leads_to_my_submissions(client, owner):
    assert sign_in(client).url == "/submissions/"


def test_wrong_password_does_not_tell_whether_the_address_is_known(client, owner):
    known = sign_in(client, password="wrong-password")
    unknown = sign_in(client, login="nobody@example.org", password="wrong-password")

    complaint = "not correct"
    assert complaint in text_of(known)
    assert complaint in text_of(unknown)


@pytest.mark.parametrize(
    "elsewhere", ["https://evil.example/", "//evil.example/", "/\\evil.example", "javascript:x"]
)
def test_signing_in_leads_to_no_other_site(client, owner, elsewhere):
    assert sign_in(client, next=elsewhere).url == "/submissions/"


def test_signing_out_needs_a_click_and_ends_the_session(browser):
    page = text_of(browser.get("/accounts/logout/"))
    still_in = browser.get("/account/").status_code

    browser.post("/accounts/logout/")

    assert "Sign out?" in page
    assert still_in == 200
    assert browser.get("/account/").status_code == 302


def test_forgotten_password_is_replaced_by_mail(client, owner):
    client.post("/accounts/password/reset/", {"email": "owner@example.org"})
    link = link_in_mail("/accounts/password/reset/key/")
    form = client.get(link, follow=True)

    client.post(form.request["PATH_INFO"], {"password1": "another-good-one", "password2": "another-good-one"})

    assert "Choose a new password" in text_of(form)
    assert sign_in(client, password="another-good-one").status_code == 302


def test_where_addresses_are_confirmed_nobody_gets_in_before(client, db, settings):
    settings.ACCOUNT_EMAIL_VERIFICATION = "mandatory"
    fields = {"email": "new@example.org", "password1": "long-enough-words"}

    told = client.post("/accounts/signup/", fields, follow=True)
    before = sign_in(client, login="new@example.org", password="long-enough-words", follow=True).request[
        "PATH_INFO"
    ]
    link = link_in_mail("/accounts/confirm-email/")
    client.post(link)
    after = sign_in(client, login="new@example.org", password="long-enough-words").url

    assert "Open the link in it and your account is ready." in text_of(told)
    assert (before, after) == ("/accounts/login/", "/submissions/")


def test_signing_up_does_not_tell_whether_the_address_is_known(db, owner, settings):
    settings.ACCOUNT_EMAIL_VERIFICATION = "mandatory"

    def told(email: str) -> tuple[object, ...]:
        browser = Client()
        sent = browser.post("/accounts/signup/", {"email": email, "password1": "long-enough-words"})
        page = text_of(browser.get(sent["Location"])).replace(email, "")
        return sent.status_code, sent["Location"], sorted(sent.headers), sorted(sent.cookies), page

    assert told("new@example.org") == told(owner.email)
    assert [one.to for one in mail.outbox] == [["new@example.org"], [owner.email]]
    assert "There is an account with it already." in mail.outbox[1].body


def test_whoever_confirms_in_the_same_browser_goes_on_where_they_wanted_to_go(client, db, settings):
    settings.ACCOUNT_EMAIL_VERIFICATION = "mandatory"
    onwards = "/submit/?benchmark=toy"

    client.post(
        "/accounts/signup/", {"email": "new@example.org", "password1": "long-enough-words", "next": onwards}
    )
    answer = client.post(link_in_mail("/accounts/confirm-email/"))

    assert answer["Location"] == onwards
    assert client.get(onwards).status_code == 200


@pytest.mark.parametrize("verification", ["optional", "mandatory"])
@pytest.mark.parametrize("is_same_browser", [True, False])
def test_whoever_confirms_goes_on_where_they_wanted_to_go_in_any_browser(
    client, db, settings, verification, is_same_browser
):
    settings.ACCOUNT_EMAIL_VERIFICATION = verification
    onwards = "/submit/?benchmark=toy"
    signing_in = client.get(onwards).url
    signing_up = re.search(r'href="([^"]+)">Sign up</a>', text_of(client.get(signing_in)))
    assert signing_up
    form = text_of(client.get(html.unescape(signing_up[1])))
    there = re.search(r'name="next" value="([^"]+)"', form)
    assert there
    fields = {"email": "new@example.org", "password1": "long-enough-words", "next": html.unescape(there[1])}

    client.post("/accounts/signup/", fields)
    browser = client if is_same_browser else Client()
    asked = link_in_mail("/accounts/confirm-email/")
    question = text_of(browser.get(asked))
    kept = re.search(r'name="next" value="([^"]+)"', question)
    answer = browser.post(asked.partition("?")[0], {"next": html.unescape(kept[1])} if kept else {})

    assert answer["Location"] == onwards


def test_link_to_confirm_leads_to_no_other_site(client, db):
    fields = {"email": "new@example.org", "password1": "long-enough-words", "next": "https://evil.example/"}

    client.post("/accounts/signup/", fields)

    assert "evil" not in mail.outbox[0].body


def test_link_to_confirm_an_address_signs_nobody_in_elsewhere(client, db, settings):
    settings.ACCOUNT_EMAIL_VERIFICATION = "mandatory"
    client.post("/accounts/signup/", {"email": "new@example.org", "password1": "long-enough-words"})
    elsewhere = Client()

    elsewhere.post(link_in_mail("/accounts/confirm-email/"))

    assert elsewhere.get("/account/").status_code == 302


def test_used_up_reset_link_says_so(client, db):
    assert "This link no longer works" in text_of(client.get("/accounts/password/reset/key/1-abc/"))


@pytest.mark.parametrize(
    "path",
    [
        "/accounts/login/",
        "/accounts/signup/",
        "/accounts/password/reset/",
        "/accounts/password/reset/done/",
        "/accounts/password/reset/key/done/",
        "/accounts/confirm-email/",
        "/accounts/confirm-email/x/",
        "/accounts/inactive/",
    ],
)
def test_sign_in_pages_have_the_sites_look(client, db, path):
    page = text_of(client.get(path))

    assert '<header class="top">' in page
    assert page.count("<h1>") == 1


@pytest.mark.parametrize(
    "path", ["/accounts/email/", "/accounts/password/change/", "/accounts/reauthenticate/"]
)
def test_account_pages_have_the_sites_look(browser, path):
    page = text_of(browser.get(path, follow=True))

    assert '<header class="top">' in page
    assert page.count("<h1>") == 1


# Errors


def test_address_without_a_page_says_where_to_look(client, db):
    answer = client.get("/nothing/here/")

    assert answer.status_code == 404
    assert '<a href="/">benchmarks</a>' in text_of(answer)


@pytest.mark.parametrize(
    "path",
    [
        "/account/tokens/%00/delete/",
        "/join/%00/",
        "/benchmarks/%00",
        "/submissions/?benchmark=%00",
        "/submissions/?system=a%00",
        "/submit/?system=%00",
    ],
)
def test_address_with_a_nul_is_malformed_wherever_it_stands(browser, path):
    answer = browser.get(path)

    assert answer.status_code == 400
    assert "The request was not understood" in text_of(answer)


@pytest.mark.parametrize("name", ["400", "403", "403_csrf", "404", "413", "429", "500"])
def test_error_page_needs_nothing_from_the_request_that_failed(name):
    page = render_to_string(f"{name}.html")

    assert page.count("<h1>") == 1
    assert "<header" in page


def test_buttons_for_addresses_are_those_that_can_do_something(browser, owner):
    def buttons() -> list[str]:
        return re.findall(r'name="action_(primary|send|remove)"', text_of(browser.get("/accounts/email/")))

    assert buttons() == []
    owner.emailaddress_set.create(email="olga@example.org", verified=False)
    assert buttons() == ["primary", "send", "remove"]
    owner.emailaddress_set.update(verified=True)
    assert buttons() == ["primary", "remove"]


def test_addresses_to_choose_from_are_a_group_with_a_name(browser, owner):
    owner.emailaddress_set.create(email="olga@example.org", verified=False)
    group = re.search(
        r"<fieldset>(.*?)</fieldset>", text_of(browser.get("/accounts/email/")), flags=re.DOTALL
    )
    assert group
    assert "<legend>Your addresses</legend>" in group[1]
    assert group[1].count('type="radio"') == owner.emailaddress_set.count()
