"""How a request to the API says who sends it: a token, or e-mail address and password to obtain one."""

from typing import Any, cast

from allauth.account.adapter import get_adapter
from django.core.exceptions import ValidationError
from django.http import HttpRequest
from django.utils import timezone
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from knox.auth import TokenAuthentication as KnoxTokenAuthentication
from rest_framework.authentication import BasicAuthentication
from rest_framework.exceptions import AuthenticationFailed, PermissionDenied, Throttled
from rest_framework.request import Request

from accounts.api.token_scopes import check_token
from accounts.formats.mailboxes import mailbox
from accounts.models import ApiToken, User
from accounts.sign_in.addresses import has_confirmed_address
from accounts.sign_in.second_factor import MISSING, has_second_factor, lacks_second_factor
from accounts.sign_in.unconfirmed import NOT_SIGNED_IN, must_confirm
from accounts.tokens.services import note_use


class TokenAuthentication(KnoxTokenAuthentication):  # type: ignore[misc]  # knox has no types
    """Knox tokens, for what their scopes cover; whatever cannot be one is refused before the database is asked."""

    def authenticate(self, request: Request) -> tuple[User, ApiToken] | None:
        found = cast(tuple[User, ApiToken] | None, super().authenticate(request))
        if found is not None:
            if lacks_second_factor(found[0]):
                raise PermissionDenied(MISSING, code="second_factor_missing")
            check_token(found[1], request)
            # To ten minutes, for which this machine's clock will do: the database's is a statement more.
            note_use(found[1], timezone.now())
        return found

    def authenticate_credentials(self, token: bytes) -> tuple[User, Any]:
        try:
            if token.isalnum():
                return cast(tuple[User, Any], super().authenticate_credentials(token))
        except AuthenticationFailed:
            pass
        raise AuthenticationFailed(
            "This token is not known (any more): it was ended, its time is over, or it is not copied whole. Make "
            "another on your account page."
        )

    def _cleanup_token(self, auth_token: ApiToken) -> bool:
        """Whether its time is over. A sweep deletes such tokens, so no request asks for a person's others."""
        return bool(auth_token.expiry and auth_token.expiry < timezone.now())


class TokenScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]  # registered on subclassing
    target_class = "accounts.api.authentication.TokenAuthentication"
    name = "token"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        return {
            "type": "apiKey",
            "in": "header",
            "name": "Authorization",
            "description": "`Token ` and the token, as `/api/v1/auth/login/` or your account page gave it.",
        }


class PasswordAuthentication(BasicAuthentication):
    """E-mail address and password, under the same rate limit and the same conditions as the sign-in page."""

    www_authenticate_realm = "Heldout"

    def authenticate_credentials(
        self, userid: str, password: str, request: HttpRequest | Request | None = None
    ) -> tuple[User, None]:
        if isinstance(request, Request):
            request = request._request  # noqa: SLF001  # allauth counts attempts on Django's own request
        try:
            adapter = get_adapter()
            user = (
                None
                if "\0" in userid
                else adapter.authenticate(request, email=mailbox(userid), password=password)
            )
        except ValidationError:
            raise Throttled(
                detail="Too many failed attempts to sign in. Please wait a few minutes."
            ) from None
        if user is None or not user.is_active:
            raise AuthenticationFailed(
                NOT_SIGNED_IN if must_confirm() else "E-mail address or password is wrong."
            )
        if must_confirm() and not has_confirmed_address(user):
            raise AuthenticationFailed(NOT_SIGNED_IN)
        if has_second_factor(user):
            raise AuthenticationFailed(
                "This account has a second factor, and a password alone does not sign in to it. Make a token "
                "on your account page instead.",
                code="second_factor_needed",
            )
        return user, None


class PasswordScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]  # registered on subclassing
    target_class = "accounts.api.authentication.PasswordAuthentication"
    name = "password"

    def get_security_definition(self, auto_schema: Any) -> dict[str, str]:
        return {"type": "http", "scheme": "basic", "description": "E-mail address and password."}


def sender(request: Request) -> User:
    return cast(User, request.user)
