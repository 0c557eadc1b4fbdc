"""Units of the texts of a split: all items, or a sample that is drawn from the public ids alone."""

from collections.abc import Sequence

from benchmarks.models import Split, Task
from labelling.exceptions import CannotChangeCampaign
from labelling.models import Campaign, Unit
from labelling.units.new_units import NewUnit, store_units
from labelling.units.sampled import sampled
from scoring.item_sets.texts import texts_of


def units_from_split(*, campaign: Campaign, sample: int | None, keep: Sequence[NewUnit] = ()) -> int:
    """Ask about a sample of the campaign's split, or about all of it; returns how many units there are.

    Who is in the sample follows from the public ids and the campaign's seed. `keep` are check and qualification
    questions to store with them.

    Raises
    ------
    CannotChangeCampaign
        If the split has no texts, or fewer items than the sample asks for.
    """
    shown = shown_texts(split_of(campaign.task, campaign.split_slug))
    drawn = sampled(campaign, list(shown), sample)
    units = [NewUnit(key=item, items=(item,), shown=[shown[item]]) for item in drawn]
    return store_units(campaign=campaign, units=[*units, *keep])


def split_of(task: Task | None, slug: str) -> Split:
    """The split of a task; CannotChangeCampaign where there is none yet."""
    split = Split.objects.filter(task=task, slug=slug).first() if task else None
    if split is None:
        raise CannotChangeCampaign(
            f"There is no split “{slug}” yet: its ids come with gold labels. Upload a file of units instead."
        )
    return split


def shown_texts(split: Split) -> dict[str, list[tuple[str, str]]]:
    """Of each item of a split its texts with their columns; CannotChangeCampaign where it has none."""
    texts = texts_of(split)
    if texts is None:
        raise CannotChangeCampaign(f"{split} has no texts. Upload them first.")
    return texts.by_item()


def questions_kept(campaign: Campaign) -> list[NewUnit]:
    """The check and qualification questions that a campaign has already."""
    return [
        NewUnit(
            key=unit.key,
            items=tuple(unit.items),
            shown=unit.shown,
            part=unit.part,
            answer=unit.answer,
            reason=unit.reason,
            source=unit.source,
        )
        for unit in campaign.units.exclude(part=Unit.Part.MAIN)
    ]
