"""The watch on a batch: what organisers are told about copies, probes and accounts, and nobody else."""

from collections.abc import Sequence
from typing import NoReturn

import pytest
from django.conf import settings as django_settings

from accounts.models import Team, User
from accounts.services import create_team
from benchmarks.models import Phase
from leaderboard.jobs import watch
from leaderboard.models import Release, WatchReport
from leaderboard.pages.rendered_release import print_release
from leaderboard.publication import batch_watch
from leaderboard.publication.batch_watch import NOT_LOOKED_AT, PATIENCE, find, watch_batches
from leaderboard.publication.services import publish_ready as release_ready
from scoring.gold.versions import load_gold
from scoring.models import Batch
from submissions.models import System
from submissions.services import PredictionUpload, submit_predictions
from tests.conftest import NOW, TOY_DEFINITION, person
from tests.pages import browser_of, text_of
from tests.people import appoint
from tests.post import sent
from tests.weeks import ALL_RIGHT, CUT_OFF, HALF_WRONG, ONE_WRONG, WEEK, run_batch, upload

pytestmark = pytest.mark.thorough
LEASE = django_settings.SCORING_LEASE


@pytest.fixture
def other(phase) -> System:
    team = create_team(name="South", founder=person("south"), now=NOW)
    return System.objects.create(team=team, name="Oak", created_at=NOW)


@pytest.fixture
def organiser(toy) -> User:
    user = person("organiser", is_staff=True)
    appoint(toy, user)
    return user


def kinds(batch: Batch) -> list[str]:
    return [one["kind"] for one in find(batch)]


@pytest.mark.parametrize("looks", [1, 5], ids=["one-look-at-a-time", "all-looks-at-once"])
def test_a_copy_in_another_team_is_found_with_its_tasks(system, other, phase, monkeypatch, looks):
    monkeypatch.setattr(batch_watch, "LOOKS_AT_ONCE", looks)
    first, second = upload(system, phase, mood=HALF_WRONG), upload(other, phase, mood=HALF_WRONG)
    run_batch(CUT_OFF)

    same, file = find(Batch.objects.get())

    assert (same["kind"], file["kind"]) == ("same", "same_file")
    assert set(same["submissions"]) == {str(first.pk), str(second.pk)}
    assert [one["task"] for one in same["tasks"]] == ["mood", "colour"]


@pytest.mark.parametrize("few", [0, 0.9], ids=["all counted", "new ones counted"])
def test_one_label_changed_since_last_week_is_found_within_a_team(system, phase, few, monkeypatch):
    monkeypatch.setattr("scoring.core.differing_rows.FEW", few)
    upload(system, phase, mood=ALL_RIGHT)
    run_batch(CUT_OFF)
    upload(system, phase, mood=ONE_WRONG, at=CUT_OFF)
    run_batch(CUT_OFF + WEEK)

    assert kinds(Batch.objects.latest("cut_off_at")) == ["one_step"]


def test_what_an_earlier_batch_was_told_of_is_not_told_again(system, other, phase):
    upload(system, phase, mood=HALF_WRONG)
    upload(other, phase, mood=HALF_WRONG)
    run_batch(CUT_OFF)
    third = System.objects.create(
        team=create_team(name="West", founder=person("west"), now=NOW), name="Elm", created_at=NOW
    )
    upload(third, phase, mood="bad good bad good bad good", colour="green,green,red,red", at=CUT_OFF)
    run_batch(CUT_OFF + WEEK)

    assert kinds(Batch.objects.latest("cut_off_at")) == []


