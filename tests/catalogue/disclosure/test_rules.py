"""What each rule shows of an answer, and what it refuses."""

from math import sqrt

import numpy as np
import pytest

from catalogue.disclosure import Exact, Ladder, NoisyLadder, Precision, Rule, Sparing
from catalogue.disclosure.rule import Judgement, MissBudget, NearRow, RowState, ScoredAnswer

ERROR = 0.003  # of a paired difference, in the answers below


def _ask(
    rule: Rule, scores: list[float], *, seed: int = 0, budget: MissBudget | None = None
) -> list[Judgement]:
    """One team's answers in turn."""
    random = np.random.default_rng(seed)
    standing, budget = RowState(), budget or MissBudget()
    answered = []
    for score in scores:
        error = None if standing == RowState() else ERROR
        answered.append(rule.judge(ScoredAnswer(score, 5000, 0.007, error), standing, budget, random))
        standing, budget = answered[-1].state, answered[-1].budget
    return answered


def _shown(rule: Rule, scores: list[float]) -> list[float]:
    return [one.shown for one in _ask(rule, scores)]


def test_exact_shows_every_score() -> None:
    assert _shown(Exact(), [0.71234, 0.6]) == [0.71234, 0.6]


def test_precision_rounds_every_score() -> None:
    assert _shown(Precision(2), [0.71234, 0.6]) == [0.71, 0.6]


def test_ladder_moves_on_more_than_one_error() -> None:
    assert _shown(Ladder(), [0.7, 0.7028, 0.7032, 0.6]) == [0.7, 0.7, 0.7032, 0.7032]


def test_ladder_rounds_to_the_item() -> None:
    assert _shown(Ladder(), [0.70003]) == [0.7]


def test_noisy_ladder_shows_neither_the_score_nor_twice_the_same_noise() -> None:
    first, other = (_ask(NoisyLadder(), [0.7], seed=seed)[0].shown for seed in (1, 2))
    assert first != other
    assert 0.7 not in {first, other}


def test_noisy_ladder_repeats_itself_with_the_same_seed() -> None:
    scores = [0.7, 0.72, 0.71, 0.75]
    assert _ask(NoisyLadder(), scores, seed=3) == _ask(NoisyLadder(), scores, seed=3)


def test_sparing_shows_a_clear_gain_at_once_in_whole_errors() -> None:
    first, after = _shown(Sparing(), [0.7, 0.71])
    assert after - first == pytest.approx(3 * ERROR)


def test_sparing_makes_good_what_it_held_back_of_a_gain() -> None:
    answered = _ask(Sparing(), [0.7, 0.7085, 0.7170, 0.7255, 0.7340])
    assert answered[-1].shown - answered[0].shown == pytest.approx(0.034, abs=ERROR)


def test_sparing_asks_for_more_once_the_budget_is_spent() -> None:
    rule = Sparing(misses=3)
    gain = 2.5 * ERROR
    assert _shown(rule, [0.7, 0.7, 0.7, 0.7 + gain])[-1] > 0.7
    assert _shown(rule, [0.7, 0.7, 0.7, 0.7, 0.7 + gain])[-1] == _shown(rule, [0.7])[0]


def test_sparing_shares_the_budget_among_teams() -> None:
    spent = _ask(Sparing(misses=3), [0.7, 0.7, 0.7, 0.7])[-1].budget
    assert _ask(Sparing(misses=3), [0.6, 0.6 + 2.5 * ERROR], budget=spent)[-1].leads is False


def test_sparing_fills_the_budget_after_progress() -> None:
    answered = _ask(Sparing(misses=3), [0.7, 0.7, 0.7, 0.7, 0.74])
    assert answered[3].budget.spent == 3
    assert answered[4].budget.spent == 0


def test_sparing_does_not_take_catching_up_for_progress() -> None:
    spent = MissBudget(3, mark=0.9)
    assert _ask(Sparing(misses=3), [0.7, 0.74], budget=spent)[-1].budget == spent


