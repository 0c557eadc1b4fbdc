import re
from dataclasses import replace

from django.template.loader import render_to_string

from benchmarks.spec import RowKind
from leaderboard.board.model.board import BoardRow
from leaderboard.board.tables.system_lines import history_lines, places, standing_lines
from tests.leaderboard.board.boards import ACCURACY, board, cell


def test_system_page_names_the_submission_behind_every_score() -> None:
    measured = cell(0.712, beside=0.802, deviation=0.004, submission="3f2a9c1e-77aa-4b0e-8c3d")
    made = board(BoardRow("Larch", "s1", "North", RowKind.SYSTEM, {"overall": measured}))
    place = {
        "benchmark_id": "toy",
        "benchmark_title": "Toy",
        "release": 3,
        "published_at": made.published_at,
        "standings": standing_lines(made, made.rows[0]),
        "history": history_lines([made], {3: places(made)["s1"]}, {3: "today"}),
    }
    system = {"name": "Larch", "team": "North", "description": "", "links": [], "tags": []}
    page = render_to_string("public/system.html", {"system": system, "places": [place]})
    text = re.sub(r"<[^>]+>", "", page)
    assert "submission 3f2a9c1e" in text
    assert ".712 (.802)sd .004" in text


def test_names_of_columns_are_escaped_on_a_systems_page() -> None:
    column = replace(ACCURACY, name="<i>A & B</i>", title='"AB"')
    made = board(BoardRow("Larch", "s1", "North", RowKind.SYSTEM, {"overall": cell(0.7)}), columns=(column,))
    (line,) = standing_lines(made, made.rows[0]).splitlines()
    assert "&lt;i&gt;A &amp; B&lt;/i&gt; <small>&quot;AB&quot;</small>" in line
