"""Groups of seeds, tracks and splits on their way to being submitted."""

import html
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from benchmarks.models import Phase, Split
from submissions.exceptions import PhaseNotReady, UnknownTrack, UploadRefused
from submissions.models import Choice, Predictions, Submission, System
from submissions.systems.status_transitions import choose
from submissions.uploads.expected_splits import item_ids, split_targets
from tests.conftest import NOW
from tests.groups import DEBATES, group_files, group_zip, labels, load_debates, submit_group
from tests.pages import text_of
from tests.slots import slots_used
from tests.uploads import zip_of


@pytest.fixture
def debates(sync: Any, gold_keys: Any) -> Phase:
    return load_debates(sync)


def stored(submission: Submission) -> set[tuple[str, str, int]]:
    rows = Predictions.objects.filter(submission=submission)
    return set(rows.values_list("split__task__slug", "split__slug", "seed"))


def upload(
    browser: Client, of: System, data: bytes | None = None, name: str = "group.zip", **fields: str
) -> Any:
    file = SimpleUploadedFile(name, group_zip() if data is None else data)
    return browser.post("/submit/", {"phase": "debates/main", "system": str(of.pk), "file": file, **fields})


# Services


def test_every_seed_of_every_split_is_stored(system, debates):
    submission = submit_group(system, debates).submission
    assert stored(submission) == {
        (task, split, seed)
        for task in ("claims", "posts")
        for split in ("test", "spelling")
        for seed in (1, 2, 3)
    }


def test_a_group_is_one_submission_and_takes_one_slot(system, debates):
    submit_group(system, debates)
    assert Submission.objects.count() == 1
    assert slots_used(team=system.team, phase=debates, at=NOW) == 1


def test_the_main_track_is_meant_where_none_is_named(system, debates):
    assert submit_group(system, debates).submission.track == "full"


def test_the_same_predictions_on_another_track_are_another_submission(system, debates):
    first = submit_group(system, debates, track="tenth")
    second = submit_group(system, debates, track="full")
    again = submit_group(system, debates, track="tenth")
    assert (first.submission.track, second.is_repeat) == ("tenth", False)
    assert (again.is_repeat, again.submission) == (True, first.submission)


def test_an_unknown_track_is_refused_with_the_list(system, debates):
    with pytest.raises(UnknownTrack, match=r"no track “half”\. Its tracks are full, tenth\."):
        submit_group(system, debates, track="half")
    assert slots_used(team=system.team, phase=debates, at=NOW) == 0


def test_a_benchmark_without_tracks_takes_none(system, phase):
    with pytest.raises(UnknownTrack, match=r"Toy has no track “full”\. It has no tracks"):
        submit_group(system, phase, track="full")
    assert not Submission.objects.exists()


def test_the_seeds_of_a_group_in_another_order_are_the_same_submission(system, debates):
    first = submit_group(system, debates)
    turned = zip_of(dict(reversed(group_files().items())))
    assert submit_group(system, debates, turned).submission == first.submission


def test_the_same_answers_as_another_seed_are_another_submission(system, debates):
    first = submit_group(system, debates, zip_of({"seed1/claims.csv": labels()}))
    second = submit_group(system, debates, zip_of({"seed2/claims.csv": labels()}))
    assert not second.is_repeat
    assert stored(second.submission) != stored(first.submission)


def test_a_ragged_group_is_refused_and_costs_nothing(system, debates):
    files = group_files()
    del files["seed2/spelling/posts.csv"]
    with pytest.raises(UploadRefused) as refused:
        submit_group(system, debates, zip_of(files))
    (problem,) = refused.value.result.problems
    assert (problem.code, problem.expected) == ("seed_incomplete", "seed2/spelling/posts.csv")
    assert slots_used(team=system.team, phase=debates, at=NOW) == 0


def test_a_single_file_is_the_first_seed_of_the_split_that_is_named(system, debates):
    one = submit_group(system, debates, labels(), file_name="claims.csv", split="spelling").submission
    assert stored(one) == {("claims", "spelling", 1)}


