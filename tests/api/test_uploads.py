"""Sending predictions: receipts, and every way to be refused."""

import datetime as dt

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from rest_framework.throttling import ScopedRateThrottle

from accounts.services import create_team
from benchmarks.models import Benchmark, Phase, Split
from leaderboard.publication.visibility import Visibility
from submissions.models import Refusal, Submission, System
from submissions.participants import GroupUse
from submissions.services import PredictionUpload, submit_predictions
from tests.api.conftest import UPLOADS, client_of, content, upload_form
from tests.conftest import NOW, TOY_DEFINITION
from tests.pages import browser_of, text_of
from tests.uploads import toy_zip

pytestmark = [pytest.mark.thorough, pytest.mark.postgres, pytest.mark.django_db]


def different_zip(number: int) -> bytes:
    """One of 64 uploads with different predictions."""
    return toy_zip(mood=" ".join("good" if number >> bit & 1 else "bad" for bit in range(6)))


def test_an_upload_asks_the_database_few_questions_also_where_others_wait(
    api, system, phase, django_assert_max_num_queries
):
    for number in range(3):
        assert api.post(UPLOADS, upload_form(system, different_zip(number))).status_code == 201
    clock = 2 if connection.vendor == "postgresql" else 0  # SQLite's is that of the process
    with django_assert_max_num_queries(20 + clock):
        receipt = api.post(UPLOADS, upload_form(system, different_zip(3))).json()
    assert len(receipt["replaces"]) == 3


def test_a_key_of_receipts_that_cannot_be_read_takes_uploads_all_the_same(
    api, system, phase, signers, settings
):
    settings.RECEIPT_KEY_FILE = "/nowhere/receipts.private"
    answer = api.post(UPLOADS, upload_form(system))
    assert (answer.status_code, answer.json()["receipt"]) == (201, None)


def test_receipt_says_what_was_accepted(api, system, phase):
    answer = api.post(UPLOADS, upload_form(system))
    receipt = answer.json()
    submission = Submission.objects.get()
    assert answer.status_code == 201
    assert receipt["id"] == str(submission.pk)
    assert receipt["url"] == f"http://testserver/submissions/{submission.pk}/"
    assert receipt["status_url"] == answer["Location"] == f"http://testserver{UPLOADS}{submission.pk}/"
    assert (receipt["status"], receipt["phase"], receipt["system"]) == (
        "accepted",
        "toy/main",
        str(system.pk),
    )
    assert (receipt["tasks"], receipt["labels_read"], receipt["is_repeat"]) == (["mood", "colour"], 10, False)
    assert (receipt["quota"]["used"], receipt["quota"]["limit"]) == (1, 5)
    assert receipt["quota"]["window_ends_at"] == receipt["cut_off_at"]


def test_status_url_of_the_receipt_can_be_followed(api, system, phase):
    status_url = api.post(UPLOADS, upload_form(system)).json()["status_url"]
    assert api.get(status_url).json()["status"] == "accepted"


def test_same_predictions_sent_again_are_the_same_submission(api, system, phase):
    first = api.post(UPLOADS, upload_form(system)).json()
    again = api.post(UPLOADS, upload_form(system, name="again.zip"))
    assert again.status_code == 200
    assert (again.json()["id"], again.json()["is_repeat"]) == (first["id"], True)
    assert again.json()["quota"]["used"] == 1


def test_system_may_be_given_by_its_name(api, system, phase):
    assert api.post(UPLOADS, upload_form(system, system="Larch")).json()["system"] == str(system.pk)


def test_name_that_two_of_my_teams_use_has_to_be_an_id(api, owner, system, phase):
    System.objects.create(team=create_team(name="West", founder=owner, now=NOW), name="Larch", created_at=NOW)
    answer = api.post(UPLOADS, upload_form(system, system="Larch"))
    assert answer.status_code == 400
    assert "id instead" in answer.json()["fields"]["system"][0]


