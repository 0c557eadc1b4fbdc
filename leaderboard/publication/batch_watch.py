"""The watch: what looks odd in a batch, written down for its organisers. It needs no gold labels and bans nobody.

A report is made once a batch is scored, and its release waits for it. The rows that are compared are those of the batch
and of the newest submissions of its phase before it; what is reported has to do with the batch itself. What hangs
together, such as all teams of one person, is one finding.
"""

import datetime as dt
import logging
import uuid
from collections import defaultdict, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

from django.conf import settings
from django.db import transaction
from django.db.models import Q

from accounts.mail.outbox import tell_at_once
from accounts.models import Membership
from benchmarks.models import Split
from leaderboard.models import WatchReport
from leaderboard.rendering.held_values import HeldValues
from scoring.core.accounts import connected, like_addresses, same_files, shared_members
from scoring.core.differing_rows import Codes, KnownDifferences
from scoring.core.watch import Oddity, WatchFinding, look_at
from scoring.models import Batch
from submissions.intake import CanonicalPredictions
from submissions.models import PredictionCodes, Predictions, Submission, System
from submissions.querysets import HELD_BACK, SubmissionQuerySet
from submissions.systems.status_transitions import hold_back as hold_submission_back
from submissions.uploads.expected_splits import alignment_sha256

logger = logging.getLogger(__name__)

MOST_COMPARED = 1000  # submissions; a batch that is larger is compared whole
MOST_KEPT = 200  # findings; the rest is counted
PER_SWEEP = 5  # batches
LOOKS_AT_ONCE = 2  # splits; numpy lets go of the interpreter meanwhile
NOT_LOOKED_AT = "not_looked_at"

# Bytes of answers that a process holds for the next batch, by the digests of predictions.
MOST_HELD = 64_000_000
_held: HeldValues[str, Codes] = HeldValues(MOST_HELD, lambda codes: codes.nbytes)
# And by phase and split, in how many items those of the last batch differ.
MOST_DIFFERENCES = 32_000_000
_differences: HeldValues[tuple[int, int], KnownDifferences] = HeldValues(
    MOST_DIFFERENCES, lambda known: known.byte_count
)

# What makes a release wait until an organiser has looked at it, and for how long.
HOLDING = (Oddity.STAIRCASE.value,)
TIME_TO_LOOK = dt.timedelta(days=1)

# How long a release waits for a look that was begun; a worker that was killed or stopped ends none.
PATIENCE = dt.timedelta(minutes=10)

# `kind` is an Oddity or NOT_LOOKED_AT. Of predictions: `submissions` (ids) and `tasks`, a list of task, split, items,
# equal and usual (-1 where it is not known), and correlation of numbers on one line; where more than two submissions
# hang together, `pairs` is how many pairs of them were found and the figures are those of the pair that is least alike.
# Of accounts: `teams` (ids), the ids of their `systems` in what was compared, and of the `people` who hold them
# together.
Finding = dict[str, Any]


class CannotHoldBack(Exception):
    """A release was not held back; the message says why."""


def watch_batches(now: dt.datetime) -> list[WatchReport]:
    """Make the reports of scored batches that have none, the newest first; returns those made."""
    scored = Batch.objects.filter(status__in=[Batch.Status.SCORED, Batch.Status.RELEASED])
    waiting = (
        scored.filter(watch_report__isnull=True).select_related("phase__benchmark").order_by("-cut_off_at")
    )
    return [report for batch in waiting[:PER_SWEEP] if (report := watch(batch, now))]


def watch(batch: Batch, now: dt.datetime) -> WatchReport | None:
    """Make the report of a scored batch; None where there is one, or another process is making it.

    A look that fails is recorded as such and told to the organisers, and is not tried again and again. One that was
    begun and has not ended after the length of a lease is taken over.
    """
    nothing_yet = {"made_at": now, "findings": [{"kind": NOT_LOOKED_AT}], "finding_count": 1}
    report, is_new = WatchReport.objects.get_or_create(batch=batch, defaults=nothing_yet)
    if not (is_new or _is_taken_over(report, now)):
        return None
    try:
        findings = find(batch)
    except Exception:
        logger.exception("the batch %s could not be watched", batch.pk)
        benchmark = batch.phase.benchmark
        tell_at_once(
            people=benchmark.organisers.all(),
            subject=f"{benchmark}: a batch could not be watched",
            text=(
                f"The batch {batch} could not be looked at for copies, probes and accounts of one person; the log of "
                "the worker says why. Its release does not wait any longer."
            ),
        )
        findings = report.findings
    report.findings, report.finding_count, report.finished_at = findings[:MOST_KEPT], len(findings), now
    report.save(update_fields=["findings", "finding_count", "finished_at"])
    if waits_for_a_look(batch, now):
        benchmark = batch.phase.benchmark
        tell_at_once(
            people=benchmark.organisers.all(),
            subject=f"{benchmark}: a release waits for you",
            text=(
                f"In the batch {batch} there are answers that turn a few labels at a time, all one way, as those of "
                "somebody do who reads labels off scores. Its release waits until you have looked at the report in the "
                "admin, under Watch reports, and a day at most. There you can hold it back."
            ),
        )
    return report


