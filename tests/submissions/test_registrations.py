"""Where organisers approve teams, a team takes part once they have; until then it is told what happens next."""

import datetime as dt

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from accounts.services import create_team
from benchmarks.models import Benchmark
from benchmarks.spec.document import DefinitionError
from submissions.exceptions import AwaitingApproval, RegistrationClosed, RegistrationDeclined
from submissions.models import Submission, System
from submissions.participants import GroupLink, TeamRegistration
from tests.api.conftest import client_of
from tests.conftest import NOW, TOY_DEFINITION, person, synced
from tests.pages import browser_of, text_of
from tests.people import appoint
from tests.post import sent
from tests.submissions.test_fair_quota import MOODS, send
from tests.uploads import toy_zip

HOUR = dt.timedelta(hours=1)


@pytest.fixture
def organiser(phase):
    found = person("organiser", is_staff=True)
    appoint(phase.benchmark, found)
    return found


@pytest.fixture
def by_approval(phase, organiser):
    Benchmark.objects.update(registration="approval")
    phase.refresh_from_db()
    phase.benchmark.refresh_from_db()
    return phase


def pressed(user, row, action, **form):
    address = f"/admin/{row._meta.app_label}/{row._meta.model_name}/{row.pk}/{action}/"
    return browser_of(user).post(address, {"confirmed": "yes", "reason": "As agreed.", **form}, follow=True)


def test_the_first_upload_registers_the_team_and_says_what_happens_next(system, by_approval, owner):
    form = {
        "phase": "toy/main",
        "system": str(system.pk),
        "file": SimpleUploadedFile("b.zip", toy_zip(MOODS[0])),
    }

    answer = browser_of(owner).post("/submit/", form)

    assert answer.status_code == 403
    assert "its members get a mail when it is approved. Then send the file again" in text_of(answer)
    assert (TeamRegistration.objects.get().team, Submission.objects.count()) == (system.team, 0)
    assert not GroupLink.objects.exists()
    [told] = sent()
    assert (told.to, told.subject) == (["organiser@example.org"], "North would take part in Toy")


def test_who_sends_again_before_the_approval_is_told_the_same_and_the_organisers_once(
    system, by_approval, owner
):
    for _ in range(2):
        with pytest.raises(AwaitingApproval, match="North is registered since Wed 18 Nov 2026, 12:00 UTC"):
            send(system, by_approval, owner)

    assert len(sent()) == 1


def test_an_organiser_approves_and_the_team_gets_a_mail_and_takes_part(system, by_approval, owner, organiser):
    with pytest.raises(AwaitingApproval):
        send(system, by_approval, owner)

    page = text_of(pressed(organiser, TeamRegistration.objects.get(), "approve"))

    assert "Approved: 1." in page
    assert send(system, by_approval, owner).system == system
    told = [mail for mail in sent() if mail.to == [owner.email]]
    assert [mail.subject for mail in told] == ["North takes part in Toy"]


def test_an_organiser_declines_with_a_reason_that_the_team_reads_and_can_approve_later(
    system, by_approval, owner, organiser
):
    with pytest.raises(AwaitingApproval):
        send(system, by_approval, owner)
    registration = TeamRegistration.objects.get()

    page = text_of(pressed(organiser, registration, "decline", reason="You are the same lab as East."))

    assert "North in Toy is declined." in page
    [told] = [mail for mail in sent() if mail.to == [owner.email]]
    assert told.subject == "North was declined by Toy"
    assert "You are the same lab as East." in told.body
    with pytest.raises(RegistrationDeclined, match="You are the same lab as East"):
        send(system, by_approval, owner)

    pressed(organiser, registration, "approve")
    assert send(system, by_approval, owner).system == system
    assert TeamRegistration.objects.get().state == "approved"


def test_a_registration_is_declined_once_and_not_without_a_reason(system, by_approval, owner, organiser):
    with pytest.raises(AwaitingApproval):
        send(system, by_approval, owner)
    registration = TeamRegistration.objects.get()

    pressed(organiser, registration, "decline", reason="")
    assert TeamRegistration.objects.get().state == "waiting"
    pressed(organiser, registration, "approve")
    pressed(organiser, registration, "decline", reason="Too late.")
    assert TeamRegistration.objects.get().state == "approved"


