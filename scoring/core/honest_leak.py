"""How many bits of gold labels honest use of a board is expected to give away, under a stated model."""

from collections.abc import Sequence
from math import e, log2, pi
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from scoring.core.ledger import answer_digest

MOST_ANSWERS = 400  # of more, the newest: each further answer of many adds next to nothing
BINARY = 2  # labels
_FEW = 16  # further answers that cost less one by one than all of them counted anew
_ITEMS_AT_ONCE = 1000  # whose votes are whole numbers that floats of 32 bits hold
_COMMON = 32  # answers that give an item a label, from which on whole matrices are faster than pairs of them


class HonestLeak:
    """The bits that the scores of honest answers are expected to tell of the gold labels, beyond the predictions.

    The model: answers are chosen without regard to what is shown. Before any score, the labels of different items are
    independent, and as likely as the answers say: k answers count k votes, and one vote more is spread evenly over
    labels. Each answer tells how many items it has right, exactly or through noise. All these numbers together carry at
    most the information of normal numbers with the same covariance, and no more than is unknown of the labels once the
    predictions are known. Numbers of right items are whole; to add 1/12 to their variance pays for that (Cover and
    Thomas 2006, problem 8.7).

    What pairs of answers have in common is kept, so that one answer more costs one product of matrices.

    Parameters
    ----------
    label_count : int
        At least 2.

    Examples
    --------
    One answer to a hundred items, with two labels: how many are right is worth 4.2 bits.

    >>> leak = HonestLeak(2)
    >>> leak.add(np.zeros(100, dtype=np.uint8))
    >>> round(leak.bits(scored_count=100), 1)
    4.2
    """

    def __init__(self, label_count: int) -> None:
        self._label_count = label_count
        self._answers: list[NDArray[Any]] = []  # different ones, the newest that matter
        self._seen: set[bytes] = set()
        self._new = 0  # answers that are not counted yet: the last of them
        # Votes for each label of each item; and for each pair of answers, to how many items they give the same label,
        # and how many votes these labels have together.
        self._votes = np.zeros((0, label_count), dtype=np.int32)
        self._agreed = self._shared = np.zeros((0, 0), dtype=np.int32)

    @property
    def byte_count(self) -> int:
        """What it keeps in memory, in bytes."""
        counted = (*self._answers, self._votes, self._agreed, self._shared)
        return sum(one.nbytes for one in counted) + sum(map(len, self._seen))

    def add(self, answer: NDArray[Any]) -> None:
        """Enter one answer. The same again tells nothing.

        Parameters
        ----------
        answer : integer array of shape (n_items,)
            Positions of the predicted labels, from 0 to `label_count` - 1.
        """
        digest = answer_digest(answer)
        if digest in self._seen:
            return
        self._seen.add(digest)
        self._answers.append(answer)
        self._new += 1
        if len(self._answers) > MOST_ANSWERS:
            if self._new < len(self._answers):
                self._leave_out_the_oldest()
            else:
                self._new -= 1
            del self._answers[0]

    def bits(self, *, scored_count: int, sigma: float | None = None) -> float:
        """What all answers are expected to have told.

        Parameters
        ----------
        scored_count : int
            How many of the items are scored, drawn evenly.
        sigma : float or None
            Standard deviation of the noise, in labels; None where scores are exact.

        Returns
        -------
        float
            At least 0; bits.
        """
        if not self._answers:
            return 0.0
        self._count()
        given = np.stack(self._answers)
        votes = self._votes + 1 / self._label_count
        all_votes = len(given) + 1
        share = scored_count / given.shape[1]
        shares = (votes / all_votes).ravel()
        first = np.arange(given.shape[1]) * self._label_count
        likely = np.stack([np.take(shares, first + answer) for answer in self._answers])
        together = (self._shared + self._agreed / self._label_count) / all_votes
        covariance = share * (together - likely @ likely.T)
        each = np.eye(len(given))
        told = 2 * pi * e * (covariance + each / 12) if sigma is None else each + covariance / sigma**2
        told_bits = float(np.linalg.slogdet(told)[1]) / 2 / float(np.log(2))
        unknown = -float((votes * np.log2(votes / all_votes)).sum()) / all_votes
        there_is: float = scored_count * log2(self._label_count)
        bits: float = min(told_bits, share * unknown, there_is)
        return max(0.0, bits)

    def _count(self) -> None:
        if self._new > _FEW:
            self._count_anew()
        else:
            for counted in range(len(self._answers) - self._new, len(self._answers)):
                self._count_further(counted)
        self._new = 0

    def _count_anew(self) -> None:
        """All of them, some items at a time; exact, as sums over so few items are.

        Labels that many answers give an item are multiplied as they stand, the others pair by pair.
        """
        given = np.stack(self._answers)
        answer_count, item_count = given.shape
        votes, together = [], np.zeros((2, answer_count, answer_count), dtype=np.int32)
        for start in range(0, item_count, _ITEMS_AT_ONCE):
            some = given[:, start : start + _ITEMS_AT_ONCE]
            some_votes, of_some = self._votes_and_pairs(some)
            votes.append(some_votes)
            together += of_some
        self._votes, (self._agreed, self._shared) = np.concatenate(votes), together

    def _votes_and_pairs(self, given: NDArray[Any]) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """The votes of these items' labels, and of each pair of answers how many labels they share, and their votes."""
        answer_count, item_count = given.shape
        columns = np.arange(item_count) * self._label_count + given
        ends = np.arange(0, columns.size + 1, item_count)
        shape = answer_count, item_count * self._label_count
        gives = csr_array((np.ones(columns.size, dtype=np.float32), columns.ravel(), ends), shape=shape)
        votes = np.bincount(columns.ravel(), minlength=shape[1]).astype(np.int32)
        is_common, votes_as_floats = votes >= _COMMON, votes.astype(np.float32)
        common, rare = gives[:, is_common].toarray(), gives[:, ~is_common]
        agreed = common @ common.T + (rare @ rare.T).toarray()
        shared = (common * votes_as_floats[is_common]) @ common.T
        shared += ((rare * votes_as_floats[~is_common]) @ rare.T).toarray()
        return votes.reshape(item_count, -1), np.stack([agreed, shared]).astype(np.int32)

    def _count_further(self, counted: int) -> None:
        """One answer beside the first of them, which are counted."""
        answer = self._answers[counted]
        if not counted:
            self._votes = np.zeros((len(answer), self._label_count), dtype=np.int32)
        items = np.arange(len(answer))
        self._votes[items, answer] += 1
        agrees = np.stack(self._answers[: counted + 1]) == answer
        own = self._votes[items, answer]
        agreed, shared = np.zeros((2, counted + 1, counted + 1), dtype=np.int32)
        agreed[:-1, :-1], shared[:-1, :-1] = (
            self._agreed,
            self._shared + self._agree_twice(agrees[:-1], self._agreed),
        )
        agreed[-1] = agreed[:, -1] = agrees.sum(axis=1)
        shared[-1] = shared[:, -1] = agrees @ own
        self._agreed, self._shared = agreed, shared

    def _leave_out_the_oldest(self) -> None:
        oldest, counted = self._answers[0], len(self._agreed)
        self._votes[np.arange(len(oldest)), oldest] -= 1
        agrees = np.stack(self._answers[1:counted]) == oldest
        self._agreed = self._agreed[1:, 1:]
        self._shared = self._shared[1:, 1:] - self._agree_twice(agrees, self._agreed)

    def _agree_twice(self, agrees: NDArray[np.bool_], agreed: NDArray[np.int32]) -> NDArray[np.int32]:
        """To how many items two answers both give the label of a third; exact, as numbers of items are.

        Of two labels they agree with each other where both agree with the third or none does, so that nothing has to
        be multiplied: how often each agrees with it, and they with each other (`agreed`), says it.
        """
        if self._label_count == BINARY:
            with_third = agrees.sum(axis=1, dtype=np.int32)
            together: NDArray[np.int32] = (
                with_third[:, None] + with_third + agreed - agrees.shape[1]
            ) // BINARY
            return together
        numbers = agrees.astype(np.float32)  # whole numbers up to 2**24
        return (numbers @ numbers.T).astype(np.int32)


def honest_bits(
    answers: Sequence[NDArray[Any]], label_count: int, *, scored_count: int, sigma: float | None = None
) -> float:
    """What these answers are expected to have told; see `HonestLeak`."""
    leak = HonestLeak(label_count)
    for answer in answers:
        leak.add(answer)
    return leak.bits(scored_count=scored_count, sigma=sigma)
