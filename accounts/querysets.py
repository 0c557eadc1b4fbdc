"""Questions about teams."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.db import models

if TYPE_CHECKING:
    from accounts.models import User


class TeamQuerySet(models.QuerySet[Any]):
    """Teams, seen from a person."""

    def of(self, user: User) -> TeamQuerySet:
        """The teams that `user` is a member of."""
        return self.filter(memberships__user=user)
