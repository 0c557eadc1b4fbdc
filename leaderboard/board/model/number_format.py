"""Numbers as they are printed on a board."""

from functools import lru_cache

from benchmarks.spec import RowKind
from catalogue.disclosure.rule import MANY_POINTS, PRINTED

MINUS = "\N{MINUS SIGN}"
NONE = "\N{EN DASH}"

# What stands beside the name of a row that is not a ranked system.
KIND_TAGS = {
    RowKind.BASELINE: "baseline",
    RowKind.REPORTED: "reported",
    RowKind.HUMAN: "human estimate",
    RowKind.MEDIAN: "median team",
}


def tag(kind: RowKind, name: str) -> str:
    """What stands beside the name of a row; nothing where the name says it already."""
    word = KIND_TAGS.get(kind, "")
    return "" if word == name.casefold() else word


@lru_cache(maxsize=1 << 14)  # a board has few different numbers, and each stands in many files
def score(value: float | None, *, minus: str = MINUS, decimals: int = PRINTED) -> str:
    """A value without its leading zero: ".775", "1.000", from 10 on "82.02"; an en dash for None.

    The sign is left out where nothing but zeros remains of the number.
    """
    if value is None:
        return NONE
    digits = f"{abs(value):,.2f}" if abs(value) >= MANY_POINTS else f"{abs(value):.{decimals}f}"
    sign = minus if value < 0 and digits.strip("0.") else ""
    return sign + digits.removeprefix("0")


def beside(value: float | None, *, minus: str = MINUS) -> str:
    """A second measure in parentheses, "(.802)", or nothing where there is none."""
    return "" if value is None else f"({score(value, minus=minus)})"


def deviation(value: float | None) -> str:
    """A deviation over seeds as it stands after its mean, "sd .004", or nothing where there is none."""
    return "" if value is None else f"sd {score(value)}"


def missing_seeds(count: int | None, wanted: int | None) -> str:
    """How few seeds a value rests on, "3 of 5 seeds", or nothing where none is missing."""
    if count is None or wanted is None or count >= wanted:
        return ""
    return f"{count} of {wanted} seeds"


def short_id(submission: str) -> str:
    """The beginning of a submission's id, by which people speak of it."""
    return submission[:8]


def interval(low: float | None, high: float | None) -> str:
    """Both ends of an interval, ".764 to .786", or nothing where there is none."""
    return "" if low is None or high is None else f"{score(low)} to {score(high)}"


def half_width(low: float | None, high: float | None) -> str:
    """Half the width of an interval, "±.011", or nothing where there is none; the sign never means anything else."""
    return "" if low is None or high is None else f"\N{PLUS-MINUS SIGN}{score((high - low) / 2)}"


def rank_interval(low: int | None, high: int | None) -> str:
    """The ranks between which a system may stand, with an en dash; nothing where there is but one, or none is known."""
    return "" if low == high else f"{low}{NONE}{high}"


def leads(share: float | None) -> str:
    """In how many of a hundred resamples of the items a system is the first; nothing where that is not known."""
    if share is None:
        return ""
    percent = round(100 * share)
    often = "less than 1" if percent == 0 and share > 0 else str(percent)
    return f"first in {often} of 100 resamples of the test items"


def p_value(p: float) -> str:
    """A p with its name, "p .032"; what would be printed as zero as less than the last digit."""
    return "p < .001" if p < 0.001 else f"p {score(p)}"


def signed(value: float, *, decimals: int = 3) -> str:
    """A difference with its sign, "+.031"; without one where nothing but zeros remains."""
    digits = f"{abs(value):.{decimals}f}"
    sign = "" if not digits.strip("0.") else "+" if value > 0 else MINUS
    return sign + (digits.removeprefix("0") if decimals == 3 else digits)


def reason(code: str) -> str:
    """The code of an undefined cell as words: "not_submitted" becomes "not submitted"."""
    return code.replace("_", " ")


def ordinal(number: int) -> str:
    """ "1st", "2nd", "11th"."""
    ending = {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}th" if number % 100 in (11, 12, 13) else f"{number}{ending}"
