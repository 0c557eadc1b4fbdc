"""Static files: an address that names what they hold may be kept for ever, any other for a minute."""

from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from whitenoise.middleware import WhiteNoiseMiddleware

FOR_EVER = "max-age=31536000, public, immutable"


class StaticFilesMiddleware(WhiteNoiseMiddleware):  # type: ignore[misc]  # whitenoise has no types
    """WhiteNoise, and a long life for files that are asked for with the digest of what is there now (`?v=`)."""

    @staticmethod
    def serve(static_file: Any, request: HttpRequest) -> HttpResponseBase:
        """Answer with the file; pages of an earlier version ask with another digest and are told to look again."""
        answer: HttpResponseBase = WhiteNoiseMiddleware.serve(static_file, request)
        if request.GET.get("v") == settings.STATIC_DIGEST:
            answer["Cache-Control"] = FOR_EVER
        return answer
