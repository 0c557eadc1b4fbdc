"""Dates of a benchmark that move together: phases, releases, files and registration. What moves can be said before."""

import datetime as dt
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from django.db import transaction

from accounts.formats.instants import in_words
from benchmarks.models import Benchmark, GivenFile, Phase
from scoring.queue.moved_dates import follow_dates, would_rank_again

# Fields of a row, each with what happens at its instant.
_OF_PHASE = {"opens_at": "opens", "closes_at": "closes", "release_not_before": "is released at the earliest"}
OWN_DATES = ("opens_at", "closes_at")
_OF_REGISTRATION = {
    "registration_opens_at": "the registration opens",
    "registration_closes_at": "the registration closes",
}


class CannotShift(Exception):
    """The dates cannot be moved so far; the message says which one stands in the way."""


@dataclass(frozen=True, slots=True)
class ShiftedDate:
    """What happens, such as “Evaluation closes”, and the instants before and after."""

    what: str
    before: dt.datetime
    after: dt.datetime


@dataclass(frozen=True, slots=True)
class _Dated:
    row: Benchmark | GivenFile | Phase
    field: str
    what: str

    @property
    def at(self) -> dt.datetime | None:
        found: dt.datetime | None = getattr(self.row, self.field)
        return found


def dates_to_shift(
    benchmark: Benchmark,
    by: dt.timedelta,
    *,
    since: dt.datetime,
    now: dt.datetime,
    but: Phase | None = None,
    stay: Collection[str] = OWN_DATES,
) -> list[ShiftedDate]:
    """What would move, the first first: every date of the benchmark at or after `since`, but those
    fields of the phase `but` that `stay`.

    Raises
    ------
    CannotShift
        If one of them would be over by that, a phase would open again that may not, or none is left.
    """
    shifted = []
    for one in _dated(benchmark, but, stay):
        if one.at is None or one.at < since:
            continue
        if (
            isinstance(one.row, Phase)
            and one.field == "closes_at"
            and would_rank_again(one.row, one.at + by, now)
        ):
            raise CannotShift(
                f"{one.row.title} is over, and its final is out or begun: it cannot open again."
            )
        shifted.append(ShiftedDate(one.what, one.at, one.at + by))
    if not shifted:
        raise CannotShift("No date of the benchmark is still to come, so nothing can be moved.")
    for date in shifted:
        if date.after <= now:
            raise CannotShift(
                f"{date.what} on {in_words(date.before)}; so much earlier it would be over already. Please choose "
                "fewer days."
            )
    return sorted(shifted, key=lambda one: (one.before, one.what))


@transaction.atomic
def shift_dates(
    *,
    benchmark: Benchmark,
    by: dt.timedelta,
    since: dt.datetime,
    now: dt.datetime,
    but: Phase | None = None,
    stay: Collection[str] = OWN_DATES,
) -> list[ShiftedDate]:
    """Move them, and have what waits wait for the cut-offs as they are then; returns what moved.

    Raises
    ------
    CannotShift
        As `dates_to_shift`; nothing was changed.
    """
    locked = Benchmark.objects.select_for_update().get(pk=benchmark.pk)
    shifted = dates_to_shift(locked, by, since=since, now=now, but=but, stay=stay)
    changed: dict[Benchmark | GivenFile | Phase, list[str]] = {}
    for one in list(_dated(locked, but, stay)):
        if one.at is not None and one.at >= since:
            changed.setdefault(one.row, []).append(one.field)
    for row, fields in changed.items():
        for field in fields:
            setattr(row, field, getattr(row, field) + by)
        row.save(update_fields=fields)
        if isinstance(row, Phase):
            follow_dates(phase=row, now=now)
    Benchmark.objects.filter(pk=benchmark.pk).mark_stale()
    return shifted


def _dated(benchmark: Benchmark, but: Phase | None, stay: Collection[str]) -> Iterator[_Dated]:
    for phase in benchmark.phases.all():
        for field, verb in _OF_PHASE.items():
            if phase != but or field not in stay:
                yield _Dated(phase, field, f"{phase.title} {verb}")
    for file in benchmark.given_files.all():
        yield _Dated(file, "given_at", f"{file.name} is given")
    for field, what in _OF_REGISTRATION.items():
        yield _Dated(benchmark, field, what)
