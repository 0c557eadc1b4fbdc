"""Organisers change schedule and rules of a phase; what cannot be is refused with a sentence."""

import datetime as dt
import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from accounts.formats.instants import in_words
from benchmarks.models import Phase
from submissions.models import Submission
from tests.pages import text_of


@pytest.fixture
def client(client, organiser):
    client.force_login(organiser)
    return client


def save(client: Client, phase: Phase, **changes: str) -> Any:
    """The form sent, and what it asks about dates that follow answered."""
    return ask(client, phase, **{"confirmed": "yes"} | changes)


def ask(client: Client, phase: Phase, **changes: str) -> Any:
    """The form sent as it is filled in."""
    form = {
        "title": "Main",
        "opens_at_0": "",
        "opens_at_1": "",
        "closes_at_0": "",
        "closes_at_1": "",
        "weekday": "0",
        "time": "00:00:00",
        "timezone": "UTC",
        "quota_limit": "5",
        "editions_per_year": "0",
        "counting": "latest",
        "feedback": "none",
        "disclosure": "exact",
    }
    return client.post(reverse("admin:benchmarks_phase_change", args=[phase.pk]), form | changes)


def test_the_form_as_it_stands_is_accepted(client, world):
    assert save(client, world.phase).status_code == 302


def test_a_new_schedule_moves_the_next_cut_off(client, world):
    save(client, world.phase, weekday="3", time="12:30")
    cut_off = Phase.objects.get().next_cut_off_at
    assert (cut_off.weekday(), cut_off.time()) == (3, dt.time(12, 30))


def test_the_next_cut_off_is_told_in_words(client, world):
    save(client, world.phase, weekday="3", time="12:30")
    shown = text_of(client.get(f"/admin/benchmarks/phase/{world.phase.pk}/change/"))
    assert in_words(Phase.objects.get().next_cut_off_at) in shown
    assert "12:30:00+00:00" not in shown


def test_what_waits_follows_the_schedule(client, world):
    save(client, world.phase, weekday="3", time="12:30")
    assert Submission.objects.get(pk=world.waiting.pk).cut_off_at == Phase.objects.get().next_cut_off_at


def test_another_change_leaves_the_cut_off_alone(client, world):
    before = Phase.objects.get().next_cut_off_at
    save(client, world.phase, quota_limit="7")
    phase = Phase.objects.get()
    assert (phase.quota_limit, phase.next_cut_off_at) == (7, before)


def test_the_next_cut_off_stands_in_words_with_its_zone(client, world):
    page = client.get(reverse("admin:benchmarks_phase_change", args=[world.phase.pk])).content.decode()
    assert in_words(Phase.objects.get().next_cut_off_at) in page
    assert "+00:00" not in page


def test_a_phase_without_a_weekday_keeps_its_one_cut_off_at_the_close(client, world):
    closes = {"closes_at_0": "2026-12-01", "closes_at_1": "12:00"}
    save(client, world.phase, weekday="", **closes)
    phase = Phase.objects.get()
    assert (phase.weekday, phase.next_cut_off_at) == (None, dt.datetime(2026, 12, 1, 12, tzinfo=dt.UTC))


def test_an_end_set_to_the_past_says_that_nothing_can_be_uploaded_and_how_to_undo_it(client, world):
    answer = save(client, world.phase, closes_at_0="2020-01-01", closes_at_1="00:00")
    page = client.get(answer.url).content.decode()
    assert "Main is closed since Wed 1 Jan 2020, 00:00 UTC: nothing can be uploaded any more." in page
    assert "empty “Closes at” or give it a later day" in page
    assert "The next cut-off is on" not in page


def test_a_phase_that_is_over_awaits_no_cut_off_wherever_it_is_listed(client, world):
    save(client, world.phase, closes_at_0="2020-01-01", closes_at_1="00:00")
    change = f"/admin/benchmarks/phase/{world.phase.pk}/change/"
    for page in ("/admin/benchmarks/phase/", change):
        assert "none any more" in client.get(page).content.decode()


