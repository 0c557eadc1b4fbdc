"""What organisers read who choose how much of a score is shown: what each rule gives, and what it costs.

The figures are those of `docs/adr/0018`: 500 answers for 5,000 hidden labels, means over seeded boards.
"""

from __future__ import annotations

from collections.abc import Iterable

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from benchmarks.spec import DisclosureRule

RULES = {
    DisclosureRule.EXACT: _(
        "Every score as it is, with intervals, all metrics and tests. Nothing is held back: 500 answers that are "
        "chosen for it win 12 points with no system behind them, and 481 uncover a third of the labels with certainty."
    ),
    DisclosureRule.PRECISION: _(
        "Easier to read, and hardly any protection: 500 chosen answers still win 12 points with 3 decimals, and 11 "
        "with 2. With 2 decimals, an honest gain of one point shows in 9 of 10 cases."
    ),
    DisclosureRule.LADDER: _(
        "A number moves on a gain that is larger than its own uncertainty. 500 chosen answers win 7 points, and 12 if "
        "they come from 500 accounts. An honest gain of one point shows in 98 of 100 cases."
    ),
    DisclosureRule.NOISY_LADDER: _(
        "Noise on every score, so that the order of close systems is partly drawn by lot. 500 chosen answers win 1 "
        "point, and 9 if they come from 500 accounts. An honest gain of one point shows in 8 of 10 cases at first, "
        "and in 2 of 10 on a team's 50th answer."
    ),
    DisclosureRule.SPARING: _(
        "Recommended for weekly phases. No attack that was tried wins more than 1.4 points on average with 500 chosen "
        "answers, from however many accounts. An honest gain of one point on 5,000 items shows in 9 of 10 cases. First "
        "scores are coarse, systems that cannot be told apart stand level, and many tries that gain nothing make the "
        "phase stricter for everybody."
    ),
}


def explained(titles: Iterable[tuple[str, object]]) -> SafeString:
    """A list of rules, given as pairs of value and title, each with its sentence."""
    rows = ((title, RULES[DisclosureRule(value)]) for value, title in titles)
    return format_html("<ul>{}</ul>", format_html_join("", "<li><b>{}:</b> {}</li>", rows))
