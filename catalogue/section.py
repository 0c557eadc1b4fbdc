"""Read the mappings of a document strictly and collect every mistake with the key it stands at."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from enum import StrEnum
from math import isfinite
from typing import Any, TypeVar

from catalogue.registry import Member, Registry

Choice = TypeVar("Choice", bound=StrEnum)


@dataclass
class Section:
    """One mapping of the document. Reading a key marks it as known; `close` reports the unknown rest.

    A wrong value is recorded and a harmless stand-in returned, so that one pass finds all mistakes.
    """

    values: Mapping[str, Any]
    file_name: str
    path: str
    mistakes: list[str]
    _known: set[str] = field(default_factory=set)

    def wrong(self, key: str, message: str) -> None:
        """Record a mistake at `key` of this section."""
        place = f"{self.path}.{key}" if self.path and key else self.path or key
        self.mistakes.append(f"{self.file_name}: {place}: {message}")

    def line(self, key: str = "") -> str:
        """“line 5: ” for a key of this place, or for its first one; nothing where the document does not tell lines."""
        lines: Mapping[str, int] = getattr(self.values, "lines", {})
        line = lines.get(key) if key else min(lines.values(), default=None)
        return f"line {line}: " if line else ""

    def _take(self, key: str, wanted: type | tuple[type, ...], name: str, default: Any) -> Any:
        self._known.add(key)
        if key not in self.values:
            if default is None:
                self.wrong(key, f"is missing; expected {name}")
            return default
        value = self.values[key]
        if not isinstance(value, wanted) or (isinstance(value, bool) and wanted is not bool):
            self.wrong(key, f"expected {name}, found {type_name(value)} ({value!r})")
            return default
        return value

    def has(self, key: str) -> bool:
        """Whether an optional key is there; either way it is a key of this place."""
        self._known.add(key)
        return key in self.values

    def text(self, key: str, default: str | None = None) -> str:
        """A text that is not empty."""
        value = self._take(key, str, "text", default)
        if value is not default and not value.strip():
            self.wrong(key, "is empty; expected text")
        return (value or "").strip()

    def number(self, key: str, *, low: int, high: int) -> int:
        """A whole number in low..high."""
        value = self._take(key, int, f"a whole number from {low} to {high}", None)
        if value is not None and not low <= value <= high:
            self.wrong(key, f"expected a whole number from {low} to {high}, found {value}")
        return value if value is not None else low

    def real(self, key: str) -> float:
        value = self._take(key, (int, float), "a number", None)
        if value is not None and not isfinite(value):
            self.wrong(key, f"expected a finite number, found {value}")
        return float(value) if value is not None else 0.0

    def flag(self, key: str, *, default: bool) -> bool:
        return bool(self._take(key, bool, "true or false", default))

    def choice(self, key: str, choices: type[Choice], default: Choice | None = None) -> Choice:
        return choices(self._word(key, [member.value for member in choices], default))

    def member(self, key: str, members: Registry[Member], default: Member | None = None) -> Member:
        return members[self._word(key, members.keys(), default.key if default else None)]

    def _word(self, key: str, words: Sequence[str], default: str | None) -> str:
        value = self._take(key, str, "one of " + ", ".join(words), default)
        if value is None or value in words:
            return value or words[0]
        self.wrong(key, f"expected one of {', '.join(words)}, found {value!r}{nearest(value, words)}")
        return words[0]

    def texts(self, key: str, *, default: tuple[str, ...] | None = None) -> tuple[str, ...]:
        values = self._take(key, list, "a list of texts", default)
        for index, value in enumerate(values or ()):
            if not isinstance(value, str):
                self.wrong(
                    f"{key}[{index}]",
                    f"expected text, found {type_name(value)} ({value!r}); put it in quotes",
                )
        texts = tuple(value for value in values or () if isinstance(value, str))
        for text in (text for text, times in Counter(texts).items() if times > 1):
            self.wrong(key, f"{text!r} is listed twice")
        return texts

    def section(self, key: str) -> Section:
        return self._nested(self._take(key, dict, "a mapping", None) or {}, key)

    def optional_section(self, key: str) -> Section | None:
        """A nested mapping; None where the key is absent."""
        return self.section(key) if self.has(key) else None

    def sections(self, key: str, *, required: bool = True) -> Iterator[Section]:
        for index, value in enumerate(self._take(key, list, "a list", None if required else []) or ()):
            if isinstance(value, dict):
                name = value.get("id", index)
                yield self._nested(value, f"{key}[{name}]")
            else:
                self.wrong(f"{key}[{index}]", f"expected a mapping, found {type_name(value)}")

    def raw(self, key: str) -> Any:
        """The value as it stands, for a reader with rules of its own; None where absent."""
        self._known.add(key)
        return self.values.get(key)

    def over(self, defaults: Mapping[str, Any]) -> Section:
        """This section with `defaults` beneath it."""
        return Section({**defaults, **self.values}, self.file_name, self.path, self.mistakes)

    def parsed(self, key: str, parse: Callable[[str], Any], expected: str) -> Any:
        """A text that `parse` understands; where it raises ValueError or KeyError, a mistake and None."""
        text = self.text(key)
        try:
            return parse(text) if text else None
        except (ValueError, KeyError):
            self.wrong(key, f"expected {expected}, found {text!r}")
            return None

    def close(self) -> None:
        for key in self.values:
            if key not in self._known:
                self.wrong(str(key), f"is not a key of this place{nearest(str(key), sorted(self._known))}")

    def _nested(self, values: Mapping[str, Any], key: str) -> Section:
        return Section(values, self.file_name, f"{self.path}.{key}" if self.path else key, self.mistakes)


def nearest(word: str, words: Sequence[str]) -> str:
    """`; did you mean 'x'?` where one of `words` is close, else nothing."""
    close = get_close_matches(word, words, n=1)
    return f"; did you mean {close[0]!r}?" if close else ""


def type_name(value: object) -> str:
    if isinstance(value, dict):
        return "a mapping"
    names = {list: "a list", str: "text", bool: "yes/no", int: "a number"}
    return "nothing" if value is None else names.get(type(value), type(value).__name__)
