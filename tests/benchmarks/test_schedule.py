"""Weekly cut-offs in the phase's own zone."""

import datetime as dt
import itertools

import pytest

from benchmarks.spec.schedule import next_cut_off

UTC = dt.UTC


def cut_off(
    after: dt.datetime, *, timezone: str = "UTC", weekday: int = 0, time: str = "00:00"
) -> dt.datetime:
    return next_cut_off(timezone=timezone, weekday=weekday, time=dt.time.fromisoformat(time), after=after)


def test_the_next_monday_midnight_follows_a_wednesday():
    assert cut_off(dt.datetime(2026, 11, 18, 12, tzinfo=UTC)) == dt.datetime(2026, 11, 23, tzinfo=UTC)


def test_a_cut_off_is_later_than_the_instant_itself():
    monday = dt.datetime(2026, 11, 23, tzinfo=UTC)
    assert cut_off(monday) == monday + dt.timedelta(days=7)


def test_a_microsecond_before_still_belongs_to_the_cut_off():
    monday = dt.datetime(2026, 11, 23, tzinfo=UTC)
    assert cut_off(monday - dt.timedelta(microseconds=1)) == monday


def test_wall_clock_time_is_kept_when_the_clocks_change():
    before = cut_off(dt.datetime(2026, 10, 20, tzinfo=UTC), timezone="Europe/Berlin", time="18:00")
    after = cut_off(dt.datetime(2026, 10, 27, tzinfo=UTC), timezone="Europe/Berlin", time="18:00")
    assert (before.hour, after.hour) == (17, 17)
    assert cut_off(dt.datetime(2026, 10, 6, tzinfo=UTC), timezone="Europe/Berlin", time="18:00").hour == 16


def test_a_time_that_the_clock_skips_moves_on_by_the_gap():
    found = cut_off(dt.datetime(2026, 3, 28, tzinfo=UTC), timezone="Europe/Berlin", weekday=6, time="02:30")
    assert found == dt.datetime(2026, 3, 29, 1, 30, tzinfo=UTC)


def test_a_time_that_comes_twice_counts_once_and_first():
    found = cut_off(dt.datetime(2026, 10, 24, tzinfo=UTC), timezone="Europe/Berlin", weekday=6, time="02:30")
    assert found == dt.datetime(2026, 10, 25, 0, 30, tzinfo=UTC)
    again = cut_off(found, timezone="Europe/Berlin", weekday=6, time="02:30")
    assert again == dt.datetime(2026, 11, 1, 1, 30, tzinfo=UTC)


@pytest.mark.parametrize(
    "zone", ["UTC", "Europe/Berlin", "America/New_York", "Asia/Kathmandu", "Pacific/Auckland"]
)
def test_104_weeks_have_104_cut_offs_about_a_week_apart(zone):
    instant = dt.datetime(2026, 1, 1, tzinfo=UTC)
    found = []
    for _ in range(104):
        instant = cut_off(instant, timezone=zone, weekday=6, time="02:30")
        found.append(instant)
    gaps = {later - earlier for earlier, later in itertools.pairwise(found)}
    assert gaps <= {dt.timedelta(days=7, hours=hours) for hours in (-1, 0, 1)}


def test_an_instant_without_a_zone_is_refused():
    with pytest.raises(ValueError, match="time zone"):
        cut_off(dt.datetime(2026, 11, 18))  # noqa: DTZ001  # that is the mistake
