"""The OpenAPI document as something to read: operations by part, each with what it takes, answers and an example."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.safestring import SafeString
from drf_spectacular.generators import SchemaGenerator

from handbook.code_examples import Call, curl, python
from handbook.manuscript import inline_html

PREFIX = "/api/v1/"
TITLES = {
    "": "The API itself",
    "auth": "Tokens",
    "me": "Who you are",
    "benchmarks": "Benchmarks and releases",
    "gold-key": "The key that seals gold labels",
}
"""Of parts whose first word says too little; the others are called by that word."""
METHODS = ("get", "post", "put", "patch", "delete")
DEEPEST = 2  # how far fields within fields are told

Json = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ApiField:
    """A parameter or a field: `name` with its parents, `kind` in words, `about` sentences as HTML or empty."""

    name: str
    kind: str
    about: SafeString
    is_required: bool = False


@dataclass(frozen=True, slots=True)
class ApiAnswer:
    """What comes back with one status; `media` is empty where there is no body, `fields` where its form is free."""

    status: str
    media: str
    fields: tuple[ApiField, ...]


@dataclass(frozen=True, slots=True)
class ApiOperation:
    """A method and an address. `access` says in words who may call it; `body` is the media type of what is sent."""

    anchor: str
    method: str
    path: str
    about: Sequence[SafeString]
    access: str
    parameters: tuple[ApiField, ...]
    body: str
    fields: tuple[ApiField, ...]
    answers: tuple[ApiAnswer, ...]
    curl: str
    python: str


@dataclass(frozen=True, slots=True)
class ApiPart:
    """Operations whose addresses begin alike."""

    title: str
    anchor: str
    operations: tuple[ApiOperation, ...]


def api_parts(site: str) -> tuple[ApiPart, ...]:
    """All operations in the order of the document; `site` is where the examples send them."""
    generator = SchemaGenerator()  # type: ignore[no-untyped-call]  # drf-spectacular leaves its constructor untyped
    schema: Json = generator.get_schema(request=None, public=True)  # type: ignore[no-untyped-call]  # as above
    read = _Document(schema, site)
    parts: dict[str, list[ApiOperation]] = defaultdict(list)
    for path, operations in schema["paths"].items():
        for method in METHODS:
            if method in operations:
                parts[path.removeprefix(PREFIX).split("/")[0]].append(
                    read.operation(method, path, operations[method])
                )
    return tuple(
        ApiPart(TITLES.get(name, name.capitalize()), name or "index", tuple(operations))
        for name, operations in parts.items()
    )


class _Document:
    """The document, to follow its references."""

    def __init__(self, schema: Json, site: str) -> None:
        self._schemas: Json = schema["components"]["schemas"]
        self._site = site

    def operation(self, method: str, path: str, operation: Json) -> ApiOperation:
        """One operation in words."""
        content: Json = operation.get("requestBody", {}).get("content", {})
        body = "multipart/form-data" if len(content) == 1 and "multipart/form-data" in content else ""
        body = body or next(iter(content), "")
        fields = tuple(self._fields(content[body].get("schema", {}))) if body else ()
        parameters = tuple(
            ApiField(
                parameter["name"],
                self._kind(parameter.get("schema", {})),
                _sentence(parameter.get("description", "")),
                parameter.get("required", False),
            )
            for parameter in operation.get("parameters", ())
            if parameter["in"] != "path" or parameter.get("description")  # the address shows the others
        )
        schemes = [scheme for option in operation.get("security", ()) for scheme in option or ("nobody",)]
        call = Call(
            method=method.upper(),
            url=self._site + path.replace("{", "<").replace("}", ">"),
            access="password" if "password" in schemes else "" if "nobody" in schemes else "token",
            is_form=body == "multipart/form-data",
            fields=tuple(
                (field.name, field.kind) for field in fields if field.is_required and "." not in field.name
            ),
        )
        return ApiOperation(
            anchor=f"{method}-{operation['operationId'].replace('_', '-')}",
            method=method.upper(),
            path=path.replace("{", "<").replace("}", ">"),
            about=[
                inline_html(" ".join(part.split()))
                for part in operation.get("description", "").split("\n\n")
                if part.strip()
            ],
            access=_access(schemes),
            parameters=parameters,
            body=body,
            fields=fields,
            answers=tuple(self._answers(operation["responses"])),
            curl=curl(call),
            python=python(call),
        )

    def _answers(self, responses: Json) -> Iterator[ApiAnswer]:
        for status, response in sorted(responses.items()):
            if status == "default":
                continue  # errors have one form everywhere
            content: Json = response.get("content", {})
            media = next(iter(content), "")
            yield ApiAnswer(
                status, media, tuple(self._fields(content[media].get("schema", {}))) if media else ()
            )

    def _fields(self, schema: Json, parents: str = "", depth: int = 0) -> Iterator[ApiField]:
        """The fields of an object, each followed by those within it."""
        schema = self._followed(schema)
        if schema.get("type") == "array":
            yield from self._fields(schema["items"], parents + "[]", depth)
            return
        for option in (*schema.get("oneOf", ()), *schema.get("allOf", ())):
            yield from self._fields(option, parents, depth)
        required = schema.get("required", ())
        for name, field in schema.get("properties", {}).items():
            own = f"{parents}.{name}" if parents else name
            yield ApiField(own, self._kind(field), _sentence(field.get("description", "")), name in required)
            if depth + 1 < DEEPEST:
                yield from self._fields(field, own, depth + 1)

    def _followed(self, schema: Json) -> Json:
        """The schema itself in place of a reference to it, also of one that only adds a description."""
        alone = schema.get("allOf", ())
        if len(alone) == 1 and "properties" not in schema:
            return self._followed(alone[0])
        if "$ref" in schema:
            return self._followed(self._schemas[schema["$ref"].rsplit("/", 1)[1]])
        return schema

    def _kind(self, schema: Json) -> str:
        """What a value is, in words: `text`, `list of whole number`, `text or null`."""
        null = " or null" if schema.get("nullable") else ""
        schema = self._followed(schema)
        if schema.get("oneOf"):
            kinds = dict.fromkeys(self._kind(option) for option in schema["oneOf"])
            return " or ".join(kind for kind in kinds if kind) + null
        if "enum" in schema:
            words = " or ".join(f"“{value}”" for value in schema["enum"] if value not in (None, ""))
            return (words or "null") + null
        if schema.get("type") == "array":
            return f"list of {self._kind(schema['items'])}{null}"
        formats = {"date-time": "instant", "uuid": "UUID", "email": "e-mail address", "binary": "file"}
        types = {"string": "text", "integer": "whole number", "number": "number", "boolean": "true or false"}
        kind = formats.get(schema.get("format", "")) or types.get(schema.get("type", ""), "object")
        return kind + null


def _access(schemes: Sequence[str]) -> str:
    if "password" in schemes:
        return "With e-mail address and password (HTTP Basic)."
    return "Open to everybody." if "nobody" in schemes else "With a token."


def _sentence(text: str) -> SafeString:
    """The text on one line; lists of choices, which drf-spectacular writes as Markdown, are told by the kind."""
    return inline_html(" ".join(line.strip() for line in text.splitlines() if not line.startswith("* ")))
