"""Error rates of words and characters, and edit distance: how many must be put in, taken out or exchanged."""

from collections.abc import Callable, Hashable, Iterable, Sequence
from typing import Any

import numpy as np

from catalogue.answers.open_ended.free_text import references_in
from catalogue.metrics.statistics import Floats, SumsOfItems
from catalogue.metrics.texts.reading import Texts, kept, mean_metric, numbers_of, summed_metric

_LEVENSHTEIN = "Levenshtein (1966), Soviet Physics Doklady 10"
_LEAST_LIKENESS = 0.5
_LOWER: dict[str, Any] = {"high": float("inf"), "higher_is_better": False}


def edit_distance(answer: Sequence[Hashable], reference: Sequence[Hashable]) -> int:
    """How many of the answer's parts are put in, taken out or exchanged to make the reference of it.

    The steps from one cell of the table to the next are kept as bits, one for each part of the reference, so that no
    pair of texts is dear: Hyyrö (2003), "A bit-vector algorithm for computing Levenshtein and Damerau edit distances".

    >>> edit_distance("sitting", "kitten")
    3
    """
    places: dict[Hashable, int] = {}
    for at, part in enumerate(reference):
        places[part] = places.get(part, 0) | 1 << at
    full, last = (1 << len(reference)) - 1, 1 << len(reference) >> 1
    more, less, distance = full, 0, len(reference)
    for part in answer if reference else ():
        matched = places.get(part, 0)
        diagonal = ((matched & more) + more ^ more | matched | less) & full
        up, down = less | full & ~(diagonal | more), diagonal & more
        distance += bool(up & last) - bool(down & last)
        up, down = up << 1 | 1, down << 1
        more, less = (down | ~(diagonal | up)) & full, diagonal & up & full
    return distance if reference else len(answer)


def _errors_of(parts: Callable[[str], Sequence[str]]) -> Callable[[Iterable[str], Iterable[str]], Floats]:
    """Of each item the edits to the reference with the lowest rate, and the length of that one: shape (2, n_items)."""

    def of_items(y_true: Texts, y_pred: Texts) -> Floats:
        counts = []
        for gold, answer in zip(y_true, y_pred, strict=True):
            said, wanted = parts(answer), [parts(text) for text in references_in(gold)]
            counts.append(min(((edit_distance(said, one), len(one)) for one in wanted), key=_rate))
        return np.array(counts, dtype=np.float64).T

    return kept(of_items)


def _rate(counts: tuple[int, int]) -> float:
    edits, length = counts
    return edits / length if length else float("inf") if edits else 0.0


def rate_of_sums(sums: Floats) -> Floats:
    """The rate from edits and lengths of references: shape (2, ...)."""
    edits, length = sums
    without_parts = np.asarray(edits > 0, dtype=np.float64)
    return np.asarray(np.divide(edits, length, out=without_parts, where=length > 0))


_WORDS: SumsOfItems[Texts, Texts] = SumsOfItems(_errors_of(str.split), rate_of_sums)
_CHARACTERS: SumsOfItems[Texts, Texts] = SumsOfItems(_errors_of(str), rate_of_sums)


def _distance_to_nearest(references: Sequence[str], answer: str) -> float:
    return float(min(edit_distance(answer, text) for text in references))


_distances = numbers_of(_distance_to_nearest)


def _without_looks(text: str) -> str:
    return " ".join(text.lower().split())


def _likeness_to_nearest(references: Sequence[str], answer: str) -> float:
    said, size = _without_looks(answer), len(answer.upper())
    lengths = [max(size, len(text.upper())) for text in references]
    nearest = min(
        edit_distance(said, _without_looks(text)) / length if length else 0.0
        for text, length in zip(references, lengths, strict=True)
    )
    return 1 - nearest if 1 - nearest >= _LEAST_LIKENESS else 0.0


_likenesses = numbers_of(_likeness_to_nearest)