def test_single_file_answers_the_task_that_is_named(api, system, phase):
    colours = b"ID,Label\nc1,red\nc2,green\nc3,dark blue\nc4,red\n"
    answer = api.post(UPLOADS, upload_form(system, colours, "mine.csv", task="colour"))
    assert answer.status_code == 201
    assert answer.json()["tasks"] == ["colour"]


def test_bad_file_is_refused_with_file_line_and_column(api, system, phase):
    answer = api.post(UPLOADS, upload_form(system, toy_zip(mood="good god bad bad good bad")))
    assert answer.status_code == 422
    assert answer.json()["code"] == "file_refused"
    assert answer.json()["more"] == 0
    (problem,) = answer.json()["problems"]
    message = problem.pop("message")
    assert "good" in message
    assert problem == {
        "file": "data/mood/predictions.csv",
        "line": 3,
        "column": "Label",
        "code": "unknown_label",
        "found": "god",
        "expected": "bad | good",
    }


def test_problems_beyond_the_fiftieth_are_counted(api, system, phase):
    colours = "ID,Label\n" + "".join(f"x{number},red\n" for number in range(60))
    answer = api.post(UPLOADS, upload_form(system, colours.encode(), "colour.csv")).json()
    assert len(answer["problems"]) == 50
    assert answer["more"] > 0


def test_refused_file_costs_no_slot_and_is_kept_for_the_organiser(api, system, phase):
    api.post(UPLOADS, upload_form(system, b"no zip", "larch.zip"))
    assert not GroupUse.objects.filter(used__gt=0).exists()
    assert Refusal.objects.get().file_name == "larch.zip"


def test_empty_file_is_refused_as_empty(api, system, phase):
    answer = api.post(UPLOADS, upload_form(system, b""))
    assert (answer.status_code, answer.json()["problems"][0]["code"]) == (422, "empty_file")


def test_used_up_quota_says_when_the_next_slot_opens(api, system, phase):
    for number in range(5):
        assert api.post(UPLOADS, upload_form(system, different_zip(number))).status_code == 201
    answer = api.post(UPLOADS, upload_form(system, different_zip(6)))
    next_slot_at = dt.datetime.fromisoformat(answer.json()["next_slot_at"])
    assert (answer.status_code, answer.json()["code"]) == (429, "quota_used_up")
    assert (next_slot_at.weekday(), next_slot_at.time()) == (0, dt.time(0))
    assert 0 < int(answer["Retry-After"]) <= 7 * 24 * 3600


def test_quota_is_not_spent_by_another_team(api, outsider, owner, system, phase):
    api.post(UPLOADS, upload_form(system))
    team = create_team(name="South", founder=outsider, now=NOW)
    rival = System.objects.create(team=team, name="Spruce", created_at=NOW)
    answer = client_of(outsider).post(UPLOADS, upload_form(rival))
    assert answer.json()["quota"]["used"] == 1


def test_second_team_of_one_person_is_a_conflict_that_names_the_first(api, owner, system, phase):
    api.post(UPLOADS, upload_form(system))
    second = System.objects.create(
        team=create_team(name="South", founder=owner, now=NOW), name="Spruce", created_at=NOW
    )
    answer = api.post(UPLOADS, upload_form(second))
    assert (answer.status_code, answer.json()["code"]) == (409, "second_team")
    assert "You belong to the team North" in answer.json()["detail"]


def test_public_system_of_another_team_is_forbidden(outsider, system, submission, publish):
    publish()
    answer = client_of(outsider).post(UPLOADS, upload_form(system))
    assert (answer.status_code, answer.json()["code"]) == (403, "not_your_team")


def test_unpublished_system_of_another_team_is_not_found(outsider, system, submission):
    answer = client_of(outsider).post(UPLOADS, upload_form(system))
    assert (answer.status_code, answer.json()["code"]) == (404, "unknown_system")


