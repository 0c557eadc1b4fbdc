"""A ban: nothing of a team or person is taken by one benchmark any more, whatever way it comes, until it is lifted."""

import pytest
from django.core import mail
from django.core.files.uploadedfile import SimpleUploadedFile

from accounts.models import AuditEntry
from accounts.services import leave_team
from benchmarks.models import Benchmark
from scoring.gold.versions import load_gold
from submissions.exceptions import BannedFromBenchmark
from submissions.models import Submission
from submissions.participants import Ban, GroupUse, TeamRegistration
from submissions.systems.bans import CannotBan, ban, circle_of, lift
from tests.api.conftest import UPLOADS, client_of
from tests.conftest import NOW, TOY_DEFINITION, TOY_GOLD, person, synced
from tests.pages import browser_of, text_of
from tests.people import appoint
from tests.submissions.test_fair_quota import MOODS, send, system_of
from tests.uploads import toy_zip

ADD = "/admin/submissions/ban/add/"
REASON = "Labels were copied from the test set."


@pytest.fixture
def organiser(phase):
    found = person("organiser")
    appoint(phase.benchmark, found)
    return found


@pytest.fixture
def banning(phase, organiser):
    def act(who, *, with_linked=True, disqualifies=False):
        return ban(
            benchmark=phase.benchmark,
            who=who,
            reason=REASON,
            with_linked=with_linked,
            disqualifies=disqualifies,
            by=organiser,
            now=NOW,
        )

    return act


def pressed(user, address, **form):
    return browser_of(user).post(address, {"confirmed": "yes", **form}, follow=True)


def file():
    return SimpleUploadedFile("b.zip", toy_zip(MOODS[1]))


def test_an_organiser_bans_a_team_and_page_and_api_refuse_it_with_the_reason(system, phase, owner, organiser):
    send(system, phase, owner)
    used = list(GroupUse.objects.values_list("used"))
    form = browser_of(organiser).get(ADD, {"benchmark": "toy", "team": str(system.team_id)})
    assert "North has 1 member. Nobody else shares a quota with them." in text_of(form)
    assert "Disqualify their 1 submission too" in text_of(form)

    page = text_of(pressed(organiser, ADD, benchmark="toy", who="North", reason=REASON, with_linked="on"))

    assert "North is banned from Toy." in page
    said = f"have banned the team North from it on Wed 18 Nov 2026: {REASON}"
    by_page = browser_of(owner).post(
        "/submit/", {"phase": "toy/main", "system": str(system.pk), "file": file()}
    )
    by_api = client_of(owner).post(
        UPLOADS, {"phase": "toy/main", "system": str(system.pk), "file": file()}, format="multipart"
    )
    assert by_page.status_code == by_api.status_code == 403
    assert "Not taken: the organisers have banned you or your team" in text_of(by_page)
    assert REASON in text_of(by_page)
    assert by_api.json()["code"] == "banned"
    assert said.partition(" on Wed")[0] in by_api.json()["detail"]
    assert REASON in by_api.json()["detail"]
    assert Submission.objects.get().status == "accepted"
    assert list(GroupUse.objects.values_list("used")) == used
    entry = AuditEntry.objects.get(model="submissions.ban")
    assert (entry.actor, entry.benchmark, entry.reason) == (organiser, "toy", REASON)


def test_their_submissions_are_disqualified_where_that_was_ticked(system, phase, owner, organiser):
    for mood in MOODS:
        send(system, phase, owner, mood)
    form = {"benchmark": "toy", "who": "North", "reason": REASON, "disqualifies": "on"}
    assert "3 submissions disqualified." in text_of(pressed(organiser, ADD, **form))
    assert set(Submission.objects.values_list("status", "status_reason")) == {("disqualified", REASON)}
    assert AuditEntry.objects.filter(kind="disqualify", by="ban", actor=organiser).count() == 3


def test_a_banned_person_comes_back_neither_with_a_team_of_their_own_nor_in_that_of_others(
    system, phase, owner, outsider, banning
):
    banning(owner, with_linked=False)
    again = system_of("South", owner)
    with pytest.raises(BannedFromBenchmark, match="have banned you from it"):
        send(again, phase, owner)
    fronted = system_of("East", outsider)
    fronted.team.memberships.create(user=owner, joined_at=NOW)
    with pytest.raises(BannedFromBenchmark, match="a member of the team East"):
        send(fronted, phase, outsider)
    leave_team(team=fronted.team, user=owner)
    assert send(fronted, phase, outsider)


