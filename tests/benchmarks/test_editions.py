"""Editions: a phase cut into phases that follow one another by themselves."""

import datetime as dt

import pytest

from benchmarks.editions import open_next_editions
from benchmarks.models import Phase
from benchmarks.spec.document import DefinitionError
from benchmarks.spec.schedule import edition_close
from tests.conftest import NOW, TOY_DEFINITION

pytestmark = [pytest.mark.postgres, pytest.mark.django_db]

DAY = dt.timedelta(days=1)
TWICE_A_YEAR = TOY_DEFINITION.replace(
    "quota: {per_cut_off: 5}", "quota: {per_cut_off: 5}\n    editions: {per_year: 2}"
)


def close(opens: str, per_year: int, zone: str = "UTC") -> str:
    closes = edition_close(
        timezone=zone,
        weekday=0,
        time=dt.time(9),
        per_year=per_year,
        opens_at=dt.datetime.fromisoformat(opens),
    )
    return closes.isoformat()


@pytest.mark.parametrize(
    ("opens", "per_year", "closes"),
    [
        ("2026-11-23T00:00Z", 2, "2027-01-04T09:00:00+00:00"),  # the first Monday of January
        ("2027-01-04T09:00Z", 2, "2027-07-05T09:00:00+00:00"),
        ("2027-03-31T23:59Z", 4, "2027-04-05T09:00:00+00:00"),
        ("2026-12-31T12:00Z", 12, "2027-01-04T09:00:00+00:00"),
        ("2027-01-04T09:00Z", 1, "2028-01-03T09:00:00+00:00"),
        ("2030-06-03T09:00Z", 2, "2030-07-01T09:00:00+00:00"),  # the month begins with a cut-off
    ],
)
def test_an_edition_closes_at_the_first_cut_off_of_the_next_part_of_the_year(opens, per_year, closes):
    assert close(opens, per_year) == closes


def test_the_year_begins_when_it_does_in_the_zone_of_the_phase():
    # Still 2026 in UTC, and 2027 in Tokyo already.
    assert close("2026-12-31T18:00Z", 2, "Asia/Tokyo") == "2027-07-05T00:00:00+00:00"


def test_the_first_edition_opens_with_the_first_sync(sync):
    sync(TWICE_A_YEAR)
    sync(TWICE_A_YEAR)

    edition = Phase.objects.get()
    assert (edition.series, edition.slug) == ("main", f"main-{NOW:%Y-%m}")
    assert edition.title == f"Main {NOW:%Y-%m}"
    assert edition.opens_at == NOW
    assert edition.closes_at is not None
    assert edition.closes_at >= edition.next_cut_off_at


def test_the_next_edition_is_made_once_shortly_before_the_close_with_what_organisers_have_set(sync):
    sync(TWICE_A_YEAR)
    Phase.objects.update(quota_limit=9)
    first = Phase.objects.get()
    assert first.closes_at is not None

    assert open_next_editions(first.closes_at - 2 * DAY) == []
    (second,) = open_next_editions(first.closes_at - DAY)

    assert open_next_editions(first.closes_at + DAY) == []
    assert (second.opens_at, second.quota_limit) == (first.closes_at, 9)
    assert second.title == f"Main {first.closes_at:%Y-%m}"
    assert second.closes_at is not None
    assert second.closes_at > first.closes_at
    assert sorted(Phase.objects.values_list("slug", flat=True)) == sorted({first.slug, second.slug})


def test_an_edition_whose_end_was_moved_is_followed_then_and_called_by_that_month(sync):
    sync(TWICE_A_YEAR)
    ended = NOW + 20 * DAY
    Phase.objects.update(closes_at=ended, next_cut_off_at=ended)

    (second,) = open_next_editions(ended)

    assert (second.opens_at, second.slug) == (ended, f"main-{ended:%Y-%m}")


def test_the_name_of_a_series_stands_for_its_newest_edition_that_has_opened(sync):
    sync(TWICE_A_YEAR)
    first = Phase.objects.get()
    Phase.objects.update(opens_at=NOW - 300 * DAY, closes_at=NOW - 100 * DAY)
    (second,) = open_next_editions(NOW - 100 * DAY)
    assert Phase.objects.named("toy/main") == second
    assert Phase.objects.named(f"toy/{first.slug}") == first

    Phase.objects.filter(pk=second.pk).update(
        opens_at=dt.datetime(2999, 1, 1, tzinfo=dt.UTC), closes_at=None, editions_per_year=0
    )

    assert Phase.objects.named("toy/main") == first
    with pytest.raises(Phase.DoesNotExist):
        Phase.objects.named("toy/other")


@pytest.mark.parametrize(
    ("editions", "told"),
    [
        ("editions: {per_year: 5}", "expected 1, 2, 3, 4, 6 or 12, found 5"),
        ("editions: {per_year: 2}\n    lasts_days: 30", "expected weekly cut-offs and no `lasts_days`"),
        ("editions: {per_month: 2}", "per_year"),
    ],
)
def test_editions_that_cannot_be_are_refused(sync, editions, told):
    with pytest.raises(DefinitionError, match=told):
        sync(TWICE_A_YEAR.replace("editions: {per_year: 2}", editions))
