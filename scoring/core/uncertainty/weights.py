"""Bootstrap weights: how often each item of a split stands in each resample. All systems of a split share them.

Because they are shared, the replicates of any two systems are paired: the difference of two systems is resampled by
subtracting two arrays. The draw is the exact one (as many items as there are, with replacement), not the Poisson
approximation: in small splits, of 150 items or fewer, a resample with a few items more or less is a different test.
"""

from hashlib import sha256
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Weights: TypeAlias = NDArray[np.uint8]
"""Shape (replicates, n_items): how often an item stands in a resample."""

REPLICATES = 1_000
"""Of a stored run: enough for a standard deviation to 2 %, and for ranks."""

_MOST = np.iinfo(np.uint8).max


def item_weights(
    seed: bytes, item_count: int, replicates: int = REPLICATES, clusters: NDArray[np.integer] | None = None
) -> Weights:
    """How often each item is drawn in each resample.

    Parameters
    ----------
    seed : bytes
        The same seed, counts and clusters always give the same weights, on any machine.
    item_count : int
        At least 1.
    replicates : int
        At least 1.
    clusters : integer array of shape (n_items,), optional
        Items with the same number are drawn together, as many clusters as there are; each by itself without it.

    Returns
    -------
    uint8 array of shape (replicates, item_count)

    Raises
    ------
    ValueError
        On a count below 1, or clusters of another shape.

    References
    ----------
    Efron (1979), doi:10.1214/aos/1176344552; of clusters: Field and Welsh (2007),
    doi:10.1111/j.1467-9868.2007.00593.x.

    Examples
    --------
    >>> item_weights(b"seed", 5, 3).sum(axis=1).tolist()
    [5, 5, 5]
    >>> pairs = np.array([0, 0, 1, 1])
    >>> drawn = item_weights(b"seed", 4, 3, pairs)
    >>> bool((drawn[:, 0] == drawn[:, 1]).all() and (drawn[:, 2] == drawn[:, 3]).all())
    True
    """
    if item_count < 1 or replicates < 1:
        raise ValueError(f"There must be an item and a replicate; there are {item_count} and {replicates}.")
    if clusters is None:
        return _drawn(seed, item_count, replicates)
    if clusters.shape != (item_count,):
        raise ValueError(f"`clusters` must have one number per item; its shape is {clusters.shape}.")
    distinct, places = np.unique(clusters, return_inverse=True)
    return _drawn(seed, len(distinct), replicates)[:, places]


def _drawn(seed: bytes, count: int, replicates: int) -> Weights:
    """Numbers from the raw stream of the generator, which numpy promises to keep; its `integers` may change."""
    stream = np.random.PCG64(int.from_bytes(sha256(seed).digest()))
    weights = np.empty((replicates, count), dtype=np.uint8)
    for row in weights:
        raw = stream.random_raw((count + 1) // 2).view(np.uint32)[:count]
        # A whole number below `count` from the upper half of a product; its bias is below count / 2 ** 32.
        drawn = (raw.astype(np.uint64) * np.uint64(count)) >> np.uint64(32)
        row[:] = np.minimum(np.bincount(drawn.astype(np.intp), minlength=count), _MOST)
    return weights
