"""Slots of the quota, which linked people share: taken, given back, and how many are left."""

import datetime as dt
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Case, F, Q, When

from accounts.formats.instants import day_in_utc, time_in_utc
from accounts.models import Membership, Team, User
from benchmarks.models import Benchmark, Phase
from submissions.exceptions import QuotaUsedUp
from submissions.models import Submission, System
from submissions.participants import WHOLE_PHASE, GroupLink, GroupUse
from submissions.quota.groups import locked_uses, take_part


@dataclass(frozen=True, slots=True)
class Quota:
    """What one team and whoever is linked to it have used in the present window of one phase, all together."""

    team: Team
    phase: Phase
    used: int
    resets_at: dt.datetime

    @property
    def limit(self) -> int:
        return self.phase.quota_limit

    @property
    def window(self) -> str:
        """When the limit holds, in words."""
        return window_of(self.phase)

    @property
    def left(self) -> int:
        """How many more will be accepted; never negative, even where the organiser has lowered the limit."""
        return max(0, self.limit - self.used)


def window_of(phase: Phase) -> str:
    """When a phase's quota holds, in words: until its next cut-off, or once."""
    return "in this phase" if phase.weekday is None else "this week"


def quotas(user: User, teams: Iterable[Team], phases: Iterable[Phase], at: dt.datetime) -> list[Quota]:
    """The quota of a person in each of these teams and phases, for the window that `at` lies in.

    Where the person, the team and its members are not linked yet, what their groups have used counts together, as it
    will once the team takes part.
    """
    teams, phases = list(teams), list(phases)
    people = {team.pk: {user.pk} for team in teams}
    for team_id, member in Membership.objects.filter(team__in=people).values_list("team_id", "user_id"):
        people[team_id].add(member)
    everybody = {user.pk}.union(*people.values())
    links = GroupLink.objects.filter(Q(team__in=people) | Q(user__in=everybody), phase__in=phases)
    rows = list(links.values_list("phase_id", "team_id", "user_id", "group__root_id"))
    groups: defaultdict[tuple[int, object], set[int | None]] = defaultdict(set)
    for phase_id, linked_team, linked_user, root in rows:
        groups[phase_id, linked_user or linked_team].add(root)
    uses = GroupUse.objects.filter(group__in={root for *_, root in rows}, target=WHOLE_PHASE)
    use_of = {use.group_id: use for use in uses}
    found = []
    for phase in phases:
        ends_at = phase.cut_off_after(at)
        for team in teams:
            roots = set[int | None]().union(*(groups[phase.pk, one] for one in (team.pk, *people[team.pk])))
            used = sum(_used(use_of[root], ends_at) for root in roots if root in use_of)
            found.append(Quota(team, phase, used, ends_at))
    return found


def quota_window(system: System, phase: Phase, user: User, at: dt.datetime) -> dt.datetime | None:
    """The end of the window that the upload takes a slot of; None for baselines from the benchmark's organisers.

    The quota keeps people from learning about the gold labels by trying. Organisers hold those themselves.
    """
    organised = Benchmark.objects.organised_by(user).filter(pk=phase.benchmark_id)
    if system.kind == System.Kind.BASELINE and organised.exists():
        return None
    return phase.cut_off_after(at)


def take_slot(submission: Submission) -> None:
    """Take a slot of the group that its team and sender belong to, and note the group.

    One conditional UPDATE: of any number of uploads at once, exactly the quota gets through.

    Raises
    ------
    QuotaUsedUp
    """
    ends_at = submission.quota_window_ends_at
    if ends_at is None:
        return
    while True:
        group = take_part(submission)
        if _take(group, ends_at, submission.phase.quota_limit) or _has_room(group, submission):
            submission.group_id = group
            return
        if GroupUse.objects.filter(group=group, target=WHOLE_PHASE).exists():
            raise QuotaUsedUp(_used_up(submission.phase, ends_at), next_slot_at=ends_at)
        # It was merged into another a moment ago.


def _take(group: int, ends_at: dt.datetime, limit: int) -> bool:
    """Whether there was a slot, in a window that is the newest so far or newer."""
    is_new = Q(window_ends_at__isnull=True) | Q(window_ends_at__lt=ends_at)
    has_room = is_new | Q(window_ends_at=ends_at, used__lt=limit)
    taken = GroupUse.objects.filter(has_room, group=group, target=WHOLE_PHASE).update(
        used=Case(When(window_ends_at=ends_at, then=F("used") + 1), default=1), window_ends_at=ends_at
    )
    return taken == 1


def _has_room(group: int, submission: Submission) -> bool:
    """Whether a slot is left in a window before the newest: somebody sent for the next one meanwhile.

    What was accepted is counted then, with the row locked.
    """
    row = GroupUse.objects.select_for_update().filter(group=group, target=WHOLE_PHASE)
    use, ends_at = row.first(), submission.quota_window_ends_at
    if use is None or ends_at is None or use.window_ends_at is None or use.window_ends_at <= ends_at:
        return False
    return _used(use, ends_at) < submission.phase.quota_limit


def _used(use: GroupUse, ends_at: dt.datetime) -> int:
    """How many submissions of the group hold a slot of the window that ends then."""
    if use.window_ends_at is None or use.window_ends_at < ends_at:
        return 0
    if use.window_ends_at == ends_at:
        return use.used
    sent = Submission.objects.filter(group__root=use.group_id, quota_window_ends_at=ends_at)
    return sent.exclude(status=Submission.Status.FAILED).exclude(ended_at__lt=F("cut_off_at")).count()


def refund_slots(submissions: Iterable[Submission]) -> None:
    """Give back the slots that these submissions took, where their window is still the newest."""
    took = [(one.group_id, one.quota_window_ends_at) for one in submissions if one.group_id is not None]
    uses = locked_uses({group for group, _ in took})
    for group, ends_at in took:
        row = GroupUse.objects.filter(pk=uses[group].pk, window_ends_at=ends_at, used__gt=0)
        row.update(used=F("used") - 1)


def _used_up(phase: Phase, ends_at: dt.datetime) -> str:
    """The sentence that refuses. It does not tell who is linked to whom."""
    return (
        f"All {phase.quota_limit} submissions {window_of(phase)} are used up: by you, or somebody you are in a team "
        f"with. The next slot opens at the cut-off, {day_in_utc(ends_at)}, {time_in_utc(ends_at)} UTC."
    )