def test_sparing_charges_more_for_an_answer_that_differs_in_many_items() -> None:
    wide = ScoredAnswer(0.7, 5000, 0.007, difference_error=sqrt(0.6 / 5000))
    standing = RowState(0.7, 0.7)
    answered = Sparing().judge(wide, standing, MissBudget(), np.random.default_rng(0))
    assert answered.budget.spent == pytest.approx(10)


def test_a_newcomer_stands_level_with_the_row_most_like_it() -> None:
    rows = (
        NearRow(shown=0.74, difference=-0.012, error=0.01),
        NearRow(shown=0.71, difference=0.008, error=0.004),
    )
    newcomer = ScoredAnswer(0.7231, 5000, 0.007, rows=rows)
    assert Sparing().judge(newcomer, RowState(), MissBudget(), np.random.default_rng(0)).shown == 0.71


def test_a_newcomer_apart_from_every_row_is_shown_on_a_coarse_grid() -> None:
    newcomer = ScoredAnswer(0.7231, 5000, 0.01, rows=(NearRow(shown=0.5, difference=0.2231, error=0.01),))
    shown = Sparing().judge(newcomer, RowState(), MissBudget(), np.random.default_rng(0)).shown
    assert shown == pytest.approx(0.72)


def test_a_newcomer_without_a_single_error_has_no_grid_and_is_shown_as_it_is() -> None:
    newcomer = ScoredAnswer(1.0, 5000, 0.0)
    assert Sparing().judge(newcomer, RowState(), MissBudget(), np.random.default_rng(0)).shown == 1.0


def _answer_beside(row: NearRow, *, gain: float) -> Judgement:
    """What a team at 0.7 sees after a gain over its own answer, beside another team's row."""
    answer = ScoredAnswer(0.7 + gain, 5000, 0.007, difference_error=0.01, rows=(row,))
    return Sparing().judge(answer, RowState(0.7, 0.7), MissBudget(), np.random.default_rng(0))


def test_an_answer_more_like_another_row_than_its_own_stands_level_with_that_row() -> None:
    answered = _answer_beside(NearRow(shown=0.74, difference=-0.005, error=0.003), gain=0.05)
    assert answered.shown == 0.74
    assert answered.leads


def test_an_answer_never_falls_to_the_row_it_is_like() -> None:
    answered = _answer_beside(NearRow(shown=0.69, difference=0.001, error=0.003), gain=0.001)
    assert answered.shown == 0.7
    assert not answered.leads


def test_an_answer_apart_from_the_row_it_is_like_is_judged_beside_its_own() -> None:
    answered = _answer_beside(NearRow(shown=0.69, difference=0.05, error=0.003), gain=0.05)
    assert answered.shown == pytest.approx(0.75)


def test_rows_less_like_an_answer_than_its_own_change_nothing() -> None:
    answered = _answer_beside(NearRow(shown=0.9, difference=0.01, error=0.02), gain=0.001)
    assert answered.shown == 0.7


@pytest.mark.parametrize("rule", [Ladder(), NoisyLadder(), Sparing()], ids=["ladder", "noisy", "sparing"])
def test_a_later_answer_needs_the_error_of_its_gain(rule: Rule) -> None:
    with pytest.raises(ValueError, match="difference_error"):
        rule.judge(ScoredAnswer(0.8, 100, 0.04), RowState(0.7, 0.7), MissBudget(), np.random.default_rng(0))


@pytest.mark.parametrize(
    ("build", "named"),
    [
        (lambda: ScoredAnswer(float("nan"), 10, 0.1), "score"),
        (lambda: ScoredAnswer(0.5, 0, 0.1), "item_count"),
        (lambda: ScoredAnswer(0.5, 10, -0.1), "error"),
        (lambda: Precision(0), "digits"),
        (lambda: NoisyLadder(0.0), "scale"),
        (lambda: Sparing(early=4.0, late=2.0), "early"),
        (lambda: Sparing(usual=0.0), "usual"),
    ],
    ids=["score", "items", "error", "digits", "scale", "errors", "usual"],
)
def test_settings_out_of_range_are_named(build: object, named: str) -> None:
    assert callable(build)
    with pytest.raises(ValueError, match=f"`{named}`"):
        build()
