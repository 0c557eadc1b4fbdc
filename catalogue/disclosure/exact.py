"""Exact scores."""

from catalogue.disclosure.coin_weighing import answers_that_tell_all
from catalogue.disclosure.honest_gain import chance_that_it_shows, price
from catalogue.disclosure.rule import ALL, HiddenItems, Rule, RuleTexts


class Exact(Rule):
    """Every answer's own score over all items."""

    key = "exact"
    texts = RuleTexts(
        title="exact scores",
        for_organisers=(
            "Every score as it is, with intervals, all metrics and tests. Right where the gold labels are public. "
            "Otherwise scores that are published week by week give the labels away: 65 answers that are made for it "
            "tell all of 150 labels, 321 all of 1,200, and 1,025 all of 5,000. Nothing is left that could rank "
            "afterwards."
        ),
        on_board="Exact scores over all items are shown from the first release on.",
    )

    @classmethod
    def in_numbers(cls, items: HiddenItems) -> str:
        if items.label_count < 2:  # of which one is chosen
            return "Exact scores over all items are shown."
        needed = answers_that_tell_all(items.item_count, items.label_count)
        return (
            f"Exact scores over all {items.item_count:,} items are shown. {needed:,} accuracies of answers that are "
            "made for it tell every label, and nothing is left that could rank afterwards. "
            f"{price(chance_that_it_shows(items.item_count), chance_that_it_shows(items.item_count, gain=0))}"
        )

    @classmethod
    def part(cls, item_count: int, *, at_the_end: bool) -> str | None:
        return ALL
