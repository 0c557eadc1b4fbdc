"""Fact sheets over the API: with an upload, and on their own."""

import json
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from submissions.models import FactSheet, Refusal, Submission
from submissions.participants import GroupUse
from tests.api.conftest import UPLOADS, client_of, upload_form
from tests.conftest import person
from tests.uploads import toy_zip

pytestmark = pytest.mark.django_db
SHEET = {"algorithms": ["LSTM", "SVM/SVR"], "lexicons": []}
IN_ORDER = {"algorithms": ["SVM/SVR", "LSTM"], "lexicons": []}


def part(content: Any = SHEET) -> SimpleUploadedFile:
    data = content if isinstance(content, bytes) else json.dumps(content).encode()
    return SimpleUploadedFile("sheet.json", data)


def address(system: Any, benchmark: str = "toy") -> str:
    return f"/api/v1/systems/{system.pk}/fact-sheets/{benchmark}/"


def put(api: Any, system: Any, content: Any = SHEET, benchmark: str = "toy") -> Any:
    data = content if isinstance(content, bytes) else json.dumps(content).encode()
    return api.put(address(system, benchmark), data, content_type="application/json")


def test_sheet_comes_with_the_upload(api, system, phase, fact_lists):
    answer = api.post(UPLOADS, upload_form(system, fact_sheet=part()))
    assert (answer.status_code, answer.json()["fact_sheet_missing"]) == (201, False)
    assert FactSheet.objects.get().answers == IN_ORDER


def test_upload_without_a_sheet_is_accepted_and_says_that_it_is_missing(api, system, phase, fact_lists):
    answer = api.post(UPLOADS, upload_form(system))
    assert (answer.status_code, answer.json()["fact_sheet_missing"]) == (201, True)


def test_benchmark_that_asks_for_none_misses_none(api, system, phase):
    assert api.post(UPLOADS, upload_form(system)).json()["fact_sheet_missing"] is False


def test_sheet_sent_with_the_same_predictions_again_is_saved(api, system, phase, fact_lists):
    api.post(UPLOADS, upload_form(system))
    answer = api.post(UPLOADS, upload_form(system, fact_sheet=part()))
    assert (answer.status_code, answer.json()["is_repeat"]) == (200, True)
    assert FactSheet.objects.get().answers == IN_ORDER


def test_malformed_sheet_refuses_the_whole_upload_and_costs_no_slot(api, system, phase, fact_lists):
    answer = api.post(
        UPLOADS, upload_form(system, fact_sheet=part(b'{"lexicons": [],\n"algorithms": ["LTSM"]}'))
    )
    (problem,) = answer.json()["problems"]
    assert (answer.status_code, answer.json()["code"], answer.json()["more"]) == (422, "file_refused", 0)
    assert "LSTM" in problem.pop("message")
    assert problem == {
        "file": "sheet.json",
        "line": 2,
        "column": "algorithms",
        "code": "unknown_fact",
        "found": "LTSM",
        "expected": "LSTM",
    }
    assert not Submission.objects.exists()
    assert not FactSheet.objects.exists()
    assert not GroupUse.objects.filter(used__gt=0).exists()
    assert Refusal.objects.get().problems[0]["code"] == "unknown_fact"


def test_problems_of_sheet_and_predictions_are_told_together(api, system, phase, fact_lists):
    predictions = toy_zip(mood="good god bad bad good bad")
    answer = api.post(UPLOADS, upload_form(system, predictions, fact_sheet=part(b"")))
    assert [problem["code"] for problem in answer.json()["problems"]] == ["empty_file", "unknown_label"]


def test_sheet_is_not_kept_if_the_predictions_are_refused(api, system, phase, fact_lists):
    assert api.post(UPLOADS, upload_form(system, b"nothing", fact_sheet=part())).status_code == 422
    assert not FactSheet.objects.exists()


