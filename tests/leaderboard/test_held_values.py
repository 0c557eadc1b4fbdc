"""What a process keeps in memory stays within a size, and those that are asked for stay longest."""

from leaderboard.rendering.held_values import HeldValues


def texts(most: int = 10) -> HeldValues[str, str]:
    return HeldValues(most, len)


def test_what_nobody_asked_for_longest_goes_first():
    held = texts()
    for key in ("first", "second"):
        held.keep(key, "12345")
    assert held.find("first") == "12345"
    held.keep("third", "1")
    assert [held.find(key) for key in ("first", "second", "third")] == ["12345", None, "1"]


def test_what_is_larger_than_all_room_is_held_alone():
    held = texts()
    held.keep("small", "1")
    held.keep("large", "x" * 11)
    assert (held.find("small"), held.find("large")) == (None, "x" * 11)


def test_a_value_that_takes_the_place_of_another_frees_its_room():
    held = texts()
    for value in ("123456789", "1", "12"):
        held.keep("same", value)
    held.keep("other", "12345678")
    assert (held.find("same"), held.find("other")) == ("12", "12345678")


def test_a_value_is_made_once_while_it_is_held():
    values = iter(("first", "second"))
    held = texts()
    assert [held.get("key", lambda: next(values)) for _ in range(3)] == ["first"] * 3


def test_a_newer_version_takes_the_place_of_the_older_one():
    held = texts()
    held.keep("other", "1")
    assert held.get("board", lambda: "12345678", "release 1") == "12345678"
    assert held.get("board", lambda: "123456789", "release 2") == "123456789"
    assert (held.find("board", "release 1"), held.find("other")) == (None, "1")