def _is_taken_over(report: WatchReport, now: dt.datetime) -> bool:
    """Whether a look that another worker has not ended is this one's from now on.

    Not for ever, should it end every worker: for as long after the scoring as a release waits for a look.
    """
    left = WatchReport.objects.filter(
        pk=report.pk,
        finished_at__isnull=True,
        made_at__lte=now - settings.SCORING_LEASE,
        batch__scored_at__gt=now - PATIENCE,
    )
    return bool(left.update(made_at=now))


def waits_for_a_look(batch: Batch, now: dt.datetime) -> bool:
    """Whether what was found makes a release wait for its organisers: until they have looked, and a day at most."""
    waiting = WatchReport.objects.filter(batch=batch, seen_at__isnull=True, made_at__gt=now - TIME_TO_LOOK)
    kinds = [
        finding["kind"] for findings in waiting.values_list("findings", flat=True) for finding in findings
    ]
    return any(kind in HOLDING for kind in kinds)


def hold_back(*, report: WatchReport, reason: str, now: dt.datetime) -> None:
    """Keep the release of a batch back until somebody publishes it by hand.

    Raises
    ------
    CannotHoldBack
        If it is out already, or the batch is being scored anew.
    """
    with transaction.atomic():
        batches = Batch.objects.filter(pk=report.batch_id, status=Batch.Status.SCORED)
        if not batches.update(set_aside_because=f"Held back: {reason}"):
            raise CannotHoldBack("The release is out already, or its batch is being scored anew.")
        mark_seen(report=report, now=now)


def submissions_named(report: WatchReport) -> SubmissionQuerySet:
    """The submissions that a report names and that are not held back, the oldest first; those of its teams too."""
    named = {key for finding in report.findings for key in finding.get("submissions", ())}
    systems = {key for finding in report.findings for key in finding.get("systems", ())}
    of_phase = Submission.objects.live().filter(~HELD_BACK, phase=report.batch.phase_id)
    return of_phase.filter(Q(pk__in=named) | Q(system__in=systems)).order_by("received_at", "pk")


def hold_rows_back(*, submissions: Iterable[Submission], reason: str, now: dt.datetime) -> list[Submission]:
    """Hold back several submissions, all or none; returns them. Releases go out without them, at their time.

    Raises
    ------
    CannotChange
        If one of them has ended or is held back.
    """
    with transaction.atomic():
        chosen = list(submissions)
        for submission in chosen:
            hold_submission_back(submission=submission, reason=reason, now=now)
    return chosen


def is_watched(batch: Batch, now: dt.datetime) -> bool:
    """Whether the report of a batch is there, or has been under way for so long that it will not come."""
    is_over = Q(finished_at__isnull=False) | Q(made_at__lte=now - PATIENCE)
    return WatchReport.objects.filter(is_over, batch=batch).exists()


def find(batch: Batch) -> list[Finding]:
    """What looks odd in a batch, the plainest first."""
    entrants = _entrants(batch)
    if not any(entrant.is_new for entrant in entrants.values()):
        return []
    findings = [*_of_files(entrants), *_of_predictions(batch, entrants), *_of_accounts(entrants)]
    return sorted(findings, key=lambda finding: list(Oddity).index(Oddity(finding["kind"])))


@dataclass(frozen=True, slots=True)
class _Entrant:
    team: uuid.UUID
    system: uuid.UUID
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
    columns = ("pk", "system__team", "system", "file_sha256")
    entrants = {
        pk: _Entrant(team, system, file, True) for pk, team, system, file in new.values_list(*columns)
    }
    room = max(0, MOST_COMPARED - len(entrants))
    rows = before.values_list(*columns, "received_at")[:room]
    return entrants | {pk: _Entrant(team, system, file, False) for pk, team, system, file, _at in rows}


