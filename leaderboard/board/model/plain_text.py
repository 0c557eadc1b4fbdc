"""Text on one line, as any format can hold it, and as a sentence."""

import re

_NOT_TEXT = re.compile(r"[\x00-\x20\x7f-\x9f\ud800-\udfff\ufffe\uffff\u2028\u2029]+")


def one_line(text: str) -> str:
    """The text without control characters and whatever else XML may not hold: a space takes the place of each run."""
    return _NOT_TEXT.sub(" ", text).strip()


def sentence(words: str) -> str:
    """The words with a capital at their beginning and a full stop."""
    return f"{words[:1].upper()}{words[1:]}."
