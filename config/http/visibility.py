"""Answer 404 wherever an address names a benchmark of which whoever asks is to learn nothing."""

from collections.abc import Callable
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from accounts.api.authentication import TokenAuthentication
from accounts.models import User
from benchmarks.models import Benchmark
from config.api.errors import NoSuchAddress
from leaderboard.serving.drawn_pages import benchmark_of
from leaderboard.serving.page_server import NOTHING

_FOR_ONE_READER = "heldout.for_one_reader"


class VisibilityMiddleware:
    """One place for all routes: those that name a benchmark, and pages and files of one, wherever they stand.

    What lists benchmarks asks `Benchmark.objects.offered_to`; published pages of the others never come here.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        answer = self._get_response(request)
        if request.META.get(_FOR_ONE_READER):
            answer["Cache-Control"] = "private, no-store"
            answer["X-Accel-Expires"] = "0"  # a published page else says that the proxy may keep it for all
        return answer

    def process_view(
        self, request: HttpRequest, view: Any, args: Any, kwargs: dict[str, Any]
    ) -> HttpResponseBase | None:
        slug = kwargs.get("benchmark") or (benchmark_of(request.path) if "rest" in kwargs else None)
        if not slug or not Benchmark.objects.hidden().filter(pk=slug).exists():
            return None
        if Benchmark.objects.seen_by(_asker(request)).filter(pk=slug).exists():
            request.META[_FOR_ONE_READER] = True
            return None
        if request.path.startswith("/api/"):
            return NoSuchAddress.as_view()(request)
        raise Http404(NOTHING)


def _asker(request: HttpRequest) -> User | AnonymousUser:
    """Whoever asks: by the session, or by the token of a request to the API."""
    if request.user.is_authenticated:
        return request.user
    try:
        found = TokenAuthentication().authenticate(Request(request))
    except AuthenticationFailed:
        found = None
    return found[0] if found else AnonymousUser()
