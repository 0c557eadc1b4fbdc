"""Which worker a request is: by the account, or by a key that the session holds for people without one."""

import uuid

from django.http import HttpRequest

from accounts.models import User
from labelling.exceptions import CannotJoin
from labelling.models import Campaign, Worker
from labelling.work.joining import refuse_participants

_KEYS = "labelling.workers"
"""In the session: keys of workers by campaign."""


def remember(request: HttpRequest, worker: Worker) -> None:
    """Let the session know a worker who has no account."""
    request.session[_KEYS] = {**request.session.get(_KEYS, {}), str(worker.campaign_id): str(worker.key)}


def worker_of(request: HttpRequest, campaign: Campaign) -> Worker | None:
    """The worker that a request is in a campaign, if any.

    Raises
    ------
    CannotJoin
        If the answers tell of hidden labels and the person has come to be in a team that takes part.
    """
    user = person(request)
    workers = campaign.workers.select_related("campaign")
    worker = workers.filter(user=user).first() if user else None
    key = request.session.get(_KEYS, {}).get(str(campaign.pk))
    if worker is None and key:
        worker = workers.filter(key=key, user=None).first()
    if worker is not None and user is not None:
        refuse_participants(campaign, user)
    return worker


def worker_at_work(request: HttpRequest, campaign: Campaign) -> Worker:
    """The worker that a request is; CannotJoin for anybody who has not joined."""
    worker = worker_of(request, campaign)
    if worker is None:
        raise CannotJoin(
            "This browser belongs to no worker of this campaign. Open the link that you were given, or sign in."
        )
    return worker


def worker_with_key(key: uuid.UUID) -> Worker | None:
    """The worker without an account whose link back this is."""
    return (
        Worker.objects.select_related("campaign").filter(key=key, user=None).exclude(source="import").first()
    )


def person(request: HttpRequest) -> User | None:
    return request.user if request.user.is_authenticated else None
