"""Who may see a page, and where a person may be sent on to."""

from collections.abc import Callable
from http import HTTPStatus
from typing import Any, cast

from django.contrib.auth.decorators import login_required
from django.forms import BaseForm
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.cache import never_cache

from accounts.models import User

View = Callable[..., HttpResponseBase]


def signed_in(view: View) -> View:
    """Send everyone else to sign in first. What the page shows is for one reader, so no cache may keep it."""
    return never_cache(login_required(view))


def reader(request: HttpRequest) -> User:
    return cast(User, request.user)


def safe_next(request: HttpRequest, default: str) -> str:
    """Where `next` says to go on to, if that is a page of this site; else `default`."""
    wanted = request.POST.get("next") or request.GET.get("next") or ""
    is_ours = url_has_allowed_host_and_scheme(
        wanted, allowed_hosts={request.get_host()}, require_https=request.is_secure()
    )
    return wanted if is_ours else default


def form_data(request: HttpRequest) -> Any:
    """What to bind a form to: the posted fields, or None where nothing was posted."""
    return request.POST if request.method == "POST" else None


def form_status(form: BaseForm | None) -> int:
    """What a page answers that has this form: one that was sent is shown again only because it cannot be taken."""
    return HTTPStatus.UNPROCESSABLE_ENTITY if form is not None and form.is_bound else HTTPStatus.OK


def lead_to(request: HttpRequest, address: str) -> HttpResponse:
    """A redirect; for the script that shows how much of a file has arrived (static/upload.js), a header.

    The script would follow a redirect by itself, and the page that it throws away would have shown the message.
    """
    if request.headers.get("X-Requested-With") == "XMLHttpRequest":
        return HttpResponse(status=HTTPStatus.CREATED, headers={"X-Next": address})
    return redirect(address)