def test_choosing_chooses_every_split_once_in_its_track(system, debates, owner):
    Phase.objects.update(counting="chosen")
    full, tenth = (
        submit_group(system, debates).submission,
        submit_group(system, debates, track="tenth").submission,
    )
    for submission in (full, tenth):
        submission.phase.refresh_from_db()
        choose(submission=submission, user=owner, now=NOW)
    rows = set(Choice.objects.values_list("track", "split__task__slug", "split__slug", "submission"))
    assert rows == {
        (track, task, split, submission.pk)
        for track, submission in (("full", full), ("tenth", tenth))
        for task in ("claims", "posts")
        for split in ("test", "spelling")
    }


def test_splits_stand_in_the_order_of_the_definition(debates):
    found = [(target.task.id, target.split) for target in split_targets(debates)]
    assert found == [("claims", "test"), ("claims", "spelling"), ("posts", "test"), ("posts", "spelling")]


def test_splits_of_the_same_ids_share_one_index(debates):
    test, spelling = Split.objects.filter(task__slug="claims").order_by("pk")
    assert item_ids(spelling.pk, spelling.ids_sha256) is item_ids(test.pk, test.ids_sha256)


def test_a_task_without_gold_labels_does_not_hold_up_the_others(system, sync, gold_keys):
    debates = load_debates(sync)
    sync(
        DEBATES.replace(
            "averages:", "  - {id: late, code: LAT, title: Late, summary: x, test_size: 4}\naverages:"
        )
    )
    debates.refresh_from_db()
    assert submit_group(system, debates).submission.status == "accepted"
    with pytest.raises(UploadRefused) as refused:
        submit_group(system, debates, zip_of({"late.csv": labels()}))
    assert "has not loaded the ids" in refused.value.result.problems[0].message


def test_where_no_task_has_gold_labels_nothing_is_taken(system, sync):
    debates = sync(DEBATES).phases.get()
    with pytest.raises(PhaseNotReady, match="claims, posts"):
        submit_group(system, debates)


# Pages


def test_form_offers_tracks_and_splits_where_the_benchmark_has_them(browser, system, debates):
    page = text_of(browser.get("/submit/"))
    assert '<option value="tenth">A tenth of the data</option>' in page
    assert '<option value="spelling">Spelling</option>' in page


def test_form_offers_neither_where_there_are_none(browser, system, phase):
    page = text_of(browser.get("/submit/"))
    assert 'name="track"' not in page
    assert 'name="split"' not in page


def test_form_takes_track_and_split(browser, system, debates):
    upload(browser, system, labels(), "claims.csv", track="tenth", split="spelling")
    submission = Submission.objects.get()
    assert (submission.track, stored(submission)) == ("tenth", {("claims", "spelling", 1)})


def test_track_of_another_benchmark_is_refused_in_the_form(browser, system, debates, toy):
    answer = browser.post(
        "/submit/",
        {
            "phase": "toy/main",
            "system": str(system.pk),
            "file": SimpleUploadedFile("x.zip", b"x"),
            "track": "tenth",
        },
    )
    assert answer.status_code == 422
    assert "Toy has no track “tenth”. It has no tracks; name none." in html.unescape(text_of(answer))


def test_receipt_counts_tasks_splits_and_seeds(browser, system, debates):
    answer = upload(browser, system)
    page = html.unescape(text_of(browser.get(answer.url)))
    assert "Accepted: 2 of 2 tasks, splits test, spelling, 3 of 3 seeds, 48 labels." in page


def test_receipt_says_how_few_seeds_there_are(browser, system, debates):
    answer = upload(browser, system, group_zip((1, 3), ["claims.csv"]))
    page = html.unescape(text_of(browser.get(answer.url)))
    assert "Accepted: 1 of 2 tasks, 2 of 3 seeds, 8 labels." in page


def test_page_of_a_submission_tells_its_seeds_and_how_many_tasks_it_answers_on_each_split(
    browser, system, debates
):
    submission = submit_group(system, debates, group_zip((1, 2)), track="tenth").submission
    page = text_of(browser.get(f"/submissions/{submission.pk}/"))
    assert "<small>2 of 3 seeds</small>" in page
    assert "<small>Spelling: 2 tasks</small>" in page
    assert "2 of 2, 32 labels" in page
    assert "<dt>Track</dt><dd>A tenth of the data</dd>" in page


def test_refused_group_names_the_missing_file(browser, system, debates):
    files = group_files()
    del files["seed3/claims.csv"]
    answer = upload(browser, system, zip_of(files))
    page = html.unescape(text_of(answer))
    assert answer.status_code == 422
    assert "add seed3/claims.csv, or leave the file out of every seed" in page
