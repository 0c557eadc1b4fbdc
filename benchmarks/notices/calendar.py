"""The dates of a benchmark's phases as a calendar (iCalendar, RFC 5545) that people subscribe to."""

import datetime as dt
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

from django.conf import settings
from icalendar import Calendar, Event

from benchmarks.models import Benchmark, Phase

NAME = "calendar.ics"
MEDIA_TYPE = "text/calendar; charset=utf-8"
LONG_AGO = dt.datetime(2026, 1, 1, tzinfo=dt.UTC)
TOO_LATE = "This instant is the first that is too late."


@dataclass(frozen=True, slots=True)
class PhaseDate:
    """One instant of a phase; `key` stays when it is moved. With `weekly` it comes again until then."""

    key: str
    at: dt.datetime
    summary: str
    description: str = ""
    until: dt.datetime | None = None
    is_weekly: bool = False


def calendar_file(benchmark: Benchmark) -> bytes:
    """All dates of all phases. A date that is moved keeps its id, so that subscribers see it move."""
    calendar = Calendar()
    calendar.add("prodid", "-//Heldout//Phases//EN")
    calendar.add("version", "2.0")
    calendar.add("name", benchmark.title)
    calendar.add("x-wr-calname", benchmark.title)
    for phase in benchmark.phases.order_by("position", "opens_at"):
        for date in phase_dates(phase):
            calendar.add_component(_event(benchmark, phase, date))
    calendar.add_missing_timezones()
    return bytes(calendar.to_ical())


def phase_dates(phase: Phase) -> Iterator[PhaseDate]:
    """What happens when in a phase: its opening and end, the earliest results, and its weekly cut-offs."""
    zone = ZoneInfo(phase.timezone)
    if phase.opens_at:
        yield PhaseDate("opens", phase.opens_at, f"{phase.title} opens")
    if phase.closes_at:
        yield PhaseDate("closes", phase.closes_at, f"{phase.title} closes", TOO_LATE)
    if phase.release_not_before:
        yield PhaseDate(
            "results", phase.release_not_before, f"{phase.title}: results from then on at the earliest"
        )
    if phase.weekday is not None:
        # From its opening on, and not from the next cut-off: nothing but a new schedule changes the file.
        cut_off = phase.cut_off_after(phase.opens_at or LONG_AGO).astimezone(zone)
        words = "All that was accepted before it is scored together."
        yield PhaseDate(
            "cut-off", cut_off, f"{phase.title}: cut-off", words, until=phase.closes_at, is_weekly=True
        )


def _event(benchmark: Benchmark, phase: Phase, date: PhaseDate) -> Event:
    event = Event()
    event.add("uid", f"{benchmark.slug}-{phase.slug}-{date.key}@{urlsplit(settings.SITE_URL).hostname}")
    event.add("summary", f"{benchmark.title}: {date.summary}")
    event.add("dtstamp", date.at.astimezone(dt.UTC))
    event.add("dtstart", date.at)
    if date.is_weekly:
        until = {"until": date.until.astimezone(dt.UTC)} if date.until else {}
        event.add("rrule", {"freq": "weekly"} | until)
    if date.description:
        event.add("description", date.description)
    event.add("url", f"{settings.SITE_URL}/benchmarks/{benchmark.slug}/rules/")
    return event