def test_a_member_of_two_teams_and_like_addresses_are_found(system, other, phase):
    both = User.objects.create_user("ann.smith1@example.org", "ann-password")
    alike = User.objects.create_user("annsmith2@example.org", "ann-password")
    system.team.memberships.create(user=both, joined_at=NOW)
    other.team.memberships.create(user=alike, joined_at=NOW)
    upload(system, phase, mood=ALL_RIGHT)
    upload(other, phase, mood=HALF_WRONG, colour="green,green,red,red")
    run_batch(CUT_OFF)
    assert kinds(Batch.objects.get()) == ["like_addresses"]

    other.team.memberships.create(user=both, joined_at=NOW)
    assert "shared_member" in kinds(Batch.objects.get())


def scored_batch(phase) -> Batch:
    """Scored, and waiting for the organiser's word."""
    Phase.objects.update(publish_automatically=False)
    run_batch(CUT_OFF)
    return phase.batches.get()


def test_each_scored_batch_is_looked_at_once(system, phase):
    upload(system, phase)
    scored_batch(phase)

    watch()

    assert WatchReport.objects.get().finding_count == 0
    assert watch_batches(CUT_OFF) == []


def test_a_batch_is_looked_at_before_it_is_published(system, other, phase, monkeypatch):
    told = []

    def publishing(release, **known):
        told.append(WatchReport.objects.get().finding_count)
        return print_release(release, **known)

    monkeypatch.setattr("leaderboard.publication.services.print_release", publishing)
    upload(system, phase, mood=HALF_WRONG)
    upload(other, phase, mood=HALF_WRONG)
    run_batch(CUT_OFF)

    assert told == [2]
    assert Release.objects.count() == 1


def test_the_organiser_s_word_waits_for_the_report_and_is_asked_for_beside_it(
    system, other, phase, organiser
):
    upload(system, phase, mood=HALF_WRONG)
    upload(other, phase, mood=HALF_WRONG)
    batch = scored_batch(phase)
    browser, place = browser_of(organiser), f"/admin/scoring/batch/{batch.pk}/publish/"

    refused = text_of(browser.post(place, {"confirmed": "yes"}, follow=True))
    assert "A worker is looking at this batch" in refused
    assert not Release.objects.exists()

    watch_batches(CUT_OFF)
    assert "2 things to look at" in text_of(browser.get(place))
    browser.post(place, {"confirmed": "yes"})
    assert Release.objects.count() == 1


def test_a_look_that_was_cut_short_is_taken_over_after_a_lease(system, phase):
    upload(system, phase)
    batch = scored_batch(phase)
    Phase.objects.update(publish_automatically=True)
    begun = {"made_at": CUT_OFF, "findings": [{"kind": NOT_LOOKED_AT}], "finding_count": 1}
    WatchReport.objects.create(batch=batch, **begun)

    assert release_ready(CUT_OFF + LEASE / 2) == []
    assert len(release_ready(CUT_OFF + LEASE)) == 1
    assert WatchReport.objects.get().findings == []


def test_looks_that_end_every_worker_hold_a_release_for_minutes_and_not_for_ever(system, phase, monkeypatch):
    def ends(_batch: Batch) -> NoReturn:
        raise SystemExit

    upload(system, phase)
    scored_batch(phase)
    Phase.objects.update(publish_automatically=True)
    monkeypatch.setattr("leaderboard.publication.batch_watch.find", ends)
    now = CUT_OFF
    while now < CUT_OFF + PATIENCE:
        with pytest.raises(SystemExit):
            release_ready(now)
        now += LEASE

    assert release_ready(now) == []
    assert len(release_ready(now + PATIENCE)) == 1


