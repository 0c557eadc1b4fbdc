"""Answer 404 wherever an address names a benchmark of which whoever asks is to learn nothing, or none at all."""

from collections.abc import Callable
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase
from rest_framework.exceptions import AuthenticationFailed, PermissionDenied
from rest_framework.request import Request

from accounts.api.authentication import TokenAuthentication
from accounts.models import User
from benchmarks.models import Benchmark
from benchmarks.querysets import HIDDEN
from config.api.errors import NothingOfYours
from leaderboard.serving.drawn_pages import benchmark_of
from leaderboard.serving.page_server import NOTHING

_FOR_ONE_READER = "heldout.for_one_reader"


class VisibilityMiddleware:
    """One place for all routes: those that name a benchmark, and pages and files of one, wherever they stand.

    Before any view is asked, so that by no answer a hidden benchmark can be told from one that is not there.
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
        if not {"benchmark", "rest"} & kwargs.keys():
            return None
        slug = kwargs.get("benchmark") or benchmark_of(request.path) or ""
        known = Benchmark.objects.filter(pk=slug)
        visibility = known.values_list("visibility", flat=True).first()
        if visibility not in (None, *HIDDEN):
            return None
        # Who asks is looked up in either case, for that they were looked up is told by the answer's Vary.
        if known.seen_by(_asker(request, view, slug)).exists():
            request.META[_FOR_ONE_READER] = True
            return None
        if request.path.startswith("/api/"):
            return NothingOfYours.as_view()(request)
        raise Http404(NOTHING)


def _asker(request: HttpRequest, view: Any, benchmark: str) -> User | AnonymousUser:
    """Whoever asks: by the session, or by a token that covers the address, of the API or of a page to be read."""
    if request.user.is_authenticated:
        return request.user
    about = {"view": getattr(view, "cls", None), "kwargs": {"benchmark": benchmark}}
    try:
        found = TokenAuthentication().authenticate(Request(request, parser_context=about))
    except (AuthenticationFailed, PermissionDenied):
        found = None
    return found[0] if found else AnonymousUser()
