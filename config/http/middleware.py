"""Refuse what no view could answer: a body that is too large, an address that no database can look up."""

from collections.abc import Callable

from django.conf import settings
from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render


class UploadSizeMiddleware:
    """Answer 413 where the announced length exceeds MAX_UPLOAD_BYTES and room for the form's other fields."""

    FORM_ROOM = 64 * 1024

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    @classmethod
    def limit(cls) -> int:
        return int(settings.MAX_UPLOAD_BYTES) + cls.FORM_ROOM

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if _content_length(request) > self.limit():
            return _too_large(request)
        return self.get_response(request)


class NulMiddleware:
    """Answer 400 where a page's address holds a NUL: PostgreSQL refuses such text, and nobody means it.

    The API looks at its own addresses, and names the parameter.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        holds_nul = "\0" in request.path or "%00" in request.META.get("QUERY_STRING", "")
        if holds_nul and not request.path.startswith("/api/"):
            raise BadRequest("The address holds a NUL.")
        return self.get_response(request)


def _content_length(request: HttpRequest) -> int:
    length = request.META.get("CONTENT_LENGTH") or "0"
    return int(length) if length.isascii() and length.isdigit() else 0


def _too_large(request: HttpRequest) -> HttpResponse:
    limit = settings.MAX_UPLOAD_BYTES // (1024 * 1024)
    message = (
        "The upload is larger than %(limit)s MB, the most that is accepted. It cost nothing of your quota."
    )
    message %= {"limit": limit}
    if request.path.startswith("/api/"):
        return JsonResponse({"code": "file_too_large", "detail": message}, status=413)
    return render(request, "413.html", {"message": message}, status=413)
