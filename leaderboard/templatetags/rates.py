"""Shares as pages print them."""

from django import template

from accounts.formats.numbers import percent
from leaderboard.board.model.number_format import NONE

register = template.Library()


@register.filter
def in_percent(share: float | None) -> str:
    """A share of one in whole per cent; a dash for None."""
    return NONE if share is None else percent(share, 0)
