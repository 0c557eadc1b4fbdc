"""A person takes their data along, and erases their account."""

import io
import json
import zipfile
from functools import partial
from typing import Any

import pytest
from django.core.exceptions import PermissionDenied
from django.core.files.storage import default_storage
from django.core.management import call_command
from django.core.management.base import CommandError
from django.test import Client

from accounts.models import ApiToken, AuditEntry, Mail, Membership, User
from accounts.server.clock import database_now
from accounts.services import InvitationInvalid, create_team, invitation_token, leave_team, read_invitation
from benchmarks.models import ParticipantQuestion, Phase
from benchmarks.people.models import BenchmarkRole, Role
from leaderboard.models import Page
from leaderboard.personal_data.erasure import ERASED, CannotErase, erase
from leaderboard.personal_data.holdings import HOLDINGS, tables_that_name_people
from submissions.models import Submission
from submissions.quota.groups import link_member
from submissions.services import PredictionUpload, submit_predictions
from submissions.systems.status_transitions import withdraw
from tests.conftest import NOW, person
from tests.feelings import team_of
from tests.pages import browser_of, read, text_of
from tests.people import appoint
from tests.threads import at_once
from tests.uploads import toy_zip
from tests.weeks import CUT_OFF, ONE_WRONG, run_batch, upload

pytestmark = pytest.mark.django_db
PAGE = "/account/data/"


@pytest.fixture
def submission(toy, phase, system) -> Submission:
    found = upload(system, phase, mood=ONE_WRONG)
    run_batch(CUT_OFF)
    return Submission.objects.get(pk=found.pk)


@pytest.fixture
def over(submission) -> Submission:
    """The phase has closed since."""
    Phase.objects.update(closes_at=CUT_OFF)
    return submission


def test_every_table_that_names_people_says_what_becomes_of_its_rows():
    assert {(holding.model, holding.person) for holding in HOLDINGS} == tables_that_name_people()
    for holding in HOLDINGS:
        list(holding.rows_of(User(pk=0)).values(*holding.fields))


def test_the_zip_holds_account_rows_and_files(submission, owner):
    ParticipantQuestion.objects.create(
        benchmark=submission.phase.benchmark, asked_by=owner, asked_at=NOW, text="Why?"
    )
    answer = browser_of(owner).get(f"{PAGE}my-data.zip")
    archive = zipfile.ZipFile(io.BytesIO(read(answer)))
    assert json.loads(archive.read("account.json"))["email"] == owner.email
    [sent] = json.loads(archive.read("submissions.json"))
    assert sent["file_sha256"] == submission.file_sha256
    [file] = [name for name in archive.namelist() if name.startswith("files/")]
    assert archive.read(file) == toy_zip(mood=ONE_WRONG)
    assert [row["text"] for row in json.loads(archive.read("participant_questions.json"))] == ["Why?"]
    assert "password" not in json.loads(archive.read("account.json"))


def test_a_file_that_is_lost_is_said_to_be_and_keeps_nothing_else_back(submission, owner):
    default_storage.delete(submission.stored_file.name)
    browser = browser_of(owner)

    told = text_of(browser.get(f"/submissions/{submission.pk}/file/", follow=True))
    over_the_api = browser.get(f"/api/v1/submissions/{submission.pk}/file/")
    archive = zipfile.ZipFile(io.BytesIO(read(browser.get(f"{PAGE}my-data.zip"))))

    assert "is not where this server keeps uploads" in told
    assert (over_the_api.status_code, over_the_api.json()["code"]) == (410, "file_lost")
    assert submission.file_sha256 in archive.read(f"files/{submission.pk}-gone.txt").decode()
    assert json.loads(archive.read("account.json"))["email"] == owner.email


def test_nobody_gets_the_data_of_another(submission, owner):
    answer = browser_of(person("another")).get(f"{PAGE}my-data.zip")
    archive = zipfile.ZipFile(io.BytesIO(read(answer)))
    assert json.loads(archive.read("submissions.json")) == []
    assert owner.email not in " ".join(archive.read(name).decode() for name in archive.namelist())


def test_who_is_erased_is_signed_out_everywhere_and_named_nowhere(over, owner: User):
    name, email = str(owner), owner.email
    withdraw(submission=over, user=owner, now=NOW)
    ApiToken.objects.create(owner)
    owner.set_unusable_password()
    owner.save()
    browser, other = browser_of(owner), browser_of(owner)
    answer = browser.post(PAGE, {"address": email})
    assert answer.status_code == 302
    assert other.get(PAGE).status_code == 302
    owner.refresh_from_db()
    assert (str(owner), owner.is_active, owner.has_usable_password()) == (ERASED, False, False)
    assert not User.objects.filter(email=email).exists()
    for table in (ApiToken, Mail, Membership):
        assert not table.objects.filter(user=owner).exists()
    submission = Submission.objects.get()
    assert name not in submission.status_reason
    assert submission.submitted_by == owner
    assert "Larch" in bytes(Page.objects.get(pk="/benchmarks/toy/").body).decode()


