"""Sessions of people who run something: over after some hours, and after some time in which nothing was asked for."""

import time
from collections.abc import Callable

from django.conf import settings
from django.contrib.sessions.backends.base import SessionBase
from django.http import HttpRequest
from django.http.response import HttpResponseBase

_ENDS_AT, _SEEN_AT = "staff_session_ends_at", "staff_session_seen_at"
_NOTED_EVERY = 60  # seconds; a row is not written for every request


def begin(session: SessionBase) -> None:
    """From now on the session is one of somebody who runs something."""
    session[_ENDS_AT] = time.time() + settings.STAFF_SESSION_AGE
    _go_on(session, time.time())


def _go_on(session: SessionBase, now: float) -> None:
    left = session[_ENDS_AT] - now
    session[_SEEN_AT] = now
    session.set_expiry(max(1, round(min(left, settings.STAFF_IDLE) if settings.STAFF_IDLE else left)))


class StaffSessionMiddleware:
    """Have such a session go on while it is used; Django ends it. Whoever enters the admin has one.

    It comes after the view: allauth sets everybody's time once somebody has signed in.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        came_at = time.time()
        response = self.get_response(request)
        session = request.session
        if session.accessed and _ENDS_AT in session:
            idle, is_new = came_at - session[_SEEN_AT], session[_SEEN_AT] >= came_at
            if is_new or (settings.STAFF_IDLE and idle >= _NOTED_EVERY):
                _go_on(session, came_at)
        elif settings.STAFF_IDLE and request.path.startswith("/admin/") and request.user.is_authenticated:
            begin(session)
        return response
