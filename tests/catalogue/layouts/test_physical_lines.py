"""From a text to its lines: their ends count for nothing, and neither do blank lines at the very end."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from catalogue.layouts.text_lines import physical_lines

TEXTS = st.lists(st.sampled_from(["a", "é", "\n", "\r\n", "\r"]), max_size=12).map("".join)


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("a\nb", ["a", "b"]),
        ("a\r\nb\r\n", ["a", "b"]),
        ("a\n\nb\n\n\r\n\n", ["a", "", "b"]),
        ("a\rb\n", ["a\rb"]),
        ("a\nb\r", ["a", "b\r"]),
        ("\n", [""]),
        ("", [""]),
    ],
)
def test_lines_stand_without_their_ends(text, lines):
    assert physical_lines(text, 10) == lines


def test_a_blank_line_at_the_end_may_count():
    assert physical_lines("a\n\r\n", 10, keeps_blank=True) == ["a", ""]


@given(TEXTS, st.integers(0, 8))
def test_a_limit_leaves_the_first_lines_as_they_are_and_the_rest_in_one(text, limit):
    whole, limited = physical_lines(text, 100), physical_lines(text, limit)

    assert len(limited) == min(len(whole), limit + 1)
    assert limited[:limit] == whole[:limit]
    assert whole[limit:] == limited[limit:] or limited[limit].startswith(whole[limit])
