import re
from dataclasses import replace

import pytest
from django.template.loader import render_to_string
from django.test import Client

from benchmarks.spec import RowKind
from leaderboard.board.model.board import BoardRow
from leaderboard.board.tables.system_lines import history_lines, places, standing_lines
from submissions.systems.status_transitions import disqualify, withdraw
from tests.leaderboard.board.boards import ACCURACY, board, cell
from tests.pages import text_of
from tests.weeks import CUT_OFF, ONE_WRONG, run_batch, upload


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


@pytest.mark.django_db
def test_a_page_says_what_was_taken_off_and_not_who_of_a_team_did_it(system, phase, owner) -> None:
    owner.name = ""  # then the address stands for the person
    owner.save()
    back, off = upload(system, phase), upload(system, phase, mood=ONE_WRONG)
    run_batch(CUT_OFF)
    withdraw(submission=back, user=owner, now=CUT_OFF)
    disqualify(submission=off, reason="Saw the labels.", now=CUT_OFF)
    shown = text_of(Client().get(f"/systems/{system.pk}/"))
    section = re.sub(r"<[^>]+>", "", shown[shown.index("<h2>Withdrawn or disqualified") :])
    assert "withdrawn by its team 23 Nov 2026" in section
    assert "disqualified by the organiser 23 Nov 2026: Saw the labels." in section
    assert owner.email not in shown
