"""A sign of life to somebody outside, who tells when it stays away: the one fault that no worker can tell of itself."""

import datetime as dt
import logging

import httpx
from django.conf import settings

from accounts.server.worker_rounds import late_rounds
from operations.models import Alert, Begun

logger = logging.getLogger(__name__)

PING = "ping"
EVERY = dt.timedelta(hours=1)
SECONDS = 10.0


def ping(now: dt.datetime) -> bool:
    """Fetch HELDOUT_PING_URL once an hour, only while every round is on time and no alert is open; whether it was.

    One that failed is tried again at the next round.
    """
    if not settings.PING_URL or Begun.objects.filter(name=PING, at__gt=now - EVERY).exists():
        return False
    if late_rounds(now) or Alert.objects.exists():
        return False
    try:
        httpx.get(settings.PING_URL, timeout=SECONDS, trust_env=False).raise_for_status()
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        logger.warning("HELDOUT_PING_URL could not be fetched: %s", type(error).__name__)
        return False
    Begun.objects.update_or_create(name=PING, defaults={"at": now})
    return True
