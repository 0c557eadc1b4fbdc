"""Text on one line, as any format can hold it."""

import re

_NOT_TEXT = re.compile(r"[\x00-\x20\x7f-\x9f\ud800-\udfff\ufffe\uffff\u2028\u2029]+")


def one_line(text: str) -> str:
    """The text without control characters and whatever else XML may not hold: a space takes the place of each run."""
    return _NOT_TEXT.sub(" ", text).strip()
