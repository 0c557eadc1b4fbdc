"""A leaderboard as plain values: its rows in order, its exports, and the text its pages print. No Django."""

from leaderboard.board.exports import from_dict, to_csv, to_dict, to_json
from leaderboard.board.latex import to_latex
from leaderboard.board.model import Board, Cell, Column, Row
from leaderboard.board.ranking import Standouts, rank, standouts
from leaderboard.board.rules import rules

__all__ = [
    "Board",
    "Cell",
    "Column",
    "Row",
    "Standouts",
    "from_dict",
    "rank",
    "rules",
    "standouts",
    "to_csv",
    "to_dict",
    "to_json",
    "to_latex",
]
