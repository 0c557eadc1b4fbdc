"""The mail at publication: to whom, about what, and about whom not."""

from dataclasses import replace

import pytest

from accounts.models import Mail
from accounts.services import create_team
from benchmarks.spec.loader import load_definition
from leaderboard.board.analysis.own_result import own_result
from leaderboard.mail.publication import _Place, _scored
from leaderboard.models import Release
from leaderboard.publication.services import refresh_stale
from submissions.models import System
from tests.conftest import NOW, TOY_DEFINITION, person
from tests.leaderboard.board.boards import ACCURACY, TASK, board, cell, row
from tests.leaderboard.board.tables.test_column_rankings import ASH, CEDAR, by_column
from tests.post import sent
from tests.weeks import CUT_OFF, HALF_WRONG, ONE_WRONG, WEEK, run_batch, upload


@pytest.fixture
def rival() -> System:
    """Of another team."""
    team = create_team(name="South", founder=person("rival"), now=NOW)
    return System.objects.create(team=team, name="Siskin", created_at=NOW)


def test_every_member_reads_rank_and_score_of_the_team_s_systems(system, phase, teammate, rival):
    upload(system, phase, mood=ONE_WRONG)
    upload(rival, phase)
    run_batch(CUT_OFF)

    mails = {message.to[0]: message for message in sent()}

    assert mails.keys() == {"owner@example.org", "teammate@example.org", "rival@example.org"}
    assert (
        mails["teammate@example.org"].subject == "Toy, release 1: Larch has rank 2 of 2, range 1\N{EN DASH}2"
    )
    assert "  Larch: rank 2 of 2, range 1\N{EN DASH}2, Overall ." in mails["teammate@example.org"].body
    assert "/benchmarks/toy/releases/1/\n" in mails["teammate@example.org"].body
    assert mails["rival@example.org"].subject == "Toy, release 1: Siskin has rank 1 of 2, range 1\N{EN DASH}2"


def test_who_is_first_nowhere_or_has_no_rank_is_told_what_the_page_tells():
    spec = load_definition(TOY_DEFINITION, "toy.yaml")
    apart = by_column(ASH, ASH._replace(system="Elm", cells={key: cell(0.1) for key in ASH.cells}))
    last = _Place(apart, apart.rows[1], 0, own_result(apart, apart.rows[1], (), spec))
    assert last.line.splitlines()[:1] == ["  Elm: first in 0 of 2 rankings"]
    assert "\n    Farthest from the top: place 2 of 2 in " in last.line

    few = row("Oak", 0.9)._replace(rank=None)
    few = few._replace(cells={key: replace(one, seeds=3, seeds_wanted=5) for key, one in few.cells.items()})
    made = board(few)
    line = _Place(made, few, 0, own_result(made, few, (), spec)).line
    assert "no rank, Overall score .900\n    New on the board. No rank: 3 of 5 seeds handed in." in line


def test_what_is_the_only_task_is_not_said_to_hold_back_most():
    spec = load_definition(TOY_DEFINITION, "toy.yaml")
    columns = (ACCURACY, replace(TASK, key="mood", name="Mood"))
    rows = [
        row(name, value, rank=at)._replace(cells={one.key: cell(value) for one in columns})
        for at, (name, value) in enumerate({"Ash": 0.9, "Elm": 0.5}.items(), 1)
    ]
    made = board(*rows, columns=columns)
    told = own_result(made, rows[1], (), spec)
    assert told.columns[0].gain
    assert "holds it back most" not in _Place(made, rows[1], 2, told).line


def test_a_subject_says_in_how_many_rankings_a_system_is_first_where_nobody_has_a_rank():
    unranked = by_column(CEDAR, ASH)
    assert _Place(unranked, unranked.rows[0], 0).standing == "is first in 1 of 2 rankings"


def test_a_place_that_two_boards_rank_alike_is_told_once():
    task = board(row("Ash", 0.8, rank=1), task="mood", title="Overall score")
    of_language = board(row("Ash", 0.8, rank=1))
    places = {"mood": _Place(task, task.rows[0], 1), "en": _Place(of_language, of_language.rows[0], 1)}

    assert [place.line for place in _scored(places)] == ["  Ash: rank 1 of 1 in Overall score, .800"]


def test_who_sent_nothing_new_gets_no_mail(system, phase, rival):
    upload(rival, phase)
    run_batch(CUT_OFF)
    upload(system, phase, at=CUT_OFF)
    run_batch(CUT_OFF + WEEK)

    assert [message.subject for message in sent() if message.to == ["rival@example.org"]] == [
        "Toy, release 1: Siskin has rank 1 of 1"
    ]


def test_a_mail_names_nobody_else_s_system(system, phase, rival):
    phase.benchmark.is_anonymous = True
    phase.benchmark.save()
    upload(system, phase)
    upload(rival, phase, mood=HALF_WRONG)
    run_batch(CUT_OFF)

    mails = {message.to[0]: f"{message.subject} {message.body}" for message in sent()}

    assert "Siskin" not in mails["owner@example.org"]
    assert "South" not in mails["owner@example.org"]
    assert "for others, Larch is called System" in " ".join(mails["owner@example.org"].split())


def test_nothing_is_in_the_post_before_the_release_is_out(system, phase):
    phase.publish_automatically = False
    phase.save()
    upload(system, phase)
    run_batch(CUT_OFF)

    assert not Release.objects.exists()
    assert not Mail.objects.exists()


def test_a_release_is_told_of_once(system, phase):
    upload(system, phase)
    run_batch(CUT_OFF)
    run_batch(CUT_OFF)
    refresh_stale()

    assert len(sent()) == 1


def test_a_person_in_two_teams_gets_one_mail_about_both(system, phase, owner, rival):
    upload(system, phase)
    upload(rival, phase, mood=HALF_WRONG)
    rival.team.memberships.create(user=owner, joined_at=NOW)  # as site staff may, or from a time before
    run_batch(CUT_OFF)

    (message,) = [one for one in sent() if one.to == ["owner@example.org"]]
    assert message.subject == "Toy: release 1 is out"
    assert "Larch: rank 1 of 2" in message.body
    assert "Siskin: rank 2 of 2" in message.body
