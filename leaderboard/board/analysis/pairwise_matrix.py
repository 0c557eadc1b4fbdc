"""Who is surely ahead of whom: the first systems of a board against each other."""

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any, TypedDict

import numpy as np
from numpy.typing import NDArray

from catalogue.csv_text import csv_bytes
from leaderboard.board.model import number_format as fmt
from leaderboard.board.model.board import Board
from leaderboard.board.model.decisions import Verdict, are_apart
from scoring.core.uncertainty.paired import paired_bootstrap

FIRST = 20
# Of what is published about chance: more would tell about the gold labels, and nothing to readers.
DECIMALS = 3
SURE = {True: "yes", False: "no", None: ""}
Floats = NDArray[np.float64]


class RankedSystem(TypedDict):
    """A system of the board with its rank."""

    system_id: str | None
    system: str
    team: str
    rank: int | None


class PairDecisions(TypedDict):
    """The first systems by the column that ranks them, and every two of them compared.

    Of each pair: the later one's place, the earlier one's, the earlier's score less the later's, both ends of its
    interval, its unadjusted p, and whether the board has decided that one is surely ahead, None where it decided
    nothing.
    """

    column: str
    ranked: int
    systems: list[RankedSystem]
    pairs: list[list[Any]]


def decisions(board: Board, replicates: Mapping[str, Floats]) -> PairDecisions | None:
    """What a release keeps of its first twenty systems: who they are, and every two of them compared.

    Parameters
    ----------
    board : Board
        Ranked, with `chance`.
    replicates : mapping of system id to float array of shape (replicates,)
        As for `leaderboard.board.analysis.chance.with_chance`.

    Returns
    -------
    PairDecisions or None
        None without two such systems.
    """
    if board.chance is None:
        return None
    column = board.column(board.rank_by)
    ranked = board.ranked
    counts = {len(values) for values in replicates.values()}
    nothing = np.full(max(counts), np.nan)
    drawn = [replicates.get(row.system_id or "", nothing) for row in ranked]
    drawn = [values if len(values) == len(nothing) else nothing for values in drawn]
    points = np.array([row.value(column.key) for row in ranked], dtype=np.float64)
    pairs = []
    for first, second in combinations(range(min(len(ranked), FIRST)), 2):
        difference = paired_bootstrap(points[first], points[second], (drawn[first], drawn[second]))
        if difference is not None:
            rounded = [round(number, DECIMALS) for number in (difference.low, difference.high, difference.p)]
            pairs.append(
                [first, second, float(difference.effect), *rounded, are_apart(ranked, first, second)]
            )
    if not pairs:
        return None
    systems: list[RankedSystem] = [
        {"system_id": row.system_id, "system": row.system, "team": row.team, "rank": row.rank}
        for row in ranked[:FIRST]
    ]
    return {"column": column.name, "ranked": len(ranked), "systems": systems, "pairs": pairs}


def matrix_lines(report: PairDecisions) -> list[dict[str, Any]]:
    """The systems that `decisions` kept in the order of the board, each with its `duels` against all of them."""
    systems, duels = report["systems"], _duels(report)
    order = _order(systems)
    return [{**systems[at], "duels": [_duel(at, other, duels) for other in order]} for at in order]


def lead_view(report: PairDecisions) -> dict[str, Any] | None:
    """By how much the first system leads the second, as text, and whether that is more than chance.

    `interval` is where the lead would lie for 95 of 100 sets of test items; where it `may_turn` it goes below 0, and
    there the second leads. None where nothing was decided about the two, or either place is shared.
    """
    systems = report["systems"]
    effect, low, high, _p, is_sure = _duels(report).get((0, 1), (None,) * 5)
    if is_sure is None or [system["rank"] for system in systems[:3]] not in ([1, 2], [1, 2, 3]):
        return None
    # Where lower is better the leader's score is the smaller.
    ends = (low, high) if effect > 0 else (-high, -low)
    return {
        "first": systems[0]["system"],
        "second": systems[1]["system"],
        "distance": fmt.score(abs(effect)),
        "interval": fmt.interval(*ends),
        "is_sure": is_sure,
        "may_turn": ends[0] < 0,
    }


def matrix_csv(report: PairDecisions, *, synthetic: bool) -> bytes:
    """UTF-8 CSV: a line for every two systems."""
    systems, duels = report["systems"], _duels(report)
    heads = ["rank", "system", "other_rank", "other_system", "difference", "low", "high", "p", "sure"]
    rows = []
    for pair in combinations(_order(systems), 2):
        if pair in duels:
            *numbers, is_sure = duels[pair]
            names = [part for at in pair for part in (systems[at]["rank"], systems[at]["system"])]
            rows.append([*names, *numbers, SURE[is_sure]])
    return csv_bytes(heads, rows, is_synthetic=synthetic)


def _order(systems: Sequence[RankedSystem]) -> list[int]:
    """Systems of one rank by what they are called now: their order in the report may tell hidden names apart."""
    return sorted(
        range(len(systems)),
        key=lambda at: (systems[at]["rank"], len(systems[at]["system"]), systems[at]["system"]),
    )


def _duels(report: PairDecisions) -> dict[tuple[int, int], tuple[Any, ...]]:
    """Difference, interval, p and decision of every two systems, seen from either."""
    duels: dict[tuple[int, int], tuple[Any, ...]] = {}
    for first, second, effect, low, high, p, is_sure in report["pairs"]:
        duels[first, second] = (effect, low, high, p, is_sure)
        duels[second, first] = (-effect, -high, -low, p, is_sure)
    return duels


def _duel(at: int, other: int, duels: Mapping[tuple[int, int], tuple[Any, ...]]) -> tuple[str, str, str]:
    """The system of a line against that of a column: a mark, its class, and what it means."""
    if (at, other) not in duels:
        return ("", "none", "") if at == other else ("?", "none", "not known")
    effect, low, high, p, is_sure = duels[at, other]
    hint = f"{fmt.signed(effect)} ({fmt.signed(low)} to {fmt.signed(high)}), unadjusted {fmt.p_value(p)}"
    if not is_sure:
        said = "could be chance" if effect else Verdict.TIE.value
        return ("?", "none", f"not decided: {hint}") if is_sure is None else ("·", "", f"{said}: {hint}")
    # The report's order is that of the scores, whichever direction is better.
    return ("+", "best", f"surely ahead: {hint}") if at < other else (fmt.MINUS, "", f"surely behind: {hint}")
