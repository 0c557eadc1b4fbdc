"""How well systems withstand attacks: perturbed copies of a test split, scored apart.

`correct_shares` are the shares c_a of samples that each attack transformed correctly, in 0..1 and not all 0; scores
are in 0..1, the more the better. The formulas are those of the stance benchmark (doi:10.1007/s13218-021-00714-w),
the first two going back to Thorne et al. (2019), doi:10.18653/v1/D19-1292.
"""

from collections.abc import Sequence
from math import fsum

from catalogue.metrics.metric import Undefined


def raw_potency(scores: Sequence[float]) -> float:
    """How much an attack takes from a perfect score, mean over systems, as if all its samples were correct.

    From 0 (every system still perfect) to 1 (every system at 0).

    >>> raw_potency([0.75, 0.5])
    0.375
    """
    _check_shares("scores", scores)
    return fsum(1 - score for score in scores) / len(scores)


def potency(correct_share: float, scores: Sequence[float]) -> float:
    """The attack's raw potency times the share of its samples that are correct: `scores` holds one per system.

    >>> potency(0.5, [0.75, 0.5])
    0.1875
    """
    _check_shares("correct_share", [correct_share])
    return correct_share * raw_potency(scores)


def resilience(correct_shares: Sequence[float], attack_scores: Sequence[float]) -> float:
    """A system's mean score over the attacks, each weighted by its share of correct samples; from 0 to 1.

    >>> resilience([1.0, 0.5], [0.5, 0.875])
    0.625
    """
    _check_shares("correct_shares", correct_shares)
    if len(correct_shares) != len(attack_scores) or not any(correct_shares):
        raise ValueError(
            f"There must be one correct share per attack, not all 0; "
            f"there are {len(correct_shares)} for {len(attack_scores)} attacks."
        )
    products = (share * score for share, score in zip(correct_shares, attack_scores, strict=True))
    return fsum(products) / fsum(correct_shares)


def relative_resilience(
    correct_shares: Sequence[float], test_score: float, attack_scores: Sequence[float]
) -> float:
    """1 minus the system's weighted mean drop from its score on the test split, taken without its sign.

    From 0 (from perfect to nothing) to 1 (no drop on the whole). With one attack it is that attack's own.

    >>> relative_resilience([1.0, 0.5], 0.75, [0.5, 0.875])
    0.875
    """
    _check_shares("test_score", [test_score])
    _check_shares("attack_scores", attack_scores)
    return 1 - abs(resilience(correct_shares, [test_score - score for score in attack_scores]))


def relative_drop(test_score: float, attack_score: float) -> float | Undefined:
    """Share of the score on the test split that an attack takes away; negative where the attack helps.

    Undefined, with code `nothing_to_lose`, where the score on the test split is 0.

    >>> relative_drop(0.5, 0.375)
    0.25
    """
    _check_shares("scores", [test_score, attack_score])
    return 1 - attack_score / test_score if test_score else Undefined("nothing_to_lose")


def _check_shares(argument: str, values: Sequence[float]) -> None:
    if not values or not all(0 <= value <= 1 for value in values):
        raise ValueError(f"`{argument}` must hold numbers from 0 to 1, at least one; found {list(values)}.")
