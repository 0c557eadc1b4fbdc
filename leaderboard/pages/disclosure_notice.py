"""What a page says where a rule shows something else than exact scores over all items."""

from collections.abc import Iterable

from catalogue.disclosure import RULES, OpenHalf
from catalogue.disclosure.rule import DISPLAYED
from leaderboard.board.model.board import Board

AT_THE_END = (
    "Final: exact scores of the half of the items that was kept back until the phase closed. One answer of each team, "
    "chosen before, was scored on it, once. In parentheses is the score of the same answer over all items; it ranks "
    "nothing, and scores that were published elsewhere can be compared with it."
)
RANKED_BEFORE = (
    "The same half ranked in release {release} already. What that release told of it was public since, so it protects "
    "this ranking less."
)
OF_AN_OLDER_RULE = (
    "Numbers are shown by the rule “{code}” of an earlier version of this server; they are no exact scores."
)


def ranked_before(boards: Iterable[Board], release: int) -> str:
    """A sentence if the half that is kept back has ranked in a final before a release; empty where it has not.

    `boards` are the overall ones of the benchmark's releases.
    """
    finals = [board.release for board in boards if board.is_final and board.release < release]
    return RANKED_BEFORE.format(release=min(finals)) if finals else ""


def disclosure_notice(board: Board) -> str:
    """What the numbers of a board are, in a few sentences; empty where they are exact scores over all items."""
    if board.is_final:
        return AT_THE_END
    if board.part == DISPLAYED:
        return OpenHalf.texts.on_page
    if board.disclosure and board.disclosure not in RULES:
        return OF_AN_OLDER_RULE.format(code=board.disclosure)
    return RULES[board.disclosure].texts.on_page if board.disclosure else ""
