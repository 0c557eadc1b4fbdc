"""The OpenAPI document as pages to read and try, all of it from this server."""

from __future__ import annotations

from csp.constants import SELF, UNSAFE_INLINE
from csp.decorators import csp_update
from django.utils.decorators import method_decorator
from drf_spectacular.views import SpectacularSwaggerSplitView


@method_decorator(
    csp_update({"style-src": [SELF, UNSAFE_INLINE]}), name="dispatch"
)  # Swagger styles its elements
class Docs(SpectacularSwaggerSplitView):
    """Swagger UI, its script at an address of its own so that no inline script has to be allowed."""

    url_name = "api-schema"