def test_nothing_is_taken_from_somebody_who_is_erased_while_it_is_stored(
    toy, phase, system, owner, monkeypatch
):
    def save(*file: Any) -> Any:
        erase(user=owner, now=NOW)
        return stored(*file)

    stored = default_storage.save
    monkeypatch.setattr(default_storage, "save", save)

    with pytest.raises(PermissionDenied):
        submit_predictions(
            PredictionUpload(
                system=system,
                phase=phase,
                user=owner,
                data=toy_zip(mood=ONE_WRONG),
                file_name="olga.zip",
                received_at=NOW,
            )
        )
    with pytest.raises(PermissionDenied):
        create_team(name="Afterwards", founder=owner, now=NOW)

    assert not Submission.objects.exists()


def test_password_is_not_guessed_on_the_page_that_erases(owner, settings):
    settings.ACCOUNT_RATE_LIMITS = {"reauthenticate": "3/m/user"}
    browser = browser_of(owner)

    tries = [browser.post(PAGE, {"address": "x", "password": f"guess {number}"}) for number in range(4)]

    assert [one.status_code for one in tries] == [422, 422, 422, 429]
    assert browser.get(PAGE).status_code == 200


@pytest.mark.parametrize("called_then", ["Teammate", "", "Tee"])
def test_what_an_erased_person_withdrew_for_others_names_them_no_more(over, teammate, called_then):
    """By the name that they have, by their address, and by a name that they had."""
    link_member(team=over.system.team, user=teammate, now=NOW)
    teammate.name = called_then
    teammate.save()
    withdraw(submission=over, user=teammate, now=CUT_OFF)
    teammate.name = "Teammate"
    teammate.save()
    leave_team(team=over.system.team, user=teammate)
    erase(user=teammate, now=CUT_OFF)
    over.refresh_from_db()
    assert over.status_reason == "Withdrawn by its team."


def test_what_others_withdrew_goes_on_to_name_them(over, owner, teammate):
    withdraw(submission=over, user=owner, now=CUT_OFF)
    erase(user=teammate, now=CUT_OFF)
    over.refresh_from_db()
    assert over.status_reason == "Withdrawn by Owner."


def test_a_link_that_an_erased_person_has_kept_lets_nobody_join(team, teammate):
    link = invitation_token(team)
    erase(user=teammate, now=NOW)
    with pytest.raises(InvitationInvalid):
        read_invitation(link)


def test_nobody_is_erased_by_a_slip_or_with_another_address(over, owner):
    for address in ("", "another@example.org"):
        answer = browser_of(owner).post(PAGE, {"address": address})
        assert answer.status_code == 422
    owner.refresh_from_db()
    assert owner.is_active


def test_a_password_is_asked_for_where_there_is_one(over, owner):
    owner.set_password("correct horse battery staple")
    owner.save()
    browser = browser_of(owner)
    assert "optional" not in text_of(browser.get(PAGE))
    wrong = browser.post(PAGE, {"address": owner.email, "password": "guess"})
    assert wrong.status_code == 422
    right = browser.post(PAGE, {"address": owner.email, "password": "correct horse battery staple"})
    assert right.status_code == 302


def test_an_account_cannot_begin_its_quota_anew_while_its_answers_count(submission, owner):
    owner.set_unusable_password()
    owner.save()
    answer = browser_of(owner).post(PAGE, {"address": owner.email})
    assert "answers in phases that run" in text_of(answer)
    owner.refresh_from_db()
    assert owner.is_active
    call_command("erase_person", owner.email, stdout=io.StringIO())
    owner.refresh_from_db()
    assert not owner.is_active


def test_who_took_their_answer_back_in_time_is_erased_also_where_others_have_answered(phase, system, owner):
    upload(system, phase)
    own = team_of(person("southerner"), "South", "Alder")[1]
    withdraw(submission=upload(own, phase, mood=ONE_WRONG), user=own.team.members.get(), now=NOW)
    erase(user=own.team.members.get(), now=NOW)
    assert not own.team.members.exists()


def test_an_account_does_not_begin_its_quota_anew_by_taking_back_what_it_was_told_the_scores_of(
    phase, system, owner
):
    told = upload(system, phase)
    Submission.objects.update(told_at=NOW)
    withdraw(submission=told, user=owner, now=NOW)
    with pytest.raises(CannotErase, match="answers in phases that run: Toy, Main"):
        erase(user=owner, now=NOW)


def test_a_benchmark_is_not_left_without_anybody(toy, owner):
    appoint(toy, owner, Role.OWNER)
    with pytest.raises(CannotErase, match="alone own Toy"):
        erase(user=owner, now=database_now())


def test_a_benchmark_is_not_left_without_anybody_by_the_command(toy, owner):
    appoint(toy, owner, Role.OWNER)
    with pytest.raises(CommandError, match="alone own"):
        call_command("erase_person", owner.email)
    owner.refresh_from_db()
    assert owner.is_active


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("are_operators", [False, True])
def test_of_the_last_two_who_are_erased_at_once_one_stays(are_operators, toy):
    two = [person(name) for name in ("first", "second")]
    BenchmarkRole.objects.exclude(user__in=two).delete()
    User.objects.exclude(pk__in=[one.pk for one in two]).update(is_superuser=False)
    for one in two:
        one.is_superuser = are_operators
        one.save()
        if not are_operators:
            appoint(toy, one, Role.OWNER)
    told = at_once([partial(erase, user=one, now=database_now()) for one in two])
    assert [type(one) for one in told if one] == [CannotErase]
    assert User.objects.filter(pk__in=[one.pk for one in two], is_active=True).count() == 1


def test_strangers_sign_in_first():
    assert Client().get(PAGE).status_code == 302
    assert not AuditEntry.objects.exists()
