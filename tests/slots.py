"""How much of the quota the group of a team or a person has used."""

import datetime as dt
from typing import Any

from accounts.models import Team, User
from benchmarks.models import Phase
from submissions.participants import GroupLink, GroupUse, ParticipantGroup


def slots_used(*, team: Team, phase: Phase, at: dt.datetime) -> int:
    """How many submissions the group of `team` has had accepted in the window that `at` lies in."""
    return _used(phase, at, team=team)


def slots_used_by(*, user: User, phase: Phase, at: dt.datetime) -> int:
    """How many submissions the group of a person has had accepted in that window."""
    return _used(phase, at, user=user)


def use_up(team: Team, phase: Phase, at: dt.datetime, used: int) -> GroupUse:
    """Have a team belong to a group of its own that has used so much."""
    group = ParticipantGroup.objects.create(phase=phase)
    ParticipantGroup.objects.filter(pk=group.pk).update(root=group)
    GroupLink.objects.create(group=group, phase=phase, team=team)
    return GroupUse.objects.create(group=group, window_ends_at=phase.cut_off_after(at), used=used)


def _used(phase: Phase, at: dt.datetime, **of: Any) -> int:
    link = GroupLink.objects.filter(phase=phase, **of).select_related("group").first()
    if link is None:
        return 0
    use = GroupUse.objects.get(group=link.group.root_id)
    return use.used if use.window_ends_at == phase.cut_off_after(at) else 0
