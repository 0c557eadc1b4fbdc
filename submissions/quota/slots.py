"""Slots of the quota, which linked people share: taken, given back, and how many are left."""

import datetime as dt
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.db import models
from django.db.models import Case, F, Q, When

from accounts.formats.instants import day_in_utc, time_in_utc
from accounts.models import Membership, Team, User
from benchmarks.models import Benchmark, Phase
from benchmarks.spec import Limit, Period, PhaseSpec
from benchmarks.spec.phases import Place
from benchmarks.spec.schedule import calendar_window
from submissions.exceptions import QuotaUsedUp
from submissions.models import Predictions, Submission, System
from submissions.participants import GroupLink, GroupUse
from submissions.querysets import SubmissionQuerySet
from submissions.quota.groups import locked_uses, take_part


@dataclass(frozen=True, slots=True)
class Count:
    """How much of one limit is used. `target` is the split it is about; None for the whole phase.

    `resets_at` is when a new window begins; None where there is none, or where it is not before the phase closes.
    """

    limit: int
    used: int
    period: Period
    target: Place | None
    resets_at: dt.datetime | None
    is_once: bool

    @property
    def left(self) -> int:
        """How many more will be accepted; never negative, even where the organiser has lowered the limit."""
        return max(0, self.limit - self.used)

    @property
    def window(self) -> str:
        """When the limit holds, in words."""
        words = "in this phase" if self.is_once else WINDOW_WORDS[self.period]
        return f"{words} for {'/'.join(self.target)}" if self.target else words


AT_WORDS = {
    Period.CUT_OFF: "at the cut-off",
    Period.DAY: "with the next day",
    Period.WEEK: "with the next week",
}
WINDOW_WORDS = {
    Period.CUT_OFF: "this week",
    Period.DAY: "today",
    Period.WEEK: "this week",
    Period.TOTAL: "in this phase",
}


@dataclass(frozen=True, slots=True)
class Quota:
    """What one team and whoever is linked to it have used in one phase, all together: one count for each limit.

    `cut_off_at` is the next cut-off. The limit that speaks for all is the one that leaves least of the target that has
    most left.
    """

    team: Team
    phase: Phase
    counts: tuple[Count, ...]
    cut_off_at: dt.datetime

    @property
    def tightest(self) -> Count:
        """The limit that will refuse first."""
        of: defaultdict[Place | None, list[Count]] = defaultdict(list)
        for count in self.counts:
            of[count.target].append(count)
        limits = [[*of[None], *of[target.place]] for target in self.phase.as_spec().targets] or [of[None]]
        return max((min(together, key=_room) for together in limits), key=_room)

    @property
    def used(self) -> int:
        return self.tightest.used

    @property
    def limit(self) -> int:
        return self.tightest.limit

    @property
    def left(self) -> int:
        return self.tightest.left

    @property
    def window(self) -> str:
        """When the tightest limit holds, in words."""
        return self.tightest.window

    @property
    def resets_at(self) -> dt.datetime | None:
        return self.tightest.resets_at


def _room(count: Count) -> int:
    return count.left


def quotas(user: User | None, teams: Iterable[Team], phases: Iterable[Phase], at: dt.datetime) -> list[Quota]:
    """The quota of a person in each of these teams and phases, for the window that `at` lies in; of no person, theirs.

    Where the person, the team and its members are not linked yet, what their groups have used counts together, as it
    will once the team takes part. It takes as many queries for many teams as for one.
    """
    teams, phases = list(teams), list(phases)
    asking = set() if user is None else {user.pk}
    people = {team.pk: set(asking) for team in teams}
    for team_id, member in Membership.objects.filter(team__in=people).values_list("team_id", "user_id"):
        people[team_id].add(member)
    everybody = asking.union(*people.values())
    links = GroupLink.objects.filter(Q(team__in=people) | Q(user__in=everybody), phase__in=phases)
    use = "group__root__use"
    rows = links.filter(**{f"{use}__isnull": False}).values_list(
        "phase_id", "team_id", "user_id", f"{use}__group", f"{use}__window_ends_at", f"{use}__used"
    )
    groups: defaultdict[tuple[int, object], dict[int, GroupUse]] = defaultdict(dict)
    for phase_id, linked_team, linked_user, root, window_ends_at, used in rows:
        of_root = GroupUse(group_id=root, window_ends_at=window_ends_at, used=used)
        groups[phase_id, linked_user or linked_team][root] = of_root
    found = []
    for phase in phases:
        uses_of = [
            {
                root: of_root
                for one in (team.pk, *people[team.pk])
                for root, of_root in groups[phase.pk, one].items()
            }
            for team in teams
        ]
        found += _quotas_in(phase, list(zip(teams, uses_of, strict=True)), at)
    return found


