"""Bradley-Terry strengths: how often each system was preferred to each other goes in, one number for each comes out.

Of systems with strengths a and b the first is preferred with the odds exp(a - b) to 1. A tie is half a win of either.
"""

import numpy as np

from labelling.core.judged.figures import Floats

_CLOSE = 1e-10
_MOST_STEPS = 20_000


def strengths(wins: Floats) -> Floats:
    """The strengths that make the wins likeliest, their mean 0, by the steps of Hunter's MM algorithm.

    Parameters
    ----------
    wins : float array of shape (tables, systems, systems)
        How often the system of the row was preferred to that of the column.

    Returns
    -------
    float array of shape (tables, systems)
        NaN for a table of which no finite strengths are the likeliest; see `divided`.

    References
    ----------
    Hunter (2004), doi:10.1214/aos/1079120141.

    Examples
    --------
    >>> strengths(np.array([[[0.0, 3.0], [1.0, 0.0]]])).round(4).tolist()
    [[0.5493, -0.5493]]
    """
    found = np.full(wins.shape[:2], np.nan)
    left = np.flatnonzero(_reached(wins).all(axis=(1, 2)))
    met, won = wins + wins.transpose(0, 2, 1), wins.sum(axis=2)
    logs = np.zeros(wins.shape[:2])
    for _ in range(_MOST_STEPS):
        worth = np.exp(logs[left])
        rates = (met[left] / (worth[:, :, None] + worth[:, None, :])).sum(axis=2)
        step = np.log(won[left] / rates)
        step -= step.mean(axis=1, keepdims=True)
        moved = np.abs(step - logs[left]).max(axis=1, initial=0.0)
        logs[left] = step
        done = moved < _CLOSE
        found[left[done]] = step[done]
        left = left[~done]
        if not len(left):
            break
    return found


def divided(wins: Floats) -> list[list[int]]:
    """The systems of one table in groups, by their places: one group where finite strengths are the likeliest.

    Where there are several, whoever stands in one of them has won all that there was between it and the next, or lost
    all of it, or they were not compared at all. Groups that won come first.
    """
    reached = _reached(wins[None])[0]
    both = reached & reached.T
    groups = {tuple(np.flatnonzero(row).tolist()) for row in both}
    return [list(group) for group in sorted(groups, key=lambda group: (-int(reached[group[0]].sum()), group))]


def are_connected(wins: Floats) -> bool:
    """Whether any two systems of one table were compared, if only by way of others."""
    return bool(_reached((wins + wins.T)[None]).all())


def _reached(wins: Floats) -> np.ndarray[tuple[int, int, int], np.dtype[np.bool_]]:
    """Which system has won against which, or against one that has, and so on; each reaches itself."""
    size = wins.shape[1]
    reached = (wins > 0) | np.eye(size, dtype=np.bool_)
    for _ in range(max(1, int(size - 1).bit_length())):
        steps = reached.astype(np.float32)
        reached = (steps @ steps) > 0
    return reached
