"""Numbers of the equity report."""

from math import isinf

from django import template

from leaderboard.board.model.number_format import MINUS, NONE

register = template.Library()
_SMALLEST_P = 0.0001


@register.filter
def decimals(value: float | None, places: int) -> str:
    """The number with a real minus sign and so many decimals; an infinity sign, or a dash for None."""
    if value is None:
        return NONE
    digits = "∞" if isinf(value) else f"{abs(value):.{places}f}"
    is_negative = value < 0 and digits.strip("0.") != ""
    return MINUS * is_negative + digits


@register.filter
def p_value(value: float | None) -> str:
    """Four decimals; what is smaller than that is only said to be so."""
    if value is None:
        return NONE
    return f"< {_SMALLEST_P}" if value < _SMALLEST_P else f"{value:.4f}"
