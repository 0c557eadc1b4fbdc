"""Clusters of systems' own from file to number, and what is said where a file has none."""

from unittest.mock import create_autospec

import numpy as np
import pytest
from sklearn.metrics import adjusted_rand_score, v_measure_score

from benchmarks.models import Split
from benchmarks.spec.document import DefinitionError
from catalogue.answers import ClusterId
from catalogue.comparison import Comparison
from leaderboard.take_home.aligned_answers import ItemAnswers, ItemSet
from leaderboard.take_home.item_difficulty import by_difficulty, doubtful
from scoring.core.uncertainty.exchange import exchanged
from tests.scoring.test_shared_task_shapes import benchmark, problems, scores

SENSES = {
    "output": {"kind": "cluster_id"},
    "file": {"path": "senses.tsv", "dialect": "tsv", "id_column": "id", "label_column": "cluster"},
    "gold_file": {
        "path": "gold.tsv",
        "dialect": "tsv",
        "columns": ["id", "lemma", "sense"],
        "id_column": "id",
        "label_column": "sense",
        "group_columns": ["lemma"],
    },
}
GOLD = "id\tlemma\tsense\n" + "".join(f"{at}\t{'ab'[at % 2]}\tsense {at % 3}\n" for at in range(12))


def answers(*clusters: object) -> str:
    return "id\tcluster\n" + "".join(f"{at}\t{cluster}\n" for at, cluster in enumerate(clusters))


def test_senses_are_scored_word_by_word_as_scikit_learn_does():
    spec = benchmark(["mean_over[v_measure,lemma]", "in_group[adjusted_rand,lemma,b]"], **SENSES)
    found = np.random.default_rng(3).integers(4, size=12)
    gold, lemma = np.arange(12) % 3, np.arange(12) % 2

    mean, of_b = scores(spec, GOLD, answers(*found))

    assert mean == pytest.approx(
        np.mean([v_measure_score(gold[lemma == at], found[lemma == at]) for at in (0, 1)])
    )
    assert of_b == pytest.approx(adjusted_rand_score(gold[lemma == 1], found[lemma == 1]))


def test_what_clusters_are_called_does_not_matter():
    spec = benchmark(["v_measure", "adjusted_rand", "b_cubed_f1", "pair_f1", "purity"], **SENSES)

    assert scores(spec, GOLD, answers(*(f"word's {at % 3}" for at in range(12)))) == [1.0] * 5


@pytest.mark.parametrize(
    ("written", "wanted"),
    [
        ("", "empty_label"),
        ("nan", "empty_label"),
        ("None", "empty_label"),
        (" 1", "label_spacing"),
        ("1 ", "label_spacing"),
    ],
)
def test_what_would_be_a_cluster_by_mistake_is_refused_where_it_stands(written, wanted):
    spec = benchmark(["v_measure"], **SENSES)

    assert problems(spec, GOLD, answers(*[1] * 7, written, *[2] * 4)) == [(9, "cluster", wanted)]


@pytest.mark.parametrize(
    "metric", ["all_right[lemma]", {"name": "own", "title": "Own", "formula": "right / items"}]
)
def test_no_metric_asks_whether_an_id_is_right(metric):
    with pytest.raises(DefinitionError, match="right"):
        benchmark([metric], **SENSES)


def test_two_systems_with_the_same_clusters_differ_in_no_exchange():
    kind, random = ClusterId(), np.random.default_rng(0)
    gold, found = random.integers(4, size=(2, 60))
    first, second = (
        Comparison(kind, kind.array(map(str, gold)), kind.array(f"{name}{9 - cluster}" for cluster in found))
        for name in ("a", "z")
    )

    draws = exchanged(first, second, "v_measure", rng=random, draws=50)

    assert draws.tolist() == [0.0] * 50


def test_no_gold_label_is_doubted_because_systems_call_its_cluster_otherwise():
    items = create_autospec(ItemSet, instance=True, split=create_autospec(Split, instance=True), number=1)
    line = ItemAnswers(items, "7", "sense 1", ("c2", "c2", "c2"))

    (item,) = by_difficulty([line], (0, 1, 2), ClusterId())

    assert item.share_right is None
    assert not list(doubtful([item]))
