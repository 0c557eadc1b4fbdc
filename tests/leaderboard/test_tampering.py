"""`manage.py reproduce` notices whatever was changed behind the server's back, and names it."""

import gzip
import io
import json
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection

from accounts.audit.log import record
from accounts.models import AuditEntry
from accounts.server.append_only_triggers import drop_statements
from leaderboard.models import Page, PageBody, Release
from leaderboard.publication.services import enter_in_ledger, publish_ready, refresh, refresh_stale
from scoring.gold.opening import open_gold
from scoring.gold.versions import load_gold
from scoring.models import Batch, BatchEntry, GoldVersion
from submissions.models import Submission, System
from tests.conftest import NOW, TOY_DEFINITION, TOY_GOLD
from tests.pages import edit
from tests.weeks import CUT_OFF, ONE_WRONG, WEEK, run_batch, upload
from transparency.models import Checkpoint, LogEntry
from transparency.services import sign_log, take_in_audit

pytestmark = [pytest.mark.thorough, pytest.mark.django_db]

BASE = "/benchmarks/toy/releases/1"
EDITED = [
    f"{BASE}/",
    f"{BASE}/tasks/mood/",
    f"{BASE}.json",
    f"{BASE}.csv",
    f"{BASE}.tex",
    f"{BASE}.md",
    f"{BASE}.bib",
    f"{BASE}/tasks/mood.csv",
    f"{BASE}/provenance/",
    f"{BASE}/provenance.json",
    f"{BASE}-submissions.json",
    "/benchmarks/toy/",
    "/benchmarks/toy.json",
    "/benchmarks/toy/tasks/mood.tex",
    "/benchmarks/toy/feed.atom",
    "/benchmarks/toy/releases/",
    "/",
]


def reproduced() -> tuple[int, str]:
    """Exit status and output of the command."""
    out = io.StringIO()
    try:
        call_command("reproduce", "toy", "1", stdout=out)
    except SystemExit as end:
        return int(str(end.code)), out.getvalue()
    return 0, out.getvalue()


def differences() -> list[str]:
    status, said = reproduced()
    found = [line.removeprefix("DIFFERS").strip() for line in said.splitlines() if line.startswith("DIFFERS")]
    assert bool(status) == bool(found), said
    return found


def unguarded(table: str) -> None:
    """As somebody who may do anything to the database."""
    with connection.cursor() as cursor:
        for statement in drop_statements(connection.vendor, table):
            cursor.execute(statement)


@pytest.fixture
def submission(toy: Any, phase: Any, system: Any, owner: Any) -> Any:
    found = upload(system, phase, mood=ONE_WRONG)
    record(row=phase, kind="change", by="admin", reason="Because of the holidays.", benchmark="toy")
    run_batch(CUT_OFF)
    enter_in_ledger()
    refresh_stale()
    take_in_audit()
    return found


def test_what_nobody_touched_is_without_a_difference(submission):
    status, said = reproduced()
    assert (status, "DIFFERS" in said, "NOT MADE AGAIN" in said) == (0, False, False)


@pytest.mark.parametrize("path", EDITED)
def test_an_edited_page_is_named(submission, path):
    edit(path, Page.objects.get(pk=path).body + b" ")
    (said,) = differences()
    assert said.startswith(f"{path}: the published bytes are not those that entered the log")


def test_an_edit_of_what_is_stored_under_a_digest_is_named(submission):
    PageBody.objects.filter(pages=f"{BASE}/").update(packed=gzip.compress(b"Larch leads with .999"))
    (said,) = differences()
    assert said.startswith(f"{BASE}/: the published bytes")


def test_a_page_that_is_gone_is_named(submission):
    Page.objects.filter(pk=f"{BASE}.csv").delete()
    (said,) = differences()
    assert said.startswith(f"{BASE}.csv is not published")


def test_a_page_that_was_put_there_is_named(submission):
    page = Page.objects.get(pk=f"{BASE}/")
    page.pk = f"{BASE}/erratum/"
    page.save(force_insert=True)
    assert differences() == [f"{BASE}/erratum/: the page never entered the log."]


def test_a_page_that_was_edited_in_the_log_too_is_not_what_is_drawn(submission):
    """An administrator who adds an entry about an edited page: the log has it, and the data do not."""
    from leaderboard.publication.log_entries import log_pages
    from leaderboard.rendering.rendered_page import RenderedPage

    body = bytes(Page.objects.get(pk=f"{BASE}.csv").body).replace(b"Larch", b"Birch")
    edited = RenderedPage(f"{BASE}.csv", "text/csv", body)
    edit(edited.path, body)
    log_pages("toy", [edited], reason="a correction", release=1)
    assert differences() == [
        f"{BASE}.csv: the published bytes are not those that are drawn from the frozen data."
    ]