@pytest.mark.parametrize("visibility", [Visibility.DRAFT, Visibility.PRIVATE, Visibility.UNLISTED])
def test_system_that_stands_on_no_public_benchmark_is_not_found(
    visibility, outsider, system, submission, publish, sync
):
    publish()
    sync(TOY_DEFINITION.replace("id: toy\n", "id: elsewhere\n", 1))
    Benchmark.objects.filter(pk="toy").update(visibility=visibility)
    answer = client_of(outsider).post(UPLOADS, upload_form(system, phase="elsewhere/main"))
    assert (answer.status_code, answer.json()["code"]) == (404, "unknown_system")
    page = text_of(browser_of(system.team.members.get()).get(f"/teams/{system.team_id}/"))
    assert system.name in page
    assert f'/systems/{system.pk}/"' not in page


def test_system_that_was_meant_is_named(api, system, phase):
    answer = api.post(UPLOADS, upload_form(system, system="Lurch"))
    assert (answer.status_code, answer.json()["code"]) == (404, "unknown_system")
    assert "Did you mean 'Larch'?" in answer.json()["detail"]


@pytest.mark.parametrize("name", ["toy/other", "other/main", "toy", "", "/", "toy/main/x"])
def test_unknown_phase_is_told(name, api, system, phase):
    answer = api.post(UPLOADS, upload_form(system, phase=name))
    assert answer.status_code == (404 if name else 400)
    assert answer.json()["code"] == ("unknown_phase" if name else "invalid")


def test_closed_phase_takes_nothing(api, system, phase):
    phase.closes_at = NOW - dt.timedelta(days=300)
    phase.save()
    answer = api.post(UPLOADS, upload_form(system))
    assert (answer.status_code, answer.json()["code"]) == (403, "phase_closed")
    assert "closed on" in answer.json()["detail"]


def test_phase_without_gold_labels_is_not_ready(api, system, phase):
    Split.objects.filter(task__slug="mood").update(slug="other")
    answer = api.post(UPLOADS, upload_form(system))
    assert (answer.status_code, answer.json()["code"]) == (503, "phase_not_ready")


def test_body_announced_as_too_large_is_refused_unread(api, system, phase, settings):
    settings.MAX_UPLOAD_BYTES = 0
    form = upload_form(system, b"x" * 70_000)
    answer = api.post(UPLOADS, form)
    assert (answer.status_code, answer.json()["code"]) == (413, "file_too_large")


def test_file_over_the_limit_in_a_body_under_it_is_too_large(api, system, phase, monkeypatch):
    monkeypatch.setattr("submissions.intake.predictions.upload.MAX_UPLOAD_BYTES", 10)
    answer = api.post(UPLOADS, upload_form(system))
    assert (answer.status_code, answer.json()["code"]) == (413, "file_too_large")


def test_fields_beyond_all_measure_are_too_large(api, system, phase):
    answer = api.post(UPLOADS, upload_form(system, task="x" * 3 * 1024 * 1024))
    assert (answer.status_code, answer.json()["code"]) == (413, "request_too_large")


@pytest.mark.parametrize("field", ["phase", "system", "file"])
def test_missing_field_is_named(field, api, system, phase):
    answer = api.post(UPLOADS, upload_form(system, **{field: None}))
    assert (answer.status_code, answer.json()["code"]) == (400, "invalid")
    assert list(answer.json()["fields"]) == [field]


def test_file_sent_as_text_is_told(api, system, phase):
    answer = api.post(UPLOADS, upload_form(system, file="ID,Label"))
    assert (answer.status_code, list(answer.json()["fields"])) == (400, ["file"])


@pytest.mark.parametrize(
    ("content_type", "body"),
    [
        ("multipart/form-data", b"--x--"),
        ("multipart/form-data; boundary=", b"--x--"),
        ("multipart/form-data; boundary=x", b"no boundary in sight"),
        ("multipart/form-data; boundary=x", b'--x\r\nContent-Disposition: form-data; name="file"\r\n'),
        ("multipart/form-data; boundary=x", b""),
    ],
)
def test_malformed_multipart_is_a_bad_request(content_type, body, api, system, phase):
    answer = api.generic("POST", UPLOADS, body, content_type=content_type)
    assert answer.status_code == 400
    assert answer.json()["detail"]


