"""What happens enters the log: every fact with its digests, in the transaction in which it happens."""

from hashlib import sha256
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from leaderboard.models import Page, Release
from leaderboard.publication.log_entries import frozen_digests
from leaderboard.publication.removal import remove_benchmark
from leaderboard.publication.services import publish_ready, refresh, refresh_stale
from leaderboard.publication.visibility import Visibility, hide_names, lift_anonymity, set_visibility
from scoring.gold.opening import open_gold
from scoring.gold.versions import load_gold
from scoring.log_entries import log_closing
from scoring.models import Batch, GoldVersion
from submissions.models import Submission
from submissions.uploads.signed_receipts import receipt_of
from tests.conftest import NOW, TOY_DEFINITION, TOY_GOLD
from tests.weeks import CUT_OFF, ONE_WRONG, WEEK, run_batch, upload
from transparency.models import LogEntry

pytestmark = [pytest.mark.thorough, pytest.mark.django_db]


def told(kind: str) -> list[dict[str, Any]]:
    return [entry.facts for entry in LogEntry.objects.filter(kind=kind)]


def newest_digests() -> dict[str, str | None]:
    """Each path with what the newest entry says of it."""
    digests: dict[str, str | None] = {}
    for entry in LogEntry.objects.all():
        digests |= entry.facts.get("pages", {})
    return digests


def published_digests() -> dict[str, str]:
    return {page.path: sha256(page.body).hexdigest() for page in Page.objects.all()}


@pytest.fixture
def submission(toy: Any, phase: Any, system: Any) -> Any:
    found = upload(system, phase, mood=ONE_WRONG)
    run_batch(CUT_OFF)
    return found


def test_a_definition_enters_when_it_changes_and_only_then(sync):
    sync(TOY_DEFINITION)
    sync(TOY_DEFINITION)
    sync(TOY_DEFINITION.replace("Two small tasks", "Two tasks"))
    first, second = told("definition")
    assert first["sha256"] != second["sha256"]
    assert first["tasks"] == {"mood": 1, "colour": 1}


def test_each_version_of_gold_labels_enters_with_its_commitment(toy):
    load_gold(task=toy.tasks.get(slug="mood"), data=TOY_GOLD["mood"], file_name="g.csv", now=NOW)
    versions = GoldVersion.objects.order_by("pk")
    assert [facts["commitment"] for facts in told("gold")] == [version.commitment for version in versions]
    assert [facts["version"] for facts in told("gold") if facts["task"] == "mood"] == [1, 2]


def test_what_draws_the_private_remainder_stands_in_the_log(toy):
    load_gold(task=toy.tasks.get(slug="mood"), data=TOY_GOLD["mood"], file_name="g.csv", now=NOW)
    first, second = (facts for facts in told("gold") if facts["task"] == "mood")
    stored = GoldVersion.objects.get(commitment=second["commitment"]).remainder_by
    assert second["remainder_by"] == (stored or second["commitment"])
    assert first["items"] == 6


def test_the_closing_of_a_batch_holds_the_receipts_of_what_it_takes_in(submission):
    (closing,) = told("batch")
    assert closing["receipts"] == [receipt_of(submission).digest]
    assert closing["phase"] == "main"


def test_the_closing_of_a_large_batch_asks_no_more_than_that_of_a_small_one(submission, phase, system):
    for week in range(3):
        upload(system, phase, mood=" ".join(["bad"] * week + ["good"] * (6 - week)), at=CUT_OFF + WEEK / 7)
    batch = Batch.objects.get()
    counts = []
    for taken_in in (Submission.objects.filter(pk=submission.pk), Submission.objects.all()):
        with CaptureQueriesContext(connection) as queries:
            log_closing(batch, taken_in)
        counts.append(len(queries))
    assert counts[1] <= counts[0]
    assert len(told("batch")[-1]["receipts"]) == 4