def test_the_api_says_how_teams_are_registered_and_how_far_ones_own_are(
    system, by_approval, owner, outsider, organiser
):
    with pytest.raises(AwaitingApproval):
        send(system, by_approval, owner)
    address = "/api/v1/benchmarks/toy/"

    def own(user):
        said = client_of(user).get(address).json()
        return said["registration"], [(one["team_name"], one["state"]) for one in said["registrations"]]

    assert own(owner) == ("approval", [("North", "waiting")])
    assert own(outsider) == own(None) == ("approval", [])
    pressed(organiser, TeamRegistration.objects.get(), "decline", reason="Not this year.")
    assert own(owner) == ("approval", [("North", "declined")])


def test_nobody_but_the_organisers_approves(system, by_approval, owner, staff):
    with pytest.raises(AwaitingApproval):
        send(system, by_approval, owner)
    stranger = person("stranger", is_staff=True)

    assert pressed(stranger, TeamRegistration.objects.get(), "approve").status_code in (403, 404)
    assert TeamRegistration.objects.get().approved_at is None


def test_teams_that_take_part_already_go_on_when_an_organiser_asks_for_approval(
    system, phase, owner, outsider, organiser
):
    send(system, phase, owner)
    second = System.objects.create(
        team=create_team(name="South", founder=outsider, now=NOW), name="Fir", created_at=NOW
    )

    pressed(organiser, phase.benchmark, "ask_for_approval")
    phase.benchmark.refresh_from_db()

    assert send(system, phase, owner, MOODS[1])
    with pytest.raises(AwaitingApproval):
        send(second, phase, outsider)
    pressed(organiser, phase.benchmark, "open_registration")
    phase.benchmark.refresh_from_db()
    assert send(second, phase, outsider)


def test_a_definition_asks_for_approval_when_its_benchmark_begins(sync):
    assert sync(f"{TOY_DEFINITION}registration: approval\n").registration == "approval"


@pytest.mark.parametrize(
    ("dates", "said"),
    [
        ({"registration_opens_at": NOW + HOUR}, "opens on Wed 18 Nov 2026, 13:00 UTC"),
        ({"registration_closes_at": NOW}, "closed on Wed 18 Nov 2026, 12:00 UTC"),
    ],
)
@pytest.mark.parametrize("mode", ["open", "approval"])
def test_outside_of_its_dates_no_new_team_comes_and_nothing_is_kept(system, phase, owner, dates, said, mode):
    Benchmark.objects.update(registration=mode, **dates)
    phase.benchmark.refresh_from_db()

    with pytest.raises(RegistrationClosed, match=f"{said}, and North has not taken part before"):
        send(system, phase, owner)

    assert not TeamRegistration.objects.exists()
    assert not Submission.objects.exists()


def test_teams_that_take_part_go_on_after_the_registration(system, phase, owner):
    send(system, phase, owner)
    Benchmark.objects.update(registration_closes_at=NOW)
    phase.benchmark.refresh_from_db()
    assert send(system, phase, owner, MOODS[1]).system == system


def test_a_team_that_has_asked_in_time_may_still_be_approved(system, by_approval, owner, organiser):
    with pytest.raises(AwaitingApproval):
        send(system, by_approval, owner)
    Benchmark.objects.update(registration_closes_at=NOW)
    by_approval.benchmark.refresh_from_db()
    with pytest.raises(AwaitingApproval):
        send(system, by_approval, owner)
    pressed(organiser, TeamRegistration.objects.get(), "approve")
    assert send(system, by_approval, owner).system == system


def test_a_definition_and_the_admin_state_the_dates(db, organiser):
    mapping = "registration: {mode: approval, opens: 2026-11-01T00:00Z, closes: 2026-12-01T00:00Z}\n"
    toy = synced(f"{TOY_DEFINITION.replace('id: toy', 'id: dated', 1)}{mapping}")
    december = dt.datetime(2026, 12, 1, tzinfo=dt.UTC)
    assert (toy.registration, toy.registration_closes_at) == ("approval", december)
    appoint(toy, organiser)
    form = {
        "opens_at_0": "2026-11-02",
        "opens_at_1": "00:00",
        "closes_at_0": "2026-11-01",
        "closes_at_1": "00:00",
    }
    assert "It would close before it opens." in text_of(pressed(organiser, toy, "registration_dates", **form))
    pressed(organiser, toy, "registration_dates", **(form | {"closes_at_0": "2026-11-20"}))
    toy.refresh_from_db()
    assert toy.registration_closes_at not in (None, december)
    with pytest.raises(DefinitionError, match="expected an instant after"):
        synced(f"{TOY_DEFINITION}registration: {{opens: 2026-12-01T00:00Z, closes: 2026-11-01T00:00Z}}\n")