@pytest.mark.parametrize("content_type", ["application/json", "text/plain", "application/zip", "nonsense"])
def test_other_content_types_are_refused(content_type, api, system, phase):
    answer = api.generic("POST", UPLOADS, b"{}", content_type=content_type)
    assert (answer.status_code, answer.json()["code"]) == (415, "unsupported_media_type")


@pytest.mark.parametrize("method", ["put", "patch", "delete"])
def test_other_methods_are_refused(method, api, system, phase):
    answer = getattr(api, method)(UPLOADS)
    assert (answer.status_code, answer.json()["code"]) == (405, "method_not_allowed")


def test_too_many_fields_are_a_bad_request(api, system, phase):
    answer = api.post(UPLOADS, upload_form(system, **{f"field{number}": "x" for number in range(1001)}))
    assert (answer.status_code, answer.json()["code"]) == (400, "malformed")


def test_uploads_are_throttled_and_reading_is_not(api, system, phase, monkeypatch):
    monkeypatch.setattr(ScopedRateThrottle, "THROTTLE_RATES", {"uploads": "1/hour"})
    api.post(UPLOADS, upload_form(system))
    answer = api.post(UPLOADS, upload_form(system, different_zip(1)))
    assert (answer.status_code, answer.json()["code"]) == (429, "throttled")
    assert int(answer["Retry-After"]) > 0
    assert api.get(UPLOADS).status_code == 200


def test_cut_off_is_judged_by_when_the_request_began(api, system, phase, monkeypatch):
    late = phase.cut_off_after(NOW)
    early = late - dt.timedelta(seconds=1)
    instants = iter([early])
    monkeypatch.setattr("accounts.server.clock.database_now", lambda: next(instants, late))
    assert api.post(UPLOADS, upload_form(system)).json()["cut_off_at"] == "2026-11-23T00:00:00Z"


@pytest.mark.parametrize("by_form", [False, True])
def test_the_name_of_a_series_is_read_as_it_was_when_the_request_began(
    by_form, api, owner, system, phase, monkeypatch
):
    ends = phase.cut_off_after(NOW)
    Phase.objects.update(series="main", opens_at=NOW - dt.timedelta(days=30), closes_at=ends)
    Phase.objects.create(
        benchmark=phase.benchmark, series="main", slug="main-2", title="Main 2", opens_at=ends,
        weekday=phase.weekday, time=phase.time, timezone=phase.timezone, next_cut_off_at=ends,
        counting=phase.counting, quota_limit=phase.quota_limit,
    )  # fmt: skip
    instants = iter([ends - dt.timedelta(seconds=1)])
    monkeypatch.setattr("accounts.server.clock.database_now", lambda: next(instants, ends))
    if by_form:
        browser_of(owner).post("/submit/", upload_form(system))
    else:
        api.post(UPLOADS, upload_form(system))
    assert [one.phase for one in Submission.objects.all()] == [phase]


@pytest.mark.parametrize(
    "name", ["na\u202eme.zip", "../../etc/passwd", "x" * 1000 + ".zip", "é\u0301🌲.zip", "a\"b';.zip"]
)
def test_odd_file_names_are_only_names(name, api, system, phase):
    form = upload_form(system, file=SimpleUploadedFile("plain.zip", toy_zip()))
    form["file"].name = name
    answer = api.post(UPLOADS, form)
    assert answer.status_code == 201
    sent = api.get(f"{answer.json()['status_url']}file/")
    assert content(sent) == toy_zip()


def test_page_and_api_accept_the_same(api, owner, system, phase):
    receipt = submit_predictions(
        PredictionUpload(
            system=system, phase=phase, user=owner, data=toy_zip(), file_name="larch.zip", received_at=NOW
        )
    )
    assert api.get(UPLOADS).json()["results"][0]["id"] == str(receipt.submission.pk)
