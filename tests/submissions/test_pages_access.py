"""Who may open which page of the participants: every address, reading and posting, every role, against one table."""

import itertools
from typing import Any
from urllib.parse import unquote

import pytest
from django.test import Client
from django.urls import reverse

import accounts.urls
import submissions.urls
from accounts.mail.outbox import unsubscribe_token
from accounts.models import MailKind
from accounts.services import invitation_token
from benchmarks.models import Benchmark
from submissions.models import Submission
from tests.pages import browser_of, read, text_of

pytestmark = pytest.mark.thorough

ROLES = ("anonymous", "outsider", "owner", "teammate", "staff")
SIGNED_IN = (302, 200, 200, 200, 200)
TEAM_ONLY = (302, 404, 200, 200, 404)
TEAM_ACTION = (302, 404, 302, 302, 404)
NO_GET = (302, 405, 405, 405, 405)
FAULTY_FORM = (302, 422, 422, 422, 422)
REDIRECTS = (302, 302, 302, 302, 302)
PUBLIC = (200, 200, 200, 200, 200)
NO_POST = (405, 405, 405, 405, 405)

# Answers to anonymous, outsider, owner, teammate and staff. Staff of the site are no members of the team.
TABLE = {
    ("get", "accounts:account"): SIGNED_IN,
    ("post", "accounts:account"): FAULTY_FORM,
    ("get", "accounts:tokens"): SIGNED_IN,
    ("post", "accounts:tokens"): FAULTY_FORM,  # tests/accounts/test_tokens.py makes real ones
    ("get", "accounts:security"): SIGNED_IN,
    ("post", "accounts:security"): NO_GET,
    ("get", "accounts:sign_out_everywhere"): NO_GET,
    ("post", "accounts:sign_out_everywhere"): REDIRECTS,
    ("get", "accounts:delete_token"): NO_GET,
    ("post", "accounts:delete_token"): REDIRECTS,
    ("get", "accounts:mail"): SIGNED_IN,
    ("post", "accounts:mail"): REDIRECTS,
    ("get", "accounts:unsubscribe"): PUBLIC,
    ("post", "accounts:unsubscribe"): PUBLIC,
    ("get", "accounts:teams"): SIGNED_IN,
    ("post", "accounts:teams"): NO_GET,
    ("get", "accounts:new_team"): SIGNED_IN,
    ("post", "accounts:new_team"): FAULTY_FORM,
    ("get", "accounts:leave"): TEAM_ONLY,
    ("post", "accounts:leave"): TEAM_ACTION,
    ("get", "accounts:remove_member"): TEAM_ACTION,  # the owner, who leaves instead
    ("post", "accounts:remove_member"): TEAM_ACTION,
    ("get", "accounts:revoke"): NO_GET,
    ("post", "accounts:revoke"): TEAM_ACTION,
    ("get", "submissions:join"): SIGNED_IN,
    ("post", "submissions:join"): REDIRECTS,
    ("get", "submissions:submit"): SIGNED_IN,
    ("post", "submissions:submit"): FAULTY_FORM,
    ("get", "submissions:sample"): PUBLIC,
    ("post", "submissions:sample"): NO_POST,
    ("get", "submissions:sample_file"): PUBLIC,
    ("post", "submissions:sample_file"): NO_POST,
    ("get", "submissions:mine"): SIGNED_IN,
    ("post", "submissions:mine"): NO_GET,
    ("get", "submissions:withdraw"): TEAM_ONLY,
    ("post", "submissions:withdraw"): TEAM_ACTION,
    ("get", "submissions:choose"): NO_GET,
    ("post", "submissions:choose"): TEAM_ACTION,
    ("get", "submissions:download"): TEAM_ONLY,
    ("get", "submissions:receipt"): (302, 404, 404, 404, 404),  # this server has no key to sign one with
    ("post", "submissions:download"): NO_GET,
    ("get", "submissions:repaired"): (
        302,
        404,
        404,
        404,
        404,
    ),  # nothing is kept; test_repairs.py fetches real ones
    ("post", "submissions:repaired"): NO_GET,
    ("post", "submissions:receipt"): NO_GET,
    ("get", "submissions:team"): TEAM_ONLY,
    ("post", "submissions:team"): NO_GET,
    ("get", "submissions:new_system"): SIGNED_IN,
    ("post", "submissions:new_system"): FAULTY_FORM,
    ("get", "submissions:edit_system"): TEAM_ONLY,
    ("post", "submissions:edit_system"): (302, 404, 422, 422, 404),
    ("get", "submissions:fact_sheet"): TEAM_ONLY,
    ("post", "submissions:fact_sheet"): TEAM_ACTION,
    ("get", "submissions:claims"): (
        302,
        404,
        404,
        404,
        404,
    ),  # nothing was moved in; test_moving_in.py claims
    ("post", "submissions:claims"): (302, 404, 404, 404, 404),
    ("get", "submissions:register"): SIGNED_IN,
    ("post", "submissions:register"): FAULTY_FORM,
    ("get", "leaderboard:submission"): TEAM_ONLY,
    ("post", "leaderboard:submission"): NO_GET,
}


