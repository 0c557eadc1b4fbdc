"""What organisers read who choose how much of a score is shown: what each rule gives, and what it does not keep.

The figures are those of `python -m perf.attacks` with 500 answers: two labels, means over seeded boards.
"""

from __future__ import annotations

from collections.abc import Iterable

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from benchmarks.spec import DisclosureRule

RULES = {
    DisclosureRule.EXACT: (
        "Every score as it is, with intervals, all metrics and tests. Right where a phase is scored once, at its "
        "close, or where the labels are public. Scored week by week it gives the labels away: 65 answers that are made "
        "for it tell all of 150 labels, 321 all of 1,200, and 1,025 all of 5,000."
    ),
    DisclosureRule.PRECISION: (
        "Easier to read, and hardly any protection: with 3 decimals, 65 answers still tell all of 150 labels; 500 win "
        "24 points on 1,200 items and 12 on 5,000."
    ),
    DisclosureRule.LADDER: (
        "A number moves on a gain that is larger than its own uncertainty. Who knows 24 labels reads one more with "
        "almost every answer, without a mistake: all of 150, and 479 with 500 answers on 1,200 or 5,000 items. An "
        "honest gain of one point shows in 98 of 100 cases on 5,000 items."
    ),
    DisclosureRule.NOISY_LADDER: (
        "Noise on every score, so that the order of close systems is partly drawn by lot. 500 answers from 500 "
        "accounts win 41 points on 150 items, 17 on 1,200 and 9 on 5,000; from one account 7, 3 and 1. An honest gain "
        "of one point on 5,000 items shows in 8 of 10 cases at first, and in 2 of 10 on a team's 50th answer."
    ),
    DisclosureRule.SPARING: (
        "A number moves on a gain that chance seldom brings. 500 answers of somebody who knows no label win 4 points "
        "on 150 items, 3 on 1,200 and 1 on 5,000. Who knows 24 labels reads the others as under the Ladder: all of "
        "150, and some 430 with 500 answers on 1,200 or 5,000 items. An honest gain of one point on 5,000 items shows "
        "in 9 of 10 cases. First scores are coarse, systems that cannot be told apart stand level, and many tries "
        "that gain nothing make the phase stricter for everybody."
    ),
}


def explained(titles: Iterable[tuple[str, object]]) -> SafeString:
    """A list of rules, given as pairs of value and title, each with its sentence."""
    rows = ((title, RULES[DisclosureRule(value)]) for value, title in titles)
    return format_html("<ul>{}</ul>", format_html_join("", "<li><b>{}:</b> {}</li>", rows))
