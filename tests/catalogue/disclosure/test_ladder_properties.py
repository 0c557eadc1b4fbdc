"""The two properties that Blum and Hardt (2015, arXiv:1502.04585) prove of the Ladder, on simulated data."""

from math import log, sqrt

import numpy as np
from numpy.typing import NDArray

from catalogue.disclosure import Ladder
from catalogue.disclosure.rule import MissBudget, RowState, ScoredAnswer

ITEMS = 2_000


def _climb(systems: NDArray[np.bool_], seed: int = 0) -> list[tuple[float, bool]]:
    """What a team sees that hands in these systems (rows: right or wrong, item by item) one after the other."""
    random = np.random.default_rng(seed)
    standing, leading, told = RowState(), systems[0], []
    for system in systems:
        error = None if standing == RowState() else float(np.std(system * 1.0 - leading)) / sqrt(ITEMS)
        answer = ScoredAnswer(float(system.mean()), ITEMS, 0.01, error)
        answered = Ladder().judge(answer, standing, MissBudget(), random)
        standing, leading = answered.state, system if answered.leads else leading
        told.append((answered.shown, answered.leads))
    return told


def test_what_is_shown_tracks_the_best_system_within_the_bound_of_the_theorem() -> None:
    """After k answers: O((log(kn)/n)^(1/3)) from the best population score so far, here with the constant 1."""
    random = np.random.default_rng(5)
    quality = np.clip(0.5 + np.cumsum(random.normal(0.001, 0.01, size=300)), 0.05, 0.95)
    systems = random.random(ITEMS) < quality[:, None]
    bound = (log(300 * ITEMS) / ITEMS) ** (1 / 3)
    best = np.maximum.accumulate(quality)
    shown = np.array([shown for shown, _ in _climb(systems)])
    assert np.abs(shown - best).max() < bound


def test_what_is_shown_is_never_more_than_one_error_behind_the_best_score() -> None:
    random = np.random.default_rng(6)
    systems = random.random((200, ITEMS)) < np.linspace(0.5, 0.7, 200)[:, None]
    best = np.maximum.accumulate(systems.mean(axis=1))
    shown = np.array([shown for shown, _ in _climb(systems)])
    one_error = sqrt(0.5 / ITEMS)  # of the difference of two independent systems, at most
    assert (best - shown).max() <= one_error
    assert (shown - best).max() <= 1 / ITEMS


def test_the_same_answer_again_changes_nothing() -> None:
    systems = np.repeat(np.random.default_rng(7).random((1, ITEMS)) < 0.7, 20, axis=0)
    told = _climb(systems)
    assert {shown for shown, _ in told} == {told[0][0]}
    assert [leads for _, leads in told] == [True] + [False] * 19


def test_answers_that_are_no_better_give_nothing_but_what_stands() -> None:
    random = np.random.default_rng(8)
    first = np.arange(ITEMS) < 1_400
    worse = first & (random.random((50, ITEMS)) < 0.9)
    assert {shown for shown, _ in _climb(np.vstack([first, worse]))} == {0.7}