def quota_of_group(submission: Submission, at: dt.datetime) -> Quota:
    """What `quotas` says of the team and the sender of a submission that was just accepted, with one query.

    They and all members are one group since, so no other has to be looked for.
    """
    uses = GroupUse.objects.filter(group__branches=submission.group_id)
    shares = [(submission.system.team, {use.group_id: use for use in uses})]
    return _quotas_in(submission.phase, shares, at)[0]


def _quotas_in(
    phase: Phase, shares: Sequence[tuple[Team, Mapping[int, GroupUse]]], at: dt.datetime
) -> list[Quota]:
    """The quota of each team in one phase, from what its groups have used."""
    ends_at = phase.cut_off_after(at)
    known = {root: use for _, uses in shares for root, use in uses.items()}
    tallies = [
        (place, limit, _tally(phase, known.values(), limit.period, place, at, ends_at))
        for place, limit in _limits(phase.as_spec())
    ]
    found = []
    for team, uses in shares:
        counts = tuple(
            Count(
                limit.most,
                sum(tally.get(root, 0) for root in uses),
                limit.period,
                place,
                _resets_at(phase, limit.period, at, ends_at),
                is_once=_is_once(phase, limit.period),
            )
            for place, limit, tally in tallies
        )
        found.append(Quota(team, phase, counts, ends_at))
    return found


def _tally(
    phase: Phase,
    uses: Collection[GroupUse],
    period: Period,
    place: Place | None,
    at: dt.datetime,
    ends_at: dt.datetime,
) -> dict[int | None, int]:
    """How much of one limit each of these groups has used."""
    if period is Period.CUT_OFF and place is None:
        ahead = [use.group_id for use in uses if use.window_ends_at and use.window_ends_at > ends_at]
        here = {use.group_id: use.used for use in uses if use.window_ends_at == ends_at}
        return here | _accepted(phase, ahead, period, place, at, ends_at)
    return _accepted(phase, [use.group_id for use in uses], period, place, at, ends_at)


def _is_once(phase: Phase, period: Period) -> bool:
    """Whether a limit has one window, the whole phase."""
    return period is Period.TOTAL or (period is Period.CUT_OFF and phase.weekday is None)


def _limits(spec: PhaseSpec, places: Iterable[Place] | None = None) -> list[tuple[Place | None, Limit]]:
    """All limits of a phase, or those that concern these targets, each with the target it is about."""
    wanted = None if places is None else set(places)
    apart = [
        (target.place, limit)
        for target in spec.targets
        if wanted is None or target.place in wanted
        for limit in target.limits
    ]
    return [*((None, limit) for limit in spec.limits), *apart]


def quota_window(system: System, phase: Phase, user: User, at: dt.datetime) -> dt.datetime | None:
    """The end of the window that the upload takes a slot of; None for baselines from the benchmark's organisers.

    The quota keeps people from learning about the gold labels by trying. Organisers hold those themselves.
    """
    if system.kind == System.Kind.BASELINE:
        organised = Benchmark.objects.organised_by(user).filter(pk=phase.benchmark_id)
        if organised.exists():
            return None
    return phase.cut_off_after(at)


