"""Refuse what no view could answer: a body that is too large, an address that no database can look up; the policy that
browsers hold pages to; and what caches are told of answers to people who are known.
"""

from dataclasses import dataclass

from csp.constants import UNSAFE_EVAL, UNSAFE_INLINE
from csp.middleware import CSPMiddleware, PolicyParts
from django.conf import settings
from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.utils.deprecation import MiddlewareMixin

from accounts.page_content import PageContent


@dataclass(frozen=True)
class TooLargePage(PageContent):
    """How large an upload may be, and what this one cost."""

    template = "413.html"
    message: str


class UploadSizeMiddleware(MiddlewareMixin):
    """Answer 413 where the announced length exceeds MAX_UPLOAD_BYTES and room for the form's other fields."""

    FORM_ROOM = 64 * 1024

    @classmethod
    def limit(cls) -> int:
        return int(settings.MAX_UPLOAD_BYTES) + cls.FORM_ROOM

    def process_request(self, request: HttpRequest) -> HttpResponse | None:
        length = request.META.get("CONTENT_LENGTH") or "0"
        if not (length.isascii() and length.isdigit()) or int(length) <= self.limit():
            return None
        message = (
            f"The upload is larger than {settings.MAX_UPLOAD_BYTES // 2**20} MB, the most that is accepted. "
            "It cost nothing of your quota."
        )
        if request.path.startswith("/api/"):
            return JsonResponse({"code": "file_too_large", "detail": message}, status=413)
        return TooLargePage(message).answer(request, status=413)


class NulMiddleware(MiddlewareMixin):
    """Answer 400 where a page's address holds a NUL: PostgreSQL refuses such text, and nobody means it.

    The API looks at its own addresses, and names the parameter.
    """

    def process_request(self, request: HttpRequest) -> None:
        holds_nul = "\0" in request.path or "%00" in request.META.get("QUERY_STRING", "")
        if holds_nul and not request.path.startswith("/api/"):
            raise BadRequest("The address holds a NUL.")


class OneReaderMiddleware(MiddlewareMixin):
    """Tell caches to keep nothing of what somebody with a session or a token is answered, where nothing else is said.

    Answers of the API and of search say what is theirs alone, and caches may keep what says nothing of caches.
    """

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        is_known = settings.SESSION_COOKIE_NAME in request.COOKIES or "Authorization" in request.headers
        if is_known and not response.has_header("Cache-Control"):
            response["Cache-Control"] = "private, no-store"
        return response


class SignedInMiddleware(MiddlewareMixin):
    """Have a cookie beside the session's say that somebody is signed in here, and not who.

    It comes and goes with the session's. Published pages are the same for everybody; by it their script
    (static/heldout.js) leads to what is the reader's own.
    """

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        session = response.cookies.get(settings.SESSION_COOKIE_NAME)
        if session is None:
            return response
        name = settings.SIGNED_IN_COOKIE_NAME
        if session.value and request.user.is_authenticated:
            age = session["max-age"]
            response.set_cookie(
                name,
                "1",
                max_age=None if age == "" else age,
                secure=settings.SESSION_COOKIE_SECURE,
                samesite=settings.SESSION_COOKIE_SAMESITE,
            )
        elif name in request.COOKIES:
            response.delete_cookie(name, samesite=settings.SESSION_COOKIE_SAMESITE)
        return response


class PolicyMiddleware(CSPMiddleware):
    """The site's Content-Security-Policy; in the admin with what unfold cannot do without.

    Its Alpine compiles expressions (`unsafe-eval`), and colours stand in style elements. Scripts that somebody managed
    to write into a page are refused there as everywhere.
    """

    ADMIN = {"script-src": [UNSAFE_EVAL], "style-src": [UNSAFE_INLINE]}

    def get_policy_parts(
        self, request: HttpRequest, response: HttpResponseBase, report_only: bool = False
    ) -> PolicyParts:
        parts = super().get_policy_parts(request, response, report_only)
        if request.path_info.startswith("/admin/"):
            parts.update = {**(parts.update or {}), **self.ADMIN}
        return parts
