"""What a registry of a closed set promises."""

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from catalogue.registry import Registry, UnknownMember, classes_of, modules_of, objects_of


@dataclass(frozen=True)
class Colour:
    key: str


RED, GREEN, BLUE = map(Colour, ("red", "green", "blue"))


@pytest.fixture
def colours() -> Registry[Colour]:
    return Registry("colour", RED, GREEN)


def test_a_member_is_found_by_its_key(colours):
    assert colours["green"] is GREEN
    assert "green" in colours
    assert "blue" not in colours


def test_members_keep_their_order(colours):
    assert list(colours) == [RED, GREEN]
    assert colours.keys() == ["red", "green"]
    assert len(colours) == 2


def test_keys_that_come_first_do_and_new_members_follow_by_their_keys():
    assert Registry("colour", RED, GREEN, BLUE, first=["red"]).keys() == ["red", "blue", "green"]
    assert Registry("colour", GREEN, BLUE, RED, first=["red"]).keys() == ["red", "blue", "green"]


def test_a_first_key_that_no_member_has_is_refused():
    with pytest.raises(ValueError, match="No member of the set has the key `blue`: colour"):
        Registry("colour", RED, GREEN, first=["red", "blue"])


def test_a_key_given_twice_is_refused():
    with pytest.raises(ValueError, match="two members `red` of the set: colour"):
        Registry("colour", RED, Colour("red"))


def test_an_unknown_key_is_answered_with_the_nearest(colours):
    with pytest.raises(UnknownMember, match=r"^There is no colour `gren`\. Did you mean green\?$"):
        colours["gren"]


def test_a_key_like_no_other_is_answered_with_all(colours):
    with pytest.raises(UnknownMember, match=r"There are red, green\.$"):
        colours["xxxxxx"]


def test_a_member_is_added_for_as_long_as_a_context_lasts(colours):
    with colours.extended(BLUE) as member:
        assert colours["blue"] is member
        assert list(colours) == [RED, GREEN, BLUE]
    assert "blue" not in colours


def test_the_set_is_itself_again_after_an_error(colours):
    with pytest.raises(RuntimeError), colours.extended(BLUE):
        raise RuntimeError
    assert list(colours) == [RED, GREEN]


def test_a_known_key_cannot_be_added(colours):
    with pytest.raises(ValueError, match="two members `red`"), colours.extended(Colour("red")):
        pass
    assert list(colours) == [RED, GREEN]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A package of two modules, one of which imports from the other, and one that must not be imported."""
    package = tmp_path / "paints"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "base.py").write_text(
        "from abc import ABC, abstractmethod\n\nclass Paint(ABC):\n    @abstractmethod\n    def mix(self): ...\n"
    )
    (package / "azure.py").write_text(
        "from paints.base import Paint\n\nclass Azure(Paint):\n    def mix(self): ...\n\nPOT = Azure()\n"
    )
    (package / "broken.py").write_text("raise RuntimeError\n")
    monkeypatch.syspath_prepend(tmp_path)
    yield package.name
    for name in [name for name in sys.modules if name.partition(".")[0] == package.name]:
        del sys.modules[name]


def test_the_modules_of_a_folder_are_found_in_order(folder):
    assert [module.__name__ for module in modules_of(folder, ["broken"])] == ["paints.azure", "paints.base"]
    with pytest.raises(RuntimeError):
        modules_of(folder)


def test_what_modules_share_is_found_once_and_what_is_abstract_is_no_member(folder):
    found = objects_of(folder, ["broken"])
    names = [value.__name__ for value in found if isinstance(value, type)]
    assert names.count("Paint") == 1
    assert [type(value).__name__ for value in found].count("Azure") == 1
    assert [
        kind.__name__ for kind in classes_of(folder, ["broken"]) if kind.__module__.startswith(folder)
    ] == ["Azure"]
