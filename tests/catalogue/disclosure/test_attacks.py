"""What attackers win under each rule (`perf/attacks/__main__.py`), in small, and what honest teams see."""

from collections.abc import Callable
from functools import partial

import numpy as np
import pytest

from catalogue.disclosure import Exact, Ladder, NoisyLadder, Precision, Rule, Sparing
from perf.attacks.__main__ import honest_chance, loss, main
from perf.attacks.board import AttackedBoard
from perf.attacks.coin_weighing import decode, detecting_matrix, weigh_coins
from perf.attacks.honest_board import price
from perf.attacks.staircase import climb_stairs
from perf.attacks.strategies import Outcome, boost, climb, outdo, probe
from scoring.core.coin_weighing import answers_that_tell_all, block_orders


def _climbing(rule: Rule, *, teams: int = 1, step: int = 250) -> float:
    attack = partial(climb, teams=teams, step=step, answers=500)
    return loss(rule, [attack], boards=4).points


@pytest.mark.parametrize("order", [1, 3, 5])
def test_weighings_of_a_detecting_matrix_tell_every_coin(order: int) -> None:
    design = detecting_matrix(order)
    assert design.shape == (2**order, order * 2 ** (order - 1))
    coins = np.random.default_rng(order).random(design.shape[1]) < 0.5
    found, is_sound = decode(design, design @ coins.astype(float), order)
    assert is_sound
    assert np.array_equal(found, coins)


@pytest.mark.parametrize("metric", ["accuracy", "macro-F1"])
def test_three_decimals_give_away_a_test_set_of_150_in_65_answers(metric: str) -> None:
    random = np.random.default_rng(1)
    board = AttackedBoard(random.random(150) < 0.4, Precision(3), random, metric)
    assert weigh_coins(board, (6,)).proven == 150


@pytest.mark.parametrize("items", [1, 31, 150, 1_200])
def test_so_many_exact_scores_tell_all_labels(items: int) -> None:
    random = np.random.default_rng(items)
    board = AttackedBoard(random.random(items) < 0.5, Exact(), random)
    assert weigh_coins(board, tuple(block_orders(items))).proven == items
    assert answers_that_tell_all(items, 2) == 1 + sum(2**order for order in block_orders(items))


def test_with_three_labels_twice_as_many_tell_them() -> None:
    items, order = 31, 4
    gold = np.random.default_rng(3).integers(3, size=items)
    design = detecting_matrix(order)[:, :items]
    zeros = float((gold == 0).mean()) * items  # from one answer that is 0 throughout
    told = np.array([[float((np.where(row, label, 0) == gold).sum()) for row in design] for label in (1, 2)])
    # Of the items that are asked: how many have each label less how many have 0; over labels, how many have 0.
    apart = told - zeros
    of_zero = (design.sum(axis=1) - apart.sum(axis=0)) / 3
    found = np.zeros(items, dtype=int)
    for label, sums in ((1, apart[0] + of_zero), (2, apart[1] + of_zero)):
        found[decode(design, sums, order)[0]] = label
    assert np.array_equal(found, gold)
    assert answers_that_tell_all(items, 3) <= told.size + 1


@pytest.mark.parametrize("rule", [Exact(), Ladder(), Sparing()], ids=["exact", "Ladder", "sparing"])
def test_who_knows_24_labels_reads_all_others_off_every_rule_without_noise(rule: Rule) -> None:
    random = np.random.default_rng(1)
    board = AttackedBoard(random.random(150) < 0.5, rule, random)
    reading = climb_stairs(board, random, known=24, answers=250)
    assert (reading.right, reading.certain, reading.certain_and_wrong) == (126, 126, 0)


def test_the_staircase_proves_nothing_where_scores_carry_noise() -> None:
    random = np.random.default_rng(1)
    board = AttackedBoard(random.random(150) < 0.5, NoisyLadder(), random)
    reading = climb_stairs(board, random, known=24, answers=250)
    assert reading.right < 0.7 * 126


def test_coin_weighing_alone_wins_nothing_from_the_sparing_rule() -> None:
    random = np.random.default_rng(1)
    board = AttackedBoard(random.random(150) < 0.4, Sparing(), random)
    outcome = weigh_coins(board, (6,))
    assert outcome.proven == 0
    assert (outcome.labels == board.gold).mean() < 0.65


def test_boosting_wins_from_exact_scores_and_not_from_the_sparing_rule() -> None:
    attack = partial(boost, teams=1, answers=500)
    assert loss(Exact(), [attack], boards=2).points > 10
    assert loss(Sparing(), [attack], boards=2).points < 1.5


def test_hill_climbing_wins_from_the_ladder_and_less_from_the_sparing_rule() -> None:
    assert _climbing(Ladder()) > 4
    assert _climbing(Sparing()) < 2


def test_many_accounts_win_no_more_than_one_from_the_sparing_rule() -> None:
    assert _climbing(Ladder(), teams=20) > 4
    assert _climbing(Sparing(), teams=20) < 2


@pytest.mark.parametrize("attack", [probe, partial(outdo, tries=2)], ids=["probe", "outdo"])
def test_accounts_around_a_real_system_learn_next_to_nothing_from_the_sparing_rule(
    attack: Callable[..., list[Outcome]],
) -> None:
    around = partial(attack, share=0.55, step=250, answers=300)
    learned = loss(Sparing(), [lambda board, random: around(board, random=random)], boards=2)
    assert learned.points == pytest.approx(5, abs=0.2)


@pytest.mark.parametrize("number", [1, 10, 50])
def test_an_honest_gain_of_a_point_shows_in_nine_of_ten_cases(number: int) -> None:
    assert honest_chance(Sparing(), number, teams=1_000) > 0.88  # 0.90 less two standard errors


def test_the_table_has_a_line_for_every_attack(capsys: pytest.CaptureFixture[str]) -> None:
    main(is_quick=True)
    printed = capsys.readouterr().out
    for name in (
        "majority boosting",
        "hill climbing",
        "coin weighing",
        "20 accounts",
        "500 accounts",
        "65 weighings",
        "Staircase",
    ):
        assert name in printed


def test_an_honest_board_stays_near_the_exact_one_under_the_sparing_rule() -> None:
    exact, sparing = (price(rule, teams=6, answers=5, items=2_000, seed=1) for rule in (Exact(), Sparing()))
    assert exact.most == 0
    assert 0 < sparing.mean < 2
    assert sparing.tau > 0.5
