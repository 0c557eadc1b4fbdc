"""Who may do what: every endpoint, every method, every role, against one table."""

import itertools
from typing import Any

import pytest
from django.urls import URLPattern

from benchmarks.models import Benchmark
from config.api.urls import v1
from submissions.models import Submission
from tests.api.conftest import client_of, content, upload_form

pytestmark = pytest.mark.thorough

ROLES = ("anonymous", "outsider", "owner", "teammate", "staff")
PUBLIC = (200, 200, 200, 200, 200)
TEAM_ONLY = (401, 404, 200, 200, 404)
SIGNED_IN = (401, 200, 200, 200, 200)

# Answers to anonymous, outsider, owner, teammate and staff. Staff of the site are no members of the team.
TABLE = {
    ("post", "sign-in"): (401, 401, 401, 401, 401),  # takes a password, never a token
    ("post", "sign-out"): (401, 204, 204, 204, 204),
    ("get", "index"): PUBLIC,
    ("get", "me"): SIGNED_IN,
    ("get", "tokens"): SIGNED_IN,
    ("delete", "token"): (401, 404, 404, 404, 404),  # tests/accounts/test_tokens.py ends real ones
    ("get", "teams"): SIGNED_IN,
    ("post", "teams"): (401, 201, 201, 201, 201),
    ("get", "systems"): SIGNED_IN,
    ("post", "systems"): (401, 404, 201, 201, 404),
    ("get", "system"): TEAM_ONLY,
    ("patch", "system"): TEAM_ONLY,
    ("get", "submissions"): SIGNED_IN,
    ("post", "submissions"): (401, 404, 201, 201, 404),
    ("get", "submission"): TEAM_ONLY,
    ("post", "withdraw"): TEAM_ONLY,
    ("post", "choose"): (401, 404, 409, 409, 404),  # in this phase there is nothing to choose
    ("get", "file"): TEAM_ONLY,
    ("get", "repaired"): (401, 404, 404, 404, 404),  # tests/submissions/test_repairs.py fetches real ones
    ("get", "fact-sheet"): (401, 404, 404, 404, 404),  # this benchmark asks for none
    ("put", "fact-sheet"): (401, 404, 404, 404, 404),
    ("get", "equity"): (401, 404, 200, 200, 200),  # organisers may read it too
    ("get", "pairs"): SIGNED_IN,
    ("post", "pairs"): (401, 400, 400, 400, 400),  # tests/api/test_pairs.py sends real ones
    ("get", "pair-file"): (401, 404, 404, 404, 404),
    ("post", "withdraw-pairs"): (401, 404, 404, 404, 404),
    ("get", "contests"): PUBLIC,
    ("post", "contests"): (401, 400, 400, 400, 400),  # tests/api/test_contests.py sends real ones
    ("get", "contest"): (404, 404, 404, 404, 404),
    ("post", "voices"): (401, 404, 404, 404, 404),
    ("post", "retract-contest"): (401, 404, 404, 404, 404),
    ("get", "gold-key"): PUBLIC,
    ("get", "benchmarks"): PUBLIC,
    ("get", "benchmark"): PUBLIC,
    ("get", "definition"): PUBLIC,
    ("get", "blind-predictions"): (401, 403, 404, 404, 403),  # members of teams; none are made here
    ("get", "task-ids"): PUBLIC,
    ("get", "pages"): PUBLIC,
    ("post", "registrations"): (
        401,
        400,
        400,
        400,
        400,
    ),  # tests/submissions/test_registration_codes.py sends real ones
    ("get", "archives"): (401, 404, 404, 404, 200),  # for organisers; tests/api/test_archives.py
    ("get", "archive"): (401, 404, 404, 404, 404),
    ("get", "releases"): PUBLIC,
    ("get", "latest-release"): (404, 404, 404, 404, 404),  # nothing is published yet
    ("get", "terms"): (404, 404, 404, 404, 404),  # this benchmark has none; tests/api/test_terms.py
    ("post", "terms"): (401, 400, 400, 400, 400),
    ("get", "latest-task-board"): (404, 404, 404, 404, 404),
    ("get", "release"): (404, 404, 404, 404, 404),
    ("get", "task-board"): (404, 404, 404, 404, 404),
    ("get", "latest-board"): (404, 404, 404, 404, 404),
    ("get", "board"): (404, 404, 404, 404, 404),
}
METHODS = ("get", "post", "put", "patch", "delete")


