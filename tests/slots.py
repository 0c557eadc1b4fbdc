"""How much of the quota a team or a person has used."""

import datetime as dt

from accounts.models import Team, User
from benchmarks.models import Phase
from submissions.models import QuotaUse


def slots_used(*, team: Team, phase: Phase, at: dt.datetime) -> int:
    """How many submissions `team` has had accepted in the window that `at` lies in."""
    use = QuotaUse.objects.filter(team=team, phase=phase, window_ends_at=phase.cut_off_after(at)).first()
    return use.used if use else 0


def slots_used_by(*, user: User, phase: Phase, at: dt.datetime) -> int:
    """How many submissions a person has had accepted in that window, over all teams."""
    use = QuotaUse.objects.filter(user=user, phase=phase, window_ends_at=phase.cut_off_after(at)).first()
    return use.used if use else 0
