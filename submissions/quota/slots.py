"""Slots of the quota, which a team and the person who uploads take together, and get back; and how many are left."""

import datetime as dt
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.db.models import F, Q

from accounts.formats.instants import day_in_utc, time_in_utc
from accounts.models import Team, User
from benchmarks.models import Benchmark, Phase
from submissions.exceptions import QuotaUsedUp
from submissions.models import QuotaUse, Submission, System


@dataclass(frozen=True, slots=True)
class Quota:
    """What one team, and one of its members over all teams, have used in the present window of one phase."""

    team: Team
    phase: Phase
    used_by_team: int
    used_by_person: int
    resets_at: dt.datetime

    @property
    def used(self) -> int:
        """The greater of the two: a submission needs a slot of both."""
        return max(self.used_by_team, self.used_by_person)

    @property
    def used_by(self) -> str:
        return "person" if self.used_by_person > self.used_by_team else "team"

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
    """The quota of a person in each of these teams and phases, for the window that `at` lies in, with one query."""
    teams, ends = list(teams), {phase: phase.cut_off_after(at) for phase in phases}
    uses = QuotaUse.objects.filter(
        Q(team__in=teams) | Q(user=user), phase__in=ends, window_ends_at__in=set(ends.values())
    )
    used = {(use.team_id, use.phase_id, use.window_ends_at): use.used for use in uses}
    return [
        Quota(team, phase, used.get((team.pk, phase.pk, end), 0), used.get((None, phase.pk, end), 0), end)
        for phase, end in ends.items()
        for team in teams
    ]


def quota_window(system: System, phase: Phase, user: User, at: dt.datetime) -> dt.datetime | None:
    """The end of the window that the upload takes a slot of; None for baselines from the benchmark's organisers.

    The quota keeps people from learning about the gold labels by trying. Organisers hold those themselves.
    """
    organised = Benchmark.objects.organised_by(user).filter(pk=phase.benchmark_id)
    if system.kind == System.Kind.BASELINE and organised.exists():
        return None
    return phase.cut_off_after(at)


def take_slot(submission: Submission) -> None:
    """One conditional UPDATE for team and person: of any number of uploads at once, exactly the quota gets through.

    Where only one of the two had a slot left, the caller's transaction is to be rolled back.

    Raises
    ------
    QuotaUsedUp
    """
    ends_at = submission.quota_window_ends_at
    if ends_at is None:
        return
    limit = submission.phase.quota_limit
    window = {"phase": submission.phase, "window_ends_at": ends_at}
    team, person = (
        QuotaUse(**window, team=submission.system.team),
        QuotaUse(**window, user=submission.submitted_by),
    )
    QuotaUse.objects.bulk_create([team, person], ignore_conflicts=True)
    uses = _locked([submission])
    taken = QuotaUse.objects.filter(_both(submission), used__lt=limit).update(used=F("used") + 1)
    if taken < len(uses):
        is_team = any(use.team_id and use.used >= limit for use in uses)
        raise QuotaUsedUp(_used_up(submission, ends_at, is_team=is_team), next_slot_at=ends_at)


def refund_slots(submissions: Iterable[Submission]) -> None:
    """Give team and person the slots back that these submissions took."""
    took = [one for one in submissions if one.quota_window_ends_at is not None]
    _locked(took)
    for one in took:
        QuotaUse.objects.filter(_both(one), used__gt=0).update(used=F("used") - 1)


def _both(submission: Submission) -> Q:
    return Q(Q(team=submission.system.team_id) | Q(user=submission.submitted_by_id)) & Q(
        phase=submission.phase_id, window_ends_at=submission.quota_window_ends_at
    )


def _locked(submissions: Sequence[Submission]) -> list[QuotaUse]:
    """What their teams and people have used, locked in a fixed order, so that nobody waits in a circle."""
    return list(
        QuotaUse.objects.select_for_update()
        .filter(
            Q(team__in={one.system.team_id for one in submissions})
            | Q(user__in={one.submitted_by_id for one in submissions}),
            phase__in={one.phase_id for one in submissions},
            window_ends_at__in={one.quota_window_ends_at for one in submissions},
        )
        .order_by("pk")
    )


def _used_up(submission: Submission, ends_at: dt.datetime, *, is_team: bool) -> str:
    sentence = (
        "Your team has used all %(limit)s submissions %(window)s."
        if is_team
        else "You have used all %(limit)s submissions %(window)s of your own, over all your teams."
    ) % {"limit": submission.phase.quota_limit, "window": window_of(submission.phase)}
    next_slot = f"The next slot opens at the cut-off, {day_in_utc(ends_at)}, {time_in_utc(ends_at)} UTC."
    return f"{sentence} {next_slot}"