@pytest.fixture
def submission(sent: None, toy: Benchmark) -> Submission:
    return Submission.objects.get()


def address(name: str, submission: Submission) -> str:
    team = submission.system.team
    arguments: dict[str, list[Any]] = {
        "delete_token": ["a" * 15],
        "unsubscribe": [unsubscribe_token(submission.submitted_by, MailKind.FAILURE)],
        "leave": [team.pk],
        "revoke": [team.pk],
        "remove_member": [team.pk, submission.submitted_by_id],
        "join": [invitation_token(team)],
        "team": [team.pk],
        "sample": ["toy", "main"],
        "sample_file": ["toy", "main", "mood"],
        "withdraw": [submission.pk],
        "choose": [submission.pk],
        "download": [submission.pk],
        "repaired": ["no-such-token"],
        "receipt": [submission.pk],
        "submission": [submission.pk],
        "edit_system": [submission.system.pk],
        "fact_sheet": [submission.system.pk, "toy"],
        "claims": ["toy"],
    }
    return reverse(name, args=arguments.get(name.partition(":")[2], []))


def test_every_address_stands_in_the_table():
    addresses = {
        f"{urls.app_name}:{pattern.name}"
        for urls in (accounts.urls, submissions.urls)
        for pattern in urls.urlpatterns
    }

    methods = itertools.product(("get", "post"), addresses | {"leaderboard:submission"})
    assert set(methods) == set(TABLE)


@pytest.mark.usefixtures("fact_lists")
@pytest.mark.parametrize(("method", "name"), TABLE)
def test_page_answers_each_role_as_the_table_says(method, name, submission, outsider, owner, teammate, staff):
    people = (None, outsider, owner, teammate, staff)
    url = address(name, submission)

    # Nobody's visit may spoil the next one's, so those who can change something come last.
    order = sorted(range(5), key=lambda index: TABLE[method, name][index] < 400)
    answers = {}
    for index in order:
        answer = getattr(browser_of(people[index]), method)(url)
        read(answer)
        answers[index] = answer.status_code

    assert tuple(answers[index] for index in range(5)) == TABLE[method, name]


@pytest.mark.parametrize("name", ["submissions:submit", "submissions:join", "leaderboard:submission"])
def test_signed_out_reader_comes_back_after_signing_in(name, submission):
    url = address(name, submission)

    answer: Any = browser_of(None).get(url)

    assert unquote(answer.url) == f"/accounts/login/?next={url}"


def test_others_team_and_one_that_does_not_exist_look_alike(submission, outsider):
    browser = browser_of(outsider)
    other = browser.get(f"/submissions/{submission.pk}/")
    nobodys = browser.get("/submissions/00000000-0000-4000-8000-000000000000/")

    assert (other.status_code, text_of(other)) == (nobodys.status_code, text_of(nobodys))


def test_personal_pages_are_kept_by_no_cache(browser, submission):
    assert "no-store" in browser.get("/submissions/")["Cache-Control"]


def test_forged_form_changes_nothing_and_says_what_to_do(submission, owner):
    forged = Client(enforce_csrf_checks=True)
    forged.force_login(owner)

    answer = forged.post(f"/submissions/{submission.pk}/withdraw/")

    submission.refresh_from_db()
    assert (answer.status_code, submission.status) == (403, "accepted")
    assert "The form had expired" in text_of(answer)
