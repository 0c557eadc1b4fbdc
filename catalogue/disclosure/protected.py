"""Half of the items through noise and a budget, the other half at the end."""

from catalogue.disclosure.honest_gain import price
from catalogue.disclosure.noisy_display import NoisyDisplay
from catalogue.disclosure.rule import ALL, NOISED, REMAINDER, HiddenItems, Rule, RuleTexts

LEAST_ITEMS = 2_000  # of a split; below, a board could say too little to be worth what it costs at the end

# By the strongest of the strategies of `perf.redteam`; tests/redteam/test_bars.py holds it.
MEASURED = (
    "Measured with 2,500 displayed items and two labels: whoever spends all answers on 400 items names 60 % of them "
    "rightly, and of all 2,500 the 400 surest with 64 %."
)
USEFUL = 0.5  # chance with which a gain of one point shows; where the noise leaves less, it is not proposed


class Protected(Rule):
    """The displayed half is shown through noise; the other half influences nothing that is shown before the end.

    A split of fewer than `LEAST_ITEMS` shows nothing before the end, and all its items rank then.
    """

    key = "protected"
    texts = RuleTexts(
        title="provisional, protected: half of the items, through noise",
        for_organisers=(
            "Half of the items, drawn by a sealed salt, are kept back. Scores of the displayed half carry noise, and a "
            "limited number of answers is judged at each cut-off, by lot, and in the whole phase. So the chance with "
            "which anybody names a single label is bounded, whatever they try. It needs 2,000 items; a smaller test "
            "set shows nothing before the end. When the phase closes, one answer of each team is scored on the half "
            "that was kept back, exactly and once."
        ),
        on_board=(
            "Half of the items are kept back. The releases before the end are provisional: a row shows its best answer "
            "so far on the other half, through noise. At each cut-off a limited number of answers is judged, by lot, "
            "hits and misses alike; an answer that is not drawn takes part in the next lot."
        ),
        on_page=(
            "Provisional: numbers of the displayed half of the items, with noise that protects its labels. A small "
            "gain may be real and not show yet. Ranges of scores and of ranks are made from these numbers, noise "
            "included. The half that is kept back has no part in any number here; it ranks when the phase closes."
        ),
        in_mail=(
            "These numbers are provisional and carry noise: one that stayed where it was may hide a gain. The half of "
            "the items that is kept back ranks when the phase closes."
        ),
    )
    shows_all = False
    keeps_back = True
    keeps_best = True

    @classmethod
    def in_numbers(cls, items: HiddenItems) -> str:
        if items.item_count < LEAST_ITEMS:
            return (
                f"With {items.item_count:,} items, fewer than {LEAST_ITEMS:,}, nothing is shown before the end; then "
                "all of them rank."
            )
        half = items.item_count // 2
        effect = items.label_effect
        if effect is None:
            return "The metric has no bound on what one label can change, so this rule cannot protect the labels."
        display = cls._display_of(items.item_count, effect)
        return (
            f"About {half:,} items are displayed through noise with a standard deviation of "
            f"{100 * display.deviation:.2f} points. At most {display.budget} answers are judged in the whole phase, "
            f"{display.week_budget} at a cut-off, and {display.group_budget} from people who are in teams together. "
            "Proved: of two equally likely labels of an item that is chosen beforehand nobody names the right one "
            f"with a chance above {100 * display.certainty(display.budget):.0f} %, whatever they ask and know of the "
            "others, as long as items were labelled independently; each near-copy of an item counts as one label more. "
            f"{MEASURED} "
            f"On the other {items.item_count - half:,} items, which rank at the end, asking wins nothing on average. "
            f"{price(display.chance_that_it_shows(), display.chance_that_it_shows(gain=0))} An answer that no lot "
            "draws moves nothing."
        )

    @classmethod
    def suits(cls, items: HiddenItems) -> bool:
        if items.item_count < LEAST_ITEMS or items.label_effect is None:
            return False
        return cls._display_of(items.item_count, items.label_effect).chance_that_it_shows() >= USEFUL

    @classmethod
    def part(cls, item_count: int, *, at_the_end: bool) -> str | None:
        if item_count < LEAST_ITEMS:
            return ALL if at_the_end else None
        return REMAINDER if at_the_end else NOISED

    @classmethod
    def display(cls, item_count: int, label_effect: float | None) -> NoisyDisplay | None:
        if label_effect is None:
            raise ValueError("The metric has no bound on what one label can change; no noise protects it.")
        return NoisyDisplay(item_count, label_effect)

    @staticmethod
    def _display_of(item_count: int, label_effect: float) -> NoisyDisplay:
        """What stands before the displayed half, from all items and what one label changes among all."""
        half = item_count // 2
        return NoisyDisplay(half, label_effect * item_count / half)
