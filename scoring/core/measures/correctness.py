"""What share of its samples an attack transforms correctly (c_a): from readability, or from two annotators."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from catalogue.metrics.metric import Undefined
from scoring.core.measures.agreement import cohen_kappa

# What textstat calls the language that its own word list is for. Asked for “en” it wants one from the network.
_LANGUAGE = "en-US"


@dataclass(frozen=True, slots=True)
class CorrectShare:
    """The share of correct samples, from 0 to 1, and of how many it is; `kappa` where two annotators judged them."""

    share: float
    sample_count: int
    kappa: float | Undefined | None = None


def share_by_readability(
    texts: Iterable[tuple[str, str]], grade: Callable[[str], float] | None = None
) -> CorrectShare:
    """The share of texts whose perturbed form does not need a higher grade at school.

    A text that was not changed needs none. Blank texts are not counted.

    Parameters
    ----------
    texts : iterable of (original, perturbed), at least one not blank
    grade : from a text to its grade; by default `flesch_kincaid_grade`

    References
    ----------
    The stance benchmark, doi:10.1007/s13218-021-00714-w.

    Examples
    --------
    >>> share_by_readability([("a b", "a b c"), ("d e", "d")], grade=len)
    CorrectShare(share=0.5, sample_count=2, kappa=None)
    """
    graded = grade or flesch_kincaid_grade
    correct = [
        original == perturbed or graded(perturbed) <= graded(original)
        for original, perturbed in texts
        if original.strip()
    ]
    if not correct:
        raise ValueError("There must be at least one text.")
    return CorrectShare(sum(correct) / len(correct), len(correct))


def share_by_annotators(first: NDArray[np.bool_], second: NDArray[np.bool_]) -> CorrectShare:
    """The share of samples called correct, mean over two annotators, and how far they agree beyond chance.

    Parameters
    ----------
    first, second : bool arrays of shape (n_samples,), n_samples at least 1
        Whether each annotator called the sample correct.

    References
    ----------
    The stance benchmark, doi:10.1007/s13218-021-00714-w; kappa: `agreement.cohen_kappa`.

    Examples
    --------
    >>> share_by_annotators(np.array([True, False]), np.array([True, True]))
    CorrectShare(share=0.75, sample_count=2, kappa=0.0)
    """
    kappa = cohen_kappa(first.astype(np.intp), second.astype(np.intp))
    yes = int(np.count_nonzero(first)) + int(np.count_nonzero(second))
    return CorrectShare(yes / (2 * len(first)), len(first), kappa)


def flesch_kincaid_grade(text: str) -> float:
    """The grade at school that a text in English asks of its reader; 0 for a text without words.

    0.39 words per sentence + 11.8 syllables per word - 15.59, as textstat counts them.

    References
    ----------
    Kincaid et al. (1975), Research Branch Report 8-75.
    """
    return float(_textstat().flesch_kincaid_grade(text))


@cache
def _textstat() -> Any:
    from textstat.textstat import textstatistics  # it takes seconds, and only organisers need it

    own = textstatistics()
    own.set_lang(_LANGUAGE)
    return own