def test_whoever_shared_a_quota_with_a_banned_team_is_banned_with_it_and_may_be_left_out(
    system, phase, owner, teammate, banning
):
    send(system, phase, owner)
    leave_team(team=system.team, user=teammate)
    away = system_of("South", teammate)
    assert teammate.pk not in circle_of(benchmark=phase.benchmark, who=system.team, with_linked=False).people

    made = banning(system.team).ban

    with pytest.raises(BannedFromBenchmark, match="have banned you, with the team North,"):
        send(away, phase, teammate)
    lift(ban=made, by=owner, now=NOW)
    banning(system.team, with_linked=False)
    assert send(away, phase, teammate)


def test_another_benchmark_takes_them_still(system, phase, owner, banning):
    banning(system.team)
    other = synced(TOY_DEFINITION.replace("id: toy", "id: other"))
    for task in other.tasks.all():
        load_gold(task=task, data=TOY_GOLD[task.slug], file_name=f"{task.slug}.csv", now=NOW)
    assert send(system, other.phases.get(), owner)


def test_a_lifted_ban_lets_them_in_again_and_they_get_a_mail_both_times(
    system, phase, owner, organiser, banning, django_capture_on_commit_callbacks
):
    with django_capture_on_commit_callbacks(execute=True):
        made = banning(system.team).ban
    with django_capture_on_commit_callbacks(execute=True):
        page = text_of(pressed(organiser, f"/admin/submissions/ban/{made.pk}/lift/", reason="Explained."))
    assert "The ban is lifted" in page
    assert [one.subject for one in mail.outbox] == [
        "North is banned from Toy",
        "North is no longer banned from Toy",
    ]
    assert all(one.to == [owner.email] for one in mail.outbox)
    assert REASON in mail.outbox[0].body
    assert send(system, phase, owner)
    with pytest.raises(CannotBan, match="lifted already"):
        lift(ban=made, by=organiser, now=NOW)


def test_nobody_is_banned_twice_or_while_they_run_the_benchmark(system, phase, owner, organiser, banning):
    banning(system.team)
    with pytest.raises(CannotBan, match="North is banned from Toy already"):
        banning(system.team)
    with pytest.raises(CannotBan, match="Take that role away first"):
        banning(organiser)


def test_an_organiser_bans_from_their_own_benchmarks_alone_and_learns_of_nobody_else(
    system, phase, owner, outsider, organiser
):
    send(system, phase, owner)
    other = synced(TOY_DEFINITION.replace("id: toy", "id: other").replace("title: Toy", "title: Other"))
    stranger = person("stranger")
    appoint(other, stranger)
    for who, slug in ((stranger, "toy"), (organiser, "other")):
        pressed(who, ADD, benchmark=slug, who="North", reason=REASON)
    for name in (outsider.email, "nobody@example.org"):
        page = text_of(pressed(organiser, ADD, benchmark="toy", who=name, reason=REASON))
        assert "Nobody of that name or address takes part in Toy." in page
    assert not Ban.objects.exists()
    assert Benchmark.objects.filter(bans__isnull=False).count() == 0


def test_pages_of_a_private_benchmark_are_not_for_a_banned_team_until_the_ban_is_lifted(
    system, phase, owner, organiser, banning
):
    colleague = person("colleague")
    TeamRegistration.objects.create(
        benchmark=phase.benchmark, team=system.team, asked_by=owner, asked_at=NOW, approved_at=NOW
    )
    Benchmark.objects.update(visibility="private")
    shown = Benchmark.objects.seen_by
    assert shown(owner).exists()
    banning(system.team)
    system.team.memberships.create(user=colleague, joined_at=NOW)

    assert [user.email for user in (owner, colleague, organiser) if shown(user).exists()] == [organiser.email]
    assert not Benchmark.objects.offered_to(owner).exists()
    lift(ban=Ban.objects.get(), by=organiser, now=NOW)
    assert shown(owner).exists()
    assert shown(colleague).exists()
