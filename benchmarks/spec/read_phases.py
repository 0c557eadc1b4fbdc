"""Read phases from a definition: their dates, targets, limits and releases."""

import datetime as dt
from collections.abc import Mapping, Sequence
from enum import StrEnum
from re import fullmatch
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from benchmarks.spec.document import identifier, read_each, refuse, refuse_doubles
from benchmarks.spec.model import TaskSpec
from benchmarks.spec.phases import (
    Counting,
    Feedback,
    GivenSpec,
    Limit,
    Period,
    PhaseKind,
    PhaseSpec,
    TargetSpec,
)
from catalogue.disclosure import RULES, Exact, Rule
from catalogue.section import Section, nearest

WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
DEFAULT_RULE: type[Rule] = Exact
AN_INSTANT = "an instant with its zone such as 2026-01-10T00:00Z"
MOST_SUBMISSIONS = 10_000
FILE_NAME = r"[A-Za-z0-9][A-Za-z0-9._-]{0,119}"
FILE_NAME_IN_WORDS = "a name of letters, digits, dots, hyphens and underscores, such as train.tsv"


class ReleaseMoment(StrEnum):
    """When the releases of a phase are made."""

    AT_CLOSE = "at-close"
    WEEKLY = "weekly"
    BY_HAND = "by-hand"


def read_phases(top: Section, tasks: Sequence[TaskSpec]) -> tuple[PhaseSpec, ...]:
    """The phases of a definition with these tasks."""
    phases = read_each(top.sections("phases"), lambda section: _phase(section, tasks))
    refuse_doubles(top, "phases", [phase.id for phase in phases])
    return phases


def read_targets(section: Section, key: str, tasks: Sequence[TaskSpec]) -> tuple[TargetSpec, ...]:
    """The targets that stand at `key`; none where it is absent."""
    targets = read_each(section.sections(key, required=False), lambda one: _target(one, tasks))
    places = [f"{target.task}/{target.split}" for target in targets]
    for double in sorted({place for place in places if places.count(place) > 1}):
        section.wrong(key, f"{double} is listed twice")
    return targets


def targets_from(rows: Sequence[Mapping[str, Any]]) -> tuple[TargetSpec, ...]:
    """The targets that `as_rows` wrote."""
    return tuple(TargetSpec(row["task"], row["split"], limits_from(row.get("quota", {}))) for row in rows)


def as_rows(targets: Sequence[TargetSpec]) -> list[dict[str, Any]]:
    """Targets as a definition writes them."""
    return [
        {"task": one.task, "split": one.split}
        | ({"quota": {limit.period.value: limit.most for limit in one.limits}} if one.limits else {})
        for one in targets
    ]


def limits_from(counts: Mapping[str, int | None]) -> tuple[Limit, ...]:
    """Limits by their period; None is none."""
    return tuple(Limit(period, most) for period in Period if (most := counts.get(period.value)))


def _phase(section: Section, tasks: Sequence[TaskSpec]) -> PhaseSpec:
    phase_id = identifier(section)
    opens_at, closes_at = read_instant(section, "opens"), read_instant(section, "closes")
    ends = bool(closes_at) or section.has("lasts_days")
    weekday, time, timezone, publishes, not_before = _releases(section, ends=ends)
    targets = read_targets(section, "targets", tasks)
    phase = PhaseSpec(
        id=phase_id,
        title=section.text("title", phase_id.replace("-", " ").replace("_", " ").capitalize()),
        timezone=timezone,
        weekday=weekday,
        time=time,
        limits=_limits(section, is_needed=not targets or not all(target.limits for target in targets)),
        counting=section.choice("counting", Counting),
        publish_automatically=publishes,
        one_per_team=section.flag("one_per_team", default=False),
        lasts_days=section.number("lasts_days", low=1, high=3660) if section.has("lasts_days") else 0,
        opens_after=section.text("opens_after", ""),
        editions_per_year=_editions_per_year(section),
        kind=section.choice("kind", PhaseKind, PhaseKind.PREDICTIONS),
        disclosure=section.member("disclosure", RULES, DEFAULT_RULE),
        targets=targets,
        opens_at=opens_at,
        closes_at=closes_at,
        not_before=not_before,
        feedback=_feedback(section),
        given=read_each(section.sections("given", required=False), _given),
    )
    _check(section, phase)
    return phase


def _check(section: Section, phase: PhaseSpec) -> None:
    opens, closes = phase.opens_at, phase.closes_at
    refuse(
        section,
        (
            phase.weekday is None and not (phase.lasts_days or closes),
            "closes",
            "is missing; a phase whose cut-off is its close has to close (or `lasts_days`)",
        ),
        (
            opens and closes and opens >= closes,
            "closes",
            f"expected an instant after {opens}, found {closes}",
        ),
        (closes and phase.lasts_days, "lasts_days", "stands beside `closes`; expected one of the two"),
        (opens and phase.opens_after, "opens_after", "stands beside `opens`; expected one of the two"),
        (
            phase.editions_per_year and (phase.weekday is None or phase.lasts_days or closes),
            "editions",
            "expected weekly cut-offs and no `lasts_days` or `closes`: an edition closes at a cut-off, when the next "
            "begins",
        ),
        (
            phase.targets and phase.kind is not PhaseKind.PREDICTIONS,
            "targets",
            f"a phase of the kind {phase.kind.value} has its targets by its kind; expected none here",
        ),
    )


