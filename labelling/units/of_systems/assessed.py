"""Units of direct assessment: an item and what one system gave for it, without a word of who did."""

from collections import defaultdict
from collections.abc import Sequence
from random import Random

from labelling.core.worker_words import words_of
from labelling.models import Campaign
from labelling.units.from_split import questions_kept, shown_texts
from labelling.units.new_units import JudgedSystems, NewUnit, store_units
from labelling.units.of_systems.chosen import outputs_of
from labelling.units.sampled import sampled
from submissions.models import Submission

ITEM, SYSTEMS = "item", "systems"
"""Keys of a unit's `source`: the item, and the numbers of the systems whose output it is."""


def units_of_outputs(*, campaign: Campaign, submissions: Sequence[Submission], sample: int | None) -> int:
    """Ask about what each submission gave for each item of a sample, or of the split; returns how many units there are.

    The same text of several systems for one item is one unit, which counts for all of them.

    Raises
    ------
    CannotChangeCampaign
        If there are fewer than two submissions, one of them cannot be judged, the split has no texts, or the sample is
        larger than it.
    """
    given = outputs_of(campaign, submissions, fewest=2)
    shown, words = shown_texts(given.split), words_of(campaign.words)
    lot = Random(f"{campaign.order_seed}/turns")  # noqa: S311  # an order, not a secret
    units = []
    for item in sampled(campaign, given.items, sample):
        by_text: defaultdict[str, list[int]] = defaultdict(list)
        for number in given.outputs:
            by_text[given.text(number, item)].append(number)
        for more, (text, systems) in enumerate(sorted(by_text.items()), start=1):
            key, source = f"{item}/{more}", {ITEM: item, SYSTEMS: systems}
            texts = [*shown[item], (words["judged"], text or words["nothing"])]
            units.append(NewUnit(key, (key,), [texts], source=source, turn=lot.choice(systems)))
    judged = JudgedSystems(given.submissions)
    return store_units(campaign=campaign, units=[*units, *questions_kept(campaign)], judged=judged)
