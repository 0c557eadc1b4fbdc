"""Benchmarks and releases over the API."""

from hashlib import sha256

import pytest
from django.db.models import F

from benchmarks.models import Phase
from benchmarks.spec.loader import build_spec
from leaderboard.models import Page
from scoring.item_sets.attacks import make_attack
from scoring.queue.batches import close_due
from tests.api.conftest import UPLOADS, upload_form
from tests.attacks import load_attacked
from tests.conftest import NOW, TOY_DEFINITION

pytestmark = pytest.mark.thorough

TOY = "/api/v1/benchmarks/toy/"


def test_benchmarks_are_listed(anyone, toy):
    (listed,) = anyone.get("/api/v1/benchmarks/").json()["results"]
    assert (listed["id"], listed["title"], listed["summary"]) == ("toy", "Toy", "Two small tasks.")


def test_a_benchmark_without_a_page_is_not_listed(anyone, toy, sync):
    sync(TOY_DEFINITION.replace("id: toy", "id: planned"))
    listed = [one["id"] for one in anyone.get("/api/v1/benchmarks/").json()["results"]]
    assert listed == ["toy"]


def test_task_tells_all_that_a_file_has_to_keep_to(anyone, toy):
    mood, colour = anyone.get(TOY).json()["tasks"]
    assert colour["labels"] == ["red", "green", "dark blue"]
    assert (mood["file_path"], mood["header"]) == ("data/mood/predictions.csv", "ID,Label")
    assert (mood["item_count"], mood["version"]) == (6, 1)


def test_phase_tells_its_next_cut_off_and_quota(anyone, toy):
    (phase,) = anyone.get(TOY).json()["phases"]
    assert (phase["name"], phase["is_open"], phase["quota_limit"]) == ("toy/main", True, 5)
    assert phase["next_cut_off_at"] == "2026-11-23T00:00:00Z"


def test_a_phase_that_is_over_waits_for_no_cut_off_as_its_pages_say(anyone, toy):
    """Later instants of the week are for corrections alone."""
    phases = Phase.objects.filter(benchmark=toy)
    phases.update(closes_at=F("next_cut_off_at"))
    assert anyone.get(TOY).json()["phases"][0]["next_cut_off_at"] == "2026-11-23T00:00:00Z"
    close_due(phases.get().next_cut_off_at)
    (phase,) = anyone.get(TOY).json()["phases"]
    assert (phase["closes_at"], phase["next_cut_off_at"]) == ("2026-11-23T00:00:00Z", None)


def test_quota_used_is_told_to_the_team_alone(api, anyone, system, phase):
    api.post(UPLOADS, upload_form(system))
    (mine,) = api.get(TOY).json()["phases"][0]["quotas"]
    assert (mine["team_name"], mine["used"], mine["limit"]) == ("North", 1, 5)
    assert anyone.get(TOY).json()["phases"][0]["quotas"] == []


def test_definition_builds_the_same_specification(anyone, toy):
    assert build_spec(anyone.get(f"{TOY}definition/").json(), "toy") == toy.spec


def test_definition_is_not_sent_twice(anyone, toy):
    etag = anyone.get(f"{TOY}definition/")["ETag"]
    assert etag == f'"{anyone.get(TOY).json()["definition_sha256"]}"'
    again = anyone.get(f"{TOY}definition/", HTTP_IF_NONE_MATCH=etag)
    assert (again.status_code, again.content) == (304, b"")


def test_ids_come_in_the_splits_order_with_their_digest(anyone, toy):
    told = anyone.get(f"{TOY}tasks/mood/ids/").json()
    assert (told["task"], told["split"], told["ids"]) == (
        "mood",
        "test",
        ["m1", "m2", "m3", "m4", "m5", "m6"],
    )
    assert told["sha256"] == sha256("\n".join(told["ids"]).encode()).hexdigest()
    assert told["sha256"] == anyone.get(TOY).json()["tasks"][0]["ids_sha256"]


