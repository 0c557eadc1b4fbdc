"""Units of an earlier campaign, asked about once more: another row of people on the same sample."""

from labelling.exceptions import CannotChangeCampaign
from labelling.models import Campaign, Unit
from labelling.units.from_split import questions_kept
from labelling.units.new_units import NewUnit, store_units


def units_from_campaign(*, campaign: Campaign) -> int:
    """Ask about what the campaign that this one goes on from has asked about; returns how many units there are.

    Raises
    ------
    CannotChangeCampaign
        If it goes on from none, or that is about another split.
    """
    before = campaign.after
    if before is None:
        raise CannotChangeCampaign(
            "The campaign goes on from no other. Choose the one whose sample is taken."
        )
    if (before.task_id, before.split_slug) != (campaign.task_id, campaign.split_slug):
        raise CannotChangeCampaign(
            f"“{before}” is about another split. Choose that split, or another campaign."
        )
    units = [
        NewUnit(key=unit.key, items=tuple(unit.items), shown=unit.shown, group=unit.group, source=unit.source)
        for unit in before.units.filter(part=Unit.Part.MAIN).order_by("draw")
    ]
    return store_units(campaign=campaign, units=[*units, *questions_kept(campaign)])
