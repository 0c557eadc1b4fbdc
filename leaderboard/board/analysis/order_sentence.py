"""Who leads a board and how sure its order is, in two or three sentences that can be quoted."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from benchmarks.spec import RowKind
from leaderboard.board.model import number_format as fmt
from leaderboard.board.model.board import Board, BoardRow
from leaderboard.board.model.decisions import Verdict, verdict_on

MOST_GROUPS = 3  # so many are named; the ranges beside the ranks tell of the rest
NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


@dataclass(frozen=True, slots=True)
class OrderSentence:
    """`lead` says who leads, `rest` by how much, which places chance could reorder, and who passed the human line."""

    lead: str
    rest: str

    @property
    def text(self) -> str:
        return f"{self.lead} {self.rest}".strip()


def order_sentence(board: Board, lead: dict[str, Any] | None = None) -> OrderSentence | None:
    """What can be said of the order of a board's systems, all of it from the decisions that the board froze.

    Parameters
    ----------
    board : Board
    lead : dict, optional
        How far the first leads the second (`leaderboard.board.analysis.pairwise_matrix.lead_view`). Rounded scores may
        differ by another last digit.

    Returns
    -------
    OrderSentence
        None before the first release, where nobody is ranked, and where rows are no systems.
    """
    ranked, leaders = board.ranked, board.leaders
    if not board.release or not ranked or board.ranks_nobody:
        return None
    shown = "By the numbers shown so far, " if board.is_provisional else ""
    if len(ranked) == 1:
        return OrderSentence(f"{shown}{ranked[0].system} is the only ranked system.", _people(board))
    if len(leaders) > 1:
        head = f"{shown}{_names(leaders)} share the first rank: a tie."
        return OrderSentence(head, _joined(_groups(board), _people(board)))
    first, second = ranked[0], ranked[1]
    verdict = verdict_on(ranked, 0, 1)
    if verdict is None:
        return OrderSentence(f"{shown}{first.system} has the first rank.", _people(board))
    if lead and lead["first"] == first.system:
        distance, interval = lead["distance"], f" ({lead['interval']})"
    else:
        best, next_best = board.column(board.rank_by).values(ranked[:2])
        distance, interval = fmt.score(abs(best - next_best)), ""
    return OrderSentence(
        f"{shown}{first.system} is first, {verdict.against(second.system)}:",
        _joined(f"by {distance}{interval}.", worth(first, board), _groups(board), _people(board)),
    )


def worth(row: BoardRow, board: Board) -> str:
    """What a score is worth, where its being chosen for the best makes a difference to that."""
    corrected = fmt.interval(row.corrected_low, row.corrected_high)
    cell = row.cell(board.rank_by)
    if not corrected or corrected == fmt.interval(cell.ci_low, cell.ci_high):
        return ""
    reasons = [
        *(["the best of the board"] if row.rank == 1 else []),
        *([f"the best of {row.tries} tries"] if row.tries and row.tries > 1 else []),
    ]
    return f"Its score, as {' and '.join(reasons)}, is worth {corrected}." if reasons else ""


def _groups(board: Board) -> str:
    """Which places chance could reorder; that nobody's is, where so much is known."""
    if board.chance is None:
        return ""
    groups = [f"{first} to {last}" for first, last in board.chance.groups]
    if not groups:
        said = {verdict_on(board.ranked, at, at + 1) for at in range(len(board.ranked) - 1)}
        sure = Verdict.SURELY_AHEAD
        return f"Every ranked system is {sure.value} of the next." if said == {sure} else ""
    others = len(groups) - MOST_GROUPS
    named = [
        *groups[:MOST_GROUPS],
        *([f"{others} more groups" if others > 1 else "one more group"] if others > 0 else []),
    ]
    return f"The order of places {_listed(named)} could be chance."


def _people(board: Board) -> str:
    """How many systems score above the best human estimate, where the board has one."""
    column = board.column(board.rank_by)
    people = [
        (cell.value, fmt.interval(cell.ci_low, cell.ci_high))
        for row in board.rows
        if row.kind is RowKind.HUMAN and (cell := row.cell(column.key)).value is not None
    ]
    if not people:
        return ""
    human, interval = (max if column.higher_is_better else min)(people)
    scores = column.values(board.ranked)
    above = sum((score > human) if column.higher_is_better else (score < human) for score in scores)
    sure = f"which may be {interval}" if interval else "which has no interval"
    number = NUMBERS[above].capitalize() if above < len(NUMBERS) else str(above)
    who = f"{number} systems score" if above > 1 else f"{number} system scores"
    return f"{who} better than the human estimate of {fmt.score(human)}, {sure}."


def _names(rows: Sequence[BoardRow]) -> str:
    names = [row.system for row in rows]
    return _listed(
        names if len(names) <= MOST_GROUPS else [*names[: MOST_GROUPS - 1], f"{len(names) - 2} more"]
    )


def _listed(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _joined(*sentences: str) -> str:
    return " ".join(sentence for sentence in sentences if sentence)
