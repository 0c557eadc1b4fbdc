"""Read a YAML document strictly: its ids, and parts that are written once for many (`for_each`)."""

import re
from collections.abc import Callable, Iterable, Mapping
from itertools import chain
from typing import Any, TypeVar

import yaml

from benchmarks.spec.protocol import Titled
from catalogue.section import Section, type_name


class DefinitionError(ValueError):
    """A definition with mistakes; `mistakes` names the file and key of each."""

    def __init__(self, mistakes: list[str]) -> None:
        self.mistakes = tuple(mistakes)
        super().__init__("\n".join(mistakes))


Part = TypeVar("Part")
Named = TypeVar("Named", bound=Titled)

_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}")
_PLACE = re.compile(r"\{([A-Za-z_]+)\}")
_SHOWN = 40  # characters of a value in a message
DEEPEST = 40  # no definition nests a third as deep
MOST_REPEATED = 100_000  # values that aliases stand for; nine lists of nine aliases each would be a billion

# What a plain value without quotes may be besides text.
_PLAIN = {"int": "a whole number", "float": "a number", "bool": "true or false", "timestamp": "a date"}


class _StrictLoader(yaml.SafeLoader):
    """SafeLoader that refuses what YAML itself would keep silently, such as a key given twice, or fail at."""

    def __init__(self, stream: str) -> None:
        super().__init__(stream)
        self._depth = 0
        self._extents: dict[yaml.Node, tuple[int, int]] = {}
        """Of each node that is read to its end: how many values it has with its own, and how deep they nest."""

    def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
        event: yaml.Event = self.peek_event()  # type: ignore[no-untyped-call]  # the library's types leave it out
        mark: Any = event.start_mark
        if self._depth >= DEEPEST:
            raise _too_deep(mark)
        if isinstance(event, yaml.AliasEvent):
            named = self.anchors.get(event.anchor)
            if named is not None and named not in self._extents:
                raise yaml.composer.ComposerError(None, None, "an alias stands within what it names", mark)
        self._depth += 1
        try:
            node = super().compose_node(parent, index)
        finally:
            self._depth -= 1
        if node is not None:
            self._measure(node)
        return node

    def _measure(self, node: yaml.Node) -> None:
        """Refuse what would be far more, or nest deeper, with each alias replaced by what it stands for."""
        if node in self._extents:
            return
        value = [] if isinstance(node, yaml.ScalarNode) else node.value
        inner = chain.from_iterable(value) if isinstance(node, yaml.MappingNode) else value
        below = [self._extents[each] for each in inner]
        size, depth = 1 + sum(size for size, _ in below), 1 + max((depth for _, depth in below), default=0)
        if depth > DEEPEST:
            raise _too_deep(node.start_mark)
        self._extents[node] = size, depth
        if size - len(self._extents) > MOST_REPEATED:
            said = f"aliases repeat more than {MOST_REPEATED:,} values"
            raise yaml.composer.ComposerError(None, None, said, node.start_mark)


def _too_deep(mark: yaml.Mark) -> yaml.composer.ComposerError:
    return yaml.composer.ComposerError(None, None, f"nests too deep: more than {DEEPEST} levels", mark)


class PlacedMapping(dict[Any, Any]):
    """A mapping of a document that knows the lines of its keys, for messages. A copy of it does not."""

    lines: Mapping[Any, int]


yaml.SafeDumper.add_representer(PlacedMapping, yaml.SafeDumper.represent_dict)


def _mapping_without_doubles(loader: yaml.SafeLoader, node: yaml.MappingNode) -> dict[Any, Any]:
    seen: dict[Any, int] = {}
    for key_node, _ in node.value:
        key = loader.construct_object(key_node, deep=True)
        if key in seen:
            raise yaml.constructor.ConstructorError(
                None, None, f"the key {key!r} is given twice", key_node.start_mark
            )
        seen[key] = key_node.start_mark.line + 1
    mapping = PlacedMapping(loader.construct_mapping(node, deep=True))
    mapping.lines = seen
    return mapping