def _of_files(entrants: Mapping[uuid.UUID, _Entrant]) -> Iterator[Finding]:
    keys = list(entrants)
    for rows in same_files([(entrants[key].team, entrants[key].file) for key in keys]):
        who = [keys[row] for row in rows]
        if any(entrants[key].is_new for key in who):
            yield {"kind": Oddity.SAME_FILE.value, "submissions": list(map(str, who)), "tasks": []}


Pair = tuple[str, ...]


def _of_predictions(batch: Batch, entrants: Mapping[uuid.UUID, _Entrant]) -> Iterator[Finding]:
    """One finding for each kind and all submissions that hang together by it, with the tasks where it was found."""
    by_kind: dict[str, dict[Pair, list[dict[str, Any]]]] = defaultdict(lambda: defaultdict(list))
    for split, submissions, findings in _looked_at(batch, entrants):
        for finding in findings:
            named = tuple(dict.fromkeys(str(submissions[row]) for row in finding.rows))
            if len(named) < len(finding.rows):
                continue  # two seeds of one submission
            where = {"task": split.task.slug, "split": split.slug, "items": split.item_count}
            figures: dict[str, float] = {"equal": finding.equal, "usual": finding.usual}
            if finding.oddity is Oddity.ON_ONE_LINE:
                figures |= {"correlation": round(finding.correlation, 6)}
            by_kind[finding.oddity.value][named].append(where | figures)
    for kind, by_pair in by_kind.items():
        # Of one that stands alone, such as labels like dice, the first is the last.
        for named in connected((pair[0], pair[-1]) for pair in by_pair):
            own = [(pair, place) for pair, places in by_pair.items() if pair[0] in named for place in places]
            yield {"kind": kind, "submissions": list(named), "tasks": list(_together(own))}


class _Row(NamedTuple):
    """Whose an answer is, by numbers of teams; that of the `person` is the one for all teams that hang together."""

    team: int
    person: int
    is_new: bool


def _looked_at(
    batch: Batch, entrants: Mapping[uuid.UUID, _Entrant]
) -> Iterator[tuple[Split, list[uuid.UUID], list[WatchFinding]]]:
    """What is odd in the answers for each split, in their order; the next are read while some are looked at.

    So the answers for one split more than `LOOKS_AT_ONCE` are in memory. Threads read nothing from the database.
    """
    person_of = _people(entrants)
    number = {
        team: place for place, team in enumerate(person_of)
    }  # sooner compared than ids, and for every split
    rows = {
        key: _Row(number[one.team], number[person_of[one.team]], one.is_new) for key, one in entrants.items()
    }
    under_way: deque[tuple[Split, list[uuid.UUID], Future[list[WatchFinding]]]] = deque()
    with ThreadPoolExecutor(LOOKS_AT_ONCE) as threads:
        for split, submissions, codes in _answers(batch, entrants):
            of_split = [rows[key] for key in submissions]
            teams, people = [row.team for row in of_split], [row.person for row in of_split]
            new = [row.is_new for row in of_split]
            if len(under_way) == LOOKS_AT_ONCE:
                looked_at, whose, look = under_way.popleft()
                yield looked_at, whose, look.result()
            look = threads.submit(_look, (batch.phase_id, split.pk), codes, teams, new=new, people=people)
            under_way.append((split, submissions, look))
        for looked_at, whose, look in under_way:
            yield looked_at, whose, look.result()


def _look(
    where: tuple[int, int],
    answers: Sequence[tuple[str, Codes]],
    teams: Sequence[int],
    **rows: Sequence[Any],
) -> list[WatchFinding]:
    """What is odd in answers, each with its digest; those of the last batch of the phase are not compared again."""
    known = _differences.take(where) or KnownDifferences()
    digests = [digest for digest, _codes in answers]
    found = look_at(
        [codes for _, codes in answers], teams, differing_in=partial(known.among, digests), **rows
    )
    _differences.keep(where, known)
    return found


def _together(places: Iterable[tuple[Pair, dict[str, Any]]]) -> Iterator[dict[str, Any]]:
    """One place for each set of items, with the figures of its pair that is least alike."""
    by_place: dict[tuple[str, str], dict[Pair, dict[str, Any]]] = defaultdict(dict)
    for pair, place in places:
        by_pair = by_place[place["task"], place["split"]]
        by_pair[pair] = min(by_pair.get(pair, place), place, key=_likeness)  # of several seeds
    for by_pair in by_place.values():
        least = min(by_pair.values(), key=_likeness)
        yield least | ({"pairs": len(by_pair)} if len(by_pair) > 1 else {})


def _likeness(place: Mapping[str, Any]) -> float:
    return abs(float(place.get("correlation", place["equal"])))


