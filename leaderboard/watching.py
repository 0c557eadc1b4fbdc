"""The watch: what looks odd in a batch, written down for its organisers. It needs no gold labels and bans nobody.

A report is made once a batch is scored, before or after its release. The rows that are compared are those of the batch
and of the newest submissions of its phase before it; what is reported has to do with the batch itself.
"""

from __future__ import annotations

import datetime as dt
import logging
import uuid
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from accounts.models import Membership
from benchmarks.models import Split
from leaderboard.models import WatchReport
from scoring.core.watch import Oddity, like_addresses, look_at, same_files, shared_members
from scoring.models import Batch
from submissions.intake import CanonicalPredictions
from submissions.models import Predictions, Submission, System
from submissions.targets import alignment_sha256

logger = logging.getLogger(__name__)

MOST_COMPARED = 1000  # submissions; a batch that is larger is compared whole
MOST_KEPT = 200  # findings; the rest is counted
PER_SWEEP = 5  # batches
NOT_LOOKED_AT = "not_looked_at"

Finding = dict[str, Any]
"""`kind` is an Oddity or NOT_LOOKED_AT. Of predictions: `submissions` (ids) and `tasks`, a list of task, split, items,
equal and usual (-1 where it is not known), and correlation of numbers on one line. Of accounts: `teams` (ids) and, for
addresses, `people` (ids)."""


def watch_batches(now: dt.datetime) -> list[WatchReport]:
    """Make the reports of scored batches that have none, the newest first; returns those made."""
    scored = Batch.objects.filter(status__in=[Batch.Status.SCORED, Batch.Status.RELEASED])
    waiting = (
        scored.filter(watch_report__isnull=True).select_related("phase__benchmark").order_by("-cut_off_at")
    )
    made = []
    for batch in waiting[:PER_SWEEP]:
        try:
            findings = find(batch)
        except Exception:
            # One batch that cannot be looked at must not hold up the others, and is not tried again and again.
            logger.exception("the batch %s could not be watched", batch.pk)
            findings = [{"kind": NOT_LOOKED_AT}]
        report, is_new = WatchReport.objects.get_or_create(
            batch=batch,
            defaults={
                "made_at": now,
                "findings": findings[:MOST_KEPT],
                "finding_count": len(findings),
            },
        )
        if is_new:
            made.append(report)
    return made


def find(batch: Batch) -> list[Finding]:
    """What looks odd in a batch, the plainest first."""
    entrants = _entrants(batch)
    if not any(one.is_new for one in entrants.values()):
        return []
    found = [*_of_files(entrants), *_of_predictions(batch, entrants), *_of_accounts(entrants)]
    order = list(Oddity)
    return sorted(found, key=lambda one: order.index(Oddity(one["kind"])))


@dataclass(frozen=True, slots=True)
class _Entrant:
    team: uuid.UUID
    file: str
    is_new: bool


def _entrants(batch: Batch) -> dict[uuid.UUID, _Entrant]:
    """The submissions to compare, by id: those of the batch, and of the others the newest. Baselines are nobody's."""
    of_phase = Submission.objects.live().filter(phase=batch.phase, system__kind=System.Kind.SYSTEM)
    new = of_phase.filter(batch_entries__batch=batch)
    before = of_phase.filter(
        received_at__lt=batch.cut_off_at, batch_entries__batch__cut_off_at__lt=batch.cut_off_at
    )
    before = before.exclude(pk__in=new.values("pk")).order_by("-received_at").distinct()
    columns = ("pk", "system__team", "file_sha256")
    found = {pk: _Entrant(team, file, True) for pk, team, file in new.values_list(*columns)}
    room = max(0, MOST_COMPARED - len(found))
    rows = before.values_list(*columns, "received_at")[:room]
    return found | {pk: _Entrant(team, file, False) for pk, team, file, _at in rows}


def _of_files(entrants: Mapping[uuid.UUID, _Entrant]) -> Iterator[Finding]:
    keys = list(entrants)
    for one in same_files([(entrants[key].team, entrants[key].file) for key in keys]):
        pair = [keys[row] for row in one.rows]
        if any(entrants[key].is_new for key in pair):
            yield {"kind": one.oddity.value, "submissions": list(map(str, pair)), "tasks": []}


