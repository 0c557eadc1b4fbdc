"""Which worker a request is: by the account, or by a key that the session holds for people without one."""

import uuid

from django.db.models import F, Q
from django.http import HttpRequest

from accounts.models import User
from labelling.exceptions import CannotJoin
from labelling.models import Campaign, Worker
from labelling.querysets import WorkerQuerySet
from labelling.work.joining import ROLE_IS_OVER, refusal_of_participants, with_standing

_KEYS = "labelling.workers"
"""In the session: keys of workers by campaign."""


def remember(request: HttpRequest, worker: Worker) -> None:
    """Let the session know a worker who has no account."""
    request.session[_KEYS] = {**request.session.get(_KEYS, {}), str(worker.campaign_id): str(worker.key)}


def worker_of(request: HttpRequest, campaign: uuid.UUID) -> Worker | None:
    """The worker that a request is in a campaign that was opened, if any, with the campaign and `units_asked`.

    Raises
    ------
    CannotJoin
        If the answers tell of hidden labels and the person has come to be in a team that takes part, or their role
        was taken away.
    """
    return _let_in(_rows(request, campaign).counting_units().first())


def worker_at_work(request: HttpRequest, campaign: uuid.UUID) -> Worker:
    """The worker that a request is; CannotJoin for anybody who has not joined."""
    return _joined(worker_of(request, campaign))


def worker_locked(request: HttpRequest, campaign: uuid.UUID) -> Worker:
    """The same, whose row nobody else changes until the transaction ends: for whoever writes."""
    return _joined(_let_in(_rows(request, campaign).select_for_update(of=("self",)).first()))


def _rows(request: HttpRequest, campaign: uuid.UUID) -> WorkerQuerySet:
    """Who the request may be, in one statement: the worker with its account comes before the one of a link."""
    user = person(request)
    key = request.session.get(_KEYS, {}).get(str(campaign))
    mine = Q(user=user) if user else Q(pk__in=[])
    if key:
        mine |= Q(key=key, user=None)
    found = Worker.objects.filter(mine, campaign=campaign).exclude(campaign__status=Campaign.Status.DRAFT)
    found = found.with_campaign().order_by(F("user").asc(nulls_last=True))
    return with_standing(found, user) if user else found


def _let_in(worker: Worker | None) -> Worker | None:
    if worker is not None and worker.campaign.refuses_participants and getattr(worker, "takes_part", False):
        raise refusal_of_participants(worker.campaign)
    if worker is not None and not getattr(worker, "has_role", True):
        raise CannotJoin(ROLE_IS_OVER)
    return worker


def _joined(worker: Worker | None) -> Worker:
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
