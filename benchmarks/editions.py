"""Editions: a phase without end cut into phases that follow one another, each with an end and a result of its own.

`Phase.series` says what a phase is an edition of. The next edition is made shortly before the one before it closes, so
that it takes over what organisers have set, and its name goes by the date that they have moved the close to.
"""

import datetime as dt
import logging
from copy import copy

from django.db import transaction

from benchmarks.models import Benchmark, Phase
from benchmarks.spec.schedule import edition_close, edition_name

logger = logging.getLogger(__name__)

AHEAD = dt.timedelta(days=1)


def make_edition(phase: Phase, *, series: str, title: str, opens_at: dt.datetime) -> None:
    """Name and date a phase that is not stored yet as the edition of a series that opens then.

    Parameters
    ----------
    phase
        With a weekly cut-off and `editions_per_year`; its slug, title, dates and series are overwritten.
    title
        Of the series; the name of the edition follows it.
    """
    if phase.weekday is None:
        raise ValueError(f"An edition has weekly cut-offs: {phase} has none.")
    name = edition_name(opens_at, phase.timezone)
    if Phase.objects.filter(benchmark=phase.benchmark_id, slug=f"{series}-{name}").exists():
        name = f"{opens_at:%Y-%m-%d}"  # a second one of a month in which organisers have ended one
    phase.series, phase.slug, phase.title = series, f"{series}-{name}", f"{title} {name}"
    phase.opens_at = opens_at
    phase.closes_at = edition_close(
        timezone=phase.timezone,
        weekday=phase.weekday,
        time=phase.time,
        per_year=phase.editions_per_year,
        opens_at=opens_at,
    )
    phase.next_cut_off_at = phase.cut_off_after(opens_at)


def open_next_editions(now: dt.datetime) -> list[Phase]:
    """Make the edition that follows each one that closes within a day or has closed. Asking twice makes it once."""
    closing = Phase.objects.filter(editions_per_year__gt=0, closes_at__lte=now + AHEAD).values_list(
        "pk", flat=True
    )
    return [edition for pk in closing if (edition := _follow(pk)) is not None]


@transaction.atomic
def _follow(pk: int) -> Phase | None:
    """The new edition after a phase; None where it has one."""
    phase = Phase.objects.select_for_update(of=("self",)).select_related("benchmark").get(pk=pk)
    series = phase.series or phase.slug
    others = Phase.objects.filter(benchmark=phase.benchmark_id, series=series).exclude(pk=pk)
    if phase.closes_at is None or others.filter(opens_at__gte=phase.opens_at or phase.closes_at).exists():
        return None
    edition: Phase = copy(phase)
    edition.pk = None
    title = (
        phase.title.removesuffix(phase.slug.removeprefix(f"{series}-")).strip()
        if phase.series
        else phase.title
    )
    make_edition(edition, series=series, title=title, opens_at=phase.closes_at)
    edition.save(force_insert=True)
    # Where organisers have made editions of a phase, it is one from now on, and every page of it says so.
    is_first = Phase.objects.filter(pk=pk, series="").update(series=series) > 0
    Benchmark.objects.filter(pk=phase.benchmark_id).mark_stale(archive=is_first)
    logger.info("made %s, which opens when %s closes", edition, phase)
    return edition