def _of_predictions(batch: Batch, entrants: Mapping[uuid.UUID, _Entrant]) -> Iterator[Finding]:
    """One finding for each kind and each pair of submissions, with the tasks where it was found."""
    by_pair: dict[tuple[str, tuple[str, ...]], list[dict[str, Any]]] = defaultdict(list)
    for split, answers in _answers(batch, entrants):
        teams = [entrants[key].team for key in answers.submissions]
        new = [entrants[key].is_new for key in answers.submissions]
        for one in look_at(answers.arrays, teams, new=new):
            named = tuple(dict.fromkeys(str(answers.submissions[row]) for row in one.rows))
            if len(named) < len(one.rows):
                continue  # two seeds of one submission
            where = {"task": split.task.slug, "split": split.slug, "items": split.item_count}
            figures: dict[str, float] = {"equal": one.equal, "usual": one.usual}
            if one.oddity is Oddity.ON_ONE_LINE:
                figures |= {"correlation": round(one.correlation, 6)}
            by_pair[one.oddity.value, named].append(where | figures)
    for (kind, named), places in by_pair.items():
        yield {"kind": kind, "submissions": list(named), "tasks": places}


@dataclass(slots=True)
class _Answers:
    submissions: list[uuid.UUID] = field(default_factory=list)
    arrays: list[np.ndarray[Any, Any]] = field(default_factory=list)


def _answers(batch: Batch, entrants: Mapping[uuid.UUID, _Entrant]) -> Iterator[tuple[Split, _Answers]]:
    """The answers for each split, one split at a time; attack sets are answered like their test sets, and left out."""
    benchmark = batch.phase.benchmark
    splits = Split.objects.filter(task__benchmark=benchmark, task__is_retired=False).select_related("task")
    for split in splits.defer("ids_packed").order_by("task__position", "pk"):
        split.task.benchmark = benchmark
        if any(one.id == split.slug and one.attack for one in split.task.spec.splits):
            continue
        rows = Predictions.objects.filter(
            split=split, submission__in=entrants, alignment_sha256=alignment_sha256(split)
        )
        answers = _Answers()
        for submission, packed in rows.order_by("pk").values_list("submission_id", "codes_packed"):
            answers.submissions.append(submission)
            answers.arrays.append(CanonicalPredictions.from_bytes(bytes(packed)).codes)
        yield split, answers


def _of_accounts(entrants: Mapping[uuid.UUID, _Entrant]) -> Iterator[Finding]:
    """Teams of which at least one has something in the batch."""
    new = {one.team for one in entrants.values() if one.is_new}
    people: dict[uuid.UUID, list[int]] = defaultdict(list)
    by_address: dict[str, int] = {}
    addresses: dict[uuid.UUID, list[str]] = defaultdict(list)
    members = Membership.objects.filter(team__in={one.team for one in entrants.values()}).order_by("pk")
    for team, user, address in members.values_list("team_id", "user_id", "user__email"):
        people[team].append(user)
        addresses[team].append(address)
        by_address[address] = user
    for teams in shared_members(people):
        if _is_any(teams, new):
            yield {"kind": Oddity.SHARED_MEMBER.value, "teams": list(map(str, teams))}
    for one, other, first, second in like_addresses(addresses):
        if _is_any((one, other), new):
            found = {"teams": [str(one), str(other)], "people": [by_address[first], by_address[second]]}
            yield {"kind": Oddity.LIKE_ADDRESSES.value} | found


def _is_any(teams: Iterable[object], new: set[uuid.UUID]) -> bool:
    return any(team in new for team in teams)


def mark_seen(*, report: WatchReport, now: dt.datetime) -> bool:
    """Note that an organiser has looked at a report; False where somebody had before."""
    return bool(WatchReport.objects.filter(pk=report.pk, seen_at__isnull=True).update(seen_at=now))


def unseen(slugs: Sequence[str] | frozenset[str]) -> Iterable[WatchReport]:
    """Reports on batches of these benchmarks with something in them that nobody has looked at, the newest first."""
    reports = WatchReport.objects.filter(batch__phase__benchmark__in=slugs, finding_count__gt=0)
    return reports.filter(seen_at__isnull=True).select_related("batch__phase").defer("findings")
