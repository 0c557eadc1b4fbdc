"""Strategies against the rules as the server runs them (`perf/redteam.py`), in small."""

from functools import partial

import numpy as np
import pytest

from catalogue.disclosure import RULES, Exact, OpenHalf, Protected, Rule, SealedUntilEnd
from catalogue.disclosure.coin_weighing import answers_that_tell_a_half, answers_that_tell_all, block_orders
from perf.attacks.bench import Claim, Match, Strategy, Week, play
from perf.attacks.detecting_matrix import decoded, detecting_matrix
from perf.attacks.honest_teams import shares_that_show, tau_of_board
from perf.attacks.informed_strategies import Searchlight, WeighingInThree
from perf.attacks.strategies import Boosting, Climbing, CoinWeighing, Spotlight, Staircase
from perf.redteam import ServedRule, main, strategies_of

STRATEGIES = """
import bench

class Constant(bench.Strategy):
    name = "always the same"

    def play(self, task, random):
        answer = task.known * 0
        yield bench.Week({"constant": answer})
        nothing = answer.astype(bool)
        return bench.Claim(answer, ~nothing, nothing, answer)

STRATEGIES = [Constant()]
"""


def against(
    rule: type[Rule], strategy: Strategy, *, n: int = 150, answers: int = 500, seed: int = 1
) -> Match:
    return play(partial(ServedRule, rule), strategy, n=n, answers=answers, seed=seed)


@pytest.mark.parametrize("order", [1, 3, 5])
def test_weighings_of_a_detecting_matrix_tell_every_coin(order: int) -> None:
    design = detecting_matrix(order)
    assert design.shape == (2**order, order * 2 ** (order - 1))
    coins = np.random.default_rng(order).random(design.shape[1]) < 0.5
    found, is_sound = decoded(design, design @ coins.astype(float), order)
    assert is_sound
    assert np.array_equal(found, coins)


@pytest.mark.parametrize(("kinds", "coins"), [(2, 80), (3, 48)])
def test_a_detecting_matrix_tells_coins_of_several_kinds_from_rounded_sums(kinds: int, coins: int) -> None:
    design = detecting_matrix(5, kinds)
    assert design.shape == (32, coins)
    random = np.random.default_rng(kinds)
    thrown = random.integers(kinds, size=coins)
    rounded = design @ thrown.astype(float) + random.uniform(-0.25, 0.25, size=32)
    found, is_sound = decoded(design, rounded, 5, kinds)
    assert is_sound
    assert np.array_equal(found, thrown)


def test_sums_of_noise_are_not_taken_for_a_weighing() -> None:
    design = detecting_matrix(5)
    _found, is_sound = decoded(design, np.random.default_rng(1).normal(30, 5, size=32), 5)
    assert not is_sound


@pytest.mark.parametrize(("items", "answers"), [(31, 32), (150, 65), (1_200, 321)])
def test_so_many_exact_scores_tell_all_labels(items: int, answers: int) -> None:
    assert answers_that_tell_all(items, 2) == 1 + sum(2**order for order in block_orders(items)) <= answers

    match = against(Exact, CoinWeighing(), n=items, answers=answers)

    assert (match.attacked, match.read, match.certain_and_wrong) == (items, 1.0, 0)


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
        found[decoded(design, sums, order)[0] == 1] = label
    assert np.array_equal(found, gold)
    assert answers_that_tell_all(items, 3) <= told.size + 1


def test_scores_of_four_decimals_prove_all_labels_of_a_larger_test_set() -> None:
    match = against(Exact, CoinWeighing(), n=1_200)
    assert (match.attacked, match.certain, match.certain_and_wrong) == (1_200, 1_200, 0)


@pytest.mark.parametrize(("items", "answers"), [(31, 29), (150, 97)])
def test_so_many_scores_of_an_open_half_tell_which_items_it_has_and_all_their_labels(
    items: int, answers: int
) -> None:
    assert answers_that_tell_a_half(items, 2) == answers

    match = against(OpenHalf, WeighingInThree(), n=items, answers=answers)

    assert match.sent <= answers
    assert match.attacked == match.certain == pytest.approx(items / 2, abs=2 * items**0.5)
    assert (match.read, match.points, match.certain_and_wrong) == (1.0, 50.0, 0)
    assert abs(match.points_kept) < 150 / items**0.5  # labels kept back are guessed as before


def test_noise_stops_who_weighs_in_three_kinds() -> None:
    assert against(Protected, WeighingInThree(), n=2_000).certain == 0


def test_who_knows_24_labels_reads_all_others_off_exact_scores() -> None:
    match = against(Exact, Staircase(24))
    assert (match.attacked, match.read, match.certain, match.certain_and_wrong) == (126, 1.0, 126, 0)


def test_the_staircase_proves_nothing_where_scores_carry_noise() -> None:
    match = against(Protected, Staircase(24), n=2_000)
    assert match.read < 0.6
    assert match.certain <= 2 * match.certain_and_wrong + 5


def test_boosting_wins_the_displayed_half_of_open_and_nothing_of_the_other() -> None:
    matches = [against(OpenHalf, Boosting(500), n=1_200, seed=seed) for seed in range(4)]
    assert np.mean([match.points for match in matches]) > 15
    assert abs(np.mean([match.points_kept for match in matches])) < 4 * 2.04 / 2  # four errors of their mean


