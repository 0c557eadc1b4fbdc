"""Which items are asked about: a sample that is drawn from the public ids alone."""

from collections.abc import Sequence
from random import Random

from labelling.exceptions import CannotChangeCampaign
from labelling.models import Campaign


def sampled(campaign: Campaign, items: Sequence[str], sample: int | None) -> list[str]:
    """All items, or so many that are drawn by the campaign's seed; the same ids and seed draw the same."""
    drawn = sorted(items)
    if sample is None:
        return drawn
    if not 0 < sample <= len(drawn):
        raise CannotChangeCampaign(f"{sample:,} of {len(drawn):,} items cannot be drawn.")
    return Random(f"{campaign.order_seed}/sample").sample(drawn, sample)  # noqa: S311  # an order, not a secret
