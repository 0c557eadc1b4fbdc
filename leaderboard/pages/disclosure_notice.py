"""What a page says where a rule shows something else than exact scores over all items."""

from catalogue.disclosure import RULES, OpenHalf
from catalogue.disclosure.rule import DISPLAYED, REMAINDER
from leaderboard.board.model.board import Board

AT_THE_END = (
    "Final: exact scores of the half of the items that was kept back until the phase closed. One answer of each team, "
    "chosen before, was scored on it, once."
)
OF_AN_OLDER_RULE = (
    "Numbers are shown by the rule “{code}” of an earlier version of this server; they are no exact scores."
)


def disclosure_notice(board: Board) -> str:
    """What the numbers of a board are, in a few sentences; empty where they are exact scores over all items."""
    if board.part.startswith(REMAINDER):
        return AT_THE_END
    if board.part == DISPLAYED:
        return OpenHalf.texts.on_page
    if board.disclosure and board.disclosure not in RULES:
        return OF_AN_OLDER_RULE.format(code=board.disclosure)
    return RULES[board.disclosure].texts.on_page if board.disclosure else ""
