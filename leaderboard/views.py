"""Published pages for requests that come as far as Django, and the API's view of releases."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse

from leaderboard.models import Page
from leaderboard.published import response


def page(request: HttpRequest, **parts: str) -> HttpResponse:
    """A published page by its path. In production config/wsgi.py has answered it before it comes here."""
    found = Page.objects.filter(pk=request.path).first()
    if found is None:
        raise Http404("Nothing has been published at this address.")
    return response(found, request)
