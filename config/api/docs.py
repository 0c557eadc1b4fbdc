"""The OpenAPI document as pages to read and try, all of it from this server."""

from typing import Any

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


def add_errors(result: dict[str, Any], **_: Any) -> dict[str, Any]:
    """Say once for every operation what an error looks like."""
    text = {"type": "string"}
    result["components"]["schemas"]["Error"] = {
        "type": "object",
        "description": "`code` is stable, `detail` for people; `fields` says what is wrong with which field.",
        "properties": {
            "code": text,
            "detail": text,
            "fields": {"type": "object", "additionalProperties": {"type": "array", "items": text}},
        },
        "required": ["code", "detail"],
    }
    content = {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}}
    for path in result["paths"].values():
        for operation in path.values():
            operation["responses"]["default"] = {"description": "Any error.", "content": content}
    return result
