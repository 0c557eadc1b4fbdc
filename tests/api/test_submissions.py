"""Following a submission: lists, status, scores, withdrawing, choosing, one's own file."""

import json

import pytest
from rest_framework.test import APIClient

from scoring.models import Score
from submissions.models import Submission, System
from submissions.participants import GroupUse
from tests.api.conftest import UPLOADS, content
from tests.conftest import NOW
from tests.uploads import toy_zip


def test_list_holds_my_teams_submissions(api, submission):
    (listed,) = api.get(UPLOADS).json()["results"]
    assert (listed["id"], listed["file_name"], listed["submitted_by"]) == (
        str(submission.pk),
        "larch.zip",
        "Owner",
    )


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ({}, 1),
        ({"status": "accepted"}, 1),
        ({"status": "published"}, 0),
        ({"phase": "toy/main"}, 1),
        ({"system": "00000000-0000-4000-8000-000000000000"}, 0),
        ({"offset": "1"}, 0),
        ({"offset": "9" * 40}, 0),
        ({"limit": "9" * 40}, 1),
    ],
)
def test_list_can_be_narrowed_down(query, found, api, submission):
    assert len(api.get(UPLOADS, query).json()["results"]) == found


def test_list_can_be_narrowed_down_to_a_system(api, system, submission):
    assert len(api.get(UPLOADS, {"system": str(system.pk)}).json()["results"]) == 1


@pytest.mark.parametrize(
    ("query", "status"),
    [
        ({"status": "lost"}, 400),
        ({"system": "Larch"}, 400),
        ({"phase": "toy/none"}, 404),
        ({"sytem": "x"}, 400),
    ],
)
def test_filter_that_is_none_is_told(query, status, api, submission):
    assert api.get(UPLOADS, query).status_code == status


def test_list_costs_the_same_queries_for_many(
    api, system, phase, owner, submission, django_assert_max_num_queries
):
    for number in range(20):
        copy = Submission.objects.get(pk=submission.pk)
        copy.pk, copy.predictions_sha256 = None, f"{number}"
        copy.system = System.objects.create(team=system.team, name=f"Larch {number}", created_at=NOW)
        copy.save(force_insert=True)
    api.get(UPLOADS)  # the use of a token is noted every ten minutes
    with django_assert_max_num_queries(8):
        assert api.get(UPLOADS).json()["count"] == 21


def test_status_says_what_happens_next_and_when(api, submission):
    told = api.get(f"{UPLOADS}{submission.pk}/").json()
    assert told["status"] == "accepted"
    assert "in no release yet" in told["status_sentence"]
    assert told["next_step"]["sentence"]
    assert told["cut_off_at"] == "2026-11-23T00:00:00Z"


def test_times_are_utc_whatever_zone_the_person_reads_in(client, owner, submission):
    owner.timezone = "Asia/Tokyo"
    owner.save()
    client.force_login(owner)
    told = client.get(f"{UPLOADS}{submission.pk}/").json()
    assert told["received_at"] == "2026-11-18T12:00:00Z"


def test_scores_are_not_told_before_the_release(api, submission, score_all):
    score_all()
    assert Score.objects.exists()
    answer = api.get(f"{UPLOADS}{submission.pk}/").json()
    assert (answer["status"], answer["scores"]) == ("scored", [])
    values = [1.0, "1.0", "f1_macro", "accuracy"]
    assert not [value for value in values if f"{value}" in json.dumps(answer)]


def test_scores_are_told_after_the_release(api, submission, publish):
    publish()
    answer = api.get(f"{UPLOADS}{submission.pk}/").json()
    assert answer["status"] == "published"
    assert [(one["task"], one["metric"], one["value"], one["release"]) for one in answer["scores"]] == [
        ("mood", "f1_macro", 1.0, 1),
        ("colour", "f1_macro", 1.0, 1),
    ]


def test_withdrawing_leaves_a_trace_and_gives_the_slot_back(api, submission):
    answer = api.post(f"{UPLOADS}{submission.pk}/withdraw/")
    assert (answer.status_code, answer.json()["status"]) == (200, "withdrawn")
    assert api.get(f"{UPLOADS}{submission.pk}/").json()["status"] == "withdrawn"
    assert set(GroupUse.objects.values_list("used", flat=True)) == {0}


def test_withdrawing_twice_is_a_conflict(api, submission):
    api.post(f"{UPLOADS}{submission.pk}/withdraw/")
    answer = api.post(f"{UPLOADS}{submission.pk}/withdraw/")
    assert (answer.status_code, answer.json()["code"]) == (409, "cannot_change")


def test_choosing_makes_the_submission_count(api, phase, submission):
    phase.counting = "chosen"
    phase.save()
    assert api.post(f"{UPLOADS}{submission.pk}/choose/").status_code == 200
    assert submission.choices.count() == 2


def test_choosing_where_the_latest_counts_is_a_conflict(api, submission):
    answer = api.post(f"{UPLOADS}{submission.pk}/choose/")
    assert (answer.status_code, answer.json()["code"]) == (409, "cannot_change")


def test_own_file_comes_back_byte_for_byte_and_only_to_be_saved(api, submission):
    answer = api.get(f"{UPLOADS}{submission.pk}/file/")
    assert content(answer) == toy_zip()
    assert answer["Content-Disposition"] == 'attachment; filename="larch.zip"'
    assert (answer["X-Content-Type-Options"], answer["Content-Security-Policy"]) == ("nosniff", "sandbox")


def test_session_without_csrf_token_may_not_post(owner, submission):
    client = APIClient(enforce_csrf_checks=True)
    client.force_login(owner)
    answer = client.post(f"{UPLOADS}{submission.pk}/withdraw/")
    assert (answer.status_code, answer.json()["code"]) == (403, "permission_denied")