def test_all_teams_of_one_person_are_one_finding_with_their_systems(system, phase, owner, organiser):
    for number, friend in enumerate(map(person, ("amber", "birch", "cedar", "dill"))):
        name = f"Sock {number}"
        team = create_team(name=name, founder=friend, now=NOW)
        one = System.objects.create(team=team, name=name, created_at=NOW)
        upload(one, phase, mood=HALF_WRONG)
        team.memberships.create(user=owner, joined_at=NOW)
    run_batch(CUT_OFF)
    report = WatchReport.objects.get()

    found = {one["kind"]: one for one in report.findings}
    assert sorted(found) == ["same", "same_file", "shared_member"]
    assert report.finding_count == 3
    assert len(found["shared_member"]["teams"]) == 4
    assert found["shared_member"]["people"] == [owner.pk]
    assert len(found["same"]["submissions"]) == len(found["same_file"]["submissions"]) == 4
    page = text_of(browser_of(organiser).get(f"/admin/leaderboard/watchreport/{report.pk}/change/"))
    assert all(page.count(f"Sock {number}") >= 3 for number in range(4))
    assert "owner@example.org" in page
    assert "mood: 6 of 6 labels alike, in the least alike of 6 pairs" in page


def test_a_batch_that_cannot_be_looked_at_says_so_and_holds_up_nothing(system, phase, organiser, monkeypatch):
    def broken(batch):
        raise ValueError("what is stored cannot be read")

    monkeypatch.setattr("leaderboard.publication.batch_watch.find", broken)
    upload(system, phase)
    run_batch(CUT_OFF)

    report = WatchReport.objects.get()
    page = text_of(browser_of(organiser).get(f"/admin/leaderboard/watchreport/{report.pk}/change/"))
    assert "This batch could not be looked at." in page
    assert "Watch: 1 thing to look at" in text_of(browser_of(organiser).get("/admin/", follow=True))
    assert Release.objects.count() == 1
    (letter,) = [one for one in sent() if one.to == [organiser.email]]
    assert letter.subject == "Toy: a batch could not be watched"


def test_the_organiser_reads_it_in_plain_words_and_takes_it_off_the_first_page(
    system, other, phase, organiser
):
    upload(system, phase, mood=HALF_WRONG)
    upload(other, phase, mood=HALF_WRONG)
    run_batch(CUT_OFF)
    report = WatchReport.objects.get()
    browser = browser_of(organiser)
    place = f"/admin/leaderboard/watchreport/{report.pk}"

    assert "Watch: 2 things to look at in the batch of" in text_of(browser.get("/admin/", follow=True))
    page = text_of(browser.get(f"{place}/change/"))
    assert "The same predictions from several teams" in page
    assert "Larch (North)" in page
    assert "mood: 6 of 6 labels alike" in page
    assert "never a proof" in page
    assert "2 things to look at" in text_of(browser.get(f"/admin/scoring/batch/{report.batch_id}/change/"))

    browser.post(f"{place}/looked_at/", {"confirmed": "yes", "reason": "Both use the same model."})

    assert "Watch: 2 things" not in text_of(browser.get("/admin/", follow=True))
    assert WatchReport.objects.get().finding_count == 2


RATED = TOY_DEFINITION.replace("files: complete", "files: any").replace(
    "labels: [bad, good]}",
    "output: {kind: number, low: 0, high: 1}, metrics: [{name: pearson, title: Pearson}]}",
)


def rated(numbers: Sequence[float]) -> bytes:
    return "".join(["ID,Label\n", *(f"m{at},{number:.6f}\n" for at, number in enumerate(numbers))]).encode()


def test_a_copy_on_another_scale_is_found_and_its_correlation_told(sync, gold_keys, system, other, organiser):
    phase = sync(RATED).phases.get()
    task = phase.benchmark.tasks.get(slug="mood")
    own = [(7 * at % 30) / 30 for at in range(30)]
    load_gold(
        task=task,
        data=rated([at / 30 for at in range(30)]),
        file_name="gold.csv",
        now=NOW,
        confirm_clues=True,
    )
    for one, numbers in ((system, own), (other, [0.1 + number / 2 for number in own])):
        sent = {"system": one, "phase": phase, "user": one.team.members.get(), "received_at": NOW}
        submit_predictions(PredictionUpload(**sent, data=rated(numbers), file_name="mood.csv", task="mood"))
    run_batch(CUT_OFF)
    report = WatchReport.objects.get()

    page = text_of(browser_of(organiser).get(f"/admin/leaderboard/watchreport/{report.pk}/change/"))

    assert "Numbers of several teams that lie on one line" in page
    assert "mood: correlation 1.000000 over 30 items" in page


