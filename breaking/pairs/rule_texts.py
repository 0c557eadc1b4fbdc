"""The rules of minimal pairs, as a breaker reads them."""

from django.utils.formats import number_format

from benchmarks.spec import BreakRuleSpec

WHAT_A_PAIR_IS = (
    (
        "A minimal pair is a sentence of the starter data and a sentence that you make of it by a small "
        "change. Each has its label; the change may turn the label or leave it as it is."
    ),
    (
        "A system is broken by a pair if it gets exactly one of the two right: the original, or what you "
        "made of it."
    ),
)
AFTER_THE_CLOSE = (
    (
        "At the close your pairs become a set that bears the name of your team, as soon as no pair of the "
        "task waits for the organiser any more."
    ),
    (
        "In the score phase everybody reads the sentences of all sets and hands in predictions for them; "
        "the labels stay sealed. Once the score phase is over the labels are public, with the answers of "
        "all systems."
    ),
    (
        "Should the break phase be opened again, a team without a set may hand in pairs, and a team whose "
        "set no system has answered may replace it. A set that has been answered stays as it is."
    ),
)
REPLACING_AND_WITHDRAWING = (
    (
        "A later file of your team for the same task takes the place of the earlier one. There is no "
        "quota, and a file that is refused costs nothing."
    ),
    "Until the close your team can withdraw its file, which then counts no longer.",
    (
        "After the close only the organiser withdraws a set, with a reason that everybody reads. What "
        "systems have predicted for it stays; from the next release on the set counts in no score."
    ),
    (
        "Your file is sealed the moment it is accepted. No page of this server can show its labels again, "
        "so keep your own copy."
    ),
)


def pair_rules(rule: BreakRuleSpec) -> tuple[str, ...]:
    """What the organiser takes for a minimal pair, in numbers, and what happens with one that is none."""
    return (
        _size(rule),
        "Originals of your own making are allowed beside those of the starter data."
        if rule.from_scratch
        else "Every original stands in the starter data, and stays as it is there to the letter.",
        "Every pair needs a rationale: what the change is to show about a system."
        if rule.needs_rationale
        else "A rationale, what the change is to show about a system, is welcome and not needed.",
        f"A pair may name the kind of its change{_which(rule)}. In the end, break rates of each kind are shown.",
    )


def _which(rule: BreakRuleSpec) -> str:
    return (
        f", one of {', '.join(rule.categories)}" if rule.categories else " in a word or two, such as negation"
    )


def _size(rule: BreakRuleSpec) -> str:
    limits = []
    if rule.largest_token_share is not None:
        share = number_format(f"{100 * rule.largest_token_share:.3g}")
        limits.append(f"{share} % of the words and punctuation marks")
    if rule.largest_token_edits is not None:
        edits = rule.largest_token_edits
        limits.append(f"{edits} word or mark" if edits == 1 else f"{edits} words and marks")
    if not limits:
        return "There is no limit to the size of a change; the size of each is shown with its pair."
    most = limits[0]
    if len(limits) > 1:
        most = f"{limits[0]} and at most {limits[1]}"
    return (
        f"A change touches at most {most}. A pair that changes more is not refused: it waits for the organiser, who "
        "admits it or leaves it out with a reason that your team reads."
    )
