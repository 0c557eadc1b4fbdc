"""Terms of a benchmark: asked once before the first submission, on the form, over the API, and of breakers."""

from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import DatabaseError, transaction

from benchmarks.models import Benchmark
from benchmarks.notices.models import Acceptance, Terms
from benchmarks.notices.services import accept_terms, current_terms, write_terms
from benchmarks.spec.document import DefinitionError
from scoring.definitions.editing import as_yaml, import_edited, read_edited
from submissions.exceptions import TermsNotAccepted
from submissions.models import Refusal, Submission, System
from tests.breakers import breaker, hand_in, load_starters
from tests.conftest import NOW, TOY_DEFINITION
from tests.pages import text_of
from tests.people import appoint
from tests.uploads import toy_zip

pytestmark = pytest.mark.django_db
TEXT = "Do not train on test items.\n\nSee https://example.org/rules <b>now</b>."
BOX = "terms:toy:1:-accept"


@pytest.fixture
def terms(toy: Benchmark) -> Terms:
    written = write_terms(benchmark=toy, text=TEXT, by=None, now=NOW)
    assert written is not None
    return written


def upload(browser: Any, system: System, data: Any = None, **fields: str) -> Any:
    file = SimpleUploadedFile("larch.zip", data or toy_zip())
    return browser.post("/submit/", {"phase": "toy/main", "system": str(system.pk), "file": file, **fields})


def test_form_shows_the_text_in_paragraphs_with_links_and_without_markup(browser, system, terms):
    page = text_of(browser.get("/submit/"))

    assert "<p>Do not train on test items.</p>" in page
    assert '<a href="https://example.org/rules" rel="nofollow">' in page
    assert "&lt;b&gt;now&lt;/b&gt;" in page


def test_upload_without_the_box_is_not_taken_and_says_to_tick_it(browser, system, terms):
    answer = upload(browser, system)

    assert (answer.status_code, Submission.objects.count()) == (422, 0)
    assert "Tick the box to submit." in text_of(answer)


def test_ticked_once_nobody_is_asked_again(browser, system, terms, owner):
    upload(browser, system, **{BOX: "on"})

    assert Acceptance.objects.get(user=owner).terms == terms
    assert BOX not in text_of(browser.get("/submit/"))
    assert upload(browser, system, toy_zip(mood="bad bad bad bad good bad")).status_code == 302


def test_box_below_an_older_text_does_not_accept_a_newer_one(browser, system, terms, toy):
    write_terms(benchmark=toy, text="Something else.", by=None, now=NOW)

    answer = upload(browser, system, **{BOX: "on"})

    assert (answer.status_code, Acceptance.objects.count()) == (422, 0)
    assert "terms:toy:2:-accept" in text_of(answer)


def test_another_text_is_another_version_and_the_same_text_is_none(toy, terms):
    assert write_terms(benchmark=toy, text=TEXT + "\r\n", by=None, now=NOW) is None
    assert [one.version for one in (write_terms(benchmark=toy, text="New.", by=None, now=NOW),) if one] == [2]


def test_terms_without_text_ask_for_nothing(browser, system, terms, toy):
    write_terms(benchmark=toy, text="", by=None, now=NOW)

    assert upload(browser, system).status_code == 302


def test_a_check_needs_no_terms(browser, system, terms):
    assert upload(browser, system, check_only="1").status_code == 200


def test_terms_come_before_the_files_problems_and_leave_no_refusal(system, phase, owner, terms, submit_as):
    with pytest.raises(TermsNotAccepted):
        submit_as(owner, system, toy_zip(mood="good good sad bad good bad"))

    assert not Refusal.objects.exists()


@pytest.fixture
def submit_as(phase):
    from submissions.services import PredictionUpload, submit_predictions

    def _submit(user: Any, system: System, data: bytes) -> Any:
        return submit_predictions(
            PredictionUpload(
                system=system, phase=phase, user=user, data=data, file_name="larch.zip", received_at=NOW
            )
        )

    return _submit


def test_accepting_binds_the_person_and_not_the_team(system, phase, owner, teammate, toy, terms, submit_as):
    accept_terms(user=owner, benchmark=toy, version=1, now=NOW)

    with pytest.raises(TermsNotAccepted):
        submit_as(teammate, system, toy_zip())


def test_organisers_send_baselines_without_accepting_their_own_terms(system, owner, toy, terms, submit_as):
    appoint(toy, owner)
    System.objects.filter(pk=system.pk).update(kind=System.Kind.BASELINE)

    assert submit_as(owner, System.objects.get(pk=system.pk), toy_zip()).submission.pk


def test_versions_and_acceptances_are_never_changed(owner, toy, terms):
    accept_terms(user=owner, benchmark=toy, version=1, now=NOW)

    for rows in (Terms.objects.all(), Acceptance.objects.all()):
        with pytest.raises(DatabaseError), transaction.atomic():
            rows.delete()
    with pytest.raises(DatabaseError), transaction.atomic():
        Terms.objects.update(text="Other.")


def test_breakers_accept_terms_too(games):
    load_starters(games)
    team = breaker("East")
    written = write_terms(benchmark=games, text=TEXT, by=None, now=NOW)
    assert written is not None

    with pytest.raises(TermsNotAccepted):
        hand_in(games, team)
    user: Any = team.members.get()
    accept_terms(user=user, benchmark=games, version=1, now=NOW)

    assert hand_in(games, team).team == team


def test_definition_brings_terms_and_what_organisers_wrote_since_stays(sync):
    toy = sync(TOY_DEFINITION + "terms: Be fair.\n")
    write_terms(benchmark=toy, text="Be kind.", by=None, now=NOW)

    sync(TOY_DEFINITION + "terms: Be fair.\n")

    standing = current_terms(toy)
    assert standing is not None
    assert (standing.version, standing.text) == (2, "Be kind.")


def test_export_carries_the_terms_that_stand_and_importing_it_changes_none(toy, terms):
    document = read_edited(toy, as_yaml(toy).encode(), "toy.yaml")
    import_edited(toy, document, NOW)

    assert document["terms"] == TEXT
    assert Terms.objects.get() == terms


def test_edited_definition_writes_the_next_version(toy, terms):
    edited = as_yaml(toy).replace("Do not train", "Never train").encode()

    report = import_edited(toy, read_edited(toy, edited, "toy.yaml"), NOW)

    assert "toy: terms, version 2" in report.changes


def test_terms_of_a_definition_that_are_too_long_are_named_by_their_key(sync):
    with pytest.raises(DefinitionError, match="terms: expected at most 20,000 characters, found 20,001"):
        sync(TOY_DEFINITION + f"terms: {'x' * 20_001}\n")
