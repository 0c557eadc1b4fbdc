"""What honest answers are expected to tell: counted on from answer to answer as from the beginning."""

from math import e, log2, pi

import numpy as np
import pytest

from scoring.core import honest_leak
from scoring.core.honest_leak import HonestLeak, honest_bits


def plainly(answers, label_count, scored_count, sigma):
    """By the words of the model, one pair of answers at a time."""
    given = np.stack(answers)
    share = scored_count / given.shape[1]
    votes = np.stack([(given == label).sum(axis=0) for label in range(label_count)], axis=1)
    likely = (votes + 1 / label_count) / (len(given) + 1)
    own = np.stack([likely[np.arange(given.shape[1]), answer] for answer in given])
    covariance = np.empty((len(given), len(given)))
    for row, first in enumerate(given):
        for column, other in enumerate(given):
            both = np.where(first == other, own[row], 0.0)
            covariance[row, column] = share * (both - own[row] * own[column]).sum()
    each = np.eye(len(given))
    told = 2 * pi * e * (covariance + each / 12) if sigma is None else each + covariance / sigma**2
    unknown = -share * (likely * np.log2(likely)).sum()
    return max(
        0.0, min(np.linalg.slogdet(told)[1] / 2 / np.log(2), unknown, scored_count * log2(label_count))
    )


@pytest.mark.parametrize("sigma", [None, 4.0])
@pytest.mark.parametrize(("labels", "at_once"), [(2, 1), (2, 3), (5, 1), (7, 12), (40, 5)])
def test_what_is_told_follows_the_model_however_answers_come(labels, at_once, sigma, monkeypatch):
    monkeypatch.setattr(honest_leak, "MOST_ANSWERS", 15)
    monkeypatch.setattr(honest_leak, "_FEW", 4)
    monkeypatch.setattr(honest_leak, "_ITEMS_AT_ONCE", 40)
    monkeypatch.setattr(honest_leak, "_COMMON", 5)
    rng = np.random.default_rng(labels)
    gold = rng.integers(0, labels, 90)
    answers = [
        np.where(rng.random(90) < 0.7, gold, rng.integers(0, labels, 90)).astype(np.uint8) for _ in range(36)
    ]
    leak = HonestLeak(labels)
    assert leak.bits(scored_count=60, sigma=sigma) == 0
    for count, answer in enumerate(answers, start=1):
        leak.add(answer)
        if count % at_once == 0:
            leak.add(answers[count // 2])  # the same again
            expected = plainly(answers[:count][-15:], labels, 60, sigma)
            assert leak.bits(scored_count=60, sigma=sigma) == pytest.approx(expected, abs=1e-6)
            assert honest_bits(answers[:count], labels, scored_count=60, sigma=sigma) == pytest.approx(
                expected
            )
