"""A name that must not be read is taken away everywhere, also from releases that are out; ranks and scores stay."""

import datetime as dt
import uuid
from collections.abc import Collection

from django.db import transaction
from django.db.models import Q

from accounts.models import Team
from benchmarks.log_entries import append_public
from benchmarks.models import Benchmark
from submissions.models import Submission, System
from submissions.participants import RowClaim
from submissions.systems.board_names import names_on_boards
from submissions.systems.name_texts import PublicName, tombstone
from transparency.core.entries import EntryKind


class NameIsRemoved(Exception):
    """The name was taken away before; nothing was changed."""


@transaction.atomic
def remove_system_name(*, system: System, reason: str, now: dt.datetime) -> str:
    """Call a system by when and why its name was removed, on every page and in every export; returns what it is called.

    Frozen boards keep what was frozen, because the log holds their digests; pages are drawn with what systems are
    called now. What this benchmark and others have published is drawn again at the next sweep.

    Raises
    ------
    NameIsRemoved
    """
    locked = System.objects.select_for_update().get(pk=system.pk)
    if locked.name == tombstone(locked.pk, reason, now):
        raise NameIsRemoved("The name of this system was removed already; nothing was changed.")
    _take_away(locked, reason, now)
    _draw_again([locked.pk], locked.team, reason)
    return str(locked)


@transaction.atomic
def remove_team_name(*, team: Team, reason: str, now: dt.datetime) -> str:
    """The same for a team, and for those of its systems whose names hold the team's.

    Raises
    ------
    NameIsRemoved
    """
    locked = Team.objects.select_for_update().get(pk=team.pk)
    if locked.name == tombstone(locked.pk, reason, now):
        raise NameIsRemoved("The name of this team was removed already; nothing was changed.")
    systems = list(locked.systems.select_for_update())
    for system in systems:
        if locked.name.casefold() in system.name.casefold():
            _take_away(system, reason, now)
    _take_away(locked, reason, now)
    _draw_again([system.pk for system in systems], locked, reason)
    return str(locked)


def names_instead(benchmark: Benchmark) -> dict[uuid.UUID, PublicName]:
    """What systems are called that a release of a benchmark may have frozen under another name, by id.

    These are all systems of teams that had a name removed, their own or that of one of their systems, and those that
    organisers have called otherwise on the boards of this benchmark.
    """
    removed = Q(name_removed_at__isnull=False)
    teams = Team.objects.filter(removed | Q(systems__name_removed_at__isnull=False))
    systems = System.objects.filter(team__in=teams.values("pk")).select_related("team")
    removed_names = {system.pk: PublicName(system.name, system.team.name) for system in systems}
    return removed_names | names_on_boards(benchmark)


def _take_away(row: System | Team, reason: str, now: dt.datetime) -> None:
    row.name, row.name_removed_at = tombstone(row.pk, reason, now), now
    row.save(update_fields=["name", "name_removed_at"])


def _draw_again(systems: Collection[uuid.UUID], team: Team, reason: str) -> None:
    submissions = Submission.objects.filter(system__in=systems).order_by()
    named = set(submissions.values_list("phase__benchmark", flat=True))
    named |= set(RowClaim.objects.filter(team=team).values_list("benchmark", flat=True))
    for benchmark in sorted(named):
        Benchmark.objects.filter(pk=benchmark).mark_stale(archive=True)
    for benchmark in sorted(named):  # the log is locked last of all
        append_public(kind=EntryKind.NAMES, benchmark=benchmark, facts={"removed": True, "reason": reason})