@pytest.fixture
def submission(sent: None, toy: Benchmark) -> Submission:
    return Submission.objects.get()


def test_table_lists_every_endpoint_and_method():
    assert set(TABLE) == {(method, pattern.name) for pattern in v1 for method in methods(pattern)}


def methods(pattern: URLPattern) -> list[str]:
    view: Any = vars(pattern.callback)["cls"]
    return [method for method in METHODS if method in view.http_method_names and hasattr(view, method)]


@pytest.mark.parametrize(
    ("method", "name", "role"), [(*key, role) for key, role in itertools.product(TABLE, ROLES)]
)
def test_endpoint_answers_the_role_as_the_table_says(method, name, role, request, submission):
    user = None if role == "anonymous" else request.getfixturevalue(role)
    client = client_of(user)
    answer = getattr(client, method)(address(name, submission), body(method, name, submission))
    content(answer)
    assert answer.status_code == TABLE[method, name][ROLES.index(role)]


def address(name: str, submission: Submission) -> str:
    route = next(str(pattern.pattern) for pattern in v1 if pattern.name == name)
    pk = submission.system_id if name in ("system", "fact-sheet") else submission.pk
    values = {
        "<uuid:pk>": pk,
        "<slug:benchmark>": "toy",
        "<slug:task>": "mood",
        "<slug:board>": "x",
        "<slug:token>": "0" * 32,
        "<str:key>": "0" * 15,
        "<int:number>": 1,
    }
    for placeholder, value in values.items():
        route = route.replace(placeholder, str(value))
    return f"/api/v1/{route}"


def body(method: str, name: str, submission: Submission) -> dict[str, object]:
    if method == "get":
        return {}
    if name == "submissions":
        return upload_form(submission.system, data=b"ID,Label\n" + b"".join(MOODS), name="mood.csv")
    if name == "systems":
        return {"team": str(submission.system.team_id), "name": "Spruce"}
    return {"name": "South"} if name == "teams" else {}


MOODS = [b"m%d,good\n" % number for number in range(1, 7)]


@pytest.mark.parametrize("role", ["outsider", "staff"])
@pytest.mark.parametrize("name", ["teams", "systems", "submissions"])
def test_lists_hold_nothing_of_other_teams(name, role, request, submission):
    client = client_of(request.getfixturevalue(role))
    assert client.get(f"/api/v1/{name}/").json()["results"] == []


@pytest.mark.parametrize("name", ["submission", "withdraw", "choose", "file", "equity"])
def test_another_teams_submission_and_none_at_all_are_answered_alike(name, outsider, submission):
    client = client_of(outsider)
    method = client.get if name in ("submission", "file", "equity") else client.post
    there = address(name, submission)
    not_there = there.replace(str(submission.pk), "00000000-0000-4000-8000-000000000000")
    assert method(there).json() == method(not_there).json()


@pytest.mark.parametrize("method", ["options", "head"])
@pytest.mark.parametrize("pattern", v1, ids=lambda pattern: pattern.name)
def test_asking_about_an_endpoint_changes_nothing_and_breaks_nothing(method, pattern, owner, submission):
    answer = getattr(client_of(owner), method)(address(pattern.name, submission))
    content(answer)
    assert answer.status_code in (200, 401, 404, 405)
    submission.refresh_from_db()
    assert submission.status == "accepted"
