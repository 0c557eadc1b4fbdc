"""What the noise and the budget of a displayed half keep, whatever is handed in and whoever hands it in."""

from collections import Counter
from collections.abc import Mapping
from math import sqrt
from statistics import NormalDist

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from catalogue.disclosure.noisy_display import NoisyDisplay, ShownRow, Waiting

pytestmark = pytest.mark.thorough

GROUPS = "abcd"
DISPLAYS = st.integers(1, 3_000).map(lambda items: NoisyDisplay(items, 1 / items))
CROWDS = st.lists(st.sampled_from(GROUPS), max_size=60).map(
    lambda groups: [Waiting(f"answer {at}", group) for at, group in enumerate(groups)]
)
JUDGED = st.dictionaries(st.sampled_from(GROUPS), st.integers(0, 40))
KEYS = st.binary(min_size=1, max_size=32)


def groups_of(names: list[str], waiting: list[Waiting]) -> Counter[str]:
    """How many of the names are of each group."""
    group_of = {answer.name: answer.group for answer in waiting}
    return Counter(group_of[name] for name in names)


@given(DISPLAYS, CROWDS, JUDGED, KEYS)
def test_a_lot_keeps_the_budgets_of_week_group_and_phase(display, waiting, judged, key):
    drawn = display.lot(waiting, judged=judged, key=key)

    assert len(set(drawn)) == len(drawn) <= display.week_budget
    assert set(drawn) <= {answer.name for answer in waiting}
    if drawn:
        assert len(drawn) + sum(judged.values()) <= display.budget
    for group, count in groups_of(drawn, waiting).items():
        assert count + judged.get(group, 0) <= display.group_budget


@given(DISPLAYS, CROWDS, JUDGED, KEYS)
def test_a_lot_leaves_nothing_of_the_budgets_unused_that_somebody_waits_for(display, waiting, judged, key):
    drawn = display.lot(waiting, judged=judged, key=key)

    left = max(0, min(display.week_budget, display.budget - sum(judged.values())))
    wanted = sum(
        min(count, max(0, display.group_budget - judged.get(group, 0)))
        for group, count in Counter(answer.group for answer in waiting).items()
    )
    assert len(drawn) == min(left, wanted)


@given(CROWDS, KEYS)
def test_no_group_has_a_second_answer_drawn_before_every_group_has_one(waiting, key):
    drawn = NoisyDisplay(700, 1 / 700).lot(waiting, judged={}, key=key)

    counts = groups_of(drawn, waiting)
    waiting_groups = {answer.group for answer in waiting}
    assert not any(counts[group] == 0 for group in waiting_groups) or max(counts.values(), default=0) <= 1


@given(CROWDS, KEYS, st.randoms())
def test_a_lot_depends_on_names_groups_and_key_alone(waiting, key, random):
    display = NoisyDisplay(700, 1 / 700)
    shuffled = random.sample(waiting, len(waiting))

    assert display.lot(shuffled, judged={}, key=key) == display.lot(waiting, judged={}, key=key)


def test_another_key_draws_another_lot():
    waiting = [Waiting(f"answer {at}", f"group {at}") for at in range(100)]
    display = NoisyDisplay(700, 1 / 700)
    drawn = {tuple(display.lot(waiting, judged={}, key=key)) for key in (b"one", b"two", b"three")}

    assert len(drawn) == 3


def test_every_answer_of_a_crowd_has_the_same_chance_to_be_drawn():
    waiting = [Waiting(f"answer {at}", f"group {at}") for at in range(10)]
    display = NoisyDisplay(625, 1 / 625)
    assert display.week_budget == 5

    counts = Counter(
        name for seed in range(2_000) for name in display.lot(waiting, judged={}, key=b"%d" % seed)
    )

    assert max(abs(counts[answer.name] - 1_000) for answer in waiting) < 4 * sqrt(2_000 / 4)


@pytest.mark.parametrize(
    ("items", "budget", "week", "group"), [(1, 1, 1, 1), (1_000, 65, 8, 10), (2_500, 162, 20, 25)]
)
def test_budgets_of_a_test_set(items, budget, week, group):
    display = NoisyDisplay(items, 1 / items)
    assert (display.budget, display.week_budget, display.group_budget) == (budget, week, group)


def test_a_large_test_set_judges_no_more_than_500_answers():
    assert NoisyDisplay(1_000_000, 1e-6).budget == 500


# Noise.


