"""Questions about systems and submissions."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING, Any

from django.db import models

if TYPE_CHECKING:
    from accounts.models import User
    from benchmarks.models import Phase


HELD_BACK = models.Q(held_back_at__isnull=False, let_go_at__isnull=True, ended_at__isnull=True)


class SystemQuerySet(models.QuerySet[Any]):
    """Systems, seen from a person."""

    def of(self, user: User) -> SystemQuerySet:
        """The systems of the teams that `user` is a member of; each keeps, as `member_id`, that the person is one."""
        mine = self.filter(team__memberships__user=user)
        found: SystemQuerySet = mine.annotate(member_id=models.F("team__memberships__user"))
        return found

    def public(self) -> SystemQuerySet:
        """Systems with something public under their names: everyone may know that they exist."""
        named = {"is_anonymous": False, "visibility": "public"}
        where = {f"submissions__phase__benchmark__{name}": value for name, value in named.items()}
        return self.filter(submissions__status="published", **where).distinct()


class SubmissionQuerySet(models.QuerySet[Any]):
    """Submissions on their way to the board."""

    def of(self, user: User) -> SubmissionQuerySet:
        """The submissions of the teams that `user` is a member of."""
        return self.filter(system__team__memberships__user=user)

    def live(self) -> SubmissionQuerySet:
        """Neither withdrawn nor disqualified."""
        return self.exclude(status__in=[self.model.Status.WITHDRAWN, self.model.Status.DISQUALIFIED])

    def answers(self) -> SubmissionQuerySet:
        """Those that a team takes part with: they took a slot, and were not taken back before their cut-off."""
        taken_back = models.Q(status=self.model.Status.WITHDRAWN, ended_at__lt=models.F("cut_off_at"))
        return self.filter(quota_window_ends_at__isnull=False).exclude(taken_back)

    def due_at(self, phase: Phase, cut_off_at: dt.datetime) -> SubmissionQuerySet:
        """What a cut-off takes in: everything accepted before it, and what an earlier batch could not score."""
        waiting = models.Q(status=self.model.Status.ACCEPTED, cut_off_at__lte=cut_off_at)
        failed = models.Q(status=self.model.Status.FAILED)
        return self.filter(waiting | failed, phase=phase)

    def countable(self) -> SubmissionQuerySet:
        """Those whose scores may stand on a board."""
        statuses = [self.model.Status.SCORED, self.model.Status.PUBLISHED]
        return self.filter(~HELD_BACK, status__in=statuses)

    def held_back(self) -> SubmissionQuerySet:
        """Those on no board until organisers let them go."""
        return self.filter(HELD_BACK)

    def not_held_back(self) -> SubmissionQuerySet:
        """Those that organisers do not keep off boards."""
        return self.filter(~HELD_BACK)

    def countable_soon(self) -> SubmissionQuerySet:
        """Those whose scores may stand on a board once they are there."""
        being_scored = self.filter(~HELD_BACK, status=self.model.Status.SCORING)
        return self.countable() | being_scored
