"""Two workers compared on the items that both have answered."""

import numpy as np

from catalogue.metrics.metric import Undefined
from labelling.core.agreement.decisions import decisions_of
from labelling.core.agreement.measures import Floats
from labelling.core.agreement.report import NO_PAIRS, ONE_CATEGORY, AgreementEstimate
from labelling.core.answers import Value, Work
from scoring.core.measures.agreement import cohen_kappa
from scoring.core.uncertainty.intervals import interval
from scoring.core.uncertainty.weights import REPLICATES, item_weights


def cohen_of_two(work: Work, first: int, second: int, *, seed: bytes = b"cohen") -> AgreementEstimate:
    """Cohen's kappa of two workers, known by their numbers, with its interval over other items.

    For one group of items hand in `work_about` its units. Each label of a question with several is a decision of its
    own.

    References
    ----------
    Cohen (1960), doi:10.1177/001316446002000104.
    """
    decided: tuple[dict[tuple[str, str], Value], ...] = tuple(
        {(each.item, each.part): each.value for each in decisions_of(work) if each.worker == worker}
        for worker in (first, second)
    )
    both = sorted(decided[0].keys() & decided[1].keys())
    if not both:
        return AgreementEstimate(None, because=NO_PAIRS)
    names = sorted({decided[side][each] for side in (0, 1) for each in both}, key=repr)
    one, other = (np.array([names.index(found[each]) for each in both], dtype=np.intp) for found in decided)
    kappa = cohen_kappa(one, other)
    if isinstance(kappa, Undefined):
        return AgreementEstimate(None, because=ONE_CATEGORY)
    items, codes = np.unique([item for item, _ in both], return_inverse=True)
    weights = item_weights(seed, len(items), REPLICATES).astype(np.float64)[:, codes]
    said = np.eye(len(names))
    agreed, total = weights @ (one == other), weights.sum(axis=1)
    by_chance: Floats = ((weights @ said[one]) * (weights @ said[other])).sum(axis=1)
    below = total**2 - by_chance
    drawn = np.divide(agreed * total - by_chance, below, out=np.full(len(below), np.nan), where=below > 0)
    return AgreementEstimate(kappa, interval(kappa, drawn, -1.0, 1.0))