def _plain_value(loader: yaml.SafeLoader, node: yaml.Node) -> Any:
    """The value of a node of a plain kind; what looks like one and is none is a mistake with its line."""
    try:
        value = yaml.SafeLoader.yaml_constructors[node.tag](loader, node)
        str(value)  # refuses a number of thousands of digits, which no message could show
    except (ValueError, KeyError, IndexError, AttributeError, OverflowError):
        found, expected = str(node.value), _PLAIN[node.tag.rpartition(":")[2]]
        shown = repr(found if len(found) <= _SHOWN else f"{found[:_SHOWN]}…")
        raise yaml.constructor.ConstructorError(
            None, None, f"{shown} cannot be read as {expected}; text stands in quotes", node.start_mark
        ) from None
    return (
        str(node.value) if node.tag.endswith(":timestamp") else value
    )  # a document is JSON, which has no dates


for _name in _PLAIN:
    _StrictLoader.add_constructor(f"tag:yaml.org,2002:{_name}", _plain_value)
_StrictLoader.add_constructor(yaml.resolver.BaseResolver.DEFAULT_MAPPING_TAG, _mapping_without_doubles)


def parse_yaml(text: str, file_name: str) -> dict[str, Any]:
    """Parse one YAML file into a mapping.

    Raises
    ------
    DefinitionError
        If the text is not YAML, repeats a key or is not a mapping; names file and line.
    """
    try:
        # _StrictLoader derives from SafeLoader: it builds plain values only.
        document = yaml.load(text, Loader=_StrictLoader)  # noqa: S506  # built on the safe loader
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        place = f"{file_name}, line {mark.line + 1}" if mark else file_name
        raise DefinitionError([f"{place}: {getattr(error, 'problem', None) or error}"]) from None
    if not isinstance(document, dict):
        raise DefinitionError([f"{file_name}: a definition is a mapping of keys, not {type_name(document)}"])
    return document


def identifier(section: Section) -> str:
    value = section.text("id")
    if value and not _ID.fullmatch(value):
        section.wrong("id", f"expected letters, digits, _ and - (at most 64), found {value!r}")
    return value


def refuse_doubles(section: Section, key: str, ids: list[str]) -> None:
    for double in sorted({name for name in ids if ids.count(name) > 1}):
        section.wrong(key, f"the id {double!r} is used twice")


def refuse(section: Section, *checks: tuple[object, str, str]) -> None:
    """Record the mistakes that were made; a check is whether it was, the key that it stands at, and the message."""
    for is_wrong, key, message in checks:
        if is_wrong:
            section.wrong(key, message)


def read_each(sections: Iterable[Section], read: Callable[[Section], Part]) -> tuple[Part, ...]:
    """What `read` makes of each section; keys that it has not read are mistakes."""
    parts = []
    for section in sections:
        parts.append(read(section))
        section.close()
    return tuple(parts)


def read_named(top: Section, key: str, read: Callable[[Section], Named]) -> tuple[Named, ...]:
    """What `read` makes of the list at `key`, if there is one: parts with ids of their own."""
    parts = read_each(top.sections(key, required=False), read)
    refuse_doubles(top, key, [part.id for part in parts])
    return parts


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
    copies = []
    for words in entries:
        values = {key: _filled(value, words) for key, value in rest.items()}
        path = f"{section.path.rpartition('[')[0]}[{values.get('id')}]"
        copies.append(Section(values, section.file_name, path, section.mistakes))
        unused = [name for name in words if f"{{{name}}}" not in repr(rest)]
        refuse(copies[-1], *((True, "for_each", f"the word {name!r} is used nowhere") for name in unused))
    return copies


def _filled(value: Any, words: Mapping[str, Any]) -> Any:
    if isinstance(value, dict):
        return {_filled(key, words): _filled(inner, words) for key, inner in value.items()}
    if isinstance(value, list):
        return [_filled(inner, words) for inner in value]
    if not isinstance(value, str):
        return value
    if (whole := _PLACE.fullmatch(value)) and whole[1] in words:
        return words[whole[1]]
    return _PLACE.sub(lambda match: str(words.get(match[1], match[0])), value)
