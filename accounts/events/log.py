"""Writing down what happens to accounts."""

import datetime as dt

from allauth.account.adapter import get_adapter
from allauth.core import context
from django.core.exceptions import PermissionDenied
from django.db import models
from django.utils.text import Truncator

from accounts.audit.log import tidy
from accounts.models import DETAIL_LENGTH, AccountEvent, EventKind, User
from accounts.server.append_only_triggers import BLANKED, KEPT_FOR
from accounts.server.clock import database_now

_TABLE = AccountEvent._meta.db_table  # noqa: SLF001  # documented by Django under this name
EVENTS_KEPT = KEPT_FOR[_TABLE]
_CLOCKS = dt.timedelta(hours=1)  # by which the one that the trigger looks at may differ


def note(user: User, kind: EventKind, detail: str = "", *, by: User | None = None) -> None:
    """Write down what happened to a person's account; `by` where somebody else did it.

    The client is that of the request at hand, behind the proxies that there are; none for commands and workers.
    """
    AccountEvent.objects.create(
        at=database_now(),
        user=user,
        kind=kind,
        detail=Truncator(tidy(detail)).chars(DETAIL_LENGTH),
        client=_client(),
        by=None if by == user else by,
    )


def events_of(user: User, most: int) -> models.QuerySet[AccountEvent]:
    """The newest events of a person's account."""
    return AccountEvent.objects.filter(user=user).select_related("by").order_by("-at", "-pk")[:most]


def forget_old_events(now: dt.datetime) -> int:
    """Delete what is older than events are kept; how many there were. The database lets nobody delete younger ones."""
    return int(AccountEvent.objects.filter(at__lt=now - EVENTS_KEPT - _CLOCKS).delete()[0])


def forget_clients(now: dt.datetime) -> int:
    """Forget which network address old events came from; how many. The trigger lets nothing else of them be changed."""
    old = AccountEvent.objects.filter(at__lt=now - BLANKED[_TABLE].after - _CLOCKS, client__isnull=False)
    return old.update(client=None)


def _client() -> str | None:
    request = context.request
    if request is None:
        return None
    try:
        return str(get_adapter().get_client_ip(request))
    except PermissionDenied:  # the server says nothing of the client
        return None
