"""What a page says where a rule shows something else than exact scores."""

from accounts.formats.numbers import percent
from benchmarks.spec.disclosure import REMAINDER, kept_back
from catalogue.disclosure import rule_of_code
from leaderboard.board.model.board import Board


def disclosure_notice(board: Board) -> str:
    """What the numbers of a board are, in a few sentences; empty where they are exact scores."""
    said = []
    if board.disclosure:
        rule = rule_of_code(board.disclosure)
        said += [
            rule.worded(rule.texts.on_page),
            "Answers that are made for it can still read hidden labels off this board. Exact scores, all metrics, "
            "intervals and tests follow with the release of the last cut-off.",
        ]
    kept = percent(kept_back(board.part), 0) if board.part else ""
    if board.part.startswith(REMAINDER):
        said.append(
            "The phase is over: the scores are those of the "
            f"{kept} of the items that were kept back until now."
        )
    elif kept:
        said.append(
            f"{kept} of the items, drawn with a sealed salt, are kept back: the others are scored "
            "while the phase runs, and these alone rank at its end."
        )
    return " ".join(said)
