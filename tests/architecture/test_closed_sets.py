"""Outside its folder, nobody asks which member of a closed set something is."""

import ast
from collections.abc import Iterator
from inspect import isabstract
from pathlib import Path

import pytest

from catalogue.answers import KINDS, AnswerKind
from catalogue.disclosure import Rule
from catalogue.layouts import LAYOUTS
from catalogue.registry import objects_of
from labelling.core.aggregation.rule import AggregationRule
from leaderboard.reports.report import ReleaseReport

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = (
    "accounts", "benchmarks", "breaking", "catalogue", "client", "config", "demo", "heldout", "labelling",
    "leaderboard", "operations", "perf", "scoring", "submissions", "transparency",
)  # fmt: skip
FOLDERS = {
    "catalogue/answers": {kind.__name__ for kind in KINDS},
    # CSV and JSON are names of exports as well.
    "catalogue/layouts": {"TSV", "JSON_LINES", *(type(layout).__name__ for layout in LAYOUTS)},
}


def matches_on(tree: ast.AST, members: set[str]) -> Iterator[int]:
    """The lines on which a program tells these classes apart."""
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Name(id="isinstance" | "issubclass"), args=[_, classes]):
                asked: ast.AST = classes
            case ast.MatchClass(cls=name):
                asked = name
            case ast.Compare(comparators=compared):
                asked = ast.Tuple(elts=list(compared))
            case ast.Dict(keys=keys):
                asked = ast.Tuple(elts=[key for key in keys if key is not None])
            case _:
                continue
        if members & {name.id for name in ast.walk(asked) if isinstance(name, ast.Name)}:
            yield node.lineno if not isinstance(node, ast.MatchClass) else node.cls.lineno


@pytest.mark.parametrize("folder", FOLDERS)
def test_nothing_outside_the_folder_matches_on_members(folder):
    paths = [path for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py"))]
    assert len(paths) > 300
    members = FOLDERS[folder]
    sources = {path: path.read_text("utf-8") for path in paths if ROOT / folder not in path.parents}
    found = [
        f"{path.relative_to(ROOT)}:{line}"
        for path, source in sources.items()
        if any(member in source for member in members)  # to parse takes longer
        for line in matches_on(ast.parse(source), members)
    ]
    assert not found


@pytest.mark.parametrize(
    "program",
    [
        "isinstance(a, Label)",
        "isinstance(a.output, Label | Span)",
        "isinstance(a, (Label, Span))",
        "type(a) is Label",
        "kind in (Label, Span)",
        "{Label: 1}",
        "match a:\n  case Label(names=names):\n    pass",
        "match a:\n  case Number() | Label():\n    pass",
    ],
)
def test_a_match_is_found(program):
    assert list(matches_on(ast.parse(program), {"Label"}))


@pytest.mark.parametrize(
    "program", ["Label(('a', 'b'))", "kinds = (Label, Span)", "a.is_one_label", "{1: Label}"]
)
def test_naming_a_member_is_no_match(program):
    assert not list(matches_on(ast.parse(program), {"Label"}))


@pytest.mark.parametrize(
    ("package", "base"),
    [
        ("catalogue.answers", AnswerKind),
        ("catalogue.disclosure", Rule),
        ("leaderboard.reports", ReleaseReport),
        ("labelling.core.aggregation", AggregationRule),
    ],
)
def test_no_member_leaves_something_open(package: str, base: type) -> None:
    """Registries pass over what is abstract, so that a member with a method missing would be in no set."""
    classes = [found for found in objects_of(package) if isinstance(found, type) and issubclass(found, base)]
    unfinished = {
        found.__name__: sorted(getattr(found, "__abstractmethods__"))  # noqa: B009  # mypy knows it of no type
        for found in classes
        if isabstract(found) and not found.__subclasses__()
    }
    assert unfinished == {}