def take_slot(submission: Submission, answered: Iterable[Place]) -> None:
    """Take a slot of the group that its team and sender belong to, and note the group.

    One conditional UPDATE: of any number of uploads at once, exactly the quota gets through. It holds the row of the
    group until the transaction ends, so that the limits of days, weeks and targets are exact by counting what was
    accepted. `answered` are the splits that the submission has predictions for.

    Raises
    ------
    QuotaUsedUp
    """
    ends_at = submission.quota_window_ends_at
    if ends_at is None:
        return
    spec = submission.phase.as_spec()
    limits = _limits(spec, answered)
    most = next(
        (limit.most for place, limit in limits if place is None and limit.period is Period.CUT_OFF), None
    )
    while True:
        group = take_part(submission)
        if _take(group, ends_at, most) or _has_room(group, submission, most):
            submission.group_id = group
            break
        if GroupUse.objects.filter(group=group).exists():
            resets_at = _resets_at(submission.phase, Period.CUT_OFF, submission.received_at, ends_at)
            raise _used_up(submission.phase, Limit(Period.CUT_OFF, most or 0), None, resets_at)
        # It was merged into another a moment ago.
    for place, limit in limits:
        if (place, limit.period) == (None, Period.CUT_OFF):
            continue
        at = submission.received_at
        sent = _accepted(submission.phase, [group], limit.period, place, at, ends_at)
        if sent.get(group, 0) >= limit.most:
            resets_at = _resets_at(submission.phase, limit.period, at, ends_at)
            raise _used_up(submission.phase, limit, place, resets_at)


def _accepted(
    phase: Phase,
    groups: Collection[int],
    period: Period,
    place: Place | None,
    at: dt.datetime,
    ends_at: dt.datetime,
) -> dict[int | None, int]:
    """How many submissions of each group hold a slot of the period that `at` lies in, for one target or for all."""
    if not groups:
        return {}
    sent = holding(Submission.objects.filter(phase=phase, group__root__in=groups))
    if period is Period.CUT_OFF:
        sent = sent.filter(quota_window_ends_at=ends_at)
    elif period is not Period.TOTAL:
        begins_at, next_at = _calendar_window(phase, period, at)
        sent = sent.filter(received_at__gte=begins_at, received_at__lt=next_at)
    if place is not None:
        task, split = place
        of_target = Predictions.objects.filter(split__slug=split, split__task__slug=task)
        sent = sent.filter(pk__in=of_target.values("submission"))
    return dict(sent.order_by().values_list("group__root").annotate(models.Count("pk")))


def holding(sent: SubmissionQuerySet) -> SubmissionQuerySet:
    """Those that hold a slot: neither failed nor withdrawn before their cut-off, and no baselines of organisers.

    Where the team was told scores before, withdrawing gives nothing back.
    """
    held = sent.filter(quota_window_ends_at__isnull=False).exclude(status=Submission.Status.FAILED)
    return held.exclude(
        status=Submission.Status.WITHDRAWN, told_at__isnull=True, ended_at__lt=F("cut_off_at")
    )


def _calendar_window(phase: Phase, period: Period, at: dt.datetime) -> tuple[dt.datetime, dt.datetime]:
    """The day or week of the phase's zone that an instant lies in, as its first instant and the first after it."""
    return calendar_window(phase.timezone, at, is_week=period is Period.WEEK)


def _resets_at(phase: Phase, period: Period, at: dt.datetime, ends_at: dt.datetime) -> dt.datetime | None:
    """When the next window of a limit begins; None where that is not before the phase closes."""
    if period is Period.TOTAL:
        return None
    next_at = ends_at if period is Period.CUT_OFF else _calendar_window(phase, period, at)[1]
    return None if phase.closes_at is not None and next_at >= phase.closes_at > at else next_at