def test_problems_of_both_beyond_the_fiftieth_are_counted(api, system, phase, fact_lists):
    sheet = {"algorithms": [f"learner {number}" for number in range(60)], "lexicons": []}
    predictions = toy_zip(mood="good god bad bad good bad")
    answer = api.post(UPLOADS, upload_form(system, predictions, fact_sheet=part(sheet))).json()
    assert (len(answer["problems"]), answer["more"]) == (50, 11)


def test_sheet_for_a_benchmark_that_asks_for_none_is_refused(api, system, phase):
    answer = api.post(UPLOADS, upload_form(system, fact_sheet=part()))
    assert [problem["code"] for problem in answer.json()["problems"]] == ["fact_sheet_not_asked"]


def test_benchmark_tells_its_lists(anyone, toy, fact_lists):
    asked = anyone.get("/api/v1/benchmarks/toy/").json()["fact_sheet"]
    assert asked[0] == {
        "id": "algorithms",
        "title": "Algorithms",
        "options": ["SVM/SVR", "LSTM", "Bi-LSTM"],
    }


def test_sheet_can_be_put_and_asked_for(api, system, fact_lists, owner):
    assert api.get(address(system)).json()["answers"] is None
    answer = put(api, system)
    assert (answer.status_code, answer.json()["answers"]) == (200, IN_ORDER)
    shown = api.get(address(system)).json()
    assert (shown["answers"], shown["changed_by"]) == (IN_ORDER, str(owner))
    assert [one["id"] for one in shown["lists"]] == ["algorithms", "lexicons"]


BODIES = {
    "not JSON": (b"{", "json_syntax", 1),
    "nothing": (b"", "empty_file", None),
    "a list": (b"[]", "json_wrong_type", 1),
    "too large": (b" " * 70_000, "fact_sheet_too_large", None),
    "not UTF-8": (b'{\n"\xff": []}', "invalid_utf8", 2),
}


@pytest.mark.parametrize("kind", BODIES)
def test_malformed_body_is_refused_with_its_line(api, system, fact_lists, kind):
    body, code, line = BODIES[kind]
    answer = put(api, system, body)
    (problem,) = answer.json()["problems"]
    assert answer.status_code == 422
    assert (problem["file"], problem["code"], problem["line"]) == ("fact_sheet", code, line)
    assert not FactSheet.objects.exists()


def test_body_that_is_no_json_by_its_own_account_is_not_read(api, system, fact_lists):
    assert api.put(address(system), {"algorithms": "LSTM"}).status_code == 415


@pytest.mark.parametrize("benchmark", ["toy", "nope"])
def test_benchmark_that_asks_for_none_is_not_found(api, system, toy, benchmark):
    assert api.get(address(system, benchmark)).status_code == 404
    assert put(api, system, benchmark=benchmark).status_code == 404


def test_sheets_are_for_members_only(system, fact_lists, outsider, teammate, anyone):
    assert put(client_of(teammate), system).status_code == 200
    for stranger, status in ((client_of(outsider), 404), (client_of(person("passer")), 404), (anyone, 401)):
        assert stranger.get(address(system)).status_code == status
        assert put(stranger, system, {"algorithms": [], "lexicons": []}).status_code == status
    assert FactSheet.objects.get().answers == IN_ORDER


def test_a_sheet_may_name_advisors(api, system, fact_lists):
    sheet = {"algorithms": [], "lexicons": [], "advisors": ["Ada Lovelace"]}

    assert put(api, system, sheet).json()["answers"] == sheet
    assert api.get(address(system)).json()["answers"] == sheet


@pytest.mark.parametrize("advisors", ["Ada Lovelace", [""], [1], ["x" * 81], ["Ada"] * 21])
def test_advisors_are_names_in_a_list(api, system, fact_lists, advisors):
    answer = put(api, system, {"algorithms": [], "lexicons": [], "advisors": advisors})

    assert answer.status_code == 422
    assert {problem["column"] for problem in answer.json()["problems"]} == {"advisors"}