def test_people_behind_like_addresses_are_named_to_the_organiser_alone(
    system, other, phase, organiser, owner
):
    alike = User.objects.create_user("owner7@example.org", "password")
    other.team.memberships.create(user=alike, joined_at=NOW)
    upload(system, phase, mood=ALL_RIGHT)
    upload(other, phase, mood=HALF_WRONG, colour="green,green,red,red")
    run_batch(CUT_OFF)
    report = WatchReport.objects.get()

    address = f"/admin/leaderboard/watchreport/{report.pk}/change/"
    assert "owner@example.org, owner7@example.org" in text_of(browser_of(organiser).get(address))
    assert browser_of(owner).get(address).status_code == 302
    assert "example.org" not in str(report.findings)


def test_baselines_and_what_was_withdrawn_are_not_looked_at(system, other, phase, owner):
    upload(system, phase, mood=HALF_WRONG)
    upload(other, phase, mood=HALF_WRONG)
    run_batch(CUT_OFF)
    System.objects.filter(pk=other.pk).update(kind=System.Kind.BASELINE)

    assert kinds(Batch.objects.get()) == []
    assert Team.objects.count() == 2


@pytest.fixture
def staircase(system, phase, organiser, monkeypatch) -> Batch:
    """A scored batch in which the watch finds a staircase; when it was due to be published, it was not."""
    upload(system, phase)
    finding = {"kind": "staircase", "submissions": [str(system.submissions.get().pk)], "tasks": []}
    monkeypatch.setattr("leaderboard.publication.batch_watch.find", lambda batch: [finding])
    run_batch(CUT_OFF)
    batch: Batch = phase.batches.get()
    assert batch.status == Batch.Status.SCORED
    assert not Release.objects.exists()
    return batch


def test_a_staircase_makes_the_release_wait_until_somebody_has_looked(staircase, organiser):
    assert any("a release waits for you" in message.subject for message in sent())
    assert release_ready(CUT_OFF + WEEK / 14) == []
    report = WatchReport.objects.get()

    browser_of(organiser).post(f"/admin/leaderboard/watchreport/{report.pk}/looked_at/", {"confirmed": "yes"})

    assert len(release_ready(CUT_OFF + WEEK / 14)) == 1


def test_a_release_that_nobody_looks_at_waits_a_day_and_no_longer(staircase):
    assert release_ready(CUT_OFF + WEEK / 7 - WEEK / 168) == []
    assert len(release_ready(CUT_OFF + WEEK / 7)) == 1


def test_a_release_that_is_held_back_goes_out_by_hand_alone(staircase, organiser):
    browser, report = browser_of(organiser), WatchReport.objects.get()

    page = text_of(
        browser.post(
            f"/admin/leaderboard/watchreport/{report.pk}/hold_back/",
            {"confirmed": "yes", "reason": "Ten teams climb."},
            follow=True,
        )
    )

    assert "The release is held back." in page
    assert release_ready(CUT_OFF + WEEK) == []
    staircase.refresh_from_db()
    assert staircase.set_aside_because == "Held back: Ten teams climb."
    browser.post(f"/admin/scoring/batch/{staircase.pk}/publish/", {"confirmed": "yes"})
    assert Release.objects.count() == 1


def test_after_its_release_nothing_is_held_back(system, phase, organiser):
    upload(system, phase)
    run_batch(CUT_OFF)
    report = WatchReport.objects.get()
    answer = browser_of(organiser).post(
        f"/admin/leaderboard/watchreport/{report.pk}/hold_back/",
        {"confirmed": "yes", "reason": "Too late."},
        follow=True,
    )
    assert "is out already" in text_of(answer)
