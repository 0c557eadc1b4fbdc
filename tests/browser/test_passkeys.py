"""A passkey in a browser whose device shows that it is the person: added, and signing in by itself."""

import pytest

from tests.browser.steps import sees

pytestmark = [pytest.mark.thorough, pytest.mark.django_db(transaction=True)]

DEVICE = {
    "protocol": "ctap2",
    "transport": "internal",
    "hasResidentKey": True,
    "hasUserVerification": True,
    "isUserVerified": True,
    "automaticPresenceSimulation": True,
}


def test_a_passkey_is_added_and_signs_in_without_a_password(open_window, owner):
    page = open_window()
    device = page.context.new_cdp_session(page)
    device.send("WebAuthn.enable")
    device.send("WebAuthn.addVirtualAuthenticator", {"options": DEVICE})
    page.goto("/accounts/login/")
    page.get_by_label("E-mail address").fill(owner.email)
    page.locator("input[name=password]").fill("owner-password")
    page.get_by_role("button", name="Sign in", exact=True).click()
    page.goto("/accounts/second-factor/")
    page.get_by_role("link", name="Add a passkey").click()
    sees(page, "Is it you?")
    page.locator("input[name=password]").fill("owner-password")
    page.get_by_role("button", name="Go on").click()
    page.get_by_label("Passwordless").check()
    page.get_by_role("button", name="Add it").click()
    sees(page, "Recovery codes")

    page.goto("/accounts/logout/")
    page.get_by_role("button", name="Sign out", exact=True).click()
    page.goto("/accounts/login/")
    page.get_by_role("button", name="Use a passkey").click()

    page.wait_for_url("**/submissions/")
