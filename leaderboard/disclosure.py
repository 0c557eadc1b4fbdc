"""What a page says where a rule shows something else than exact scores."""

from __future__ import annotations

from django.utils.translation import gettext as _

from benchmarks.spec import DisclosureRule
from leaderboard.board.model import Board


def disclosure_notice(board: Board) -> str:
    """What the numbers of a board are, in a few sentences; empty where they are exact scores."""
    if not board.disclosure:
        return ""
    name, _space, setting = board.disclosure.partition(" ")
    return " ".join((_meaning(DisclosureRule(name), setting), _what_follows()))


def _meaning(rule: DisclosureRule, setting: str) -> str:
    words = {
        DisclosureRule.PRECISION: _("Scores are rounded to %(digits)s decimals while the phase runs."),
        DisclosureRule.LADDER: _(
            "While the phase runs, each number is the best of a row so far, and it moves only on a gain that is "
            "larger than its own uncertainty. A smaller gain may be real and does not show yet."
        ),
        DisclosureRule.NOISY_LADDER: _(
            "While the phase runs, each number is the best of a row so far. It moves only on clear gains, which are "
            "judged with some random noise added: a real gain may not show yet, and a chance one may."
        ),
        DisclosureRule.SPARING: _(
            "While the phase runs, each number is the best of a row so far, and it moves only on a gain that chance "
            "seldom brings. Systems that cannot be told apart stand level, first scores are coarse, and a small gain "
            "may be real and not show yet."
        ),
    }
    return words[rule] % {"digits": setting}


def _what_follows() -> str:
    return _(
        "So nobody can read the hidden labels off this board. Exact scores, all metrics, intervals and tests follow "
        "with the release of the last cut-off."
    )
