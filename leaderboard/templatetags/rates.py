"""Shares and scores as pages print them."""

from django import template

from accounts.formats.numbers import percent
from leaderboard.board.model.number_format import NONE, score

register = template.Library()


@register.filter
def in_percent(share: float | None) -> str:
    """A share of one in whole per cent; a dash for None."""
    return NONE if share is None else percent(share, 0)


@register.filter
def as_score(value: float | None) -> str:
    """A score as boards print it, such as .775; a dash for None."""
    return score(value)
