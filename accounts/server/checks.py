"""What is wrong with a deployment's database role and times."""

from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, Tags, register
from django.db import Error as DatabaseError

from accounts.server.database_rights import changeable_history

_ENDING = 10  # seconds between the two limits of a task


@register(Tags.security, deploy=True)
def history_is_kept(**_: Any) -> list[CheckMessage]:
    """A role that owns the tables can take the triggers away that keep history."""
    try:
        changeable = changeable_history()
    except DatabaseError:
        return []  # whether it can be reached is not asked here
    if not changeable:
        return []
    return [
        Error(
            f"This process's database role may change history: {', '.join(changeable)}.",
            hint="Connect with a role that owns nothing, and give it its rights: manage.py grant_rights ROLE.",
            id="accounts.E003",
        )
    ]


@register(Tags.security, deploy=True)
def scoring_ends_before_its_lease(**_: Any) -> list[CheckMessage]:
    """Else another worker takes a submission that is being scored."""
    lease = settings.SCORING_LEASE.total_seconds()
    if lease > settings.SCORING_SECONDS + _ENDING:
        return []
    return [
        Error(
            f"Scoring may take {settings.SCORING_SECONDS + _ENDING} seconds, and its lease ends after {lease:.0f}.",
            hint="Let HELDOUT_SCORING_SECONDS be at least eleven seconds less than HELDOUT_LEASE_SECONDS.",
            id="accounts.E004",
        )
    ]
