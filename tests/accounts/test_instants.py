"""Instants in words."""

import datetime as dt
import re
import zoneinfo

import pytest
from django.template import Context, Template

from accounts.formats.instants import day_in_utc, distance, in_words
from client.show import instant

MIDNIGHT = dt.datetime(2026, 11, 23, tzinfo=dt.UTC)


@pytest.mark.parametrize(
    ("zone", "words"),
    [
        ("UTC", "Mon 23 Nov 2026, 00:00 UTC"),
        ("Europe/Berlin", "Mon 23 Nov 2026, 01:00 CET (00:00 UTC)"),
        ("America/New_York", "Sun 22 Nov 2026, 19:00 EST (Mon 23 Nov, 00:00 UTC)"),
        ("Asia/Kolkata", "Mon 23 Nov 2026, 05:30 IST (00:00 UTC)"),
        ("Europe/London", "Mon 23 Nov 2026, 00:00 GMT"),
    ],
)
def test_instant_is_told_in_the_readers_zone_with_utc_beside_it(zone, words):
    assert in_words(MIDNIGHT, zoneinfo.ZoneInfo(zone)) == words


@pytest.mark.parametrize(
    ("away", "words"),
    [
        (dt.timedelta(days=3, hours=23), "in 3 days"),
        (dt.timedelta(hours=47, minutes=59), "in 47 hours"),
        (dt.timedelta(minutes=119, seconds=59), "in 119 minutes"),
        (dt.timedelta(minutes=1), "in 1 minute"),
        (dt.timedelta(0), "in less than a minute"),
        (dt.timedelta(hours=-3), "3 hours ago"),
        (dt.timedelta(days=-2, hours=-23), "2 days ago"),
    ],
)
def test_distance_is_rounded_towards_now(away, words):
    assert distance(MIDNIGHT + away, MIDNIGHT) == words


def test_an_instant_stands_before_a_full_stop_without_a_space():
    source = (
        '{% load instants %}Since {% instant when day=True %}, by {% include "_time.html" with day=True %}.'
    )
    page = Template(source).render(Context({"when": dt.datetime(2026, 11, 2, tzinfo=dt.UTC)}))
    assert " ".join(re.sub(r"<[^>]+>", "", page).split()) == "Since 2 Nov 2026, by 2 Nov 2026."


def test_everybody_writes_a_day_of_one_digit_alike():
    early = dt.datetime(2026, 12, 7, tzinfo=dt.UTC)
    assert in_words(early).startswith("Mon 7 Dec 2026")
    assert day_in_utc(early) == "Mon 7 Dec 2026"
    assert re.match(r"(Sun 6|Mon 7) Dec 2026, ", instant(early.isoformat()))  # in the zone of the machine
