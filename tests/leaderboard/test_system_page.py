from __future__ import annotations

import re

from django.template.loader import render_to_string

from benchmarks.spec import RowKind
from leaderboard.board import Row
from leaderboard.board.view import history, standings
from tests.leaderboard.board.boards import board, cell


def test_system_page_names_the_submission_behind_every_score() -> None:
    measured = cell(0.712, beside=0.802, deviation=0.004, submission="3f2a9c1e-77aa-4b0e-8c3d")
    made = board(Row("Larch", "s1", "North", RowKind.SYSTEM, {"overall": measured}))
    place = {
        "benchmark_id": "toy",
        "benchmark_title": "Toy",
        "release": 3,
        "published_at": made.published_at,
        "standings": standings(made)["s1"],
        "history": history([made])["s1"],
    }
    system = {"name": "Larch", "team": "North", "description": "", "links": [], "tags": []}
    page = render_to_string("public/system.html", {"system": system, "places": [place]})
    text = re.sub(r"<[^>]+>", "", page)
    assert "submission 3f2a9c1e" in text
    assert ".712 (.802)± .004" in text
