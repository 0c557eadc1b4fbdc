"""What browsers are told to refuse on pages of the admin."""

from tests.pages import browser_of


def policy(answer):
    """The directives of an answer's Content-Security-Policy."""
    return dict(one.strip().split(" ", 1) for one in answer["Content-Security-Policy"].split(";"))


def test_the_admin_refuses_scripts_that_stand_in_a_page_and_everything_of_other_hosts(staff):
    told = policy(browser_of(staff).get("/admin/"))

    assert told["default-src"] == "'none'"
    assert told["script-src"] == "'self' 'unsafe-eval'"
    assert {told[one] for one in ("connect-src", "font-src", "form-action")} == {"'self'"}


def test_pages_outside_of_the_admin_have_none_of_its_exceptions(staff):
    browser = browser_of(staff)
    browser.get("/admin/")

    assert "unsafe" not in browser.get("/account/")["Content-Security-Policy"]
