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


def changes_its_clock(timezone: str, *, after: dt.datetime) -> bool:
    """Whether the zone goes to summer time and back within the year after that aware instant."""
    zone = ZoneInfo(timezone)
    return len({(after + week * WEEK).astimezone(zone).utcoffset() for week in range(53)}) > 1
