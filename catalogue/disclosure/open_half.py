"""Half of the items exact from week to week, the other half at the end."""

from math import sqrt

from catalogue.disclosure.honest_gain import chance_that_it_shows, price
from catalogue.disclosure.rule import ALL, DISPLAYED, REMAINDER, HiddenItems, Rule, RuleTexts

LEAST_ITEMS = 2  # that can be halved


class OpenHalf(Rule):
    """The displayed half is shown as it is; the other half influences nothing that is shown before the end."""

    key = "open"
    texts = RuleTexts(
        title="provisional, open: half of the items, exact",
        for_organisers=(
            "Half of the items, drawn by a sealed salt, are kept back. Weekly tables are whole: exact scores of the "
            "displayed half, with intervals and tests. They give the displayed labels away to whoever makes answers "
            "for that; nothing of the half that is kept back is in them. It ranks when the phase closes: one answer of "
            "each team, chosen before, is scored on it once. Intervals of the final table are as wide as half of the "
            "items make them."
        ),
        on_board=(
            "Half of the items are kept back. The releases before the end are provisional: they show exact scores of "
            "the other half, and whoever makes answers for that can read its labels off them."
        ),
        on_page=(
            "Provisional: exact scores of the displayed half of the items. The half that is kept back has no part in "
            "any number here; it ranks when the phase closes."
        ),
        in_mail="These scores are provisional. The half of the items that is kept back ranks when the phase closes.",
    )
    keeps_back = True

    @classmethod
    def in_numbers(cls, items: HiddenItems) -> str:
        if items.item_count < LEAST_ITEMS:
            return "One item cannot be halved: nothing is shown before the end."
        half = items.item_count // 2
        told = items.answers_that_tell
        readable = (
            f" {told:,} accuracies of answers that are made for it tell which items these are, and every label of them."
            if told
            else ""
        )
        return (
            f"About {half:,} items are displayed, exactly.{readable} Nothing that is shown before the end depends on "
            f"the other {items.item_count - half:,}, so nobody can win anything on them by asking, with any number of "
            f"accounts. They rank when the phase closes; the standard error of an accuracy of one half is then "
            f"{_points(half)} points, and {_points(items.item_count)} if all items ranked. "
            f"{price(chance_that_it_shows(half), chance_that_it_shows(half, gain=0))}"
        )

    @classmethod
    def part(cls, item_count: int, *, at_the_end: bool) -> str | None:
        if item_count < LEAST_ITEMS:
            return ALL if at_the_end else None
        return REMAINDER if at_the_end else DISPLAYED


def _points(item_count: int) -> str:
    """The standard error of an accuracy of one half."""
    return f"{50 / sqrt(max(1, item_count)):.1f}"