def test_a_deleted_line_of_the_audit_log_is_named(submission):
    unguarded("accounts_auditentry")
    line = AuditEntry.objects.get()
    AuditEntry.objects.all().delete()
    (said,) = differences()
    assert said.startswith(f"audit log: the line {line.pk} was deleted")


def test_a_changed_line_of_the_audit_log_is_named(submission):
    unguarded("accounts_auditentry")
    AuditEntry.objects.update(reason="No reason.")
    (said,) = differences()
    assert "was changed since log entry" in said


def test_an_exchanged_commitment_is_named(submission):
    unguarded("scoring_goldversion")
    GoldVersion.objects.filter(split__task__slug="mood").update(remainder_by="0" * 64)
    assert "gold labels 1 of mood/test: remainder_by is not what the log has." in differences()


def test_an_upload_that_was_moved_before_the_cut_off_is_named(submission):
    Submission.objects.filter(pk=submission.pk).update(received_at=NOW - WEEK)
    assert any("1 of its 1 receipts are of no submission" in said for said in differences())


def test_a_submission_that_was_slipped_into_a_closed_batch_is_named(submission, phase, system):
    other = upload(system, phase, at=CUT_OFF + WEEK / 7)
    BatchEntry.objects.create(batch=Batch.objects.get(), submission=other)
    assert any("1 submissions were put into it after it was closed" in said for said in differences())


def test_a_changed_release_is_named_even_with_its_pages(submission):
    unguarded("leaderboard_release")
    release = Release.objects.get()
    board = json.loads(json.dumps(release.overall).replace("0.8286", "0.9286"))
    Release.objects.filter(pk=release.pk).update(overall=board)
    assert any(said.startswith("boards/overall: what the release has frozen") for said in differences())


def test_a_place_that_was_changed_for_later_releases_is_named(submission):
    unguarded("leaderboard_release")
    ranking = json.loads(json.dumps(Release.objects.get().ranking).replace("0.9143", "0.9243"))
    Release.objects.update(ranking=ranking)
    assert any(said.startswith("ranking: it is not what") for said in differences())


def test_an_entry_that_was_taken_out_of_the_log_is_named(submission):
    unguarded("transparency_logentry")
    LogEntry.objects.filter(index=1).delete()
    assert "log: the entry 1 is missing." in differences()


def test_an_entry_that_was_rewritten_is_named(submission, signers):
    sign_log(NOW)
    unguarded("transparency_logentry")
    entry = LogEntry.objects.get(kind="audit")
    LogEntry.objects.filter(pk=entry.pk).update(payload=entry.payload.replace("audit", "audIt"))
    found = differences()
    assert f"log entry {entry.index}: what it says is not what its leaf was made of." in found
    assert any("are not those that were signed" in said for said in found)


def test_a_checkpoint_of_somebody_else_is_named(submission, signers):
    sign_log(NOW)
    unguarded("transparency_checkpoint")
    checkpoint = Checkpoint.objects.get()
    Checkpoint.objects.update(note=checkpoint.note.replace("\n\n", "\nmore\n\n"))
    (said,) = differences()
    assert said.startswith("log: its newest checkpoint is not to be trusted.")


def test_what_happens_rightly_after_a_release_is_no_difference(submission, toy, sync, system):
    """A definition reworded, gold labels corrected and opened, a system renamed: the release of before stands."""
    sync(TOY_DEFINITION.replace("Two small tasks", "Two tasks").replace("title: Mood", "title: Moods"))
    corrected = TOY_GOLD["mood"].replace(b"m5,good", b"m5,bad")
    load_gold(task=toy.tasks.get(slug="mood"), data=corrected, file_name="g.csv", now=CUT_OFF + WEEK / 7)
    refresh_stale()
    assert differences() == []
    for version in GoldVersion.objects.all():
        open_gold(version=version, now=CUT_OFF)
    refresh_stale()
    assert differences() == []
    System.objects.filter(pk=system.pk).update(name="Spruce")
    refresh(toy)
    assert differences() == []
    lines = reproduced()[1].splitlines()
    assert [line for line in lines if "drawn by another version" in line] == []


def test_a_release_that_is_not_the_newest_is_held_against_its_own_pages(submission, phase, system):
    upload(system, phase, at=CUT_OFF + WEEK / 7)
    run_batch(CUT_OFF + WEEK)
    publish_ready(CUT_OFF + WEEK)
    assert Release.objects.count() == 2
    assert differences() == []
    edit("/benchmarks/toy/releases/2.csv", b"")
    assert differences() == []
