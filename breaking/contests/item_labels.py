"""What a label of one item can be: one of the task's, or a part of the item's text."""

import csv
import io
from collections.abc import Collection, Mapping

from benchmarks.models import Split
from breaking.exceptions import ContestRefused
from scoring.gold.opening import labels_of
from scoring.item_sets.texts import texts_of
from scoring.models import GoldVersion, OpenedGold
from submissions.intake.pairs.pair_labels import PairLabels


def item_texts(split: Split, items: Collection[str]) -> dict[str, dict[str, str]]:
    """The texts of these items by the names of their columns; none where no texts are loaded."""
    texts = texts_of(split)
    if texts is None:
        return {}
    header, *rows = csv.reader(io.StringIO(texts.csv().decode(), newline=""))
    wanted = set(items)
    return {item: dict(zip(header[1:], cells, strict=True)) for item, *cells in rows if item in wanted}


def spans_in(texts: Mapping[str, str]) -> str:
    """Where a span of an item may stand; it cannot reach from one column into the next."""
    return "\n".join(texts.values())


def has_labels_to_choose(split: Split) -> bool:
    """Whether an item's label is one of a set or a span, so that one text says what it should be."""
    return split.task.spec.output.is_one_text


def labels_to_choose(split: Split) -> tuple[str, ...]:
    """The labels that can be gold; none where an answer is a span."""
    return split.task.spec.output.gold_labels


def label_of_item(split: Split, item: str, label: str) -> str:
    """The label as the task lists it. ContestRefused if it is none of the task's, or no part of the item's text."""
    if not has_labels_to_choose(split):
        raise ContestRefused(
            "An answer of this task is neither one label of a set nor a span, so no other can be named "
            "here. Say in words what is wrong with it."
        )
    labels = PairLabels(split.task.spec)
    texts = item_texts(split, [item]).get(item)
    found = labels.read(label, label if texts is None else spans_in(texts))
    if found is None:
        raise ContestRefused(labels.explain(label).message)
    return found


def label_changes(before: GoldVersion, after: GoldVersion) -> dict[str, tuple[str, str]] | None:
    """The items whose labels differ between two versions, with both labels; None unless both are public."""
    opened = {
        one.gold_version_id: labels_of(one)
        for one in OpenedGold.objects.filter(gold_version__in=[before.pk, after.pk])
    }
    if {before.pk, after.pk} - opened.keys():
        return None
    old, new = opened[before.pk], opened[after.pk]
    return {item: (old[item], label) for item, label in new.items() if item in old and old[item] != label}
