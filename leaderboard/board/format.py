"""Numbers as they are printed on a board."""

from __future__ import annotations

from benchmarks.spec import RowKind

MINUS = "\N{MINUS SIGN}"
NONE = "\N{EN DASH}"

# What stands beside the name of a row that is not a ranked system.
KIND_TAGS = {RowKind.BASELINE: "baseline", RowKind.REPORTED: "reported", RowKind.HUMAN: "human estimate"}


def score(value: float | None, *, minus: str = MINUS) -> str:
    """A value to three decimals without its leading zero: ".775", "1.000"; an en dash for None.

    The sign is left out where nothing but zeros remains of the number.
    """
    if value is None:
        return NONE
    digits = f"{abs(value):.3f}"
    sign = minus if value < 0 and float(digits) else ""
    return sign + digits.removeprefix("0")


def interval(low: float | None, high: float | None) -> str:
    """Both ends of an interval, ".764 to .786", or nothing where there is none."""
    return "" if low is None or high is None else f"{score(low)} to {score(high)}"


def rank_interval(low: int | None, high: int | None) -> str:
    """The ranks between which a system may stand, with an en dash, or one rank where both ends are equal."""
    if low is None or high is None:
        return ""
    return str(low) if low == high else f"{low}{NONE}{high}"


def reason(code: str) -> str:
    """The code of an undefined cell as words: "not_submitted" becomes "not submitted"."""
    return code.replace("_", " ")