def test_an_end_set_to_the_past_says_what_still_waits(client, world):
    answer = save(client, world.phase, weekday="", closes_at_0="2026-11-20", closes_at_1="12:00")
    page = client.get(answer.url).content.decode()
    assert (
        "The phase is over, and 1 submission still waits for that cut-off. The next sweep scores what waits."
        in page
    )


def test_a_team_may_be_given_one_row(client, world):
    save(client, world.phase, one_per_team="on")
    assert Phase.objects.get().one_per_team


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"timezone": "Europe/Atlantis"}, "is not a time zone; expected a name such as Europe/Berlin."),
        ({"timezone": "Europe/Berlin", "time": "02:30"}, "02:30 may not exist, and once it may come twice."),
        ({"timezone": "Europe/Berlin", "time": "00:00"}, "Please choose 04:00 or later"),
        (
            {
                "opens_at_0": "2026-12-02",
                "opens_at_1": "12:00",
                "closes_at_0": "2026-12-01",
                "closes_at_1": "12:00",
            },
            "The phase would close before it opens.",
        ),
        ({"quota_limit": "0"}, "A quota is at least 1."),
        (
            {"editions_per_year": "2"},
            "An edition has weekly cut-offs and an end, at which the next one opens.",
        ),
        ({"weekday": "7"}, "errors"),
        ({"weekday": ""}, "Without a weekday the one cut-off is when the phase closes."),
        ({"time": "25:00"}, "Enter a valid time."),
    ],
)
def test_what_cannot_be_is_refused_with_a_sentence(client, world, changes, sentence):
    answer = save(client, world.phase, **changes)
    assert answer.status_code == 200
    assert sentence in answer.content.decode()


@pytest.mark.parametrize(
    ("zone", "time"), [("Europe/Berlin", "04:00"), ("Asia/Tokyo", "02:30"), ("UTC", "00:00")]
)
def test_small_hours_are_fine_where_clocks_are_quiet(client, world, zone, time):
    assert save(client, world.phase, timezone=zone, time=time).status_code == 302


def test_the_name_of_a_phase_is_not_changed(client, world):
    save(client, world.phase, slug="renamed")
    assert Phase.objects.get().slug == "main"


def test_page_opened_before_somebody_elses_change_does_not_put_it_back(client, world):
    page = client.get(reverse("admin:benchmarks_phase_change", args=[world.phase.pk])).content.decode()
    (opened,) = re.findall(r'name="as_opened" value="(\w+)"', page)
    Phase.objects.update(quota_limit=2)

    answer = save(client, world.phase, title="Renamed", as_opened=opened)

    text = answer.content.decode()
    assert "This was changed since you opened the page, so nothing was saved." in text
    assert (Phase.objects.get().title, Phase.objects.get().quota_limit) == ("Main", 2)
    (again,) = re.findall(r'name="as_opened" value="(\w+)"', text)
    save(client, world.phase, title="Renamed", quota_limit="2", as_opened=again)
    assert (Phase.objects.get().title, Phase.objects.get().quota_limit) == ("Renamed", 2)


def test_a_phase_that_opens_when_another_closes_moves_with_it(client, world):
    at_close = {"closes_at_0": "2026-12-01", "closes_at_1": "00:00:00"}
    save(client, world.phase, **at_close)
    follower = Phase.objects.get()
    follower.pk, follower.slug = None, "later"
    follower.opens_at, follower.closes_at = follower.closes_at, None
    follower.save(force_insert=True)
    save(client, world.phase, **at_close | {"closes_at_0": "2026-12-24"})
    assert Phase.objects.get(slug="later").opens_at == dt.datetime(2026, 12, 24, tzinfo=dt.UTC)


def test_a_phase_with_an_opening_of_its_own_stays(client, world):
    save(client, world.phase, closes_at_0="2026-12-01", closes_at_1="00:00:00")
    other = Phase.objects.get()
    other.pk, other.slug = None, "later"
    other.opens_at, other.closes_at = dt.datetime(2027, 1, 1, tzinfo=dt.UTC), None
    other.save(force_insert=True)
    save(client, world.phase, closes_at_0="2026-12-24", closes_at_1="00:00:00")
    assert Phase.objects.get(slug="later").opens_at == dt.datetime(2027, 1, 1, tzinfo=dt.UTC)
