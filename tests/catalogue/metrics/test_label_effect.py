"""What noise is made from: one gold label, or one set of labels, moves a score by no more than its metric says."""

import numpy as np
import pytest

from catalogue.answers import KINDS, AnswerKind, ConfidentLabel, Label, LabelSubset
from catalogue.comparison import Comparison
from catalogue.metrics.choice import metric_for, metrics_for
from catalogue.metrics.label_effect import safe_share
from catalogue.metrics.metric import AnyMetric, Undefined
from catalogue.metrics.per_label import label_metrics
from tests.catalogue.answer_facts import FACTS

NAMES = ("joy", "fear", "anger")
OF_LABELS = [
    *(f"{measure}_{average}[joy,fear]" for measure in ("f1", "recall") for average in ("macro", "micro")),
    *(
        "f1_macro[joy,fear,anger]",
        "f1_macro_excluding[joy]",
        "f1_micro_excluding[joy]",
        "mean[f1_joy,f1_fear]",
    ),
]
ITEMS = 6


def bounded_metrics() -> list[tuple[AnswerKind, AnyMetric]]:
    """Each metric that noise could be made for: of every kind, and of labels those that a definition can name."""
    kinds: list[tuple[AnswerKind, list[str]]] = [
        (FACTS[kind.key].few[0], [metric.name for metric in metrics_for(kind)]) for kind in KINDS
    ]
    kinds += [(kind(names=NAMES), OF_LABELS) for kind in (Label, LabelSubset, ConfidentLabel)]
    found = []
    for output, names in kinds:
        for name in (*names, *label_metrics(output)):
            try:
                metric = metric_for(output, name)
            except ValueError:  # it needs labels that this output lacks
                continue
            if metric.label_effect(ITEMS, max(1, len(output.labels)), 0.2) is not None:
                found.append((output, metric))
    return found


BOUNDED = bounded_metrics()


@pytest.mark.parametrize(
    ("output", "metric"), BOUNDED, ids=[f"{type(output).key}-{metric.name}" for output, metric in BOUNDED]
)
def test_one_gold_label_moves_a_score_by_no_more_than_the_metric_says(output, metric):
    """Of answers that name each label somewhere, with gold labels of which none is missing before or after."""
    rng, tried = np.random.default_rng(31), 0
    for _ in range(150):
        gold, others = output.gold.examples(ITEMS, rng), output.gold.examples(ITEMS, rng)
        changed = gold.copy()
        changed[0] = others[0]
        predicted = output.examples(ITEMS, rng)
        labels = output.gold.labels if output.counted_labels else ()
        rarest = min(
            (output.gold.has_label(y, label).mean() for y in (gold, changed) for label in labels), default=0.0
        )
        bound = metric.label_effect(ITEMS, max(1, len(output.labels)), float(rarest))
        before, after = (metric.value(Comparison(output, y, predicted)) for y in (gold, changed))
        if bound is None or isinstance(before, Undefined) or isinstance(after, Undefined):
            continue
        tried += 1
        assert abs(after - before) <= bound + 1e-9
    assert tried > 10


@pytest.mark.parametrize("measure", ["f1_macro", "recall_macro", "f1_micro", "recall_micro"])
def test_a_set_of_labels_that_is_exchanged_moves_all_of_its_labels_at_once(measure):
    """Eight of twelve items have every label; a ninth, the only one that is answered, gets them all."""
    output = LabelSubset(names=NAMES)
    gold = np.array([7] * 8 + [0] * 4, dtype=np.uint64)
    changed = np.array([7] * 9 + [0] * 3, dtype=np.uint64)
    predicted = np.array([0] * 8 + [7] + [0] * 3, dtype=np.uint64)
    metric = metric_for(output, f"{measure}[joy,fear,anger]")

    before, after = (metric.value(Comparison(output, y, predicted)) for y in (gold, changed))

    bound = metric.label_effect(12, 3, 8 / 12)
    assert bound is not None
    assert not isinstance(before, Undefined)
    assert not isinstance(after, Undefined)
    assert after - before <= bound


@pytest.mark.parametrize("size", [1, 20], ids=["items by themselves", "clusters"])
def test_the_displayed_items_have_the_share_that_may_be_stated(size):
    """In each of 400 draws of half of the items, also where these are drawn in clusters that share a label."""
    rng = np.random.default_rng(7)
    sizes = np.full(4_000 // size, size)
    having = np.where(np.arange(len(sizes)) < len(sizes) // 4, size, 0)
    safe = safe_share(having, sizes)
    drawn = rng.random((400, len(sizes))) < 0.5

    assert 0 < safe <= (drawn @ having / (drawn @ sizes)).min()