def test_fresh_accounts_win_less_from_protected_than_from_open() -> None:
    won = {
        rule.key: np.mean([against(rule, Boosting(500), n=2_000, seed=seed).points for seed in range(3)])
        for rule in (OpenHalf, Protected)
    }
    assert won["protected"] < won["open"] - 3


def test_of_protected_labels_no_more_than_the_bound_are_read_by_a_searchlight() -> None:
    matches = [against(Protected, Searchlight(400), n=5_000, seed=seed) for seed in range(6)]
    assert all(match.attacked == 400 for match in matches)
    assert 0.55 < np.mean([match.read for match in matches]) < 0.65


def test_ten_people_with_500_accounts_are_judged_no_more_than_ten_people_may_be() -> None:
    rule = ServedRule(Protected, people=2)
    play(lambda: rule, Boosting(500), n=2_000, answers=500, seed=1)
    assert rule.display is not None
    assert sum(rule.judged.values()) <= 2 * rule.display.group_budget
    assert max(rule.judged.values()) <= rule.display.group_budget


@pytest.mark.parametrize(
    "strategy", [CoinWeighing(), Climbing(0.05, 20), Spotlight()], ids=lambda one: one.name
)
@pytest.mark.parametrize("items", [150, 1_200])
def test_sealed_shows_nothing_before_the_end(strategy: Strategy, items: int) -> None:
    rule = ServedRule(SealedUntilEnd)
    seen = []

    class Watched(Strategy):
        known = strategy.known

        def play(self, task, random):
            playing, view = strategy.play(task, random), None
            while True:
                try:
                    week = playing.send(view) if view else next(playing)
                except StopIteration as end:
                    return end.value
                view = yield week
                seen.extend(view.board.values())

    play(lambda: rule, Watched(), n=items, answers=60, seed=1)

    assert seen
    assert {(found.shown, found.group, found.moved) for found in seen} == {(None, None, False)}


@pytest.mark.parametrize("rule", [OpenHalf, Protected], ids=lambda rule: rule.key)
def test_the_last_release_is_made_of_what_was_kept_back_alone(rule: type[Rule]) -> None:
    served = ServedRule(rule)
    gold = np.random.default_rng(1).integers(2, size=2_000)
    served.begin(gold, 2, "accuracy", 1)
    assert served.kept_back is not None
    right_there = np.where(served.kept_back, gold, 1 - gold)

    seen = served.show(0, {"right on what is kept back": right_there}, last=True)

    assert seen["right on what is kept back"].shown == 1.0


def test_nothing_that_is_kept_back_changes_what_is_shown() -> None:
    answers = {f"team {at}": np.random.default_rng(at).integers(2, size=2_000) for at in range(8)}
    for rule in (OpenHalf, Protected):
        shown = []
        for world in range(2):
            served = ServedRule(rule)
            gold = np.random.default_rng(1).integers(2, size=2_000)
            served.begin(gold, 2, "accuracy", 1)
            assert served.kept_back is not None
            if world:
                served.gold = np.where(served.kept_back, 1 - gold, gold)
            shown.append(served.show(0, answers))
        assert shown[0] == shown[1]


def test_a_strategy_that_sends_more_than_it_may_is_stopped() -> None:
    class Greedy(Strategy):
        name = "greedy"

        def play(self, task, random):
            answer = np.zeros(task.n, dtype=np.intp)
            for _ in range(task.answers + 1):
                yield Week({"greedy": answer})
            return Claim(answer, answer > 0, answer > 0, answer)

    with pytest.raises(RuntimeError, match="greedy sent 6 answers; it may send 5"):
        against(Exact, Greedy(), answers=5)


def test_an_honest_gain_of_a_point_shows_and_a_change_without_gain_seldom_does() -> None:
    make = partial(ServedRule, Protected)
    gain, luck = (
        np.mean([shares_that_show(make, n=5_000, seed=seed, gain=gain) for seed in range(8)])
        for gain in (0.01, 0.0)
    )
    assert gain > 0.7
    assert luck < 0.4


def test_an_honest_board_stays_near_the_exact_one() -> None:
    exact, noisy = (
        np.mean([tau_of_board(partial(ServedRule, rule), n=5_000, seed=seed) for seed in range(3)], axis=0)
        for rule in (Exact, Protected)
    )
    assert np.all(noisy > exact - 0.15)
    assert np.all(noisy > 0.75)


def test_the_table_has_a_line_for_every_strategy_of_a_file_and_a_column_for_every_rule(
    tmp_path, capsys
) -> None:
    file = tmp_path / "own_strategies.py"
    file.write_text(STRATEGIES)
    assert [strategy.name for strategy in strategies_of(file)] == ["always the same"]

    main(["--items", "150", "--answers", "20", "--seeds", "2", "--strategies", str(file)])

    printed = capsys.readouterr().out
    assert "| strategy | " + " | ".join(rule.key for rule in RULES) + " |" in printed
    assert "| always the same | " in printed
    assert "| protected | 150 | 0 % | 0 % |" in printed