def _take(group: int, ends_at: dt.datetime, limit: int | None) -> bool:
    """Whether there was a slot, in a window that is the newest so far or newer; always, where there is no limit."""
    is_new = Q(window_ends_at__isnull=True) | Q(window_ends_at__lt=ends_at)
    in_window = Q(window_ends_at=ends_at) if limit is None else Q(window_ends_at=ends_at, used__lt=limit)
    taken = GroupUse.objects.filter(is_new | in_window, group=group).update(
        used=Case(When(window_ends_at=ends_at, then=F("used") + 1), default=1), window_ends_at=ends_at
    )
    return taken == 1


def _has_room(group: int, submission: Submission, limit: int | None) -> bool:
    """Whether a slot is left in a window before the newest: somebody sent for the next one meanwhile.

    What was accepted is counted then, with the row locked.
    """
    row = GroupUse.objects.select_for_update().filter(group=group)
    use, ends_at = row.first(), submission.quota_window_ends_at
    if use is None or ends_at is None or use.window_ends_at is None or use.window_ends_at <= ends_at:
        return False
    return limit is None or _used(use, ends_at) < limit


def _used(use: GroupUse, ends_at: dt.datetime) -> int:
    """How many submissions of the group hold a slot of the window that ends then."""
    if use.window_ends_at is None or use.window_ends_at < ends_at:
        return 0
    if use.window_ends_at == ends_at:
        return use.used
    return holding(Submission.objects.filter(group__root=use.group_id, quota_window_ends_at=ends_at)).count()


def refund_slots(submissions: Iterable[Submission]) -> None:
    """Give back the slots that these submissions took, where their window is still the newest."""
    took = [(one.group_id, one.quota_window_ends_at) for one in submissions if one.group_id is not None]
    uses = locked_uses({group for group, _ in took})
    for group, ends_at in took:
        row = GroupUse.objects.filter(pk=uses[group].pk, window_ends_at=ends_at, used__gt=0)
        row.update(used=F("used") - 1)


def move_windows(*, phase: Phase, now: dt.datetime) -> None:
    """Have the windows of a phase that are not over end with its next cut-off, after its dates were moved.

    What was used of them stays used: an extension gives nobody a fresh quota. Where the close is the one cut-off the
    whole phase is one window, also if it was over and opens again.
    """
    sent = Submission.objects.filter(phase=phase, quota_window_ends_at__isnull=False)
    if phase.weekday is None and phase.closes_at is not None:
        ends_at = phase.closes_at
    else:
        sent, ends_at = sent.filter(quota_window_ends_at__gt=now), phase.next_cut_off_at
    groups = set(sent.values_list("group__root", flat=True))
    uses = {use.group_id: use for use in locked_uses({one for one in groups if one is not None}).values()}
    sent.update(quota_window_ends_at=ends_at)
    held = holding(Submission.objects.filter(phase=phase, quota_window_ends_at=ends_at))
    used = dict(held.order_by().values_list("group__root").annotate(models.Count("pk")))
    for group, use in uses.items():
        use.window_ends_at, use.used = ends_at, used.get(group, 0)
    GroupUse.objects.bulk_update(uses.values(), ["window_ends_at", "used"])


def _used_up(phase: Phase, limit: Limit, place: Place | None, resets_at: dt.datetime | None) -> QuotaUsedUp:
    """The sentence that refuses. It does not tell who is linked to whom."""
    count = Count(
        limit.most, limit.most, limit.period, place, resets_at, is_once=_is_once(phase, limit.period)
    )
    submissions = "The 1 submission" if limit.most == 1 else f"All {limit.most} submissions"
    verb = "is" if limit.most == 1 else "are"
    follows = (
        f"The next slot opens {AT_WORDS[limit.period]}, {day_in_utc(resets_at)}, {time_in_utc(resets_at)} UTC."
        if resets_at
        else "No further slot opens in this phase."
    )
    return QuotaUsedUp(
        f"{submissions} {count.window} {verb} used up: by you, or somebody you are in a team with. {follows}",
        next_slot_at=resets_at,
    )
