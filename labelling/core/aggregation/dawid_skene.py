"""Labels from workers who err each in a way of their own."""

from dataclasses import dataclass
from random import Random

import numpy as np
from numpy.typing import NDArray

from labelling.core.aggregation.rule import (
    AggregationRule,
    RuleFigure,
    RuleSetting,
    Settings,
    classes_of_question,
    item_of,
)
from labelling.core.answers import Value, Work

Floats = NDArray[np.float64]

_MOVED_LEAST = 1e-13
_DIGITS = 4 * float(np.finfo(np.float64).eps)
_MOST_ROUNDS = 2_000
_IMPOSSIBLE = -1e300  # the logarithm of nought, such that nought times it is nought


@dataclass(frozen=True, slots=True)
class DawidSkeneFit:
    """What the answers say, to the class with the most likelihood.

    items, workers, classes : what the axes below stand for; items and workers are sorted
    posterior : shape (n_items, n_classes), the probability of each class of an item
    class_shares : shape (n_classes,)
    error_rates : shape (n_workers, n_classes, n_classes), how often a worker gives an answer (last axis) where a class
        is true; rows of classes that a worker has met in no item are 0
    log_likelihood : natural logarithm
    rounds : of expectation and maximisation
    """

    items: tuple[str, ...]
    workers: tuple[int, ...]
    classes: tuple[Value, ...]
    posterior: Floats
    class_shares: Floats
    error_rates: Floats
    log_likelihood: float
    rounds: int


class DawidSkene(AggregationRule):
    """The most probable class where each worker has error rates of their own; of equal ones the first."""

    key = "dawid_skene"
    title = "Dawid and Skene"
    question_kinds = ("one_label", "ordered_class", "yes_no")
    settings = (RuleSetting("probability", "probability that a label must have", 0.0),)

    def settle(self, work: Work, settings: Settings, rng: Random) -> dict[str, Value | None]:
        least = self.checked(settings, work.options)["probability"]
        values: dict[str, Value | None] = dict.fromkeys(sorted(item_of(work, unit) for unit in work.items_of))
        if work.answers:
            fit = dawid_skene(work)
            for item, shares in zip(fit.items, fit.posterior, strict=True):
                best = int(shares.argmax())
                values[item] = fit.classes[best] if shares[best] >= least else None
        return values

    def describe(self, settings: Settings) -> str:
        least = settings.get("probability", 0.0)
        return (
            "An item has the label that is most probable if every worker errs in a way of their own, estimated from "
            "all answers together (Dawid and Skene 1979)."
            + (f" It has none where that is less probable than {least:g}." if least else "")
        )

    def figures(self, work: Work, settings: Settings, rng: Random) -> tuple[RuleFigure, ...]:
        if not work.answers:
            return ()
        fit = dawid_skene(work)
        shares = (
            RuleFigure(f"estimated share of {name}", float(share))
            for name, share in zip(fit.classes, fit.class_shares, strict=True)
        )
        return (*shares, RuleFigure("log likelihood", fit.log_likelihood), RuleFigure("rounds", fit.rounds))


def dawid_skene(work: Work) -> DawidSkeneFit:
    """Estimate classes, their shares and every worker's error rates by expectation and maximisation.

    It begins with the share of an item's answers that name a class. It ends when the log likelihood moves by less than
    1e-13, or than its last digits can tell, or after 2,000 rounds. A worker may have answered an item several times.

    Parameters
    ----------
    work : Work
        At least one answer; each names one class.

    References
    ----------
    Dawid and Skene (1979), doi:10.2307/2346806.

    Examples
    --------
    >>> from labelling.core.answers import GivenAnswer
    >>> given = [("i", 1, "a"), ("i", 2, "a"), ("i", 3, "b"), ("j", 1, "b"), ("j", 2, "b"), ("j", 3, "b")]
    >>> work = Work(("a", "b"), {"i": ("i",), "j": ("j",)}, [GivenAnswer(*each) for each in given])
    >>> dawid_skene(work).posterior.round(3).tolist()
    [[1.0, 0.0], [0.0, 1.0]]
    """
    if not work.answers:
        raise ValueError("There must be at least one answer.")
    classes = classes_of_question(work)
    # In an order of their own, for sums of floats depend on it.
    given = sorted(
        (item_of(work, each.unit), each.worker, classes.index(each.value)) for each in work.answers
    )
    items, item_codes = np.unique([item for item, _, _ in given], return_inverse=True)
    workers, worker_codes = np.unique([worker for _, worker, _ in given], return_inverse=True)
    label_codes = np.array([label for _, _, label in given])
    shape = (len(workers), len(classes), len(classes))
    posterior = np.zeros((len(items), len(classes)))
    np.add.at(posterior, (item_codes, label_codes), 1.0)
    posterior /= posterior.sum(axis=1, keepdims=True)
    before, rounds = -np.inf, 0
    while True:
        rounds += 1
        shares = posterior.mean(axis=0)
        rates = _error_rates(posterior[item_codes], worker_codes, label_codes, shape)
        joint = _log(shares) + _summed(_log(rates)[worker_codes, :, label_codes], item_codes, len(items))
        highest = joint.max(axis=1, keepdims=True)
        likelihoods = np.exp(joint - highest)
        posterior = likelihoods / likelihoods.sum(axis=1, keepdims=True)
        likelihood = float((np.log(likelihoods.sum(axis=1)) + highest[:, 0]).sum())
        if abs(likelihood - before) < max(_MOVED_LEAST, _DIGITS * abs(likelihood)) or rounds == _MOST_ROUNDS:
            break
        before = likelihood
    return DawidSkeneFit(
        tuple(items.tolist()), tuple(workers.tolist()), tuple(classes), posterior, shares, rates, likelihood, rounds
    )  # fmt: skip


def _error_rates(
    of_answers: Floats, workers: NDArray[np.intp], labels: NDArray[np.intp], shape: tuple[int, int, int]
) -> Floats:
    """Each worker's answers, counted for a true class by the probability that it is true."""
    said = workers * shape[2] + labels
    counts = _summed(of_answers, said, shape[0] * shape[2]).reshape(shape).transpose(0, 2, 1)
    totals = counts.sum(axis=2, keepdims=True)
    rates: Floats = np.divide(counts, totals, out=np.zeros(shape), where=totals > 0)
    return rates


def _summed(rows: Floats, numbers: NDArray[np.intp], count: int) -> Floats:
    """The sums of the rows that bear the same number from 0 to `count` - 1, shape (count, n_columns)."""
    return np.column_stack([np.bincount(numbers, column, minlength=count) for column in rows.T])


def _log(shares: Floats) -> Floats:
    logs: Floats = np.log(shares, out=np.full(shares.shape, _IMPOSSIBLE), where=shares > 0)
    return logs