def test_a_release_enters_with_all_that_it_has_frozen_and_every_page(submission):
    (facts,) = told("release")
    release, entry = Release.objects.get(), LogEntry.objects.get(kind="release")
    assert facts["frozen"] == frozen_digests(release, bytes.fromhex(entry.salts["salt"]))
    assert {"boards/overall", "boards/mood", "reports/ranked_on"} <= facts["frozen"].keys()
    assert facts["pages"] == published_digests()
    endings = {path.rpartition(".")[2] for path in facts["pages"] if "/releases/1" in path}
    assert {"json", "csv", "tex", "md", "bib"} <= endings
    assert {gold["commitment"] for gold in facts["gold"]} == set(
        GoldVersion.objects.values_list("commitment", flat=True)
    )
    assert facts["before"] is None


def test_a_release_names_the_one_before_it(submission, phase, system):
    upload(system, phase, at=CUT_OFF + WEEK / 7)
    run_batch(CUT_OFF + WEEK)
    first, second = LogEntry.objects.filter(kind="release")
    assert second.facts["before"] == {"index": first.index, "leaf": first.leaf_hash}
    assert newest_digests() == published_digests()


def test_pages_that_are_drawn_again_enter_with_the_reason(submission, toy, settings):
    load_gold(task=toy.tasks.get(slug="mood"), data=TOY_GOLD["mood"], file_name="g.csv", now=NOW)
    refresh_stale()
    assert told("pages")[-1]["reason"] == "gold labels were loaded"
    settings.STATIC_DIGEST = "new look"
    refresh(toy, archive=True)
    last = told("pages")[-1]
    assert (last["reason"], last["release"]) == ("another version of the code draws them", 1)
    assert newest_digests() == published_digests()


def test_pages_that_are_drawn_again_alike_do_not_enter(submission, toy):
    refresh_stale()
    before = LogEntry.objects.count()
    refresh(toy, archive=True)
    assert LogEntry.objects.count() == before


def test_names_that_are_hidden_and_shown_enter_and_digests_tell_no_name(toy, phase, system):
    hide_names(toy)
    upload(system, phase, mood=ONE_WRONG)
    run_batch(CUT_OFF)
    assert lift_anonymity(toy)
    refresh_stale()
    assert [facts["shown"] for facts in told("names")] == [False, True]
    archive = [facts for facts in told("pages") if facts["release"] == 1]
    assert [facts["reason"] for facts in archive] == ["names are shown, hidden or removed"]
    assert newest_digests() == published_digests()


def test_opened_gold_labels_enter_with_their_salt(submission):
    version = GoldVersion.objects.filter(split__task__slug="mood").get()
    opened = open_gold(version=version, now=NOW)
    open_gold(version=version, now=NOW)
    (facts,) = told("opening")
    assert (facts["salt"], facts["commitment"]) == (opened.salt, version.commitment)
    refresh_stale()
    path = "/benchmarks/toy/gold/mood/test.csv"
    body = bytes(Page.objects.get(pk=path).body)
    assert sha256(bytes.fromhex(facts["salt"]) + body).hexdigest() == facts["commitment"]
    assert newest_digests() == published_digests()


def test_a_publication_that_breaks_off_leaves_no_entry(toy, phase, system, monkeypatch):
    upload(system, phase, mood=ONE_WRONG)
    monkeypatch.setattr("leaderboard.publication.services.log_release", lambda *_: 1 / 0)
    run_batch(CUT_OFF)
    assert not Release.objects.exists()
    assert told("release") == told("pages") == []
    monkeypatch.undo()
    publish_ready(CUT_OFF)
    assert len(told("release")) == 1


def test_a_benchmark_that_is_deleted_leaves_its_trace(toy):
    refresh_stale()
    assert newest_digests() == published_digests()
    remove_benchmark(toy)
    (facts,) = told("removal")
    assert "/benchmarks/toy/" in facts["pages"]
    assert {path for path, digest in newest_digests().items() if digest} == set(published_digests())


@pytest.mark.parametrize("visibility", [Visibility.DRAFT, Visibility.PRIVATE])
def test_a_hidden_benchmark_that_is_deleted_leaves_none(visibility, toy, staff):
    refresh_stale()
    set_visibility(benchmark=toy, visibility=visibility, by=staff)
    refresh_stale()
    before = LogEntry.objects.count()
    remove_benchmark(toy)
    assert not [entry for entry in LogEntry.objects.filter(index__gte=before) if "toy" in entry.payload]
    assert told("removal") == []
