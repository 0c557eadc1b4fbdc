"""A person's API tokens, and signing out everywhere."""

from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import sha256

from django.contrib import messages
from django.contrib.auth import logout
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods, require_POST
from knox.settings import CONSTANTS

from accounts.access import form_data, form_status, reader, signed_in
from accounts.models import ApiToken
from accounts.page_content import PageContent
from accounts.server.clock import database_now
from accounts.sign_in.second_factor import confirm_identity
from accounts.tokens import services
from accounts.tokens.forms import TokenForm
from accounts.tokens.services import MOST_TOKENS, TooManyTokens, create_token, end_token, tokens_of

_MADE_BY = "token_made_by"  # in a session: the form that has made its last token


@dataclass(frozen=True)
class TokensPage(PageContent):
    """API tokens that exist; `token` is the new one and `token_key` its beginning, only right after its creation."""

    template = "accounts/tokens.html"
    section = "account"
    tokens: Iterable[ApiToken]
    token: str | None
    token_key: str | None
    address: str
    form: TokenForm
    most: int = MOST_TOKENS


@signed_in
@require_http_methods(["GET", "HEAD", "POST"])
def tokens(request: HttpRequest) -> HttpResponse:
    """API tokens. A new one is shown in the answer to its own request and never again: only its hash is kept.

    A browser that loads this answer anew sends its form again, which makes no second token.
    """
    if request.method == "POST":
        confirm_identity(request)
        if (sent := _form_of(request)) and sent == request.session.get(_MADE_BY):
            messages.info(
                request,
                "This token has been made, and is shown once. Delete it and make another if you did not copy it.",
            )
            return redirect("accounts:tokens")
    user, now = reader(request), database_now()
    form = TokenForm(user, form_data(request))
    token = None
    if form.is_valid():
        try:
            token = create_token(user=user, now=now, **form.cleaned_data)[1]
            request.session[_MADE_BY] = _form_of(request)
        except TooManyTokens as error:
            form.add_error(None, str(error))
    page = TokensPage(
        tokens=tokens_of(user, now),
        token=token,
        token_key=token and token[: CONSTANTS.TOKEN_KEY_LENGTH],
        address=request.build_absolute_uri("/"),
        form=TokenForm(user, None) if token else form,
    )
    return page.answer(request, 201 if token else form_status(form))


def _form_of(request: HttpRequest) -> str:
    """By which a form is known that is sent again as it is: each page has its own token against forged requests."""
    return (
        sha256(request.POST.urlencode().encode()).hexdigest() if "csrfmiddlewaretoken" in request.POST else ""
    )


@signed_in
@require_POST
def delete_token(request: HttpRequest, key: str) -> HttpResponse:
    """Make one's own token useless at once."""
    ended = end_token(user=reader(request), key=key)
    if ended:
        messages.success(request, f"The token {ended} was deleted. Whatever used it is signed out.")
    return redirect("accounts:tokens")


@signed_in
@require_POST
def sign_out_everywhere(request: HttpRequest) -> HttpResponse:
    """End every session of the reader, this one too, and every token."""
    services.sign_out_everywhere(reader(request))
    logout(request)
    messages.success(request, "You are signed out in every browser, and all your API tokens have ended.")
    return redirect("account_login")
