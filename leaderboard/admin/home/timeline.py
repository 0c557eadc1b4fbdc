"""The phases as a picture: when each is open, what it takes, and who sees scores when."""

import datetime as dt
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from django.urls import reverse

from accounts.formats.instants import in_words
from benchmarks.admin.organised.links import address
from benchmarks.models import Phase
from benchmarks.spec import Feedback, quota_in_words
from leaderboard.admin.home.acts import Act, HomeLinks, button_of

_DAY = dt.timedelta(days=1)
_MONTHS_FROM, _WEEKS_FROM = 60 * _DAY, 10 * _DAY
_WIDE = 90 * _DAY
"""How long after its opening the bar of a phase without end is drawn at least."""
_MOST_TICKS = 8


@dataclass(frozen=True, slots=True)
class Tick:
    """A date below the axis; `x` in per cent of its width."""

    x: str
    label: str


@dataclass(frozen=True, slots=True)
class TimelineRow:
    """One phase. `x`, `width` and `released_x` are per cents of the axis; `released_x` is empty without such a date."""

    title: str
    when: str  # past, now or coming
    x: str
    width: str
    released_x: str
    opens: str
    closes: str
    takes: str
    quota: str
    scores: str
    change: str
    close_now: str


@dataclass(frozen=True, slots=True)
class Timeline:
    """All phases on one axis; `today` is empty where it lies outside."""

    rows: tuple[TimelineRow, ...]
    ticks: tuple[Tick, ...]
    today: str
    today_label: str


def timeline(phases: Sequence[Phase], now: dt.datetime) -> Timeline:
    """The phases in the order of their dates."""
    if not phases:
        return Timeline((), (), "", "")
    in_order = sorted(phases, key=lambda phase: (_begin(phase, now), phase.position))
    begin = min(_begin(phase, now) for phase in phases)
    end = max(_end(phase, now) for phase in phases)
    margin = max((end - begin) / 40, dt.timedelta(hours=1))
    axis = _Axis(begin - margin, end + margin)
    return Timeline(
        tuple(_row(phase, axis, now) for phase in in_order),
        tuple(axis.ticks()),
        axis.place(now) if axis.begin <= now <= axis.end else "",
        f"today, {now:%-d %b}",
    )


@dataclass(frozen=True, slots=True)
class _Axis:
    begin: dt.datetime
    end: dt.datetime

    def share(self, instant: dt.datetime) -> float:
        return 100 * ((instant - self.begin) / (self.end - self.begin))

    def place(self, instant: dt.datetime) -> str:
        return f"{self.share(instant):.2f}%"

    def ticks(self) -> Iterator[Tick]:
        """First days of months, Mondays, or days, whichever are few enough."""
        span = self.end - self.begin
        days = [
            self.begin.replace(hour=0, minute=0, second=0, microsecond=0) + number * _DAY
            for number in range(1, span // _DAY + 2)
        ]
        months, weeks = span >= _MONTHS_FROM, span >= _WEEKS_FROM
        chosen = [
            day
            for day in days
            if day < self.end and (day.day == 1 if months else day.weekday() == 0 if weeks else True)
        ]
        step = -(-len(chosen) // _MOST_TICKS) or 1
        for day in chosen[::step]:
            yield Tick(self.place(day), f"{day:%b}" if months else f"{day:%-d %b}")


def _begin(phase: Phase, now: dt.datetime) -> dt.datetime:
    """When its bar begins: one that was always open begins a while ago."""
    return phase.opens_at or min(now, phase.closes_at or now) - _DAY * 14


def _end(phase: Phase, now: dt.datetime) -> dt.datetime:
    latest = phase.closes_at or max(_begin(phase, now), now) + _WIDE
    return max(latest, phase.release_not_before or latest)


def _row(phase: Phase, axis: _Axis, now: dt.datetime) -> TimelineRow:
    begin = _begin(phase, now)
    end = phase.closes_at or _end(phase, now)
    spec = phase.as_spec()
    is_open = phase.is_open(now)
    return TimelineRow(
        title=phase.title,
        when="now" if is_open else "coming" if phase.opens_at and phase.opens_at > now else "past",
        x=axis.place(begin),
        width=f"{max(axis.share(end) - axis.share(begin), 0.6):.2f}%",
        released_x=axis.place(phase.release_not_before) if phase.release_not_before else "",
        opens=in_words(phase.opens_at) if phase.opens_at else "open from the start",
        closes=in_words(phase.closes_at) if phase.closes_at else "without end",
        takes=phase.taking().words,
        quota=quota_in_words(spec),
        scores=_who_sees(phase),
        change=address(phase),
        close_now=button_of(phase, "close_now"),
    )


def _who_sees(phase: Phase) -> str:
    """Who sees scores when, by the feedback and the release of the phase."""
    told = "" if phase.feedback == Feedback.NONE else f"team: {phase.feedback}; "
    if not phase.publish_automatically:
        return f"{told}everybody when you publish"
    if phase.release_not_before:
        return f"{told}everybody from {in_words(phase.release_not_before)}"
    return f"{told}everybody {'at the close' if phase.weekday is None else 'after each cut-off'}"


def phase_acts(links: HomeLinks) -> tuple[Act, ...]:
    """What can be done about all phases together, and the dates of registration."""
    return (
        *links.button("add_phase", "Add a phase…"),
        *links.button("remove_phase", "Delete a phase…"),
        *links.button("shift_dates", "Shift all dates…"),
        *links.button("registration_dates", "Dates of registration…"),
        Act("Rehearse…", f"{reverse('admin:benchmarks_benchmark_rehearsal')}?benchmark={links.benchmark.pk}"),
        Act("Dates as a calendar", f"/benchmarks/{links.benchmark.pk}/calendar.ics"),
    )
