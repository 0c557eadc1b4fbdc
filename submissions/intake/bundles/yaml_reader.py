"""The YAML of a bundle, safely: plain values alone, aliases followed within a limit, and the line of every key."""

from collections.abc import Sequence
from typing import Any

import yaml

from submissions.intake.bundles.report import refused

LARGEST_YAML = 1 << 20
MOST_VALUES = 20_000
DEEPEST = 30
_PLAIN = "tag:yaml.org,2002:"
_AS_TEXT = {f"{_PLAIN}{name}" for name in ("str", "timestamp", "value")}
_TRUE = {"true", "yes", "on"}


class Lined(dict[str, Any]):
    """A mapping that knows the line of each of its keys, from 1."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: dict[str, int] = {}
        self.doubles: list[str] = []


class LinedList(list[Any]):
    """A list that knows the line of each of its entries, from 1."""

    lines: Sequence[int] = ()


class _Composer(yaml.SafeLoader):
    """Composes nodes alone, no more than are read; nothing is constructed by it."""

    depth = 0
    count = 0

    def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
        self.count += 1
        if self.count > 2 * MOST_VALUES:  # with the keys
            raise yaml.composer.ComposerError(
                None, None, f"has more than {MOST_VALUES:,} values", parent.start_mark if parent else None
            )
        if self.depth >= DEEPEST:
            raise yaml.composer.ComposerError(
                None, None, f"nests deeper than {DEEPEST} levels", parent.start_mark if parent else None
            )
        self.depth += 1
        try:
            return super().compose_node(parent, index)
        finally:
            self.depth -= 1


def read_yaml(text: str, file: str) -> Lined:
    """The mapping that a document is. BundleRefused names the line of what cannot be read."""
    try:
        node = yaml.compose(text, Loader=_Composer)
    except yaml.YAMLError as error:
        mark = getattr(error, "context_mark", None) or getattr(error, "problem_mark", None)
        words = (getattr(error, name, None) for name in ("context", "problem"))
        why = f"no YAML: {', '.join(filter(None, words)) or error}"
        raise refused(file, "yaml", why, line=mark.line + 1 if mark else 0) from None
    except (RecursionError, ValueError):
        raise refused(file, "yaml", "no YAML that can be read") from None
    if not isinstance(node, yaml.MappingNode):
        raise refused(file, "yaml", "expected a mapping of keys")
    return _Values(file).mapping(node)


class _Values:
    """Plain values of nodes; those that aliases repeat are counted each time."""

    def __init__(self, file: str) -> None:
        self._file, self._count, self._depth = file, 0, 0

    def of(self, node: yaml.Node) -> Any:
        self._count += 1
        line = node.start_mark.line + 1
        if self._count > MOST_VALUES or self._depth > DEEPEST:
            raise refused(
                self._file,
                "yaml",
                f"more than {MOST_VALUES:,} values, those that aliases repeat counted",
                line=line,
            )
        self._depth += 1
        try:
            if isinstance(node, yaml.MappingNode):
                return self.mapping(node)
            if isinstance(node, yaml.SequenceNode):
                self._refuse_tag(node, "seq")
                found = LinedList(self.of(each) for each in node.value)
                found.lines = [each.start_mark.line + 1 for each in node.value]
                return found
            return self._scalar(node)
        finally:
            self._depth -= 1

    def mapping(self, node: yaml.MappingNode) -> Lined:
        self._refuse_tag(node, "map")
        found = Lined()
        merged: list[Lined] = []
        for key_node, value_node in node.value:
            line = key_node.start_mark.line + 1
            if not isinstance(key_node, yaml.ScalarNode):
                raise refused(self._file, "yaml", "a key is no plain text", line=line)
            value = self.of(value_node)
            if key_node.tag == f"{_PLAIN}merge":
                merged += [
                    one for one in (value if isinstance(value, list) else [value]) if isinstance(one, Lined)
                ]
                continue
            key = str(key_node.value)
            if key in found:
                found.doubles.append(key)
            found[key], found.lines[key] = value, line
        for one in merged:
            for key, value in one.items():
                if key not in found:
                    found[key], found.lines[key] = value, one.lines[key]
        return found

    def _scalar(self, node: yaml.Node) -> Any:
        text = str(node.value)
        if node.tag in _AS_TEXT:
            return text
        name = node.tag.removeprefix(_PLAIN)
        try:
            if name == "null":
                return None
            if name == "bool":
                return text.lower() in _TRUE
            if name == "int":
                return int(text.replace("_", ""))
            if name == "float":
                return float(text.replace("_", "").replace(".inf", "inf").replace(".nan", "nan"))
        except (ValueError, OverflowError):
            return text
        raise refused(
            self._file,
            "yaml",
            f"the tag {node.tag[:80]} makes an object; plain values are read alone",
            line=node.start_mark.line + 1,
        )

    def _refuse_tag(self, node: yaml.Node, plain: str) -> None:
        if node.tag != f"{_PLAIN}{plain}":
            raise refused(
                self._file,
                "yaml",
                f"the tag {node.tag[:80]} makes an object; plain values are read alone",
                line=node.start_mark.line + 1,
            )
