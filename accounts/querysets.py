"""Questions about teams."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.db import models

if TYPE_CHECKING:
    from accounts.models import User


class TeamQuerySet(models.QuerySet[Any]):
    def of(self, user: User) -> TeamQuerySet:
        return self.filter(memberships__user=user)
