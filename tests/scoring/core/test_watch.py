"""The watch: copies and probes are found, and honest systems are let alone."""

from itertools import combinations

import numpy as np
import pytest

from scoring.core.differing_rows import KnownDifferences, differing
from scoring.core.watch import FEW_LABELS, Oddity, _label_counts, look_at


def systems(items: int, labels: int, count: int, seed: int) -> list[np.ndarray]:
    """Honest systems of differing strength, which find the same items hard."""
    rng = np.random.default_rng(seed)
    gold, hard = rng.integers(0, labels, items), rng.normal(0, 1.5, items)
    rows = []
    for strength in rng.normal(1.5, 0.7, count):
        is_known = rng.random(items) < 1 / (1 + np.exp(hard - strength))
        rows.append(np.where(is_known, gold, rng.integers(0, labels, items)).astype(np.uint8))
    return rows


def of_kind(findings, oddity):
    return [one.rows for one in findings if one.oddity == oddity]


@pytest.mark.parametrize(
    ("items", "labels", "count"), [(5000, 2, 60), (150, 2, 20), (516, 3, 30), (150, 2, 6)]
)
def test_nothing_is_said_of_honest_systems(items, labels, count):
    for seed in range(5):
        assert look_at(systems(items, labels, count, seed), range(count)) == []


