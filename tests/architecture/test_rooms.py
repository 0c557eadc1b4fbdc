"""Folders stay small enough to be read at a glance, and a class name says which class is meant."""

import ast
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
MOST_MODULES = 12  # in a folder, __init__ aside
NOT_COUNTED = {"migrations", "commands"}


@cache
def product_modules() -> tuple[Path, ...]:
    """All modules of the product's packages, as paths from the root."""
    packages = [path.parent for path in ROOT.glob("*/__init__.py") if path.parent.name != "tests"]
    found = (path.relative_to(ROOT) for package in sorted(packages) for path in sorted(package.rglob("*.py")))
    return tuple(path for path in found if not NOT_COUNTED & set(path.parts))


@cache
def module_counts() -> Counter[str]:
    """Modules by folder."""
    return Counter(str(path.parent) for path in product_modules() if path.name != "__init__.py")


def public_classes() -> Counter[str]:
    """How often a public class of that name stands at the top of a module."""
    trees = (ast.parse((ROOT / path).read_text("utf-8")) for path in product_modules())
    return Counter(
        node.name
        for tree in trees
        for node in tree.body
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_")
    )


@pytest.mark.parametrize("folder", module_counts())
def test_a_folder_has_no_more_modules_than_can_be_read_at_a_glance(folder: str) -> None:
    assert module_counts()[folder] <= MOST_MODULES


def test_a_public_class_name_exists_once() -> None:
    twice = {name: count for name, count in public_classes().items() if count > 1}
    assert twice == {}
