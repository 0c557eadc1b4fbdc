"""Show times in the reader's own zone."""

from __future__ import annotations

import zoneinfo
from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.utils import timezone


class TimeZoneMiddleware:
    """Activate the signed-in person's time zone for the request; UTC for everyone else."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        name = request.user.timezone if request.user.is_authenticated else "UTC"
        with timezone.override(zoneinfo.ZoneInfo(name)):
            return self.get_response(request)
