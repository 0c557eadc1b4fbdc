"""Replicates of numbers that are shown through noise: drawn about what is shown, without a look at any label.

They make ranges, ranks and decisions of boards on which nothing but these numbers may be told. Systems are drawn
independently of each other, although they answer the same items, and so are told apart later than they could be.
"""

from collections.abc import Iterable
from hashlib import sha256

import numpy as np
from numpy.typing import NDArray

from scoring.core.uncertainty.weights import REPLICATES
from scoring.models import ScoringRun
from scoring.run_scoring import error_of

Floats = NDArray[np.float64]


def noised_replicates(
    shown: Iterable[tuple[ScoringRun, float]], count: int = REPLICATES
) -> dict[int, dict[str, Floats]]:
    """What the primary metric of runs would be on other items and with other noise.

    Parameters
    ----------
    shown
        Runs whose scores carry noise, with the number that is shown of each. Each comes with its predictions,
        submission, phase, split and task.
    count
        Replicates, at least 1.

    Returns
    -------
    dict
        By run, then metric, arrays of shape (count,); runs of which nothing bounds the error are left out. The same
        number of the same predictions always has the same ones.
    """
    by_run = {}
    for run, value in shown:
        if (error := error_of(run, value)) is not None:
            name = f"{run.split.task.slug} {run.split.slug} {run.predictions.sha256}"
            random = np.random.default_rng(list(sha256(name.encode()).digest()))
            normal = random.standard_normal(count)
            normal = (normal - normal.mean()) / normal.std(ddof=1)
            by_run[run.pk] = {run.split.task.spec.primary_metric.name: value + error * normal}
    return by_run
