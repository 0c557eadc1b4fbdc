"""What everybody may know of the submissions behind the scores of a release: when each came, and its file's hash."""

import json
from collections.abc import Mapping

from benchmarks.spec import OVERALL
from leaderboard.board.model.board import Board
from leaderboard.pages.rendered_page import RenderedPage
from submissions.models import Submission


def origins_page(base: str, boards: Mapping[str, Board]) -> RenderedPage:
    """The file beside the boards at `base`, about the submissions that their cells name: none of anonymous systems.

    It is there even if it tells of none, so that it replaces the one from before names were hidden.
    """
    named = {
        cell.submission
        for board in boards.values()
        for row in board.rows
        for cell in row.cells.values()
        if cell.submission
    }
    found = Submission.objects.only("received_at", "file_sha256").in_bulk(sorted(named))
    document = {
        "release": boards[OVERALL].release,
        "submissions": {
            str(key): {
                "received_at": one.received_at.isoformat(timespec="seconds").replace("+00:00", "Z"),
                "file_sha256": one.file_sha256,
            }
            for key, one in found.items()
        },
    }
    body = json.dumps(document, separators=(",", ":")).encode() + b"\n"
    return RenderedPage(f"{base}-submissions.json", "application/json", body)
