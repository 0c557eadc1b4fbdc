"""The texts of a definition: read out of its document, and put back in place of what stands there."""

from collections.abc import Iterator, Mapping
from copy import deepcopy
from typing import Any

OF_BENCHMARK = ("title", "summary", "citation")
OF_TASK = ("title", "summary", "instructions")


def texts_of(document: Mapping[str, Any]) -> dict[str, str]:
    """Each text of a definition by its place: `summary`, or `tasks.mood.instructions` for a task's."""
    return {place: _tidy(part.get(key, "")) for place, part, key in _places(document)}


def with_texts(document: Mapping[str, Any], texts: Mapping[str, str]) -> dict[str, Any]:
    """The document with these texts at their places; what does not differ stays as it is written."""
    edited = deepcopy(dict(document))
    for place, part, key in _places(edited):
        text = _tidy(texts.get(place, part.get(key, "")))
        if text != _tidy(part.get(key, "")):
            part[key] = text
    return edited


def _places(document: Mapping[str, Any]) -> Iterator[tuple[str, Any, str]]:
    """Each place with the mapping that it lies in and its key there."""
    for key in OF_BENCHMARK:
        yield key, document, key
    for task in document.get("tasks", ()):
        for key in OF_TASK:
            yield f"tasks.{task['id']}.{key}", task, key


def _tidy(text: Any) -> str:
    """With line ends as YAML has them, and nothing at either end."""
    return str(text).replace("\r\n", "\n").strip()
