import pytest

from leaderboard.board.model import number_format as fmt


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.7746, ".775"),
        (0.0, ".000"),
        (1.0, "1.000"),
        (0.9996, "1.000"),
        (9.9949, "9.995"),
        (82.0197, "82.02"),
        (-0.0312, "\N{MINUS SIGN}.031"),
        (-1.5, "\N{MINUS SIGN}1.500"),
        (-0.0001, ".000"),
        (-0.0, ".000"),
        (3612.25, "3,612.25"),
        (-100.0, "\N{MINUS SIGN}100.00"),
        (None, "\N{EN DASH}"),
    ],
)
def test_score_prints_three_decimals_without_the_leading_zero(value: float | None, text: str) -> None:
    assert fmt.score(value) == text


def test_interval_prints_both_ends() -> None:
    assert fmt.interval(-0.01, 0.786) == "\N{MINUS SIGN}.010 to .786"


def test_interval_is_empty_where_there_is_none() -> None:
    assert fmt.interval(None, None) == ""


@pytest.mark.parametrize(("low", "high", "text"), [(1, 3, "1\N{EN DASH}3"), (5, 5, ""), (None, None, "")])
def test_rank_interval_prints_two_ranks_or_nothing(low: int | None, high: int | None, text: str) -> None:
    assert fmt.rank_interval(low, high) == text


def test_reason_reads_as_words() -> None:
    assert fmt.reason("not_submitted") == "not submitted"


@pytest.mark.parametrize(
    ("number", "word"), [(1, "1st"), (2, "2nd"), (3, "3rd"), (11, "11th"), (112, "112th"), (21, "21st")]
)
def test_ordinals(number: int, word: str) -> None:
    assert fmt.ordinal(number) == word
