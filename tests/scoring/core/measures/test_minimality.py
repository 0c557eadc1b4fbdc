"""How far minimal pairs are apart: distances against the textbook's table, comparisons, and the organiser's rule."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.core.measures.minimality import (
    Change,
    OutlierRule,
    Segment,
    SegmentKind,
    change_between,
    difference,
    edit_distance,
    outlier_reason,
    tokens,
)

ORIGINAL = "The cook made us an unexpected supper that nobody at our table wanted to end."
CHANGED = "The cook made us a supper that nobody at our table wanted to end."
FEW_LETTERS = st.text("ab c.", max_size=80)
TEXTS = FEW_LETTERS | st.text(max_size=40)
WORDS = st.lists(st.sampled_from(["a", "b", "c"]), max_size=70)


def distance_by_table(first: list[str], second: list[str]) -> int:
    """The same by the textbook: one row of the table after the other."""
    row = list(range(len(second) + 1))
    for count, element in enumerate(first, 1):
        above, row = row, [count]
        for place, other in enumerate(second):
            row.append(min(above[place + 1] + 1, row[place] + 1, above[place] + (element != other)))
    return row[-1]


def side(segments: tuple[Segment, ...], left_out: SegmentKind) -> str:
    return "".join(segment.text for segment in segments if segment.kind is not left_out)


@given(WORDS, WORDS)
def test_the_distance_is_that_of_the_textbook(first: list[str], second: list[str]):
    assert edit_distance(first, second) == distance_by_table(first, second)


@given(TEXTS, TEXTS)
def test_the_distance_is_the_same_both_ways(first: str, second: str):
    assert edit_distance(first, second) == edit_distance(second, first)


@given(TEXTS, TEXTS)
def test_the_distance_is_zero_for_equal_texts_alone(first: str, second: str):
    assert (edit_distance(first, second) == 0) == (first == second)
    assert edit_distance(first, first) == 0


@given(WORDS, WORDS, WORDS)
def test_a_detour_is_never_shorter(first: list[str], middle: list[str], second: list[str]):
    assert edit_distance(first, second) <= edit_distance(first, middle) + edit_distance(middle, second)


@given(TEXTS, TEXTS)
def test_a_comparison_puts_both_texts_together_again(first: str, second: str):
    segments = difference(first, second)
    assert side(segments, SegmentKind.ADDED) == first
    assert side(segments, SegmentKind.REMOVED) == second


@given(TEXTS, TEXTS)
def test_a_comparison_has_neither_empty_segments_nor_two_of_a_kind_in_a_row(first: str, second: str):
    segments = difference(first, second)
    assert all(segment.text for segment in segments)
    kinds = [segment.kind for segment in segments]
    assert all(kind is not following for kind, following in pairwise(kinds))
    assert (SegmentKind.ADDED, SegmentKind.REMOVED) not in pairwise(kinds)


@given(TEXTS)
def test_a_text_compared_with_itself_is_kept_as_a_whole(text: str):
    assert difference(text, text) == ((Segment(SegmentKind.KEPT, text),) if text else ())


@given(TEXTS, TEXTS)
def test_shares_of_tokens_lie_between_nothing_and_everything(first: str, second: str):
    change = change_between(first, second)
    assert 0 <= change.token_share <= 1
    assert (change.token_share == 0) == (tokens(first) == tokens(second))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I'd die for this song!", ["I'd", "die", "for", "this", "song", "!"]),
        ("I\u2019m un-nerving...", ["I\u2019m", "un-nerving", ".", ".", "."]),
        (" a  -b- ", ["a", "-", "b", "-"]),
        ("यह फिल्म अच्छी है।", ["यह", "फिल्म", "अच्छी", "है।"]),
        ("", []),
        (" \t", []),
    ],
)
def test_tokens_are_words_and_marks(text: str, expected: list[str]):
    assert tokens(text) == expected


def test_a_change_counts_characters_and_tokens():
    # A word goes and a word is replaced, of 15 words and the full stop.
    assert change_between(ORIGINAL, CHANGED) == Change(
        distance_by_table(list(ORIGINAL), list(CHANGED)), token_edits=2, token_count=16
    )
    assert change_between(ORIGINAL, CHANGED).token_share == 0.125


def test_texts_that_differ_in_spaces_have_character_edits_alone():
    assert change_between("so good", "so  good") == Change(1, 0, 2)


def test_upper_and_lower_case_differ():
    assert change_between("so good", "so GOOD") == Change(4, 1, 2)


def test_two_texts_without_words_share_nothing_and_change_nothing():
    assert change_between("", " ").token_share == 0


def test_a_comparison_shows_what_was_put_in_the_place_of_what():
    assert difference(ORIGINAL, CHANGED) == (
        Segment(SegmentKind.KEPT, "The cook made us "),
        Segment(SegmentKind.REMOVED, "an unexpected"),
        Segment(SegmentKind.ADDED, "a"),
        Segment(SegmentKind.KEPT, " supper that nobody at our table wanted to end."),
    )


def test_a_comparison_shows_a_new_phrase_as_one():
    assert difference("so good here", "not bad here") == (
        Segment(SegmentKind.REMOVED, "so good"),
        Segment(SegmentKind.ADDED, "not bad"),
        Segment(SegmentKind.KEPT, " here"),
    )


def test_pairs_wait_for_the_organiser_only_above_the_rule():
    pairs = [(ORIGINAL, CHANGED), ("so good", "not bad"), ("so good", "so good")]
    rule = OutlierRule(largest_token_share=0.125)
    assert [outlier_reason(change_between(*pair), rule) for pair in pairs] == [
        "",
        "The change touches 2 of 2 words and punctuation marks (100 %); the rule allows at most 12.5 %.",
        "",
    ]


def test_a_limit_of_edits_binds_beside_one_of_shares():
    reason = outlier_reason(change_between("so good", "not bad"), OutlierRule(0.5, 1))
    assert reason.endswith("(100 %); the rule allows at most 50 % and 1 edit.")
    reason = outlier_reason(change_between(ORIGINAL, CHANGED), OutlierRule(0.5, 1))
    assert reason.endswith("2 of 16 words and punctuation marks (12.5 %); the rule allows at most 1 edit.")


def test_a_rule_without_limits_lets_every_pair_pass():
    assert not outlier_reason(change_between("so good", "something else altogether"), OutlierRule())


@pytest.mark.parametrize(("share", "edits"), [(-0.1, None), (1.1, None), (float("nan"), None), (None, -1)])
def test_a_rule_beyond_reason_is_refused(share: float | None, edits: int | None):
    with pytest.raises(ValueError, match="must"):
        OutlierRule(share, edits)
