"""Definitions are read by libyaml; what is wrong with one is told by the reader in Python."""

from pathlib import Path

import pytest
import yaml
from django.conf import settings

from benchmarks.spec import document
from benchmarks.spec.document import DEEPEST, DefinitionError, PlacedMapping, parse_yaml

DEFINITIONS = sorted((Path(settings.BASE_DIR) / "benchmarks" / "definitions").glob("*.yaml"))


def with_lines(value):
    """A document with the line of each key."""
    if isinstance(value, PlacedMapping):
        return [(key, value.lines[key], with_lines(inner)) for key, inner in value.items()]
    return [with_lines(inner) for inner in value] if isinstance(value, list) else value


@pytest.fixture
def explained(monkeypatch):
    """The same reading without libyaml."""

    def _read(text):
        with monkeypatch.context() as slow:
            slow.setattr(document, "_depth", lambda _: DEEPEST)
            return parse_yaml(text, "a.yaml")

    return _read


@pytest.mark.skipif(not yaml.__with_libyaml__, reason="this PyYAML was built without libyaml")
def test_libyaml_is_asked_first(monkeypatch):
    monkeypatch.delattr(document, "_StrictLoader")

    assert parse_yaml("id: toy", "a.yaml") == {"id": "toy"}


@pytest.mark.parametrize("path", DEFINITIONS, ids=lambda path: path.stem)
def test_definitions_are_read_alike_to_the_lines_of_their_keys(path, explained):
    text = path.read_text("utf-8")

    assert with_lines(parse_yaml(text, "a.yaml")) == with_lines(explained(text))


@pytest.mark.parametrize(
    "text",
    [
        *(
            "id: 1\nid: 2",
            "id: [1",
            "\tid: 1",
            "id: a: b",
            "id: &x [*x]",
            "id: 2026-13-45",
            "id: \ud800",
            "---\n---",
        ),
        *("[" * 200_000, "- " * 100_000, "{a: " * 100_000, f"a: {'[' * (DEEPEST - 1)}1{']' * (DEEPEST - 1)}"),
    ],
    ids=lambda text: text[:12].encode("unicode_escape").decode(),
)
def test_what_is_wrong_is_told_as_the_reader_in_python_tells_it(text, explained):
    with pytest.raises(DefinitionError) as quick:
        parse_yaml(text, "a.yaml")
    with pytest.raises(DefinitionError) as patient:
        explained(text)

    assert quick.value.mistakes == patient.value.mistakes
