"""Units that ask where a class begins: one for each border, with the texts of an earlier campaign by their scores."""

from collections.abc import Mapping, Sequence
from decimal import ROUND_FLOOR, Decimal

from labelling.core.cut_points import ordered_classes
from labelling.exceptions import CannotChangeCampaign
from labelling.models import Campaign, Unit
from labelling.units.from_split import questions_kept
from labelling.units.new_units import NewUnit, store_units

BORDER = "border"
"""The key of a unit's `source` under which stands which class begins, and how many of how many texts are shown."""
MOST_SHOWN = 41


def units_from_scores(*, campaign: Campaign) -> int:
    """Ask for each class but the lowest where it begins; returns how many units there are.

    Each shows the same ranked list, from the lowest score to the highest, thinned out evenly where it is long. Ids are
    in the order of the classes.

    Raises
    ------
    CannotChangeCampaign
        If the task has no ordered classes, the campaign goes on from none that has told scores, or the question's
        range does not hold them.
    """
    task, before = campaign.task, campaign.after
    classes = ordered_classes(task.spec.output.classes) if task else ()
    if task is None or not classes:
        raise CannotChangeCampaign("The campaign is about no task of ordered classes. Choose one.")
    if before is None:
        raise CannotChangeCampaign("The campaign goes on from no other. Choose the one whose scores are cut.")
    scores = _scores_told(before)
    _refuse_outside(campaign, scores)
    ranked = sorted(scores, key=lambda item: (scores[item], item))
    texts = _texts(before)
    shown = [(_written(scores[item]), texts[item]) for item in thinned(ranked, MOST_SHOWN)]
    units = []
    for place, begun in enumerate(classes[1:], start=1):
        key = f"border-{place:03}"
        of = {"class": str(begun), "shown": len(shown), "of": len(ranked)}
        units.append(NewUnit(key=key, items=(key,), shown=[shown], source={BORDER: of}))
    return store_units(campaign=campaign, units=[*units, *questions_kept(campaign)])


def thinned(ranked: Sequence[str], most: int) -> list[str]:
    """At most so many, the first and the last among them, at even distances; `most` is at least 2.

    >>> thinned("abcdefghi", 5)
    ['a', 'c', 'e', 'g', 'i']
    """
    if len(ranked) <= most:
        return list(ranked)
    return [ranked[round(place * (len(ranked) - 1) / (most - 1))] for place in range(most)]


def _written(score: float) -> str:
    """To three digits, downwards: whoever writes it as the beginning of a class has the text in the class."""
    return str(Decimal(repr(score)).quantize(Decimal("0.001"), ROUND_FLOOR))


def _scores_told(before: Campaign) -> dict[str, float]:
    """The scores of the newest outcome, where web pages can read them."""
    outcome = before.outcomes.first()
    if outcome is None:
        raise CannotChangeCampaign(
            f"“{before}” has no outcome yet. Close it, and draw the units once its page tells of an outcome."
        )
    if outcome.values is None:
        raise CannotChangeCampaign(
            f"“{before}” is sealed: no page can read its scores. Go on from a campaign whose answers are not sealed, "
            "or upload a file with a unit for each border, ids in the order of the classes."
        )
    values = outcome.values.values()
    if len(values) < 2 or not all(
        isinstance(each, int | float) and not isinstance(each, bool) for each in values
    ):
        raise CannotChangeCampaign(
            f"The values of “{before}” are no scores. Go on from a campaign of best and worst, or of numbers."
        )
    return {item: float(value) for item, value in outcome.values.items()}


def _refuse_outside(campaign: Campaign, scores: Mapping[str, float]) -> None:
    low, high, asked = min(scores.values()), max(scores.values()), campaign.asked
    if not asked.lowest <= low <= high <= asked.highest:
        raise CannotChangeCampaign(
            f"The scores go from {low:.3f} to {high:.3f}, and the question takes numbers from {asked.lowest:g} to "
            f"{asked.highest:g}. Edit the draft, so that its range holds all scores."
        )


def _texts(before: Campaign) -> dict[str, str]:
    """Of each item what the campaign has shown; where that were several texts, each after its heading."""
    found: dict[str, str] = {}
    for items, shown in before.units.filter(part=Unit.Part.MAIN).values_list("items", "shown"):
        for item, texts in zip(items, shown, strict=True):
            several = len(texts) > 1
            found[item] = "\n".join(f"{heading}: {text}" if several else text for heading, text in texts)
    return found
