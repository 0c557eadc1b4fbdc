"""What the OpenAPI document says of errors."""

from typing import Any


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
