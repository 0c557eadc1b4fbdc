"""Units of preferences: what two systems gave for one item, side by side, without a word of who did."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence

from labelling.core.judged.pairings import DrawnPair, drawn_pairs
from labelling.core.worker_words import words_of
from labelling.models import Campaign
from labelling.units.from_split import questions_kept, shown_texts
from labelling.units.new_units import JudgedSystems, NewUnit, store_units
from labelling.units.of_systems.chosen import SystemOutputs, outputs_of
from labelling.units.sampled import sampled
from submissions.models import Submission

ITEM, PAIRS = "item", "pairs"
"""Keys of a unit's `source`: the item, and which systems' outputs stand left and right, by their numbers."""


def units_of_pairs(
    *, campaign: Campaign, submissions: Sequence[Submission], sample: int | None, pairs_per_item: int | None
) -> int:
    """Ask which of two outputs is better, for some or all pairs of systems per item; returns how many units there are.

    Pairs come equally often, and either system of each equally often on the left. Where both gave the same nobody is
    asked: that is a tie. Where other systems of drawn pairs gave the same two texts, one unit counts for all of these
    pairs.

    Raises
    ------
    CannotChangeCampaign
        As `units_of_outputs`; or if no two systems gave different texts.
    """
    given = outputs_of(campaign, submissions, fewest=2)
    items = sampled(campaign, given.items, sample)
    pairs = drawn_pairs(items, list(given.outputs), pairs_per_item, campaign.order_seed)
    asked: dict[tuple[str, frozenset[str]], list[DrawnPair]] = {}
    ties: defaultdict[int, defaultdict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for pair in pairs:
        texts = frozenset((given.text(pair.left, pair.item), given.text(pair.right, pair.item)))
        if len(texts) > 1:
            asked.setdefault((pair.item, texts), []).append(pair)
        else:
            ties[min(pair.left, pair.right)][str(max(pair.left, pair.right))].append(pair.item)
    units = list(_units(campaign, given, asked.values()))
    judged = JudgedSystems(given.submissions, {number: dict(others) for number, others in ties.items()})
    return store_units(campaign=campaign, units=[*units, *questions_kept(campaign)], judged=judged)


def _units(
    campaign: Campaign, given: SystemOutputs, asked: Iterable[Sequence[DrawnPair]]
) -> Iterator[NewUnit]:
    """A unit for each two texts of an item, which stand as in the first of the pairs that gave them."""
    about, words = shown_texts(given.split), words_of(campaign.words)
    for number, same in enumerate(asked, start=1):
        first = same[0]
        left, right = (given.text(system, first.item) for system in (first.left, first.right))
        pairs = [
            [pair.left, pair.right] if given.text(pair.left, pair.item) == left else [pair.right, pair.left]
            for pair in same
        ]
        sides = [
            (words["left_text"], left or words["nothing"]),
            (words["right_text"], right or words["nothing"]),
        ]
        key, source = f"{first.item}/{number}", {ITEM: first.item, PAIRS: pairs}
        yield NewUnit(key, (key,), [[*about[first.item], *sides]], source=source, turn=first.turn)
