"""How many bits of the labels scores shown through noise can have given away, at most."""

from math import log, log2, sqrt

from catalogue.answers import Answers
from scoring.core.ledger import Charge, answer_digest


class NoisedLedger:
    """The account of labels whose scores are shown through noise: what is proved, whatever was asked and shown.

    What follows from k judged answers is √k/sigma-Gaussian differentially private for each label. If the labels of
    different items are independent beforehand, all of it together carries at most `bits_of_a_label` for each of them;
    docs/adr/0019-bits-are-counted-not-measured.md has the proof.

    Parameters
    ----------
    outcomes : int
        Labels that an item can have, at least 2.
    item_count : int
        Displayed items, at least 1.
    sigma : float
        Standard deviation of the noise in labels, above 0.

    Examples
    --------
    >>> import numpy as np
    >>> ledger = NoisedLedger(2, 2500, 10.5)
    >>> for answer in range(200):
    ...     charge = ledger.add(np.array([answer]))
    >>> round(ledger.spent), round(ledger.label_bits)
    (674, 2500)
    """

    def __init__(self, outcomes: int, item_count: int, sigma: float) -> None:
        self.label_bits = item_count * log2(outcomes)
        self.spent = 0.0
        self.scored_count, self.sigma, self._outcomes = item_count, sigma, outcomes
        self._seen: set[bytes] = set()

    @property
    def byte_count(self) -> int:
        """What it keeps of the answers in memory, in bytes."""
        return sum(map(len, self._seen))

    def add(self, predictions: Answers, level: float | None = None) -> Charge:
        """Enter one judged answer; the same predictions with the same noised score tell nothing again.

        After a change of what is measured they have noise of its own, and so another score: the `level`.
        """
        before = self.spent
        self._seen.add(answer_digest(predictions) + repr(level).encode())
        self.spent = self._after(len(self._seen))
        return Charge(self._after(1), self.spent - before)

    def _after(self, judged: int) -> float:
        return self.scored_count * bits_of_a_label(sqrt(judged) / self.sigma, self._outcomes)


def bits_of_a_label(mu: float, outcomes: int) -> float:
    """The most that something mu-Gaussian differentially private tells of one label of so many, in bits.

    It is made of a draw from N(mu x, 1) for two labels x = 0 and 1 (Dong, Roth and Su 2022, theorem 2.10), which has
    at most the capacity of a Gaussian channel with a variance of x of 1/4. Of more labels it tells at most the mean
    divergence of two of them, each at most mu²/2 nats.

    >>> round(bits_of_a_label(1.349, 2), 3)
    0.27
    """
    if outcomes == 2:
        return min(1.0, log2(1 + mu**2 / 4) / 2)
    return min(log2(outcomes), (1 - 1 / outcomes) * mu**2 / 2 / log(2))
