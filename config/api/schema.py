"""The OpenAPI document: the same for everybody, and worked out once in a process."""

import threading
from typing import Any

from django.http import HttpResponse
from drf_spectacular.utils import extend_schema
from drf_spectacular.views import SpectacularAPIView
from rest_framework.request import Request

_documents: dict[str, bytes] = {}
_drawing = threading.Lock()
"""Held while a document is worked out: drf-spectacular prepares itself then, and fails where two threads do so."""


class OpenApiDocument(SpectacularAPIView):
    """By format of the document, of which there are four."""

    @extend_schema(exclude=True)
    def get(self, request: Request, *args: Any, **kwargs: Any) -> HttpResponse:
        """The document in the format that was asked for."""
        renderer = request.accepted_renderer
        with _drawing:
            if renderer.media_type not in _documents:
                schema = self.generator_class().get_schema(public=True)  # type: ignore[no-untyped-call]  # no types there
                text = renderer.render(schema, renderer_context={})
                _documents[renderer.media_type] = text if isinstance(text, bytes) else text.encode()
        return HttpResponse(_documents[renderer.media_type], content_type=renderer.media_type)
