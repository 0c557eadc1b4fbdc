"""Numbers as texts: grouped, rounded, in per cent."""

from django.utils.formats import number_format


def grouped(number: int) -> str:
    """“12,345”."""
    return number_format(number, force_grouping=True)


def decimal(value: float, places: int) -> str:
    return number_format(f"{value:.{places}f}")


def percent(share: float, places: int) -> str:
    """A share of one: “48.4 %”."""
    return f"{number_format(f'{100 * share:.{places}f}')} %"
