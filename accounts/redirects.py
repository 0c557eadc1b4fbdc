"""Where a form with a file leads once the file was taken."""

from __future__ import annotations

from http import HTTPStatus

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect


def lead_to(request: HttpRequest, address: str) -> HttpResponse:
    """A redirect; for the script that shows how much of a file has arrived (static/upload.js), a header.

    The script would follow a redirect by itself, and the page that it throws away would have shown the message.
    """
    if request.headers.get("X-Requested-With") == "XMLHttpRequest":
        return HttpResponse(status=HTTPStatus.CREATED, headers={"X-Next": address})
    return redirect(address)
