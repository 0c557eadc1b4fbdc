"""A board as JSON."""

import json

from leaderboard.board.exports.export import Export
from leaderboard.board.model.board import Board
from leaderboard.board.model.serialization import to_dict


def to_json(board: Board) -> bytes:
    """UTF-8 JSON with every number in all the digits that the board has; what is undefined is null, never NaN."""
    text = json.dumps(to_dict(board), ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return text.encode() + b"\n"


JSON = Export("json", "json", "application/json", "JSON", to_json)
