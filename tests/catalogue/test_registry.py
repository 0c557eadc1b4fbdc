"""What a registry of a closed set promises."""

from dataclasses import dataclass

import pytest

from catalogue.registry import Registry, UnknownMember


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