def word_error_rate(y_true: Iterable[str], y_pred: Iterable[str]) -> float:
    """Words that are put in, taken out or exchanged to make the answers a reference, per word of references.

    From 0 without an upper end; the lower, the better. Words are what white space separates, as they stand. Never
    undefined: without a word in any reference it is 1 where an answer has words, and 0 where none has. Of several
    references the one with the lowest rate counts, with its length.

    Parameters
    ----------
    y_true : str of shape (n_items,)
        References of each item, as a list in JSON.
    y_pred : str of shape (n_items,)
        Texts.

    Returns
    -------
    float

    References
    ----------
    Levenshtein (1966), Soviet Physics Doklady 10; the rate of speech recognition, as NIST's sclite has it.

    Examples
    --------
    >>> word_error_rate(['["the dog sat down"]'], ["a dog sat"])
    0.5
    """
    return _WORDS.of_all(tuple(y_true), tuple(y_pred))


def character_error_rate(y_true: Iterable[str], y_pred: Iterable[str]) -> float:
    """Characters that are put in, taken out or exchanged to make the answers a reference, per character of references.

    As `word_error_rate`, of characters (code points) as they stand, white space included.

    Parameters
    ----------
    y_true, y_pred
        As for `word_error_rate`.

    Returns
    -------
    float

    References
    ----------
    Levenshtein (1966), Soviet Physics Doklady 10; the rate of text recognition.

    Examples
    --------
    >>> character_error_rate(['["kitten"]'], ["sitting"])
    0.5
    """
    return _CHARACTERS.of_all(tuple(y_true), tuple(y_pred))


def mean_edit_distance(y_true: Iterable[str], y_pred: Iterable[str]) -> float:
    """Mean over items of the characters that are put in, taken out or exchanged to make the answer a reference.

    From 0 without an upper end; the lower, the better. Never undefined. Of several references the nearest counts.

    Parameters
    ----------
    y_true, y_pred
        As for `word_error_rate`.

    Returns
    -------
    float

    References
    ----------
    Levenshtein (1966), Soviet Physics Doklady 10; SIGMORPHON's shared tasks, doi:10.18653/v1/W16-2002.

    Examples
    --------
    >>> mean_edit_distance(['["kitten"]', '["a"]'], ["sitting", "a"])
    1.5
    """
    return float(np.mean(_distances(y_true, y_pred)))


def mean_likeness(y_true: Iterable[str], y_pred: Iterable[str]) -> float:
    """ANLS: mean over items of 1 less the edits per character of the longer text, and 0 where that is below 0.5.

    From 0 to 1. Never undefined. Edits are counted without case and superfluous white space, lengths as texts stand in
    capital letters. Of several references the one that is most alike counts.

    Parameters
    ----------
    y_true, y_pred
        As for `word_error_rate`.

    Returns
    -------
    float

    References
    ----------
    Biten et al. (2019), "Scene text visual question answering", doi:10.1109/ICCV.2019.00439; the scorer of DocVQA.

    Examples
    --------
    >>> mean_likeness(['["Main Road", "road"]', '["1985"]'], ["roads", "1312"])
    0.4
    """
    return float(np.mean(_likenesses(y_true, y_pred)))


METRICS = (
    summed_metric("wer", "Word error rate", word_error_rate, _WORDS, f"{_LEVENSHTEIN}, of words", **_LOWER),
    summed_metric(
        "cer",
        "Character error rate",
        character_error_rate,
        _CHARACTERS,
        f"{_LEVENSHTEIN}, of characters",
        **_LOWER,
    ),
    mean_metric("edit_distance", "Edit distance", mean_edit_distance, _distances, _LEVENSHTEIN, **_LOWER),
    mean_metric(
        "anls", "ANLS", mean_likeness, _likenesses, "doi:10.1109/ICCV.2019.00439, as DocVQA's scorer has it"
    ),
)
