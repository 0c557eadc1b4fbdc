"""Numbers as text: what counts as one is a matter of ASCII digits, never of what `float` is willing to read."""

import re
from math import isfinite

from catalogue.problems import Finding, ProblemCode, quoted, visible

_NUMBER = r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]{1,4})?"
NUMBER = re.compile(_NUMBER)
LONGEST_NUMBER = 40
NUMBER_BYTES = re.compile(_NUMBER.encode())
INTEGER = re.compile(r"[+-]?[0-9]{1,4}")
_NOT_FINITE = re.compile(r"[+-]?(?:nan|inf|infinity)", re.IGNORECASE)


def number_in(text: str, low: float, high: float) -> float | None:
    """The number that the text writes, if it lies in `low`..`high`; zero has no sign."""
    if not NUMBER.fullmatch(text):
        return None
    value = float(text) + 0.0
    return value if low <= value <= high else None


def explain_number(found: str, low: float, high: float, what: str = "number") -> Finding:
    expected = f"a number from {low:g} to {high:g}"
    if not found:
        message = f"The {what} is empty. Give {expected}."
        return Finding(ProblemCode.EMPTY_LABEL, message, "", expected)
    if _NOT_FINITE.fullmatch(found) or (NUMBER.fullmatch(found) and not isfinite(float(found))):
        message = f"{quoted(found)} is not a finite number. Give {expected}."
        return Finding(ProblemCode.NUMBER_NOT_FINITE, message, visible(found), expected)
    if NUMBER.fullmatch(found):
        message = f"The {what} {visible(found)} lies outside {low:g} to {high:g}."
        return Finding(ProblemCode.NUMBER_OUT_OF_RANGE, message, visible(found), expected)
    message = f"{quoted(found)} is not a number. Give {expected}, such as {(low + high) / 2:g}."
    if re.fullmatch(r"[+-]?[0-9]+,[0-9]+", found):
        message += " Write a point instead of the comma."
    return Finding(ProblemCode.NOT_A_NUMBER, message, visible(found), expected)
