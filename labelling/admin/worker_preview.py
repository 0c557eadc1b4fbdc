"""A worker's page before a campaign is kept: everything is made and drawn, and then undone."""

import re
from collections.abc import Mapping
from typing import Any

from django.db import transaction
from django.http import HttpRequest

from accounts.server.clock import database_now
from labelling.models import Assignment, Campaign, Unit, Worker
from labelling.pages.work import show_units

_SCRIPT = re.compile(r"<script\b.*?</script>", re.DOTALL)
_TEXT = "A text of the file of units stands here."


def page_to_come(request: HttpRequest, columns: Mapping[str, Any]) -> str:
    """The page on which a worker of a campaign with these columns answers, without its scripts. Nothing is kept."""
    now = database_now()
    with transaction.atomic():
        campaign = Campaign.objects.create(
            **columns, order_seed=0, status=Campaign.Status.OPEN, opened_at=now, made_at=now
        )
        count = campaign.kind.items_per_unit
        unit = Unit.objects.create(
            campaign=campaign,
            key="1",
            items=[str(number) for number in range(1, count + 1)],
            shown=[[["text", _TEXT]]] * count,
            draw=0,
            source={"target": next(iter(campaign.asked.labels), "")},
        )
        worker = Worker.objects.create(
            campaign=campaign,
            number=1,
            source=Worker.Source.ACCOUNT,
            user_id=request.user.pk,
            joined_at=now,
            seen_at=now,
        )
        assignment = Assignment.objects.create(
            unit=unit, worker=worker, number=1, given_at=now, expires_at=now
        )
        page = show_units(request, worker, [assignment], ()).content.decode()
        transaction.set_rollback(True)
    return _SCRIPT.sub("", page)
