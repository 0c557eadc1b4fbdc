"""Two spelling errors per text, as fingers make them."""

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise
from types import MappingProxyType
from typing import TypeVar

import numpy as np

Choice = TypeVar("Choice")
Word = tuple[int, int]
"""Where a word begins and ends."""

SHORTEST_WORD = 4
_ROWS = ("qwertyuiop", "asdfghjkl", "zxcvbnm")
_WORD = re.compile(r"[^\W\d_]+")
_TOKEN = re.compile(r"\S+")


def _neighbours() -> dict[str, str]:
    """Keys that touch each other: side by side, or one row down and half a key to the left or right."""
    pairs = [pair for row in _ROWS for pair in pairwise(row)]
    for upper, lower in pairwise(_ROWS):
        pairs += zip(upper, lower, strict=False)
        pairs += zip(upper[1:], lower, strict=False)
    neighbours: dict[str, set[str]] = {letter: set() for row in _ROWS for letter in row}
    for first, other in pairs:
        neighbours[first].add(other)
        neighbours[other].add(first)
    return {letter: "".join(sorted(near)) for letter, near in neighbours.items()}


NEIGHBOURS: Mapping[str, str] = MappingProxyType(_neighbours())
"""The letters beside each letter of a QWERTY keyboard."""
_KEYS = frozenset("".join(_ROWS) + "".join(_ROWS).upper())


def misspelt(text: str, generator: np.random.Generator) -> str | None:
    """The text with exactly two errors in words of at least four letters.

    In a random word two neighbouring letters that differ are swapped; in a random other word one letter is replaced
    by one beside it on a QWERTY keyboard. Where there is only one such word, it gets both errors, at different
    places. Upper and lower case stay where they are.

    A word is a run of letters; errors are made in its letters a to z alone, since a QWERTY keyboard has no others.
    Web addresses, e-mail addresses and @mentions are left alone; words of a hashtag are not.

    Returns
    -------
    str or None
        None where two errors cannot be made: the text has no word of four letters, or none with letters to swap.

    References
    ----------
    The stance benchmark, doi:10.1007/s13218-021-00714-w, after Naik et al. (2018),
    https://aclanthology.org/C18-1198.
    """
    words = _words(text)
    swapped, place = _swap(text, words, generator)
    if swapped is None:
        return None
    others = [word for word in words if word != swapped]
    if others:
        choices = _letters(text, _choice(others, generator))
    else:
        choices = [beside for beside in _letters(text, swapped) if beside not in (place, place + 1)]
    replaced = _choice(choices, generator)
    letters = list(text)
    first, second = letters[place], letters[place + 1]
    letters[place], letters[place + 1] = _in_case_of(first, second), _in_case_of(second, first)
    neighbour = _choice(NEIGHBOURS[letters[replaced].lower()], generator)
    letters[replaced] = _in_case_of(letters[replaced], neighbour)
    return "".join(letters)


def _words(text: str) -> list[Word]:
    """Start and end of every word of enough letters, one of them at least on the keyboard.

    None of a web address, an e-mail address or a mention: changed, it would mean another page or person.
    """
    return [
        word.span()
        for token in _TOKEN.finditer(text)
        if not ("://" in token[0] or "@" in token[0] or token[0].lower().startswith("www."))
        for word in _WORD.finditer(text, *token.span())
        if len(word[0]) >= SHORTEST_WORD and not _KEYS.isdisjoint(word[0])
    ]


def _swap(
    text: str, words: list[Word], generator: np.random.Generator
) -> tuple[Word, int] | tuple[None, int]:
    """A random word in which letters can be swapped, and the place of the first of the two; None if there is none.

    A word that must take both errors, being alone, needs a letter more that can be replaced.
    """
    left = list(words)
    while left:
        word = left.pop(int(generator.integers(len(left))))
        letters = _letters(text, word)
        places = [
            place
            for place, following in pairwise(letters)
            if following == place + 1 and text[place].lower() != text[following].lower()
        ]
        if places and (len(words) > 1 or len(letters) > 2):
            return word, _choice(places, generator)
    return None, 0


def _letters(text: str, word: Word) -> list[int]:
    """Places of the word's letters that are on the keyboard."""
    return [place for place in range(*word) if text[place] in _KEYS]


def _in_case_of(model: str, letter: str) -> str:
    return letter.upper() if model.isupper() else letter.lower()


def _choice(choices: Sequence[Choice], generator: np.random.Generator) -> Choice:
    return choices[int(generator.integers(len(choices)))]
