"""The dates of phases as a calendar that people subscribe to."""

import datetime as dt
from typing import Any

import pytest
from icalendar import Calendar

from benchmarks.models import Benchmark, Phase
from benchmarks.services import mark_stale
from leaderboard.models import Page
from leaderboard.publication.services import refresh_stale

OPENS = dt.datetime(2026, 3, 1, 9, tzinfo=dt.UTC)
CLOSES = dt.datetime(2026, 5, 3, 22, tzinfo=dt.UTC)


@pytest.fixture
def phase(toy: Benchmark) -> Phase:
    Phase.objects.filter(benchmark=toy).update(
        opens_at=OPENS, closes_at=CLOSES, timezone="Europe/Berlin", weekday=0, time=dt.time(9)
    )
    return toy.phases.get()


def page(path: str) -> bytes:
    return bytes(Page.objects.get(pk=path).body)


def events() -> dict[str, Any]:
    mark_stale("toy")
    refresh_stale()
    calendar = Calendar.from_ical(page("/benchmarks/toy/calendar.ics"))
    return {str(event["uid"]).partition("@")[0]: event for event in calendar.walk("VEVENT")}


def test_a_phase_opens_and_closes_in_the_calendar(phase):
    found = events()
    assert found["toy-main-opens"].decoded("dtstart") == OPENS
    assert found["toy-main-closes"].decoded("dtstart") == CLOSES
    assert "too late" in found["toy-main-closes"]["description"]
    assert "Toy: Main closes" in found["toy-main-closes"]["summary"]


def test_weekly_cut_offs_keep_their_wall_clock_when_clocks_change_and_end_with_the_phase(phase):
    cut_offs = events()["toy-main-cut-off"]
    assert cut_offs["rrule"]["freq"] == ["WEEKLY"]
    assert cut_offs["rrule"]["until"] == [CLOSES]
    # A Monday at nine in Berlin, in winter; the zone says the rest.
    assert cut_offs.decoded("dtstart") == dt.datetime(2026, 3, 2, 8, tzinfo=dt.UTC)
    assert cut_offs["dtstart"].params["tzid"] == "Europe/Berlin"


def test_a_date_that_is_moved_keeps_its_id(phase):
    before = events()["toy-main-closes"]["uid"]
    Phase.objects.filter(pk=phase.pk).update(closes_at=CLOSES + dt.timedelta(days=2))
    assert events()["toy-main-closes"]["uid"] == before
    assert events()["toy-main-closes"].decoded("dtstart") == CLOSES + dt.timedelta(days=2)


def test_the_rules_lead_to_it(phase):
    events()
    assert 'href="/benchmarks/toy/calendar.ics"' in page("/benchmarks/toy/rules/").decode()
