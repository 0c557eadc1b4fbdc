"""Errors have one shape, and no string breaks the server."""

import json

import pytest

from leaderboard.publication.services import refresh_stale
from tests.api.conftest import UPLOADS, upload_form

pytestmark = pytest.mark.thorough

NUL, LONE_SURROGATE = "a\0b", "a\ud800b"
PLAIN_BUT_ODD = [
    "\u202eabc",
    "\u200b",
    "e\u0301" * 9,
    "🌲" * 20,
    "\uffff",
    "\x1b[31m",
    "' OR 1=1 --",
    "%00",
    "\r\nX: y",
]


def is_error(answer) -> bool:
    return set(answer.json()) >= {"code", "detail"} and all(answer.json()[key] for key in ("code", "detail"))


@pytest.mark.parametrize("address", ["", "v1/none/", "v1/submissions/none/", "v1/teams", "v2/teams/", "é/"])
@pytest.mark.parametrize("method", ["get", "post"])
def test_unknown_address_is_told_in_json(address, method, anyone):
    answer = getattr(anyone, method)(f"/api/{address}")
    assert (answer.status_code, answer.json()["code"]) == (404, "not_found")


def test_address_without_its_slash_gets_a_hint(anyone):
    assert "end with a slash" in anyone.get("/api/v1/teams").json()["detail"]


def test_unforeseen_fault_tells_nothing_of_the_inside(api, system, phase, monkeypatch):
    def fail(**_: object) -> None:
        raise RuntimeError("canary-7f3a")

    monkeypatch.setattr("submissions.api.views.submit_predictions", fail)
    answer = api.post(UPLOADS, upload_form(system))
    assert (answer.status_code, answer.json()["code"]) == (500, "server_error")
    assert "canary-7f3a" not in answer.content.decode()


def test_unforeseen_fault_of_a_page_stays_a_page(client, toy, monkeypatch):
    refresh_stale()
    monkeypatch.setattr("leaderboard.views.response", None)
    client.raise_request_exception = False
    answer = client.get("/benchmarks/toy/")
    assert answer.status_code == 500
    assert "html" in answer["Content-Type"]


def test_request_to_another_host_is_malformed(anyone):
    answer = anyone.get("/api/v1/benchmarks/", HTTP_HOST="elsewhere.example")
    assert (answer.status_code, answer.json()["code"]) == (400, "malformed")


@pytest.mark.parametrize(
    "body", [b"{", b"[]", b"7", b"null", b'{"name": NaN}', b"\xff\xfe", b'{"name": {"a": []}}']
)
def test_malformed_json_is_a_bad_request(body, api, team):
    answer = api.generic("POST", "/api/v1/teams/", body, content_type="application/json")
    assert answer.status_code == 400
    assert is_error(answer)


@pytest.mark.parametrize("text", [NUL, LONE_SURROGATE])
@pytest.mark.parametrize("field", ["name", "description", "paper_url", "code_url", "tags", "team"])
def test_text_that_no_database_holds_is_refused_in_a_system(field, text, api, team, system):
    sent = {"team": str(team.pk), "name": "Spruce", field: [text] if field == "tags" else text}
    answer = send(api, "POST", "/api/v1/systems/", sent)
    assert (answer.status_code, is_error(answer)) == (400, True)
    if field != "team":
        assert send(api, "PATCH", f"/api/v1/systems/{system.pk}/", sent).status_code == 400


def send(api, method: str, address: str, fields: dict[str, object]):
    """As JSON in ASCII, the only way to send half a surrogate pair."""
    return api.generic(method, address, json.dumps(fields), content_type="application/json")


@pytest.mark.parametrize("text", [NUL, LONE_SURROGATE])
def test_text_that_no_database_holds_is_refused_as_a_teams_name(text, api, team):
    assert send(api, "POST", "/api/v1/teams/", {"name": text}).status_code == 400


@pytest.mark.parametrize("field", ["phase", "system", "task"])
def test_nul_in_an_upload_is_refused(field, api, system, phase):
    answer = api.post(UPLOADS, upload_form(system, **{field: NUL}))
    assert (answer.status_code, list(answer.json()["fields"])) == (400, [field])


@pytest.mark.parametrize("text", PLAIN_BUT_ODD)
@pytest.mark.parametrize("field", ["phase", "system", "task"])
def test_odd_text_in_an_upload_never_breaks_the_server(field, text, api, system, phase):
    answer = api.post(UPLOADS, upload_form(system, b"ID,Label\n", "x.csv", **{field: text}))
    assert 400 <= answer.status_code < 500
    assert is_error(answer)


@pytest.mark.parametrize("text", [NUL, "a%ED%A0%80b", *PLAIN_BUT_ODD])
@pytest.mark.parametrize("parameter", ["phase", "system", "status", "limit", "offset", "format", "other"])
def test_odd_text_in_a_query_never_breaks_the_server(parameter, text, api, submission):
    assert api.get(UPLOADS, {parameter: text}).status_code < 500


@pytest.mark.parametrize("text", PLAIN_BUT_ODD)
def test_odd_text_in_a_name_is_kept_as_it_is_or_refused(text, api, team):
    answer = api.post("/api/v1/systems/", {"team": str(team.pk), "name": text}, format="json")
    if answer.status_code == 201:
        assert answer.json()["name"] == text.strip()
    else:
        assert answer.status_code == 400


@pytest.mark.parametrize("text", ["%ED%A0%80", "..", "%2e%2e", "%F0%9F%8C%B2", "'"])
@pytest.mark.parametrize(
    "place",
    [
        "submissions/{}/",
        "systems/{}/",
        "benchmarks/{}/",
        "benchmarks/toy/tasks/{}/ids/",
        "benchmarks/toy/releases/{}/",
        "benchmarks/toy/releases/1/tasks/{}/",
    ],
)
def test_odd_text_in_an_address_is_not_found(place, text, api, toy):
    assert api.get(f"/api/v1/{place.format(text)}").status_code == 404


@pytest.mark.parametrize("place", ["%00/", "v1/%00/", "v1/submissions/%00/", "v1/benchmarks/%00/releases/"])
def test_nul_in_an_address_is_refused(place, api):
    answer = api.get(f"/api/{place}")
    assert answer.status_code in (400, 404)
    assert is_error(answer)


@pytest.mark.parametrize("accept", ["text/html", "application/xml", "*/*", "nonsense"])
def test_answer_is_json_or_none(accept, api, submission):
    answer = api.get(UPLOADS, HTTP_ACCEPT=accept)
    assert answer["Content-Type"] == "application/json"
    assert answer.status_code == (200 if accept == "*/*" else 406)
