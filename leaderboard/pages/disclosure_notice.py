"""What a page says where a rule shows something else than exact scores."""

from __future__ import annotations

from accounts.formats.numbers import percent
from benchmarks.spec import DisclosureRule
from benchmarks.spec.disclosure import REMAINDER, kept_back
from leaderboard.board.model.board import Board


def disclosure_notice(board: Board) -> str:
    """What the numbers of a board are, in a few sentences; empty where they are exact scores."""
    said = []
    if board.disclosure:
        name, _space, setting = board.disclosure.partition(" ")
        said = [_meaning(DisclosureRule(name), setting), _what_follows()]
    if board.part:
        said.append(_items(board.part))
    return " ".join(said)


def _items(part: str) -> str:
    """Which items a board is about."""
    kept = percent(kept_back(part), 0)
    if part.startswith(REMAINDER):
        return f"The phase is over: the scores are those of the {kept} of the items that were kept back until now."
    return (
        f"{kept} of the items, drawn with a sealed salt, are kept back: the others are scored while the phase runs, "
        "and these alone rank at its end."
    )


def _meaning(rule: DisclosureRule, setting: str) -> str:
    words = {
        DisclosureRule.PRECISION: "Scores are rounded to %(digits)s decimals while the phase runs.",
        DisclosureRule.LADDER: (
            "While the phase runs, each number is the best of a row so far, and it moves only on a gain that is "
            "larger than its own uncertainty. A smaller gain may be real and does not show yet."
        ),
        DisclosureRule.NOISY_LADDER: (
            "While the phase runs, each number is the best of a row so far. It moves only on clear gains, which are "
            "judged with some random noise added: a real gain may not show yet, and a chance one may."
        ),
        DisclosureRule.SPARING: (
            "While the phase runs, each number is the best of a row so far, and it moves only on a gain that chance "
            "seldom brings. Systems that cannot be told apart stand level, first scores are coarse, and a small gain "
            "may be real and not show yet."
        ),
    }
    return words[rule] % {"digits": setting}


def _what_follows() -> str:
    return (
        "Answers that are made for it can still read hidden labels off this board. Exact scores, all metrics, "
        "intervals and tests follow with the release of the last cut-off."
    )