def _releases(section: Section, *, ends: bool) -> tuple[int | None, dt.time, str, bool, dt.datetime | None]:
    """Weekday and time of the cut-offs, their zone, whether releases follow by themselves, and not before when."""
    publishes = section.flag("publish_automatically", default=True)
    if section.has("cut_off"):
        refuse(
            section, (section.has("release"), "release", "stands beside `cut_off`; expected one of the two")
        )
        cut_off = section.section("cut_off")
        timezone = _timezone(cut_off)
        weekday, time = _weekday_and_time(cut_off)
        cut_off.close()
        return weekday, time, timezone, publishes, None
    timezone = _timezone(section)
    if not section.has("release"):
        # A phase that ends is scored once, one without end every week.
        return None if ends else 0, dt.time(0), timezone, publishes, None
    release = section.section("release")
    when = release.choice("when", ReleaseMoment)
    weekday, time = (None, dt.time(0))
    if when is ReleaseMoment.WEEKLY or (when is ReleaseMoment.BY_HAND and release.has("weekday")):
        weekday, time = _weekday_and_time(release)
    elif when is ReleaseMoment.BY_HAND and not ends:
        weekday = 0
    not_before = read_instant(release, "not_before")
    release.close()
    return weekday, time, timezone, publishes and when is not ReleaseMoment.BY_HAND, not_before


def _feedback(section: Section) -> Feedback:
    if not section.has("feedback"):
        return Feedback.NONE
    feedback = section.section("feedback")
    is_other = feedback.text("to", "team") != "team"
    of_all = "expected team: what everybody reads is a release, made `weekly`, `at-close` or `by-hand`"
    refuse(feedback, (is_other, "to", of_all))
    when = feedback.choice("when", Feedback)
    feedback.close()
    return when


def _given(section: Section) -> GivenSpec:
    files = section.texts("files")
    for name in files:
        if not fullmatch(FILE_NAME, name):
            section.wrong("files", f"expected {FILE_NAME_IN_WORDS}, found {name!r}")
    return GivenSpec(tuple(files), read_instant(section, "from"))


def _target(section: Section, tasks: Sequence[TaskSpec]) -> TargetSpec:
    named, split = section.text("task"), section.text("split", "test")
    known = [task.id for task in tasks]
    task = next((task for task in tasks if task.id == named), None)
    if task is None:
        section.wrong("task", f"no task is called {named!r}{nearest(named, known)}")
    elif split not in (splits := [one.id for one in task.splits]):
        section.wrong(
            "split",
            f"{named} has no split {split!r}{nearest(split, splits)}; it has {', '.join(splits)}",
        )
    return TargetSpec(named, split, _limits(section, is_needed=False))


def _limits(section: Section, *, is_needed: bool) -> tuple[Limit, ...]:
    """What stands at `quota`: one number for each period that is limited."""
    if not is_needed and not section.has("quota"):
        return ()
    quota = section.section("quota")
    limits = tuple(
        Limit(period, quota.number(period.value, low=1, high=MOST_SUBMISSIONS))
        for period in Period
        if quota.has(period.value)
    )
    names = ", ".join(period.value for period in Period)
    refuse(quota, (section.has("quota") and not limits, "", f"is empty; expected one or more of {names}"))
    quota.close()
    return limits


def read_instant(section: Section, key: str) -> dt.datetime | None:
    """The instant that stands at `key`; None where it is absent or wrong."""
    if not section.has(key):
        return None
    instant: dt.datetime | None = section.parsed(key, instant_in_utc, AN_INSTANT)
    return instant


def instant_in_utc(text: str) -> dt.datetime:
    """The instant that is written with its zone, in UTC. ValueError where it is none, or before the year 1 in UTC."""
    instant = dt.datetime.fromisoformat(text)
    if instant.tzinfo is None:
        raise ValueError(text)
    try:
        return instant.astimezone(dt.UTC)
    except OverflowError:
        raise ValueError(text) from None


def _editions_per_year(section: Section) -> int:
    if not section.has("editions"):
        return 0
    editions = section.section("editions")
    per_year = editions.number("per_year", low=1, high=12)
    if 12 % per_year:
        editions.wrong("per_year", f"expected 1, 2, 3, 4, 6 or 12, found {per_year}")
    editions.close()
    return per_year


def _timezone(section: Section) -> str:
    name = section.text("timezone", "UTC")
    try:
        return ZoneInfo(name).key
    except (ZoneInfoNotFoundError, ValueError, OSError):  # names of folders, and too long ones
        section.wrong("timezone", f"expected a zone such as UTC or Europe/Berlin, found {name!r}")
        return "UTC"


def _weekday_and_time(section: Section) -> tuple[int | None, dt.time]:
    if section.has("at"):
        is_other = section.text("at") != "close"
        refuse(section, (is_other, "at", "expected close, or `weekday` and `time` instead"))
        return None, dt.time(0)
    weekday = section.parsed("weekday", WEEKDAYS.index, "a day such as monday")
    time = section.parsed("time", _time_of_day, 'a time of day such as "00:00"')
    return weekday or 0, time or dt.time(0)


def _time_of_day(text: str) -> dt.time:
    return dt.datetime.strptime(text, "%H:%M").time()  # noqa: DTZ007  # a time of day; its zone is a key of its own
