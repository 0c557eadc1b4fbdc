"""What people scored in a campaign with a human row, and how far that rests on labels that were drawn in ties."""

from collections.abc import Iterator
from dataclasses import dataclass

from accounts.formats.numbers import decimal, grouped
from labelling.models import Campaign
from scoring.disclosure.guarded_labels import guards_labels


@dataclass(frozen=True, slots=True)
class PeopleScore:
    """A metric with the score that boards show, its mean and range over the draws, and how many draws these are."""

    metric: str
    shown: str
    mean: str
    lowest: str
    highest: str
    draws: str


def people_scores(campaign: Campaign) -> tuple[PeopleScore, ...]:
    """The scores of the newest outcome; none while a phase guards labels, for they are made of all of them."""
    outcome = campaign.outcomes.first()
    if outcome is None or "expected" not in outcome.report or guards_labels(campaign.benchmark):
        return ()
    return tuple(_scores(outcome.report["scores"], outcome.report["expected"]))


def ties_told(campaign: Campaign) -> str:
    """Of how many items the label was drawn, in a sentence."""
    outcome = campaign.outcomes.first()
    tied = outcome.report.get("tied", 0) if outcome else 0
    if not tied:
        return "No item's label was drawn: of each, one was chosen more often than any other."
    items = "1 item was" if tied == 1 else f"{grouped(tied)} items were"
    return (
        f"The label of {items} drawn, because as many people chose one as another. The range says how low and how high "
        "other draws would come out."
    )


def _scores(
    scores: dict[str, dict[str, float]], expected: dict[str, dict[str, float]]
) -> Iterator[PeopleScore]:
    for metric, one in expected.items():
        yield PeopleScore(
            metric,
            decimal(scores[metric]["value"], 3),
            decimal(one["mean"], 3),
            decimal(one["lowest"], 3),
            decimal(one["highest"], 3),
            f"{'all ' if one['is_exact'] else ''}{grouped(int(one['draws']))}",
        )
