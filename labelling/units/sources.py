"""What of a benchmark the units of a draft can be drawn from."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from labelling.models import Campaign
from labelling.units.from_attack import units_from_attack
from labelling.units.from_campaign import units_from_campaign
from labelling.units.from_scores import MOST_SHOWN, units_from_scores
from labelling.units.from_split import questions_kept, units_from_split
from labelling.units.from_writing import units_from_writing


@dataclass(frozen=True, slots=True)
class UnitSource:
    """Where units come from, in a sentence, and how they are drawn.

    draw : stores the units and returns how many there are; it takes `sample` where `is_sampled`
    """

    told: str
    draw: Callable[..., int]
    is_sampled: bool = True


def source_of(campaign: Campaign, *, may_follow: bool, cuts_scores: bool) -> UnitSource | None:
    """What the campaign is about, as a source of units; None where these come from a file alone.

    may_follow : whether it may ask about what an earlier campaign has asked about, or what was written there
    cuts_scores : whether it asks where classes begin on the scores of an earlier campaign
    """
    kind, before = campaign.kind, campaign.after
    if kind.items_per_unit > 1 or kind.is_written:
        return None
    if cuts_scores:
        told = (
            f"One unit for each class but the lowest: where does it begin? Each shows the texts of “{before}” with "
            f"their scores, from low to high; at most {MOST_SHOWN}, at even distances."
        )
        return UnitSource(told, units_from_scores, is_sampled=False)
    if before is not None and may_follow:
        if before.kind.is_written:
            told = f"Every text that was written in “{before}” is asked about; nobody gets their own."
            return UnitSource(told, units_from_writing, is_sampled=False)
        return UnitSource(
            f"What “{before}” has asked about is asked again.", units_from_campaign, is_sampled=False
        )
    same = "Whoever has the ids and the seed draws the same."
    if campaign.attack_id:
        told = f"Texts come from the sets of {campaign.attack}, each beside its original. {same}"
        return UnitSource(told, units_from_attack)
    if campaign.task_id and campaign.split_slug:
        told = f"Texts come from {campaign.task} / {campaign.split_slug}. {same}"
        return UnitSource(told, partial(units_from_split, keep=questions_kept(campaign)))
    return None
