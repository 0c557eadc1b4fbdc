"""Note when a request began, and show times in the reader's own zone."""

import zoneinfo
from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.deprecation import MiddlewareMixin

from accounts.server.clock import note_arrival


class ArrivalMiddleware(MiddlewareMixin):
    """Note when a posted request began, however long its body took: the cut-off is judged by that instant."""

    def process_request(self, request: HttpRequest) -> None:
        if request.method == "POST":
            note_arrival(request)


class TimeZoneMiddleware:
    """Activate the signed-in person's time zone for the request; UTC for everyone else, and for programs."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        is_page = not request.path.startswith("/api/")
        name = request.user.timezone if is_page and request.user.is_authenticated else "UTC"
        with timezone.override(zoneinfo.ZoneInfo(name)):
            return self.get_response(request)
