"""How many bits of gold labels honest use of a board is expected to give away, under a stated model."""

from collections.abc import Sequence
from math import e, log2, pi
from typing import Any

import numpy as np
from numpy.typing import NDArray

MOST_ANSWERS = 400  # of more, the newest: each further answer of many adds next to nothing


def honest_bits(
    answers: Sequence[NDArray[Any]], label_count: int, *, scored_count: int, sigma: float | None = None
) -> float:
    """The bits that the scores of honest answers are expected to tell of the gold labels, beyond the predictions.

    The model: answers are chosen without regard to what is shown. Before any score, the labels of different items are
    independent, and as likely as the answers say: k answers count k votes, and one vote more is spread evenly over
    labels. Each answer tells how many items it has right, exactly or through noise. All these numbers together carry at
    most the information of normal numbers with the same covariance, and no more than is unknown of the labels once the
    predictions are known. Numbers of right items are whole; to add 1/12 to their variance pays for that (Cover and
    Thomas 2006, problem 8.7).

    Parameters
    ----------
    answers : sequence of integer arrays of shape (n_items,)
        Positions of the predicted labels, from 0 to `label_count` - 1. The same answer again tells nothing.
    label_count : int
        At least 2.
    scored_count : int
        How many of the items are scored, drawn evenly.
    sigma : float or None
        Standard deviation of the noise, in labels; None where scores are exact.

    Returns
    -------
    float
        At least 0; bits.

    Examples
    --------
    One answer to a hundred items, with two labels: how many are right is worth 4.2 bits.

    >>> round(honest_bits([np.zeros(100, dtype=np.uint8)], 2, scored_count=100), 1)
    4.2
    """
    distinct = list({answer.tobytes(): answer for answer in answers}.values())[-MOST_ANSWERS:]
    if not distinct:
        return 0.0
    given = np.stack(distinct)
    share = scored_count / given.shape[1]
    covariance = np.zeros((len(given), len(given)))
    expected = np.zeros(given.shape)
    unknown = 0.0
    for label in range(label_count):
        has = given == label
        votes = has.sum(axis=0)
        likely = (votes + 1 / label_count) / (len(given) + 1)
        unknown -= float((likely * np.log2(likely)).sum())
        named = np.flatnonzero(votes)  # of many labels most items are given few
        has_named = has[:, named].astype(float)
        weighted = has_named * likely[named]
        expected[:, named] += weighted
        covariance += weighted @ has_named.T
    covariance = share * (covariance - expected @ expected.T)
    each = np.eye(len(given))
    told = 2 * pi * e * (covariance + each / 12) if sigma is None else each + covariance / sigma**2
    told_bits = float(np.linalg.slogdet(told)[1]) / 2 / float(np.log(2))
    there_is: float = scored_count * log2(label_count)
    bits: float = min(told_bits, share * unknown, there_is)
    return max(0.0, bits)
