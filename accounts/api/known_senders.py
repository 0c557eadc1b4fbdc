"""Whether a request comes from somebody we know, told by its head alone: before its body is read."""

from collections.abc import Mapping

from django.conf import settings
from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore
from django.db import Error, close_old_connections
from django.http import parse_cookie
from rest_framework.exceptions import AuthenticationFailed

from accounts.api.authentication import TokenAuthentication


def is_known(environ: Mapping[str, str]) -> bool:
    """True if the cookie is that of a session that somebody has signed in to, or the token is somebody's.

    True as well while the database is away: let Django say so.
    """
    close_old_connections()
    try:
        return _has_session(environ.get("HTTP_COOKIE", "")) or _has_token(
            environ.get("HTTP_AUTHORIZATION", "")
        )
    except Error:
        return True
    finally:
        close_old_connections()


def _has_session(cookies: str) -> bool:
    key = parse_cookie(cookies).get(settings.SESSION_COOKIE_NAME, "")
    return key.isascii() and key.isalnum() and SESSION_KEY in SessionStore(session_key=key).load()


def _has_token(authorization: str) -> bool:
    kind, _, token = authorization.partition(" ")
    if kind.lower() != "token":
        return False
    try:
        TokenAuthentication().authenticate_credentials(token.strip().encode())
    except AuthenticationFailed:
        return False
    return True
