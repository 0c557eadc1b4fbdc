"""What a request with a token may do: refused unless the token's scopes and benchmark cover the address.

Addresses say what they need in attributes of their view:

`token_scopes`
    The scope per method, where it is not `read` to ask and `manage` to change something.
`is_for_tokens_of_one_benchmark`
    True where the view holds itself to `benchmark_of_token`, or tells nothing that belongs to a benchmark. An address
    with a benchmark in it is held to it here. Every other address refuses a token that is limited to one.
"""

from collections.abc import Mapping
from typing import Any

from rest_framework.exceptions import PermissionDenied
from rest_framework.permissions import SAFE_METHODS
from rest_framework.request import Request

from accounts.models import ApiToken
from accounts.tokens.scopes import Scope

SUBMITTING: Mapping[str, Scope] = {"POST": Scope.SUBMIT, "PATCH": Scope.SUBMIT, "PUT": Scope.SUBMIT}


def check_token(token: ApiToken, request: Request) -> None:
    """PermissionDenied, with what would be needed, where a token does not cover the request."""
    context = request.parser_context or {}
    view = context.get("view")
    needed = needed_scope(view, str(request.method))
    if needed is not None and needed not in token.scopes:
        raise PermissionDenied(
            f"This token may not do this: its scope is {' and '.join(token.scopes)}, and this needs {needed}. "
            "Make a token with that scope on your account page.",
            code="token_scope",
        )
    if token.benchmark:
        _check_benchmark(token, view, context.get("kwargs", {}))


def needed_scope(view: Any, method: str) -> Scope | None:
    """The scope that a method of a view needs; None where any token will do."""
    scopes: Mapping[str, Scope | None] = getattr(view, "token_scopes", {})
    if method in scopes:
        return scopes[method]
    return Scope.READ if method in SAFE_METHODS else Scope.MANAGE


def _check_benchmark(token: ApiToken, view: Any, kwargs: Mapping[str, str]) -> None:
    asked = kwargs.get("benchmark")
    if asked is not None:
        refuse_other_benchmark(token, asked)
    elif not getattr(view, "is_for_tokens_of_one_benchmark", False):
        raise PermissionDenied(
            f"This token is only for {token.benchmark}, and this address is not about one benchmark.",
            code="token_benchmark",
        )


def refuse_other_benchmark(token: Any, benchmark: str) -> None:
    """PermissionDenied where a request's token (`request.auth`) is for another benchmark alone."""
    if isinstance(token, ApiToken) and token.benchmark not in ("", benchmark):
        raise PermissionDenied(
            f"This token is only for {token.benchmark}, and this is about {benchmark}.",
            code="token_benchmark",
        )


def benchmark_of_token(request: Request) -> str:
    """The one benchmark that the request's token is for; empty where it is for all, or where there is no token."""
    return str(request.auth.benchmark) if isinstance(request.auth, ApiToken) else ""
