"""A board as JSON."""

from leaderboard.board.exports.export import BoardExport
from leaderboard.board.model.board import Board
from leaderboard.board.model.serialization import json_bytes, to_dict


def to_json(board: Board) -> bytes:
    """UTF-8 JSON with every number in all the digits that the board has; what is undefined is null, never NaN."""
    return json_bytes(to_dict(board))


JSON = BoardExport("json", "json", "application/json", "JSON", to_json)
