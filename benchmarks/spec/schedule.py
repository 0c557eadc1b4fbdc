"""Weekly cut-offs: computed in the phase's own time zone, given as UTC instants."""

import datetime as dt
from zoneinfo import ZoneInfo

WEEK = dt.timedelta(days=7)


def next_cut_off(*, timezone: str, weekday: int, time: dt.time, after: dt.datetime) -> dt.datetime:
    """The first weekly cut-off strictly later than `after`.

    Parameters
    ----------
    timezone
        IANA name of the zone the wall-clock time is meant in.
    weekday
        0 for Monday to 6 for Sunday.
    time
        Wall-clock time of day. Where the clock skips it, the cut-off moves on by the gap;
        where it comes twice, the first one counts.
    after
        An aware instant.

    Returns
    -------
    An aware instant in UTC.

    Raises
    ------
    ValueError
        If `after` carries no time zone.
    """
    if after.tzinfo is None:
        raise ValueError("`after` must carry a time zone")
    zone = ZoneInfo(timezone)
    local = after.astimezone(zone)
    day = local.date() + dt.timedelta(days=(weekday - local.weekday()) % 7)
    while True:
        instant = dt.datetime.combine(day, time, tzinfo=zone).astimezone(dt.UTC)
        if instant > after:
            return instant
        day += WEEK


def edition_close(
    *, timezone: str, weekday: int, time: dt.time, per_year: int, opens_at: dt.datetime
) -> dt.datetime:
    """When an edition closes that opens at an instant: at the first weekly cut-off of the next part of the year.

    Parameters
    ----------
    timezone, weekday, time
        Of the weekly cut-off, see `next_cut_off`.
    per_year
        Into how many equal parts the year is cut: 1, 2, 3, 4, 6 or 12. With 2, editions close with the first cut-offs
        of January and of July.
    opens_at
        An aware instant.

    Returns
    -------
    An aware instant in UTC, later than `opens_at`.
    """
    zone, months = ZoneInfo(timezone), 12 // per_year
    opens = opens_at.astimezone(zone)
    years, month = divmod((opens.month - 1) // months * months + months, 12)
    beginning = dt.datetime(opens.year + years, month + 1, 1, tzinfo=zone)
    just_before = beginning.astimezone(dt.UTC) - dt.timedelta.resolution
    return next_cut_off(timezone=timezone, weekday=weekday, time=time, after=just_before)


def edition_name(opens_at: dt.datetime, timezone: str) -> str:
    """What an edition is called: year and month in which it opens in the zone, such as 2027-01."""
    return f"{opens_at.astimezone(ZoneInfo(timezone)):%Y-%m}"


def calendar_window(
    timezone: str, at: dt.datetime, *, is_week: bool = False
) -> tuple[dt.datetime, dt.datetime]:
    """The day, or the week from Monday on, of a zone that an aware instant lies in: its first instant and the first
    after it, in UTC."""
    zone = ZoneInfo(timezone)
    day = at.astimezone(zone).date()
    if is_week:
        day -= dt.timedelta(days=day.weekday())
    after = day + dt.timedelta(days=7 if is_week else 1)
    begins_at, next_at = (dt.datetime.combine(one, dt.time(0), tzinfo=zone) for one in (day, after))
    return begins_at.astimezone(dt.UTC), next_at.astimezone(dt.UTC)


def changes_its_clock(timezone: str, *, after: dt.datetime) -> bool:
    """Whether the zone goes to summer time and back within the year after that aware instant."""
    zone = ZoneInfo(timezone)
    return len({(after + week * WEEK).astimezone(zone).utcoffset() for week in range(53)}) > 1
