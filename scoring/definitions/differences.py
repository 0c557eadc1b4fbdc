"""What two documents of a definition differ in, key by key, as an organiser reads it."""

from collections.abc import Iterator, Mapping
from typing import Any

_LONGEST = 80


def differences(before: Mapping[str, Any], after: Mapping[str, Any], place: str = "") -> Iterator[str]:
    """A sentence for each key that was added, taken away or changed; parts of a list are told by their `id`."""
    for key in dict.fromkeys([*before, *after]):
        name = f"{place}.{key}" if place else str(key)
        if key not in after:
            yield f"{name} goes; it was {_shown(before[key])}"
        elif key not in before:
            yield f"{name} is new: {_shown(after[key])}"
        else:
            yield from _between(before[key], after[key], name)


def _between(before: Any, after: Any, name: str) -> Iterator[str]:
    old, new = _by_id(before), _by_id(after)
    if isinstance(before, dict) and isinstance(after, dict):
        yield from differences(before, after, name)
    elif old is not None and new is not None:
        for key in dict.fromkeys([*old, *new]):
            if key in old and key in new:
                yield from differences(old[key], new[key], f"{name}[{key}]")
            else:
                yield f"{name}[{key}] {'is new' if key in new else 'goes'}"
        if list(old) != list(new) and set(old) == set(new):
            yield f"{name} are in another order"
    elif (before, type(before)) != (after, type(after)):
        yield f"{name} changes from {_shown(before)} to {_shown(after)}"


def _by_id(values: Any) -> dict[str, Any] | None:
    """The parts of a list by their ids; None where they have none or share one."""
    if not isinstance(values, list) or not all(isinstance(one, dict) and "id" in one for one in values):
        return None
    parts = {str(one["id"]): one for one in values}
    return parts if len(parts) == len(values) else None


def _shown(value: Any) -> str:
    text = "yes" if value is True else "no" if value is False else str(value)
    if isinstance(value, list):
        text = ", ".join(map(str, value))
    return f"“{text[:_LONGEST]}{'…' if len(text) > _LONGEST else ''}”"
