"""One task or board written once for many: `for_each` lists the words that stand in for `{name}` in its texts."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from catalogue.section import Section

_PLACE = re.compile(r"\{([A-Za-z_]+)\}")


def repeated(section: Section) -> list[Section]:
    """The section once per entry of its `for_each`, or the section itself if it has none.

    An entry is a mapping of words. In every text of the section, keys of mappings included, `{name}` becomes the word
    of that name; a text that is nothing but `{name}` becomes the word itself, so that it may be a number. Names without
    a word stay.
    """
    entries = section.raw("for_each")
    if entries is None:
        return [section]
    if not isinstance(entries, list) or not all(isinstance(words, dict) and words for words in entries):
        section.wrong("for_each", "expected a list of mappings from a name to its word")
        return []
    rest = {key: value for key, value in section.values.items() if key != "for_each"}
    return [_with_words(section, rest, words) for words in entries]


def _with_words(section: Section, rest: Mapping[str, Any], words: Mapping[str, Any]) -> Section:
    values = {key: _filled(value, words) for key, value in rest.items()}
    unused = [name for name in words if f"{{{name}}}" not in repr(rest)]
    place = section.path.rpartition("[")[0]
    copy = Section(values, section.file_name, f"{place}[{values.get('id')}]", section.mistakes)
    for name in unused:
        copy.wrong("for_each", f"the word {name!r} is used nowhere")
    return copy


def _filled(value: Any, words: Mapping[str, Any]) -> Any:
    if isinstance(value, dict):
        return {_filled(key, words): _filled(inner, words) for key, inner in value.items()}
    if isinstance(value, list):
        return [_filled(inner, words) for inner in value]
    if not isinstance(value, str):
        return value
    whole = _PLACE.fullmatch(value)
    if whole and whole[1] in words:
        return words[whole[1]]
    return _PLACE.sub(lambda match: str(words.get(match[1], match[0])), value)
