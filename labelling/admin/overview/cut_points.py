"""Where people said that classes begin, for the organisers of a closed campaign."""

from collections.abc import Sequence
from dataclasses import dataclass

from accounts.formats.numbers import decimal, grouped
from labelling.models import Campaign
from labelling.outcomes.ordinal_classes import ToldCuts, told_cuts
from scoring.disclosure.guarded_labels import guards_labels


@dataclass(frozen=True, slots=True)
class CutRow:
    """A class, the score at which it begins, and the lowest and highest that somebody said."""

    name: str
    cut: str
    lowest: str
    highest: str


@dataclass(frozen=True, slots=True)
class CutsSeen:
    """The cut points of the newest outcome with what is to be said of them; no rows where they tell sealed labels.

    alpha : Krippendorff's, of the classes that each person's cut points give; None where it has none
    """

    rows: Sequence[CutRow]
    told: str
    alpha: float | None


def cuts_seen(campaign: Campaign) -> CutsSeen | None:
    """None where the campaign asked for no cut points, has no outcome, or is sealed while a phase guards labels."""
    outcome = campaign.outcomes.first()
    cuts = told_cuts(outcome) if outcome else None
    if outcome is None or cuts is None or (campaign.is_sealed and guards_labels(campaign.benchmark)):
        return None
    rows = [
        CutRow(border.name, *(decimal(each, 3) for each in (border.cut, border.lowest, border.highest)))
        for border in cuts.borders
    ]
    return CutsSeen(rows, " ".join(filter(None, _sentences(cuts, outcome.item_count))), cuts.alpha)


def _sentences(cuts: ToldCuts, items: int) -> tuple[str, ...]:
    alpha = (
        ""
        if cuts.alpha is None
        else f"; Krippendorff's alpha (ordinal) of their classes is {decimal(cuts.alpha, 3)}"
    )
    who = "1 person counts" if cuts.people == 1 else f"{grouped(cuts.people)} people count"
    more = "1 more has" if cuts.left_out == 1 else f"{grouped(cuts.left_out)} more have"
    return (
        f"A class begins at the median over people: {who}.",
        f"{more} not set every cut point from low to high." if cuts.left_out else "",
        f"{grouped(cuts.between)} of {grouped(items)} items would be of another class by one person than by another"
        f"{alpha}.",
        ""
        if cuts.borders
        else "The cut points are told nowhere: beside scores that can be read, they tell sealed labels.",
    )
