"""Registration by code: set once by organisers, typed once by a team, tried a few times only, and stored as a hash."""

import datetime as dt

import pytest

from accounts.models import AuditEntry
from benchmarks.models import Benchmark
from submissions.exceptions import RegistrationCodeNeeded, RegistrationDeclined
from submissions.participants import Ban, TeamRegistration
from submissions.quota.registration_codes import set_code
from tests.api.conftest import client_of
from tests.conftest import NOW, TOY_DEFINITION, person, synced
from tests.pages import browser_of, text_of
from tests.people import appoint
from tests.submissions.test_fair_quota import MOODS, send

CODE = "Spring-2027"
WRONG = "This is not the code of a benchmark called toy."


@pytest.fixture
def at(monkeypatch):
    """Have codes be typed at that instant."""

    def hold(instant):
        for module in ("submissions.api.registrations", "submissions.registration_page"):
            monkeypatch.setattr(f"{module}.database_now", lambda: instant)

    return hold


@pytest.fixture(autouse=True)
def _now(at):
    at(NOW)


@pytest.fixture
def by_code(phase):
    set_code(benchmark=phase.benchmark, code=CODE)
    phase.benchmark.refresh_from_db()
    return phase


def typed(user, team, code=CODE, benchmark="toy"):
    form = {"benchmark": benchmark, "team": str(team.pk), "code": code}
    return browser_of(user).post("/register/", form, follow=True)


def over_api(user, team, code=CODE, benchmark="toy"):
    form = {"benchmark": benchmark, "team": team.name, "code": code}
    return client_of(user).post("/api/v1/registrations/", form, format="json")


def test_a_file_is_refused_until_the_team_has_typed_the_code_on_the_page(system, by_code, owner):
    with pytest.raises(RegistrationCodeNeeded, match="/register/\\?benchmark=toy"):
        send(system, by_code, owner)

    page = typed(owner, system.team)

    assert "North takes part in Toy." in text_of(page)
    assert TeamRegistration.objects.get().state == "approved"
    assert send(system, by_code, owner)


def test_over_the_api_a_team_registers_with_the_code_and_then_sends(system, by_code, owner):
    wrong = over_api(owner, system.team, "spring-2027")
    assert (wrong.status_code, wrong.json()["code"]) == (403, "registration_code_wrong")
    right = over_api(owner, system.team)
    assert (right.status_code, right.json()["state"], right.json()["team_name"]) == (201, "approved", "North")
    assert client_of(owner).get("/api/v1/benchmarks/toy/").json()["registration"] == "code"
    assert send(system, by_code, owner)


def test_a_wrong_code_an_absent_benchmark_and_one_without_code_are_answered_alike(system, by_code, owner):
    synced(TOY_DEFINITION.replace("id: toy", "id: bare"))
    wrong = [
        text_of(typed(owner, system.team, *given))
        for given in (("Spring", "toy"), (CODE, "bare"), (CODE, "none"))
    ]
    assert WRONG in wrong[0]
    assert WRONG.replace("toy", "bare") in wrong[1]
    assert WRONG.replace("toy", "none") in wrong[2]
    assert not TeamRegistration.objects.exists()


def test_after_five_codes_the_right_one_too_has_to_wait(system, by_code, owner, at):
    answers = [over_api(owner, system.team, f"guess-{number}").status_code for number in range(5)]
    late = over_api(owner, system.team)
    assert answers == [403] * 5
    assert (late.status_code, late.json()["code"]) == (429, "throttled")
    assert int(late["Retry-After"]) <= 300
    assert typed(owner, system.team).status_code == 429
    at(NOW + dt.timedelta(minutes=5))
    assert over_api(owner, system.team).status_code == 201


def test_only_a_member_registers_a_team(system, by_code, outsider):
    assert over_api(outsider, system.team).status_code == 404
    assert (
        "Select a valid choice" in text_of(typed(outsider, system.team))
        or not TeamRegistration.objects.exists()
    )


def test_a_banned_team_and_a_declined_one_do_not_come_in_with_the_code(system, by_code, owner):
    TeamRegistration.objects.create(
        benchmark=by_code.benchmark,
        team=system.team,
        asked_by=owner,
        asked_at=NOW,
        declined_at=NOW,
        decline_reason="Another lab.",
    )
    assert "Another lab." in over_api(owner, system.team).json()["detail"]
    with pytest.raises(RegistrationDeclined):
        send(system, by_code, owner)
    TeamRegistration.objects.all().delete()
    ban = Ban.objects.create(benchmark=by_code.benchmark, team=system.team, reason="Copied.", banned_at=NOW)
    ban.teams.add(system.team)
    assert "Copied." in over_api(owner, system.team).json()["detail"]
    assert not TeamRegistration.objects.exists()


def test_after_its_dates_a_code_lets_nobody_in(system, by_code, owner):
    Benchmark.objects.update(registration_closes_at=NOW)
    assert over_api(owner, system.team).json()["code"] == "registration_closed"


def test_members_of_a_private_benchmark_come_in_by_its_code(system, by_code, owner):
    Benchmark.objects.update(visibility="private")
    assert browser_of(owner).get("/benchmarks/toy/").status_code == 404
    assert "takes part in Toy" in text_of(typed(owner, system.team))
    assert client_of(owner).get("/api/v1/benchmarks/toy/").status_code == 200


def test_an_organiser_sets_the_code_which_is_shown_once_and_stored_as_a_hash(system, phase, owner):
    organiser = person("organiser")
    appoint(phase.benchmark, organiser)
    address = "/admin/benchmarks/benchmark/toy/set_registration_code/"
    browser = browser_of(organiser)
    assert "Ensure this value has at least 8" in text_of(
        browser.post(address, {"confirmed": "yes", "code": "short"})
    )

    page = text_of(browser.post(address, {"confirmed": "yes", "code": ""}, follow=True))

    code = page.partition("with the code ")[2].partition(" ")[0]
    toy = Benchmark.objects.get()
    assert (toy.registration, len(code)) == ("code", 14)
    assert code not in toy.registration_secret
    assert code not in text_of(browser.get("/admin/benchmarks/benchmark/toy/home/"))
    assert not AuditEntry.objects.filter(what__contains=code).exists()
    assert not [entry for entry in AuditEntry.objects.all() if toy.registration_secret in str(entry.changes)]
    assert over_api(owner, system.team, code).status_code == 201
    set_code(benchmark=toy, code="another-code")
    other = person("other")
    assert over_api(other, _team(other), code).status_code == 403
    toy.refresh_from_db()
    phase.benchmark = toy
    assert send(system, phase, owner, MOODS[1])


def _team(user):
    from accounts.services import create_team

    return create_team(name="Late", founder=user, now=NOW)


def test_a_definition_asks_for_a_code_and_the_home_says_that_none_is_set(db):
    toy = synced(f"{TOY_DEFINITION}registration: code\n")
    organiser = person("organiser")
    appoint(toy, organiser)
    assert (toy.registration, toy.registration_secret) == ("code", "")
    page = text_of(browser_of(organiser).get("/admin/benchmarks/benchmark/toy/home/"))
    assert "takes teams that type a code, and has none yet, so no new team can come." in page
