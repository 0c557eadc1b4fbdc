"""The admin's first page: what the leaderboard shows there, and for superusers how the server is kept."""

from collections.abc import Iterator
from typing import Any

from django.http import HttpRequest

from accounts.formats.instants import distance
from accounts.server.clock import database_now
from accounts.server.worker_rounds import last_rounds
from leaderboard.admin import dashboard
from operations.models import Alert
from operations.rounds import BACKUP, DRILL


def fill(request: HttpRequest, context: dict[str, Any]) -> dict[str, Any]:
    """Add what the template admin/index.html shows; unfold calls this with its own context."""
    is_operator = bool(getattr(request.user, "is_superuser", False))
    return dashboard.fill(request, context) | {
        "alerts": list(Alert.objects.values_list("said", flat=True)) if is_operator else [],
        "keeping": " ".join(_keeping()) if is_operator else "",
    }


def _keeping() -> Iterator[str]:
    """When what there is was last saved, and when that was last tried."""
    rounds, now = last_rounds(), database_now()
    if BACKUP not in rounds:
        yield "No backup has been made yet: manage.py backup FOLDER makes one."
        return
    yield f"The last backup was made {distance(rounds[BACKUP], now)}."
    if DRILL in rounds:
        yield f"A backup was last restored to try it {distance(rounds[DRILL], now)}."
    else:
        yield "No backup has been restored yet to try it: manage.py drill FOLDER does."