def test_ids_are_not_sent_twice(anyone, toy):
    etag = anyone.get(f"{TOY}tasks/mood/ids/")["ETag"]
    assert anyone.get(f"{TOY}tasks/mood/ids/", HTTP_IF_NONE_MATCH=etag).status_code == 304


def test_task_without_gold_labels_has_no_ids_yet(anyone, toy):
    toy.tasks.get(slug="mood").splits.update(slug="other")
    assert anyone.get(f"{TOY}tasks/mood/ids/").status_code == 404
    assert anyone.get(TOY).json()["tasks"][0]["item_count"] is None


def test_gold_labels_are_nowhere(anyone, api, toy, submission, publish):
    publish()
    told = [
        anyone.get(f"{TOY}{place}").content for place in ("", "definition/", "tasks/colour/ids/", "releases/")
    ]
    assert not [body for body in told if b"sealed" in body or b"commitment" in body]


@pytest.mark.parametrize(
    ("address", "page"),
    [
        ("latest/", "/benchmarks/toy.json"),
        ("latest/tasks/mood/", "/benchmarks/toy/tasks/mood.json"),
        ("1/", "/benchmarks/toy/releases/1.json"),
        ("1/tasks/mood/", "/benchmarks/toy/releases/1/tasks/mood.json"),
    ],
)
def test_board_is_the_published_bytes(address, page, anyone, submission, publish):
    publish()
    answer = anyone.get(f"{TOY}releases/{address}")
    assert (answer.status_code, answer["Content-Type"]) == (200, "application/json")
    assert answer.content == bytes(Page.objects.get(pk=page).body)
    assert anyone.get(f"{TOY}releases/{address}", HTTP_IF_NONE_MATCH=answer["ETag"]).status_code == 304


@pytest.mark.parametrize("address", ["latest/", "1/", "1/tasks/mood/", "latest/tasks/mood/"])
def test_nothing_is_there_before_the_first_release(address, anyone, submission, score_all):
    score_all()
    assert anyone.get(f"{TOY}releases/{address}").status_code == 404


@pytest.mark.parametrize("address", ["2/", "0/", f"{'9' * 50}/", "1/tasks/none/", "latest/tasks/none/"])
def test_what_was_never_released_is_not_found(address, anyone, submission, publish):
    publish()
    assert anyone.get(f"{TOY}releases/{address}").status_code == 404


def test_releases_are_listed_newest_first(anyone, submission, publish):
    publish()
    (listed,) = anyone.get(f"{TOY}releases/").json()["results"]
    assert (listed["number"], listed["phase"]) == (1, "toy/main")
    assert anyone.get(listed["url"]).json()["release"] == 1


@pytest.mark.parametrize("address", ["", "definition/", "releases/", "releases/latest/", "tasks/mood/ids/"])
def test_unknown_benchmark_is_not_found(address, anyone, toy):
    answer = anyone.get(f"/api/v1/benchmarks/none/{address}")
    assert (answer.status_code, answer.json()["code"]) == (404, "not_found")


def test_benchmark_costs_the_same_queries_for_many_tasks(
    anyone, sync, raft_definition, django_assert_max_num_queries
):
    sync(raft_definition)
    with django_assert_max_num_queries(8):  # one of them asks whether the benchmark is hidden
        assert len(anyone.get("/api/v1/benchmarks/raft/").json()["tasks"]) == 11


def test_splits_tell_where_their_texts_are(anyone, sync, gold_keys):
    made = make_attack(task=load_attacked(sync), attack="spelling", seed=7, now=NOW)
    claims, posts = anyone.get("/api/v1/benchmarks/debates/").json()["tasks"]
    told = {split["id"]: (split["texts_url"], split["texts_sha256"]) for split in claims["splits"]}
    assert told["spelling"] == (
        "http://testserver/benchmarks/debates/texts/claims/spelling.csv",
        made.texts.sha256,
    )
    assert told["reworded"] == (None, None)
    assert {split["texts_url"] for split in posts["splits"]} == {None}
