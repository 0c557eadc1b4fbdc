"""Teams that may be one person's are found, and stand together however many they are."""

import pytest

from scoring.core.accounts import connected, like_addresses, same_files, shared_members


def test_the_same_file_is_told_once_with_all_who_sent_it():
    assert same_files([("a", "x"), ("b", "y"), ("a", "x"), ("c", "x"), ("b", "y")]) == [(0, 2, 3)]


def test_teams_with_a_member_in_common():
    assert shared_members({"a": [1, 2], "b": [3], "c": [2]}) == [(("a", "c"), (2,))]


def test_all_teams_of_one_person_stand_together():
    teams = [f"team {number}" for number in range(33)]
    assert shared_members({team: ["eve", team] for team in teams}) == [(tuple(teams), ("eve",))]


def test_teams_hang_together_over_others():
    found = shared_members({"a": [1], "b": [1, 2], "c": [2], "d": [3], "e": [3]})
    assert found == [(("a", "b", "c"), (1, 2)), (("d", "e"), (3,))]


def test_two_chains_that_meet_late_are_one():
    assert connected([("a", "b"), ("c", "d"), ("b", "c")]) == [("a", "b", "c", "d")]


@pytest.mark.parametrize(
    ("one", "other", "is_alike"),
    [
        ("ann.smith@example.org", "annsmith2@example.org", True),
        ("ann+a@example.org", "ann+b@example.org", True),
        ("ann@example.org", "ann@example.com", False),
        ("ann@example.org", "bob@example.org", False),
        ("a1@example.org", "a2@example.org", False),
    ],
)
def test_addresses_that_look_like_one_person_s(one, other, is_alike):
    assert bool(like_addresses({"a": [one], "b": [other]})) is is_alike


def test_addresses_of_one_person_stand_together():
    members = {str(number): [f"eve{number}@example.org"] for number in range(4)}
    assert like_addresses(members) == [(tuple(members), tuple(one for (one,) in members.values()))]
