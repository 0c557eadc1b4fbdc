"""Answers that become the gold labels of a split."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from labelling.core.answers import Value
from labelling.outcomes.purpose import CannotFinish, Finished, Purpose, Settled
from scoring.file_refusal import FileRefused
from scoring.gold.versions import confirmed_clues, keep_gold
from scoring.models import GoldVersion
from submissions.intake import GoldFile, ItemIds
from submissions.intake.canonical import answer_reader


class GoldLabelsPurpose(Purpose):
    """Each item's value becomes its gold label, sealed; items that are set aside are not in the split."""

    key = "gold_labels"
    title = "Gold labels"
    sentence = (
        "The values become the gold labels of a split, sealed. Items that are set aside are not in the split."
    )
    question_kinds = ("one_label", "several_labels", "ordered_class", "best_worst", "number")
    rules = None
    needs = frozenset({"task", "split"})
    always_sealed = True

    def finish(self, settled: Settled) -> Finished:
        version, report = gold_of_values(settled, settled.kept)
        return Finished(report, version)


def gold_of_values(
    settled: Settled, values: Mapping[str, Value], clusters: NDArray[np.uint32] | None = None
) -> tuple[GoldVersion, dict[str, Any]]:
    """Seal a value per item as the gold labels of the campaign's split; the version, and what deserves a second look.

    `clusters`, where items belong together, are those of the items in the order of the values.
    CannotFinish where the values are no gold labels of the task, or the gold labels are refused as `load_gold` would.
    """
    campaign, task = settled.campaign, settled.campaign.task
    if task is None:
        raise CannotFinish("The campaign names no task for its gold labels.")
    if not values:
        raise CannotFinish("The rule set every item aside, so there is no gold label.")
    reader = answer_reader(task.spec.output.gold, task.spec.gold)
    codes = [reader.value(cells_of(value, reader.columns)) for value in values.values()]
    if None in codes:
        raise CannotFinish(
            f"Some values are no gold labels of {task.title}: its labels, and what was asked, do not fit together."
        )
    gold = GoldFile(ItemIds(tuple(values)), reader.array(codes), clusters)
    workers = {each.worker for each in settled.work.answers}
    try:
        clues = confirmed_clues(
            task,
            campaign.split_slug,
            gold,
            are_confirmed=campaign.clues_are_known,
            texts=_texts(settled, list(values)),
        )
        loaded = keep_gold(
            task=task,
            gold=gold,
            now=settled.now,
            user=campaign.made_by,
            show_class_counts=False,
            note=(
                f"Campaign {campaign.pk}: {campaign.rule or 'cut points'} of {len(settled.work.answers):,} answers by "
                f"{len(workers):,} workers; {len(settled.values) - len(settled.kept):,} items set aside."
            ),
            split_slug=campaign.split_slug,
        )
    except FileRefused as refused:
        raise CannotFinish(" ".join(refused.sentences)) from None
    return loaded.version, {"warnings": list(loaded.warnings), "clues": list(clues)}


def cells_of(value: Value, columns: tuple[str, ...]) -> tuple[str, ...]:
    """A value as the cells of a gold file: one, or a 0 or 1 per label."""
    if isinstance(value, tuple):
        return tuple("1" if column in value else "0" for column in columns)
    return (repr(value) if isinstance(value, float) else str(value),)


def _texts(settled: Settled, items: Sequence[str]) -> dict[str, list[str]]:
    """The texts of these items by their headings, where units of the campaign show them."""
    by_item: dict[str, dict[str, str]] = {}
    for unit in settled.units.values():
        for item, shown in zip(unit.items, unit.shown, strict=True):
            by_item[item] = dict(shown)
    headings = dict.fromkeys(heading for item in items for heading in by_item.get(item, {}))
    return {heading: [by_item.get(item, {}).get(heading, "") for item in items] for heading in headings}
