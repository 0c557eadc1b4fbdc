"""A tautology with strong negation words before every sentence; it changes neither what is said nor its grammar."""

import re
from itertools import pairwise

TAUTOLOGY = "false is not true and"

_TOKEN = re.compile(r"\S+")
_MARKS = ".!?…"
_CLOSING = "\"'”\u2019»)]"
_OPENING = "\"'“\u2018«(["
# A full stop after these ends no sentence; nor does one after a single letter, as in “J. Smith” and “the U.S. Army”.
_ABBREVIATIONS = frozenset(
    ["mr", "mrs", "ms", "dr", "prof", "st", "sen", "rep", "gov", "gen", "col", "lt", "capt", "sgt", "vs"]
)


def negated(text: str) -> str | None:
    """The text with “false is not true and” before every sentence; None where it has none, being blank.

    A sentence ends at a run of . ! ? … with the quotes and brackets that close after it, where a space follows, and
    at a blank line. It does not end where the next word begins with a small letter, unless a bare ! or ? stands
    there; nor at the full stop of a single letter or of a common title. All else, spaces and case included, stays
    as it is.

    References
    ----------
    Naik et al. (2018), https://aclanthology.org/C18-1198, in the form of the stance benchmark,
    doi:10.1007/s13218-021-00714-w.

    Examples
    --------
    >>> negated("Mr. Bean left. Why?")
    'false is not true and Mr. Bean left. false is not true and Why?'
    """
    starts = sentence_starts(text)
    if not starts:
        return None
    sentences = (text[start:end] for start, end in pairwise([*starts, len(text)]))
    return text[: starts[0]] + "".join(f"{TAUTOLOGY} {sentence}" for sentence in sentences)


def sentence_starts(text: str) -> list[int]:
    """Where each sentence begins, as `negated` tells them apart; empty for a blank text."""
    tokens = list(_TOKEN.finditer(text))
    starts = [tokens[0].start()] if tokens else []
    starts += [
        following.start()
        for token, following in pairwise(tokens)
        if text.count("\n", token.end(), following.start()) > 1 or _ends_a_sentence(token[0], following[0])
    ]
    return starts


def _ends_a_sentence(token: str, following: str) -> bool:
    """Whether a sentence ends with `token`; both are runs of characters without a space."""
    unclosed = token.rstrip(_CLOSING)
    word = unclosed.rstrip(_MARKS)
    marks = unclosed[len(word) :]
    if not marks:
        return False
    if following.lstrip(_OPENING)[:1].islower() and (unclosed != token or not set(marks) & set("!?")):
        return False
    last = word.rpartition(".")[2].lstrip(_OPENING)
    is_abbreviation = last.lower() in _ABBREVIATIONS or (len(last) == 1 and last.isalpha())
    return marks != "." or not is_abbreviation
