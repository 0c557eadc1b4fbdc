import pytest
from hypothesis import given
from hypothesis import strategies as st

from leaderboard.board.charts.text_layout import quoted, shortened, width, wrapped
from leaderboard.board.model.plain_text import one_line

FAMILY = "\N{WOMAN}\N{ZERO WIDTH JOINER}\N{GIRL}"


@given(st.text(max_size=60), st.floats(20, 300))
def test_shortened_text_has_room_whatever_it_holds(text: str, room: float) -> None:
    assert width(shortened(text, room, 13), 13) <= room


def test_text_that_has_room_stays_as_it_is() -> None:
    assert shortened("Goldcrest", 200, 13) == "Goldcrest"


def test_a_cut_never_parts_a_sign_that_is_made_of_several() -> None:
    cuts = {shortened(f"{FAMILY} {FAMILY}", room, 10) for room in range(10, 60)}
    assert not any(cut.rstrip("…").endswith("\N{ZERO WIDTH JOINER}") for cut in cuts)


def test_wide_signs_take_the_room_of_two() -> None:
    assert width("深", 10) > 1.7 * width("a", 10)


def test_a_sentence_is_broken_between_words_and_cut_at_its_last_line() -> None:
    assert wrapped("one two three four five", 60, 10, lines=2) == ["one two", "three four…"]


def test_a_single_long_word_is_cut() -> None:
    (line,) = wrapped("x" * 80, 100, 10, lines=2)
    assert line.endswith("…")


@pytest.mark.parametrize(
    ("text", "line"),
    [("a\x00\nb", "a b"), ("\ud800", ""), ("\u2028x", "x")],
    ids=["controls", "surrogate", "separator"],
)
def test_what_xml_cannot_hold_becomes_a_space(text: str, line: str) -> None:
    assert one_line(text) == line


def test_a_name_written_from_right_to_left_stands_by_itself_in_a_sentence() -> None:
    assert quoted("نموذج") == "\u2068نموذج\u2069"
    assert quoted("Larch") == "Larch"
