"""Identifiers of a definition: one spelling, no doubles."""

from __future__ import annotations

import re

from catalogue.section import Section

_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}")


def identifier(section: Section) -> str:
    """The section's `id`."""
    value = section.text("id")
    if value and not _ID.fullmatch(value):
        section.wrong("id", f"expected letters, digits, _ and - (at most 64), found {value!r}")
    return value


def refuse_doubles(section: Section, key: str, ids: list[str]) -> None:
    """Record a mistake for every id that stands twice."""
    for double in sorted({name for name in ids if ids.count(name) > 1}):
        section.wrong(key, f"the id {double!r} is used twice")