@given(st.binary(max_size=32), KEYS, st.floats(0, 1), st.floats(0, 1))
def test_the_same_predictions_carry_the_same_noise_whatever_they_score(predictions, key, score, other):
    display = NoisyDisplay(1_000, 1 / 1_000)
    noise = [
        display.noised(value, key=key, predictions=predictions) - value for value in (score, score, other)
    ]

    assert noise == pytest.approx([noise[0]] * 3)


def test_noise_is_normal_with_the_deviation_that_is_stated():
    display = NoisyDisplay(1_000, 0.003)
    drawn = np.array([display.noised(0.7, key=b"key", predictions=b"%d" % at) for at in range(4_000)])

    assert display.deviation == pytest.approx(display.sigma * 0.003)
    assert abs(drawn.mean() - 0.7) < 4 * display.deviation / sqrt(4_000)
    assert drawn.std() == pytest.approx(display.deviation, rel=4 / sqrt(8_000))
    assert np.mean(np.abs(drawn - 0.7) < display.deviation) == pytest.approx(0.683, abs=0.03)


def test_other_predictions_and_another_key_carry_other_noise():
    display = NoisyDisplay(1_000, 1 / 1_000)
    drawn = {display.noised(0.7, key=key, predictions=what) for key in (b"k", b"l") for what in (b"a", b"b")}

    assert len(drawn) == 4


@given(DISPLAYS, st.integers(0, 500))
def test_certainty_is_that_of_the_gaussian_mechanism(display, judged):
    assert display.certainty(judged) == pytest.approx(NormalDist().cdf(sqrt(judged) / (2 * display.sigma)))


@given(DISPLAYS)
def test_a_whole_budget_names_a_label_with_73_percent_at_most(display):
    assert display.certainty(0) == 0.5
    assert display.certainty(display.budget) <= 0.729


@pytest.mark.parametrize("items", [625, 2_500, 10_000])
def test_nobody_names_a_label_with_more_than_the_bound(items):
    """All other labels are known and the whole budget is spent on one: a likelihood ratio is the best there is."""
    display, games = NoisyDisplay(items, 1 / items), 600
    random = np.random.default_rng(items)
    right = 0
    for game in range(games):
        label = int(random.integers(2))
        evidence = 0.0
        for at in range(display.budget):
            asked = at % 2
            score = (items - 1 + (asked == label)) / items
            seen = display.noised(score, key=b"%d" % game, predictions=b"%d" % at)
            evidence += (1 if asked else -1) * (seen - (items - 0.5) / items)
        right += (evidence > 0) == bool(label)

    bound = display.certainty(display.budget)
    error = sqrt(bound * (1 - bound) / games)
    assert right / games <= bound + 3 * error
    # The bound is tight: this attack reaches it.
    assert right / games >= bound - 4 * error


# Rows.


@given(DISPLAYS, st.floats(0, 1), st.floats(-1, 2), st.integers(0, 3_000))
def test_a_row_never_falls_and_moves_by_a_step_at_least(display, level, new, differing):
    before = display.row_after(None, level, 0)
    assert before is not None
    after = display.row_after(before, new, min(differing, display.item_count))

    if after is not None:
        assert after.level == new > before.level
        assert after.shown >= before.shown + display.deviation * (1 - 1e-9)


@given(DISPLAYS, st.floats(0, 1))
def test_a_first_answer_is_shown_to_the_nearest_step(display, level):
    row = display.row_after(None, level, 0)

    assert row is not None
    assert row.level == level
    assert abs(row.shown - level) <= display.deviation / 2 * (1 + 1e-9)
    assert row.shown / display.deviation == pytest.approx(round(row.shown / display.deviation), abs=1e-6)


def test_a_row_needs_more_of_a_gain_the_more_items_differ():
    display = NoisyDisplay(2_500, 1 / 2_500)
    before = ShownRow(0.7, 0.7)

    assert display.row_after(before, 0.705, 10) is not None
    assert display.row_after(before, 0.705, 1_000) is None


def test_an_answer_that_is_no_better_leaves_a_row_as_it_is():
    display = NoisyDisplay(2_500, 1 / 2_500)

    assert display.row_after(ShownRow(0.7, 0.7), 0.7, 0) is None
    assert display.row_after(ShownRow(0.7, 0.7), 0.6, 500) is None


def test_what_one_label_changes_less_needs_less_noise():
    plain, rare = NoisyDisplay(1_000, 1 / 1_000), NoisyDisplay(1_000, 5 / 1_000)
    noise: Mapping[NoisyDisplay, float] = {
        display: display.noised(0.5, key=b"key", predictions=b"answer") - 0.5 for display in (plain, rare)
    }

    assert noise[rare] == pytest.approx(5 * noise[plain])
    assert rare.certainty(rare.budget) == plain.certainty(plain.budget)