def _answers(
    batch: Batch, entrants: Mapping[uuid.UUID, _Entrant]
) -> Iterator[tuple[Split, list[uuid.UUID], list[tuple[str, Codes]]]]:
    """The answers for each split, with their digests, one split at a time.

    Attack sets are answered like their test sets, and left out.
    """
    answers: dict[tuple[int, str], list[tuple[int, uuid.UUID, str]]] = defaultdict(list)
    rows = Predictions.objects.filter(submission__in=entrants, codes__isnull=False).order_by("pk")
    columns = ("split_id", "alignment_sha256", "pk", "submission_id", "sha256")
    for split_id, alignment, key, submission, digest in rows.values_list(*columns):
        answers[split_id, alignment].append((key, submission, digest))
    benchmark = batch.phase.benchmark
    splits = Split.objects.filter(task__benchmark=benchmark, task__is_retired=False).select_related("task")
    for split in splits.order_by("task__position", "pk"):
        split.task.benchmark = benchmark
        if any(declared.id == split.slug and declared.attack for declared in split.task.spec.splits):
            continue
        of_split = answers.pop((split.pk, alignment_sha256(split)), [])
        codes = _codes({digest: key for key, _, digest in of_split})
        yield (
            split,
            [submission for _, submission, _ in of_split],
            [(digest, codes[digest]) for *_, digest in of_split],
        )


def _codes(predictions: Mapping[str, int]) -> dict[str, Codes]:
    """What is in predictions, by their digest: most of it was compared with the last batch, and is held."""
    held = {digest: codes for digest in predictions if (codes := _held.find(digest)) is not None}
    digests = {key: digest for digest, key in predictions.items() if digest not in held}
    for key, packed in PredictionCodes.objects.filter(pk__in=[*digests]).values_list("pk", "packed"):
        codes = held[digests[key]] = CanonicalPredictions.from_bytes(bytes(packed)).codes
        _held.keep(digests[key], codes)
    return held


def _people(entrants: Mapping[uuid.UUID, _Entrant]) -> dict[uuid.UUID, uuid.UUID]:
    """For each team the one that stands for all that hang together by members in common."""
    teams = {entrant.team for entrant in entrants.values()}
    people: dict[uuid.UUID, list[int]] = defaultdict(list)
    for team, user in (
        Membership.objects.filter(team__in=teams).order_by("pk").values_list("team_id", "user_id")
    ):
        people[team].append(user)
    stands_for = {team: team for team in teams}
    for group, _users in shared_members(people):
        stands_for |= dict.fromkeys(group, group[0])
    return stands_for


def _of_accounts(entrants: Mapping[uuid.UUID, _Entrant]) -> Iterator[Finding]:
    """Teams of which at least one has something in the batch."""
    people: dict[uuid.UUID, list[int]] = defaultdict(list)
    by_address: dict[str, int] = {}
    addresses: dict[uuid.UUID, list[str]] = defaultdict(list)
    members = Membership.objects.filter(team__in={entrant.team for entrant in entrants.values()}).order_by(
        "pk"
    )
    for team, user, address in members.values_list("team_id", "user_id", "user__email"):
        people[team].append(user)
        addresses[team].append(address)
        by_address[address] = user
    alike = [(Oddity.SHARED_MEMBER.value, teams, users) for teams, users in shared_members(people)]
    for teams, own_addresses in like_addresses(addresses):
        users = tuple(by_address[address] for address in own_addresses)
        alike.append((Oddity.LIKE_ADDRESSES.value, teams, users))
    listed, by_team = list(entrants.values()), defaultdict(list)
    for place, entrant in enumerate(listed):
        by_team[entrant.team].append(place)
    for kind, teams, users in alike:
        own = [listed[place] for place in sorted(place for team in teams for place in by_team[team])]
        if any(entrant.is_new for entrant in own):
            systems = dict.fromkeys(str(entrant.system) for entrant in own)
            yield {
                "kind": kind,
                "teams": list(map(str, teams)),
                "systems": list(systems),
                "people": list(users),
            }


def mark_seen(*, report: WatchReport, now: dt.datetime) -> bool:
    """Note that an organiser has looked at a report; False where somebody had before."""
    return bool(WatchReport.objects.filter(pk=report.pk, seen_at__isnull=True).update(seen_at=now))


def unseen(slugs: Sequence[str] | frozenset[str]) -> Iterable[WatchReport]:
    """Reports on batches of these benchmarks with something in them that nobody has looked at, the newest first."""
    reports = WatchReport.objects.filter(batch__phase__benchmark__in=slugs, finding_count__gt=0)
    return reports.filter(seen_at__isnull=True).select_related("batch__phase").defer("findings")
