"""Nothing before the end."""

from math import sqrt

from catalogue.disclosure.rule import ALL, HiddenItems, Rule, RuleTexts


class SealedUntilEnd(Rule):
    """Nothing is shown before the end of the phase; then everything, exact, once."""

    key = "sealed"
    texts = RuleTexts(
        title="sealed: nothing before the end",
        for_organisers=(
            "Nothing is shown before the phase closes. Then all systems are scored once, exactly, over all items, with "
            "intervals, all metrics and tests. Nobody learns anything of the labels in time to use it. Proposed below "
            "2,000 items; feedback while the phase runs comes from a development split."
        ),
        on_board=(
            "Nothing is scored before the phase closes. Then every system is scored once, exactly, over all items."
        ),
    )
    shows_before_end = False

    @classmethod
    def in_numbers(cls, items: HiddenItems) -> str:
        return (
            f"Nothing is shown before the end, so nothing can be learned of the labels. Then all {items.item_count:,} "
            f"items rank; the standard error of an accuracy of one half is {50 / sqrt(items.item_count):.1f} points. "
            "Teams learn nothing of their own gains before; a development split can tell them."
        )

    @classmethod
    def part(cls, item_count: int, *, at_the_end: bool) -> str | None:
        return ALL if at_the_end else None
