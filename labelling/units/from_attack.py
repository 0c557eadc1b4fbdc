"""Units of an attack: of every set some samples, the original and the changed text side by side."""

from random import Random

from labelling.exceptions import CannotChangeCampaign
from labelling.models import Campaign
from labelling.units.from_split import shown_texts, split_of
from labelling.units.new_units import NewUnit, store_units
from scoring.item_sets.correct_shares import sets_of
from scoring.item_sets.texts import TEST

ORIGINAL, CHANGED = "original", "changed"


def units_from_attack(*, campaign: Campaign, sample: int) -> int:
    """Ask about `sample` drawn items of each set of the campaign's attack; returns how many units there are.

    A set of fewer items is asked about as a whole. Samples follow from the ids and the campaign's seed.

    Raises
    ------
    CannotChangeCampaign
        If the campaign names no attack, or no set of it has texts.
    """
    sets = sets_of(campaign.attack) if campaign.attack else []
    if not sets:
        raise CannotChangeCampaign("No set of this attack has texts yet. Make or upload one first.")
    units = []
    for split in sets:
        task = split.task
        before, after = shown_texts(split_of(task, TEST)), shown_texts(split)
        items = sorted(after)
        lot = Random(f"{campaign.order_seed}/{task.slug}")  # noqa: S311  # an order, not a secret
        for item in lot.sample(items, min(sample, len(items))):
            pair = [
                (f"{heading} ({name})", text)
                for name, texts in ((ORIGINAL, before[item]), (CHANGED, after[item]))
                for heading, text in texts
            ]
            units.append(
                NewUnit(
                    key=f"{task.slug}/{item}",
                    items=(f"{task.slug}/{item}",),  # tasks may have items of the same id
                    shown=[pair],
                    group=task.slug,
                    source={"task": task.slug, "item": item},
                )
            )
    return store_units(campaign=campaign, units=units)