@pytest.mark.parametrize(("items", "labels", "count"), [(5000, 2, 60), (516, 3, 30), (2000, 77, 12)])
def test_a_copy_with_a_few_changes_is_found_in_another_team(items, labels, count):
    rows = systems(items, labels, count, seed=1)
    rows[9] = rows[4].copy()
    changed = np.random.default_rng(2).choice(items, items // 100, replace=False)
    rows[9][changed] = (rows[9][changed] + 1) % labels

    (found,) = look_at(rows, range(count))

    assert (found.oddity, found.rows) == (Oddity.ALIKE, (4, 9))
    assert found.equal == items - items // 100
    assert found.usual < found.equal


def test_what_is_usual_for_two_systems_follows_from_how_much_each_agrees_with_the_other_teams():
    items = 516
    rows = systems(items, 3, 30, seed=1)
    rows[9] = rows[4].copy()
    rows[9][:5] = (rows[9][:5] + 1) % 3
    apart = np.array([[(one != other).sum() for other in rows] for one in rows], dtype=float)
    odds = np.log((items - apart + 0.5) / (apart + 0.5))
    np.fill_diagonal(odds, np.nan)
    effect = np.nanmedian(odds, axis=1)

    (found,) = look_at(rows, range(30))

    expected = effect[4] + effect[9] - np.nanmedian(odds)
    assert found.usual == round(items / (1 + np.exp(-expected)))


def test_the_same_predictions_of_two_teams_are_found_however_few_teams_there_are():
    rows = systems(150, 2, 2, seed=1)
    assert of_kind(look_at([rows[0], rows[1], rows[0]], "abc"), Oddity.SAME) == [(0, 2)]


def test_two_teams_that_answer_always_the_same_label_are_no_copies():
    rows = [np.zeros(150, dtype=np.uint8)] * 2
    assert look_at(rows, "ab") == []


def test_a_team_may_send_near_copies_of_its_own_work():
    rows = systems(5000, 2, 8, seed=1)
    rows[1] = rows[0].copy()
    rows[1][:50] ^= 1
    assert look_at(rows, "aabcdefg") == []


def test_one_changed_label_within_a_team_is_a_probe():
    rows = systems(150, 2, 3, seed=1)
    rows[2] = rows[0].copy()
    rows[2][17] ^= 1
    assert of_kind(look_at(rows, "aba"), Oddity.ONE_STEP) == [(0, 2)]


def test_the_same_division_under_other_names_is_found():
    rows = systems(600, 3, 8, seed=1)
    rows[5] = (rows[2] + 1) % 3
    assert of_kind(look_at(rows, range(8)), Oddity.RENAMED) == [(2, 5)]


def regressors(items: int, count: int, correlation: float) -> list[np.ndarray]:
    """Systems of which every two correlate like this on the mean."""
    rng = np.random.default_rng(7)
    shared = rng.normal(0, 1, items)
    noise = np.sqrt(1 / correlation - 1)
    return [shared + rng.normal(0, noise, items) for _ in range(count)]


def test_nothing_is_said_of_honest_numbers_however_strong():
    rows = regressors(900, 30, 0.98)

    assert np.corrcoef(rows)[0, 1] == pytest.approx(0.98, abs=0.005)
    assert look_at(rows, range(30)) == []


@pytest.mark.parametrize(
    "copied",
    [
        lambda numbers: numbers + np.random.default_rng(1).normal(0, 1e-3, len(numbers)),
        lambda numbers: 0.4 * numbers + 0.3,
        lambda numbers: 1 - numbers,
    ],
    ids=["noise", "stretched", "turned round"],
)
def test_numbers_that_lie_on_one_line_are_found_in_another_team(copied):
    rows = regressors(900, 8, 0.9)
    rows[5] = copied(rows[2])

    (found,) = look_at(rows, range(8))

    assert (found.oddity, found.rows) == (Oddity.ON_ONE_LINE, (2, 5))
    assert abs(found.correlation) > 0.9999
    assert look_at(rows, [0, 1, 2, 3, 4, 2, 6, 7]) == []


def test_equal_numbers_are_called_equal_and_constant_ones_nothing():
    rows = [*regressors(900, 2, 0.9), np.full(900, 0.5), np.full(900, 0.5)]
    rows[1] = rows[0]

    assert [one.oddity for one in look_at(rows, range(4))] == [Oddity.SAME]


def test_texts_that_hardly_repeat_are_not_taken_for_exchanged_labels():
    rng = np.random.default_rng(1)
    rows = [
        np.array([f"{item} {rng.integers(3)}" for item in range(50)], dtype=np.dtypes.StringDType())
        for _ in range(3)
    ]

    assert look_at(rows, range(3)) == []


def test_balanced_dice_among_systems_that_agree_are_found():
    rows = systems(600, 2, 10, seed=1)
    dice = np.repeat(np.array([0, 1], dtype=np.uint8), 300)
    rows[6] = np.random.default_rng(3).permutation(dice)

    (found,) = look_at(rows, range(10))

    assert (found.oddity, found.rows) == (Oddity.RANDOM, (6,))
    assert found.equal < found.usual


def test_dice_are_not_told_where_nobody_agrees_with_anybody():
    rng = np.random.default_rng(4)
    assert look_at([rng.integers(0, 2, 600).astype(np.uint8) for _ in range(10)], range(10)) == []


def test_only_what_is_new_is_reported():
    rows = systems(150, 2, 3, seed=1)
    rows[2] = rows[0].copy()
    assert look_at(rows, "abc", new=[False, True, False]) == []
    assert of_kind(look_at(rows, "abc", new=[False, False, True]), Oddity.SAME) == [(0, 2)]


@pytest.mark.parametrize(
    "answers",
    [
        [np.array([0.1, 0.2, 0.3]), np.array([0.1, 0.2, 0.3])],
        [np.array(["a b", "c"], dtype=np.dtypes.StringDType())] * 2,
        [np.array([1, 1 << 63], dtype=np.uint64)] * 2,
        [np.array([-3, 3], dtype=np.int16)] * 2,
    ],
    ids=["numbers", "spans", "sets", "classes"],
)
def test_answers_of_every_kind_can_be_looked_at(answers):
    assert of_kind(look_at(answers, "ab"), Oddity.SAME) == [(0, 1)]


@pytest.mark.parametrize("numbers", [[0, 1, 2], [3, 7, 250], [263, 7, 9]], ids=["all", "gaps", "two-bytes"])
def test_how_labels_are_numbered_and_kept_makes_no_difference(numbers):
    rows = systems(600, 3, 12, seed=1)
    rows[5], rows[9] = (rows[2] + 1) % 3, rows[4].copy()
    rows[9][:6] = (rows[9][:6] + 1) % 3
    labels = [np.array(numbers, dtype=np.uint16)[row] for row in rows]
    narrow = [row.astype(np.uint8) for row in labels] if max(numbers) < 256 else labels

    found = look_at(narrow, range(12))

    assert {one.oddity for one in found} == {Oddity.ALIKE, Oddity.RENAMED}
    assert found == look_at([row.astype(np.int64) for row in labels], range(12))
    assert found == look_at(rows, range(12))


@pytest.mark.parametrize("labels", [2, 3, 77])
def test_differing_items_are_counted_as_one_by_one(labels):
    rows = np.random.default_rng(5).integers(0, labels, (9, 131))
    expected = [[int((one != other).sum()) for other in rows] for one in rows]
    assert differing(rows).tolist() == expected


@pytest.mark.parametrize("items", [32_767, 32_768])
def test_counts_of_very_many_items_are_told_in_full(items):
    rows = systems(items, 2, 6, seed=3)
    rows.append(np.random.default_rng(4).integers(0, 2, items).astype(np.uint8))
    assert differing(np.array([rows[0], 1 - rows[0]])).tolist() == [[0, items], [items, 0]]

    (found,) = look_at(rows, range(7))

    equal = sorted(int((rows[one] == rows[other]).sum()) for one, other in combinations(range(7), 2))
    assert (found.oddity, found.usual) == (Oddity.RANDOM, equal[10])


@pytest.mark.parametrize("labels", [2, 77])
def test_differing_items_are_the_same_beside_what_was_counted_before(labels, monkeypatch):
    """Rows come and go week by week, and are numbered anew as labels come and go with them."""
    rng, known = np.random.default_rng(6), KnownDifferences()
    counted: list[int] = []

    def of_all(codes: np.ndarray) -> np.ndarray:
        counted.append(len(codes))
        return differing(codes)

    monkeypatch.setattr("scoring.core.differing_rows.differing", of_all)
    rows = {name: rng.integers(0, labels, 131) for name in range(60)}
    for week in range(20):
        names = [*rng.permutation([*range(week, week + 40), week + 10])]  # one name twice
        codes = np.unique([rows[name] for name in names], return_inverse=True)[1].reshape(len(names), -1)
        assert known.among(names, codes).tolist() == differing(codes).tolist()
    assert counted == [41]  # in the first week alone


@pytest.mark.parametrize("labels", [2, FEW_LABELS, FEW_LABELS + 1])
def test_labels_are_counted_as_one_by_one(labels):
    rows = np.random.default_rng(7).integers(0, labels, (9, 131)).astype(np.uint8)
    expected = [[row.tolist().count(label) for label in range(labels)] for row in rows]
    assert _label_counts(rows, labels).tolist() == expected


def a_week_of_stairs(items: int, *, is_camouflaged: bool, seed: int) -> tuple[list[np.ndarray], list[str]]:
    """Twenty answers of ten attackers, who know 24 labels and put six right with each answer, and eight honest ones."""
    rng = np.random.default_rng(seed)
    honest = systems(items, 2, 8, seed)
    # What `systems` holds right is drawn anew from a generator of the same seed.
    gold = np.random.default_rng(seed).integers(0, 2, items).astype(np.uint8)
    known = rng.choice(items, 24, replace=False)
    unknown = rng.permutation(np.setdiff1d(np.arange(items), known)).tolist()
    rows, teams = [], []
    for attacker in range(10):
        answer = rng.integers(0, 2, items).astype(np.uint8)
        if is_camouflaged:  # as good as an honest system, but for what is known
            answer = np.where(rng.random(items) < 0.75, gold, 1 - gold).astype(np.uint8)
        answer[known] = 1 - gold[known]
        later = answer.copy()
        later[[unknown.pop()]] ^= 1
        right = rng.choice(known, 6, replace=False)
        later[right] = gold[right]
        rows += [answer, later]
        teams += [f"attacker {attacker}"] * 2
    return rows + honest, teams + [f"honest {number}" for number in range(8)]


@pytest.mark.parametrize("is_camouflaged", [False, True])
@pytest.mark.parametrize("items", [150, 1200])
def test_answers_that_turn_a_few_labels_at_a_time_are_a_staircase(items, is_camouflaged):
    for seed in range(5):
        rows, teams = a_week_of_stairs(items, is_camouflaged=is_camouflaged, seed=seed)
        pairs = of_kind(look_at(rows, teams), Oddity.STAIRCASE)
        caught = {teams[row] for pair in pairs for row in pair}
        assert len(caught) >= 7
        assert all(team.startswith("attacker") for team in caught)


@pytest.mark.parametrize("items", [150, 1200])
def test_teams_that_tune_their_systems_climb_no_staircase(items):
    alarms = 0
    for seed in range(30):
        rng = np.random.default_rng(seed)
        gold = np.random.default_rng(seed).integers(0, 2, items)
        rows, teams = [], []
        for team, row in enumerate(systems(items, 2, 14, seed)):
            tuned, is_right = row.copy(), row == gold
            count = int(rng.integers(2, int(0.05 * items)))
            better = int(
                rng.binomial(count, 0.6)
            )  # of what a better system turns, it turns some for the worse
            tuned[
                rng.choice(np.flatnonzero(~is_right), min(better, int((~is_right).sum())), replace=False)
            ] ^= 1
            tuned[rng.choice(np.flatnonzero(is_right), count - better, replace=False)] ^= 1
            rows += [row, tuned]
            teams += [team, team]
        alarms += bool(of_kind(look_at(rows, teams), Oddity.STAIRCASE))
    assert alarms <= 1  # where all teams of a week tune a little, and get better by it


def test_the_stairs_of_one_person_s_teams_hang_together():
    rows, teams = a_week_of_stairs(150, is_camouflaged=False, seed=1)
    split = [f"{team} {at}" for at, team in enumerate(teams)]  # every answer from a team of its own
    assert of_kind(look_at(rows, split), Oddity.STAIRCASE) == []
    assert len(of_kind(look_at(rows, split, people=teams), Oddity.STAIRCASE)) >= 7
