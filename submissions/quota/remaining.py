"""How much of the quota is left: of a team's, and of a person's own over all teams."""

import datetime as dt
from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Q

from accounts.models import Team, User
from benchmarks.models import Phase
from submissions.models import QuotaUse


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
