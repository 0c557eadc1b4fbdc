"""The ledger of bits: never below what an attack recovers, never above what there is, and nothing for nothing new."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from itertools import product
from math import log2

import numpy as np
import pytest

from catalogue.answers import (
    LABEL_WITH_CONFIDENCE,
    ConfidentLabel,
    Label,
    LabelSubset,
    Number,
    OrderedClass,
    Probabilities,
    Span,
)
from catalogue.answers.arrays import as_rows
from catalogue.answers.declared_metric import DeclaredMetric
from catalogue.comparison import Comparison
from catalogue.disclosure import Exact
from catalogue.item_groups import ItemGroups
from catalogue.metrics.choice import metric_for
from perf.attacks.bench import Match, Seen, Strategy, play
from perf.attacks.strategies import Boosting, Climbing, CoinWeighing, Staircase
from perf.redteam import METRICS, ServedRule
from scoring.core import score
from scoring.core.engine import score_comparison
from scoring.core.figure_bits import PublishedFigure
from scoring.core.ledger import Charge, Ledger, further_answers, interval_bits
from scoring.core.noised_ledger import NoisedLedger, bits_of_a_label
from scoring.core.uncertainty.intervals import interval
from scoring.core.uncertainty.paired import mcnemar, paired_bootstrap
from scoring.core.uncertainty.rank_sets import rank_sets
from scoring.core.uncertainty.replicates import replicate_scores
from scoring.core.uncertainty.weights import item_weights

BINARY = Label(names=("no", "yes"))
THREE = Label(names=("a", "b", "c"))
BOTH = (PublishedFigure("f1_macro"), PublishedFigure("accuracy"))


class WatchedRule(ServedRule):
    """Exact scores that enter in a ledger whatever an attacker asks them."""

    def __init__(self) -> None:
        super().__init__(Exact)

    def begin(self, gold: np.ndarray, labels: int, metric: str, seed: int) -> None:
        super().begin(gold, labels, metric, seed)
        self.ledger = Ledger(BINARY, len(gold), [PublishedFigure(METRICS[metric])])

    def show(self, week: int, answers: Mapping[str, np.ndarray], *, last: bool = False) -> dict[str, Seen]:
        for predictions in answers.values():
            self.ledger.add(predictions.astype(np.uint8))
        return super().show(week, answers, last=last)


def watched(strategy: Strategy, items: int, answers: int) -> tuple[Match, Ledger]:
    """How a strategy fared against exact scores, and what the ledger says that it was told."""
    rule = WatchedRule()
    return play(lambda: rule, strategy, n=items, answers=answers, seed=7), rule.ledger


class WeighingByF1(CoinWeighing):
    """The same weighings on a board that ranks by macro F1: no sums, and so nothing is proved."""

    metric = "macro_f1"


@pytest.mark.parametrize("items", [12, 80, 224])
def test_coin_weighing_recovers_no_more_labels_than_there_are_bits(items):
    match, ledger = watched(CoinWeighing(), items, 2 * items)

    assert (match.attacked, match.read) == (items, 1.0)
    assert items - 1e-6 <= ledger.spent <= ledger.label_bits + 1e-6


@pytest.mark.parametrize(
    "strategy",
    [Boosting(1), Climbing(20), Staircase(24), CoinWeighing(), WeighingByF1()],
    ids=lambda strategy: f"{strategy.name}, {strategy.metric}",
)
def test_no_attack_knows_more_than_the_ledger_says(strategy):
    match, ledger = watched(strategy, 400, 60)

    shares = (match.read, 1 - match.read)
    known = match.attacked * (1 + sum(share * log2(share) for share in shares if share))
    assert max(known, match.certain - match.certain_and_wrong) <= ledger.spent


def test_the_same_predictions_again_carry_nothing():
    ledger = Ledger(THREE, 200, BOTH)
    predicted = np.random.default_rng(1).integers(0, 3, 200).astype(np.uint8)

    first, again = ledger.add(predicted), ledger.add(predicted.copy())

    assert first.carried > 0
    assert again.carried == 0
    assert again.bound == first.bound


def test_one_changed_item_carries_at_most_what_it_can_change():
    ledger = Ledger(BINARY, 5000, BOTH)
    predicted = np.random.default_rng(1).integers(0, 2, 5000).astype(np.uint8)
    ledger.add(predicted)
    predicted[17] ^= 1

    assert ledger.add(predicted).carried == pytest.approx(1.0, abs=0.01)


def test_a_full_account_keeps_no_answers_and_bounds_each_as_an_empty_one_does():
    rng = np.random.default_rng(3)
    ledger = Ledger(THREE, 60, BOTH)
    answers = rng.integers(0, 3, (40, 60)).astype(np.uint8)
    for answer in answers:
        ledger.add(answer)
    ledger.compare()
    assert ledger.is_full
    assert ledger.byte_count == 0
    assert ledger.spent == pytest.approx(ledger.label_bits)
    for answer in [*answers[:2], *rng.integers(0, 3, (5, 60)).astype(np.uint8)]:
        charge = ledger.add(answer)
        assert charge == Charge(Ledger(THREE, 60, BOTH).add(answer).bound, 0.0)
    assert ledger.compare() == ledger.tell_gold_counts() == 0


def test_asking_item_by_item_costs_a_bit_for_each():
    """The plainest probe: flip one item at a time, and read its label off the change."""
    ledger = Ledger(BINARY, 100, [PublishedFigure("accuracy")])
    base = np.zeros(100, dtype=np.uint8)
    ledger.add(base)
    before = ledger.spent
    for item in range(40):
        probe = base.copy()
        probe[item] = 1
        ledger.add(probe)

    assert ledger.spent - before >= 40 - log2(101)
    assert ledger.spent <= 100


def test_accuracy_of_n_items_is_one_of_n_plus_one_values():
    ledger = Ledger(THREE, 516, [PublishedFigure("accuracy")])
    predicted = np.random.default_rng(2).integers(0, 3, 516).astype(np.uint8)
    assert ledger.add(predicted).bound == pytest.approx(log2(517))


def test_a_constant_answer_tells_only_how_many_there_are_of_its_label():
    ledger = Ledger(BINARY, 1000, BOTH)
    assert ledger.add(np.zeros(1000, dtype=np.uint8)).carried == pytest.approx(log2(1001))


def test_few_decimals_cost_fewer_bits():
    predicted = np.random.default_rng(3).integers(0, 77, 5000).astype(np.uint8)
    many = Label(names=tuple(map(str, range(77))))
    exact = Ledger(many, 5000, [PublishedFigure("f1_macro")]).add(predicted)
    three = Ledger(many, 5000, [PublishedFigure("f1_macro", 3)]).add(predicted)

    assert three.bound == pytest.approx(log2(1002))
    assert three.bound < exact.bound <= 64


def test_more_answers_than_there_are_labels_never_cost_more_than_all_labels():
    ledger = Ledger(BINARY, 20, BOTH)
    rng = np.random.default_rng(4)
    charges = [ledger.add(rng.integers(0, 2, 20).astype(np.uint8)) for _ in range(50)]

    assert sum(one.carried for one in charges) == pytest.approx(20.0)
    assert ledger.spent == pytest.approx(ledger.label_bits) == 20
    assert all(one.bound <= 20 for one in charges)


def joint_outcomes(output, predictions, metrics) -> int:
    """How many different boards there can be, over every gold file."""
    low, labels = (output.low, output.high - output.low + 1) if isinstance(output, OrderedClass) else (0, 0)
    labels = labels or len(output.names)
    dtype, items = predictions[0].dtype, len(predictions[0])
    seen = set()
    for number in range(labels**items):
        digits = [number // labels**place % labels for place in range(items)]
        gold = (np.array(digits) + low).astype(dtype)
        board = tuple(
            round(one.value, 12) if one.value is not None else None
            for predicted in predictions
            for one in score(output, metrics, gold, predicted).values
        )
        seen.add(board)
    return len(seen)


@pytest.mark.parametrize(
    "seed", [0, 1, *(pytest.param(seed, marks=pytest.mark.thorough) for seed in range(2, 6))]
)
@pytest.mark.parametrize(
    ("output", "metrics", "items"),
    [
        (BINARY, ["f1_macro", "accuracy"], 8),
        (THREE, ["f1_macro", "accuracy"], 6),
        (THREE, ["accuracy"], 6),
        (THREE, ["f1_weighted", "precision_macro", "recall_b"], 6),
        (OrderedClass(-1, 1), ["kappa_quadratic", "pearson"], 6),
    ],
    ids=["binary", "three", "accuracy alone", "by label", "ordered"],
)
def test_the_account_is_never_below_the_number_of_boards_that_there_can_be(output, metrics, items, seed):
    """Counted one by one over every possible gold file, with answers that are alike and answers that are not."""
    rng = np.random.default_rng(seed)
    is_ordered = isinstance(output, OrderedClass)
    low, high = (output.low, output.high + 1) if is_ordered else (0, len(output.names))
    first = rng.integers(low, high, items).astype(np.int16 if is_ordered else np.uint8)
    alike, other = first.copy(), rng.integers(low, high, items).astype(first.dtype)
    alike[: 1 + seed % 2] = low
    predictions = [first, alike, other, first]
    ledger = Ledger(output, items, [PublishedFigure(metric) for metric in metrics])
    for count, predicted in enumerate(predictions, start=1):
        ledger.add(predicted)
        assert ledger.spent >= log2(joint_outcomes(output, predictions[:count], metrics)) - 1e-9


ITEMS, QUESTIONS = 7, 6


def test_answers_that_are_chosen_by_what_was_seen_tell_no_more_than_is_charged():
    """On average over all gold files, until an account is full: each answer turns the item that parts the rest best."""
    told, charged, is_full = np.zeros(QUESTIONS), np.zeros(QUESTIONS), np.zeros(QUESTIONS, dtype=np.bool_)

    def ask(left: list[tuple[int, ...]], asked: list[np.ndarray]) -> None:
        if len(asked) == QUESTIONS:
            return
        parted = [(answer, boards(left, answer)) for answer in next_answers(asked)]
        answer, by_board = min(parted, key=lambda one: sum(len(alike) * log2(len(alike)) for alike in one[1]))
        ledger = Ledger(BINARY, ITEMS, BOTH)
        for each in (*asked, answer):
            ledger.add(each)
        is_full[len(asked)] |= ledger.is_full
        for alike in by_board:
            told[len(asked)] += len(alike) * (ITEMS - log2(len(alike)))
            charged[len(asked)] += len(alike) * ledger.spent
            ask(alike, [*asked, answer])

    def next_answers(asked: list[np.ndarray]) -> list[np.ndarray]:
        if not asked:
            return [np.array([at % 2 for at in range(ITEMS)], dtype=np.uint8)]
        return [asked[-1] ^ (np.arange(ITEMS) == turn).astype(np.uint8) for turn in range(ITEMS)]

    ask(list(product((0, 1), repeat=ITEMS)), [])
    open_ones = ~is_full
    assert open_ones.sum() >= 3
    assert (told[open_ones] <= charged[open_ones] + 1e-9).all()


def boards(golds: list[tuple[int, ...]], answer: np.ndarray) -> list[list[tuple[int, ...]]]:
    """Gold files by what is printed of an answer."""
    alike = defaultdict(list)
    for gold in golds:
        alike[board_of(gold, tuple(answer.tolist()))].append(gold)
    return list(alike.values())


@cache
def board_of(gold: tuple[int, ...], answer: tuple[int, ...]) -> tuple[float | None, ...]:
    pair = (np.array(labels, dtype=np.uint8) for labels in (gold, answer))
    report = score_comparison(Comparison(BINARY, *pair), [figure.metric for figure in BOTH])
    return tuple(None if one.value is None else round(one.value, 9) for one in report.values)


def test_sets_of_labels_cost_at_least_what_their_boards_tell():
    output, rng = LabelSubset(names=("joy", "fear")), np.random.default_rng(5)
    first = rng.integers(0, 4, 4).astype(np.uint64)
    second = first.copy()
    second[0] ^= np.uint64(1)
    metrics = ["jaccard", "f1_macro", "f1_micro"]
    ledger = Ledger(output, 4, [PublishedFigure(metric) for metric in metrics])
    ledger.add(first)
    ledger.add(second)

    boards = {
        tuple(
            None if one.value is None else round(one.value, 12)
            for predicted in (first, second)
            for one in score(
                output,
                metrics,
                np.array([number >> 2 * at & 3 for at in range(4)], dtype=np.uint64),
                predicted,
            ).values
        )
        for number in range(4**4)
    }
    assert ledger.spent >= log2(len(boards))


@pytest.mark.parametrize("parts", ["f1_micro,jaccard", "exact_match,jaccard", "f1_macro,f1_samples"])
def test_a_mean_of_metrics_of_sets_costs_at_least_what_its_boards_tell(parts):
    """Neither the shares of items nor the counts of labels alone say what it is."""
    output, metric = LabelSubset(names=("joy", "fear", "anger")), f"mean[{parts}]"
    answer = np.array([0, 6, 1, 1], dtype=np.uint64)
    ledger = Ledger(output, 4, [PublishedFigure(metric)])
    ledger.add(answer)

    boards = {
        round(value, 12)
        for gold in product(range(8), repeat=4)
        if (value := score(output, [metric], np.array(gold, dtype=np.uint64), answer)[metric].value)
        is not None
    }
    assert log2(len(boards)) <= ledger.spent <= ledger.label_bits


@pytest.mark.parametrize(
    ("output", "predicted", "metrics"),
    [
        (Number(0, 1), np.linspace(0, 1, 300), ["pearson"]),
        (Span(), np.array(["a b", "c"] * 150, dtype=np.dtypes.StringDType()), ["exact_match", "token_f1"]),
        (
            ConfidentLabel(names=("true", "false", "unverified"), never_right=("unverified",)),
            np.array([(0, 0.5), (1, 0.25)] * 150, dtype=LABEL_WITH_CONFIDENCE),
            ["f1_macro", "rmse"],
        ),
        (
            Label(names=("for", "against", "unknown"), never_right=("unknown",)),
            np.array([0, 1, 2] * 100, dtype=np.uint8),
            ["f1_macro"],
        ),
    ],
    ids=["numbers", "spans", "confidences", "a label that is never right"],
)
def test_answers_of_every_kind_are_charged_once(output, predicted, metrics):
    ledger = Ledger(output, 300, [PublishedFigure(metric) for metric in metrics])
    first, again = ledger.add(predicted), ledger.add(predicted)

    assert 0 < first.carried <= first.bound <= 64 * len(metrics) + 1
    assert again.carried == 0


def test_how_pairs_come_out_is_counted_beside_the_score():
    with_pairs = Ledger(BINARY, 100, [PublishedFigure("accuracy"), PublishedFigure("pairs_broken")])
    predicted = np.zeros(100, dtype=np.uint8)
    assert with_pairs.add(predicted).bound == pytest.approx(log2(101) + 2 * log2(51))


def test_an_interval_costs_more_the_more_of_its_digits_are_shown():
    few, all_digits = interval_bits(0.786, 0.814, 1000, 3), interval_bits(0.786, 0.814, 1000, None)
    assert 0 < few.given_counts < 4 < 50 < all_digits.given_counts
    assert few.by_digits == pytest.approx(2 * log2(2002))

    plain, with_interval = Ledger(BINARY, 5000, BOTH), Ledger(BINARY, 5000, BOTH)
    predicted = np.random.default_rng(7).integers(0, 2, 5000).astype(np.uint8)
    assert with_interval.add(predicted, few).bound == pytest.approx(
        plain.add(predicted).bound + few.given_counts
    )


def test_intervals_over_hidden_clusters_tell_where_right_answers_lie_and_are_charged_for_it():
    """A constant answer: by itself it tells how many items have its label, with its interval also how they lie."""
    always, clusters = np.zeros(8, dtype=np.uint8), np.array([0, 0, 0, 0, 1, 1, 2, 2])
    weights = item_weights(b"secret", 8, clusters=clusters)
    plain, clustered = (
        Ledger(BINARY, 8, [PublishedFigure("accuracy")], in_clusters=hidden) for hidden in (False, True)
    )
    outcomes = set()
    for labels in product((0, 1), repeat=8):
        gold = np.array(labels, dtype=np.uint8)
        value = float((gold == 0).mean())
        (drawn,) = replicate_scores(Comparison(BINARY, gold, always), ["accuracy"], weights).values()
        outcomes.add((value, interval(value, drawn)))

    beside = interval_bits(0.3, 0.7, 1000, 3)
    for ledger in (plain, clustered):
        ledger.add(always, beside)

    assert plain.spent < log2(len(outcomes)) <= clustered.spent <= clustered.label_bits


def test_the_worst_group_tells_how_right_answers_lie_and_is_charged_for_it():
    """A constant answer: accuracy tells how many items have its label, the worst group also where they lie."""
    grouped, worst = replace(BINARY, groups=("language",)), "worst[accuracy,language]"
    groups = {"language": ItemGroups.of_cells(["a", "a", "a", "b", "b", "b", "c", "c"])}
    always = np.zeros(8, dtype=np.uint8)
    outcomes = set()
    for labels in product((0, 1), repeat=8):
        comparison = Comparison(grouped, np.array(labels, dtype=np.uint8), always, groups=groups)
        outcomes.add(tuple(metric_for(grouped, name).value(comparison) for name in ("accuracy", worst)))
    plain, ledger = (
        Ledger(grouped, 8, [PublishedFigure(name) for name in names])
        for names in (["accuracy"], ["accuracy", worst])
    )

    for each in (plain, ledger):
        each.add(always)

    assert plain.spent < log2(len(outcomes)) <= ledger.spent <= ledger.label_bits
    ledger.compare()
    assert ledger.spent == ledger.label_bits


NEAR = {"near": "sd", "exact": "0.5"}
SECOND_LIKELIEST = [[0.6, 0.3, 0.1], [0.6, 0.1, 0.3]]


@pytest.mark.parametrize(
    "metrics",
    [
        ["top_2_accuracy"],
        ["accuracy", "top_2_accuracy"],
        ["f1_macro", "top_2_accuracy"],
        ["mean[accuracy,top_2_accuracy]"],
    ],
    ids="+".join,
)
def test_what_stands_beside_a_label_is_charged_where_all_labels_stay(metrics):
    """Each answer has the same likeliest labels, and other second ones."""
    output, items = Probabilities(THREE.names), 5
    ledger = Ledger(output, items, [PublishedFigure(metric) for metric in metrics])
    seconds = [[1, 1, 0, 0, 0], *np.eye(items, dtype=np.intp).tolist()]
    answers = [as_rows(np.array(SECOND_LIKELIEST)[second]) for second in seconds]
    files = [np.array(labels, dtype=np.uint8) for labels in product(range(3), repeat=items)]
    boards = [
        tuple(
            one.value if one.value is None else round(one.value, 12)
            for predicted in answers
            for one in score(output, metrics, gold, predicted).values
        )
        for gold in files
    ]

    for count, predicted in enumerate(answers, start=1):
        ledger.add(predicted)
        told = len({board[: count * len(metrics)] for board in boards})
        assert log2(told) <= ledger.spent + 1e-9


def test_a_mean_of_what_columns_allow_tells_items_apart_that_all_answer_alike():
    """Constant answers: errors say how many items have each label, the mean which of them have it."""
    near, exact = (DeclaredMetric(name, f"within[{most}] / items", True, 0, 1) for name, most in NEAR.items())
    output = OrderedClass(0, 2, groups=("sd",), formulas=(near, exact))
    groups = {"sd": ItemGroups.of_cells(["0", "0", "1", "1", "2", "2"])}
    answers = [np.full(6, answer, dtype=np.int16) for answer in range(3)]
    ledger = Ledger(output, 6, [PublishedFigure("mean[near,exact]"), PublishedFigure("mae")])
    outcomes = {
        tuple(
            metric_for(output, name).value(Comparison(output, gold, predicted, groups=groups))
            for predicted in answers
            for name in ("mean[near,exact]", "mae", "exact")
        )
        for gold in (np.array(labels, dtype=np.int16) for labels in product(range(3), repeat=6))
    }

    for predicted in answers:
        ledger.add(predicted)
    ledger.compare()

    assert log2(len(outcomes)) <= ledger.spent + 1e-9 <= ledger.label_bits + 1e-9


def test_further_answers_until_a_budget_is_spent():
    assert further_answers(100, 312, 22.5) == 9
    assert further_answers(400, 312, 22.5) == 0
    assert further_answers(100, 312, 0) is None


def printed(answers: list[np.ndarray], gold: np.ndarray, weights: np.ndarray) -> tuple[object, ...]:
    """All that a release prints of these answers to two labels: scores, intervals, tests, ranks, leads, deviations.

    Resamples treat items that were answered alike alike, so that of all files of gold labels with the same labels in
    each kind of items one stands for all: prints of the others are equally likely.
    """
    order = np.lexsort([gold, *answers])
    compared = [Comparison(BINARY, gold[order], predicted[order]) for predicted in answers]
    points = [float((gold == predicted).mean()) for predicted in answers]
    drawn = [replicate_scores(one, ["accuracy"], weights)["accuracy"] for one in compared]
    right = [gold == predicted for predicted in answers]
    tests: list[object] = []
    for first in range(len(answers)):
        for other in range(first):
            difference = paired_bootstrap(points[first], points[other], (drawn[first], drawn[other]))
            exact_p = mcnemar(
                int((right[first] & ~right[other]).sum()), int((right[other] & ~right[first]).sum())
            )
            assert difference
            tests += [round(number, 3) for number in (difference.low, difference.high, difference.p, exact_p)]
    sets = rank_sets(np.array(points), np.stack(drawn, axis=1))
    average = np.mean(drawn, axis=0)
    return (
        *points,
        *(interval(value, own) for value, own in zip(points, drawn, strict=True)),
        interval(float(np.mean(points)), average),
        *tests,
        sets.low,
        sets.high,
        sets.leads,
        tuple(np.round(np.nan_to_num(sets.deviations), 3).ravel()),
        round(float(np.std(points)), 4),
    )


@pytest.mark.parametrize("seed", range(3))
def test_all_that_a_release_prints_is_charged_tests_ranks_and_leads_among_it(seed):
    """Every gold file of eight items, and three answers that are compared."""
    answers = list(np.random.default_rng(seed).integers(0, 2, (3, 8)).astype(np.uint8))
    weights = item_weights(b"secret", 8)
    ledger = Ledger(BINARY, 8, [PublishedFigure("accuracy")])
    prints = {printed(answers, np.array(gold, dtype=np.uint8), weights) for gold in product((0, 1), repeat=8)}

    for predicted in answers:
        ledger.add(predicted)
    ledger.compare()

    assert log2(len(prints)) <= ledger.spent + 1e-9 <= ledger.label_bits + 1e-9


@pytest.mark.thorough
def test_a_test_of_two_systems_tells_what_no_score_of_them_tells():
    """One has all ten items no, one all yes but for two: how many of these two are no is told by the test alone."""
    answers = [
        np.repeat([0, 1, 2], [4, 4, 2]).astype(np.uint8),
        np.repeat([0, 2, 0], [4, 4, 2]).astype(np.uint8),
    ]
    ledger = Ledger(THREE, 10, [PublishedFigure("accuracy")])
    for predicted in answers:
        ledger.add(predicted)
    by_figures = ledger.spent

    assert ledger.compare() > 0
    told = {
        (
            *(int((gold == predicted).sum()) for predicted in answers),
            mcnemar(
                int(((gold == answers[0]) & (gold != answers[1])).sum()),
                int(((gold == answers[1]) & (gold != answers[0])).sum()),
            ),
        )
        for gold in (np.array(labels) for labels in product(range(3), repeat=10))
    }
    assert log2(len(told)) <= ledger.spent
    assert by_figures < ledger.spent <= ledger.label_bits
    assert ledger.compare() == 0


def test_of_hidden_clusters_everything_is_charged_that_there_is():
    ledger = Ledger(BINARY, 8, [PublishedFigure("accuracy")], in_clusters=True)
    ledger.add(np.zeros(8, dtype=np.uint8))
    ledger.compare()
    assert ledger.spent == ledger.label_bits == 8


def test_of_a_displayed_half_no_more_is_charged_than_its_own_labels():
    ledger, rng = Ledger(BINARY, 40, BOTH, scored_count=20), np.random.default_rng(1)
    for _ in range(30):
        ledger.add(rng.integers(0, 2, 40).astype(np.uint8))
    ledger.compare()
    assert ledger.spent == ledger.label_bits == 20


@pytest.mark.parametrize("mu", [0.1, 0.5, 1.0, 1.349, 3.0])
@pytest.mark.parametrize("outcomes", [2, 3, 77])
def test_a_label_behind_noise_carries_no_more_than_is_proved(mu, outcomes):
    """The mutual information of a label and a Gaussian draw that it moves by mu, integrated."""
    at = np.linspace(-10, 10 + mu, 20_001)
    shares = np.array([1 / outcomes, 1 - 1 / outcomes])
    densities = np.exp(-((at - np.array([[0.0], [mu]])) ** 2) / 2) / np.sqrt(2 * np.pi)
    mixed = shares @ densities
    told = float((shares[:, None] * densities * np.log2(densities / mixed)).sum() * (at[1] - at[0]))
    assert told <= bits_of_a_label(mu, outcomes) <= log2(outcomes)


def test_noised_answers_are_charged_by_what_is_proved_and_the_same_ones_once():
    ledger = NoisedLedger(2, 1_000, 9.0)
    first, again = ledger.add(np.array([0, 1])), ledger.add(np.array([0, 1]))
    assert first.carried == pytest.approx(1_000 * bits_of_a_label(1 / 9, 2))
    assert again.carried == 0
    for answer in range(10_000):
        ledger.add(np.array([answer, 7]))
    assert ledger.spent == ledger.label_bits == 1_000
