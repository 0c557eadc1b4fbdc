"""Groups of seeds over HTTP, from the upload to what the team is told once they are published."""

import html
import re
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from rest_framework.test import APIClient

from benchmarks.models import Phase
from submissions.models import Submission, System
from tests.api.conftest import UPLOADS, client_of
from tests.groups import FILES, group_files, group_zip, labels, load_debates
from tests.pages import browser_of, text_of
from tests.uploads import zip_of
from tests.weeks import run_batch


@pytest.fixture
def debates(sync: Any, gold_keys: Any) -> Phase:
    return load_debates(sync)


@pytest.fixture
def api(owner: Any) -> APIClient:
    return client_of(owner)


def send(
    api: APIClient, system: System, data: bytes | None = None, name: str = "group.zip", **fields: str
) -> Any:
    file = SimpleUploadedFile(name, group_zip() if data is None else data)
    return api.post(UPLOADS, {"phase": "debates/main", "system": str(system.pk), "file": file, **fields})


def publish() -> None:
    run_batch(Submission.objects.latest("cut_off_at").cut_off_at)


def test_receipt_names_track_splits_and_seeds(api, system, debates):
    receipt = send(api, system, track="tenth").json()
    assert (receipt["track"], receipt["tasks"], receipt["labels_read"]) == ("tenth", ["claims", "posts"], 48)
    assert receipt["splits"] == [
        {"task": task, "split": split, "seeds": 3}
        for task in ("claims", "posts")
        for split in ("test", "spelling")
    ]


def test_scores_are_the_mean_over_the_seeds(api, system, debates):
    told = send(api, system).json()
    publish()
    scores = api.get(told["status_url"]).json()["scores"]
    assert [(one["task"], one["split"], one["seeds"]) for one in scores] == [
        ("claims", "test", 3),
        ("claims", "spelling", 3),
        ("posts", "test", 3),
        ("posts", "spelling", 3),
    ]
    # F1 macro with 0, 1 and 2 of 4 labels wrong: 1, (2/3 + 4/5) / 2, and (1/2 + 1/2) / 2.
    values = [1, (2 / 3 + 4 / 5) / 2, 1 / 2]
    mean = sum(values) / 3
    assert scores[0]["value"] == round(mean, 4)  # the gold labels are hidden
    assert scores[0]["deviation"] == round((sum((x - mean) ** 2 for x in values) / 3) ** 0.5, 4)
    assert (scores[0]["ci_low"], scores[0]["release"]) == (None, 1)


def test_page_shows_mean_and_deviation_once_published(owner, api, system, debates):
    told = send(api, system).json()
    publish()
    page = text_of(browser_of(owner).get(f"/submissions/{told['id']}/"))
    page = page.partition("Scores, each with its release")[2]
    assert page.count("sd .204, 3 seeds") == 4
    assert page.count(">.744 ") == 4


def test_a_single_file_of_a_split(api, system, debates):
    receipt = send(api, system, labels(), "claims.csv", task="claims", split="spelling").json()
    assert receipt["splits"] == [{"task": "claims", "split": "spelling", "seeds": 1}]


@pytest.mark.parametrize(
    ("fields", "status", "code"),
    [
        ({"track": "half"}, 404, "unknown_track"),
        ({"track": "x" * 65}, 400, "invalid"),
        ({"track": "ten\0th"}, 400, "invalid"),
        ({"split": "x" * 65}, 400, "invalid"),
    ],
)
def test_unknown_tracks_are_told(api, system, debates, fields, status, code):
    answer = send(api, system, **fields)
    assert (answer.status_code, answer.json()["code"]) == (status, code)
    assert not Submission.objects.exists()


def test_unknown_track_names_those_there_are(api, system, debates):
    assert "full, tenth" in send(api, system, track="half").json()["detail"]


def test_unknown_split_is_a_problem_of_the_file(api, system, debates):
    answer = send(api, system, labels(), "claims.csv", split="speling")
    (problem,) = answer.json()["problems"]
    assert (answer.status_code, problem["code"], problem["expected"]) == (422, "unknown_split", "spelling")


def test_ragged_group_is_told_by_page_and_api_alike(owner, api, system, debates):
    files = group_files()
    del files["seed2/posts.csv"]
    problems = send(api, system, zip_of(files)).json()["problems"]
    page = browser_of(owner).post(
        "/submit/",
        {
            "phase": "debates/main",
            "system": str(system.pk),
            "file": SimpleUploadedFile("group.zip", zip_of(files)),
        },
    )
    assert [(one["code"], one["file"], one["found"]) for one in problems] == [
        ("seed_incomplete", "seed2/posts.csv", "seed1, seed3")
    ]
    assert problems[0]["message"] in html.unescape(text_of(page))


def test_benchmark_tells_seeds_tracks_and_where_splits_stand(api, debates):
    told = api.get("/api/v1/benchmarks/debates/").json()
    assert told["seeds"] == 3
    assert told["tracks"] == [
        {"id": "full", "title": "All data", "share": 1.0},
        {"id": "tenth", "title": "A tenth of the data", "share": 0.1},
    ]
    (claims, _) = told["tasks"]
    assert [(one["id"], one["file_path"], one["item_count"]) for one in claims["splits"]] == [
        ("test", FILES[0], 4),
        ("spelling", FILES[2], 4),
    ]


def test_split_that_is_not_made_yet_has_no_ids(api, sync, gold_keys):
    load_debates(sync, attacked=False)
    (claims, _) = api.get("/api/v1/benchmarks/debates/").json()["tasks"]
    assert [one["ids_sha256"] is None for one in claims["splits"]] == [False, True]
    assert api.get("/api/v1/benchmarks/debates/tasks/claims/ids/?split=spelling").status_code == 404


def test_ids_of_a_split_are_told(api, debates):
    told = api.get("/api/v1/benchmarks/debates/tasks/claims/ids/?split=spelling").json()
    assert (told["split"], told["ids"]) == ("spelling", ["d0", "d1", "d2", "d3"])


def test_organiser_sees_splits_and_seeds_and_one_line_of_runs_for_all_seeds(staff, api, system, debates):
    told = send(api, system, track="tenth").json()
    publish()
    page = text_of(browser_of(staff).get(f"/admin/submissions/submission/{told['id']}/change/"))
    assert "Claims: 3 seeds, Claims (spelling): 3 seeds, Posts: 3 seeds, Posts (spelling): 3 seeds" in page
    assert len(re.findall(r"/admin/scoring/scoringrun/\d+/change/", page)) == 4
    assert "tenth" in page


def test_lists_of_submissions_name_the_track(owner, api, system, debates):
    send(api, system, track="tenth")
    assert "Debates, track tenth" in text_of(browser_of(owner).get("/submissions/"))
