"""Solved rounds: a system reaches the human estimate, the release says who and when, later ones carry it on.

Of four items, two con and two pro, F1 macro is 1 with all four right, 11/15 with one of the con wrong, exactly 1/2
with one of each wrong, and 1/3 where every answer is con.
"""

import datetime as dt
from collections.abc import Callable
from typing import Any

import pytest
from django.core.mail import EmailMessage
from django.test import Client

from benchmarks.models import Benchmark, Phase
from benchmarks.spec import RowKind
from leaderboard.board.model.board import BoardRow, Cell, Column
from leaderboard.board.model.ranking import rank
from leaderboard.models import Release
from leaderboard.publication import services
from leaderboard.publication.services import NotReady, publish_ready
from leaderboard.reports.report import ReleaseDraft
from leaderboard.reports.solved_rounds import SolvedRounds
from scoring.gold.versions import load_gold
from submissions.models import Submission, System
from submissions.services import PredictionUpload, submit_predictions
from submissions.systems.status_transitions import withdraw
from tests.conftest import NOW, person
from tests.feelings import team_of
from tests.leaderboard.board.boards import board
from tests.pages import text_of
from tests.people import appoint
from tests.post import sent
from tests.uploads import zip_of
from tests.weeks import CUT_OFF, WEEK, run_batch

pytestmark = pytest.mark.thorough

DEFINITION = """
id: moves
title: Moves
summary: Two rounds.
url: https://example.org/moves
citation: Nobody, 2026.
bundle: {files: any}
task_defaults:
  summary: "For or against?"
  instructions: Say what it is.
  licence: CC0
  gold: public
  citation: Nobody, 2026.
  test_size: 4
  labels: [con, pro]
  metrics: [{name: f1_macro, title: F1 macro}]
  file: {path: "{task}_test.csv", id_column: id, label_column: label}
  splits: [{id: test, title: Test}, {id: dev, title: Dev, file: "{task}_dev.csv"}]
tasks:
  - {id: first, code: R1, title: First}
  - {id: second, code: R2, title: Second}
rounds:
  - {id: one, title: Round one, task: first}
  - {id: two, title: Round two, task: second}
averages: [{id: mean, title: Mean, of: all tasks, missing: unranked}]
boards:
  - {id: overall, groups: [{columns: [mean, first, second]}]}
  - id: round-one
    title: Board of round one
    axis: Round
    groups: [{columns: [first]}, {split: dev, columns: [first]}]
reported:
  - {system: Readers, kind: human, source: "Nobody, 2025", values: {first: 0.5, second: 0.75, first@dev: 0.4}}
  - {system: Old model, source: "Nobody, 2025", values: {first: 0.99}}
phases:
  - id: main
    title: Main
    cut_off: {weekday: monday, time: "00:00", timezone: UTC}
    quota: {per_cut_off: 9}
    counting: latest
    publish_automatically: true
"""
GOLD = "con pro con pro"
ONE_WRONG = "pro pro con pro"
HALF_RIGHT = "pro con con pro"
ALL_CON = "con con con con"
EARLIER = NOW - dt.timedelta(hours=1)
SAID = "is solved:"


def labels(answers: str) -> bytes:
    return b"id,label\n" + b"".join(f"d{at},{label}\n".encode() for at, label in enumerate(answers.split()))


@pytest.fixture
def moves(sync: Callable[[str], Benchmark], gold_keys: Any) -> Benchmark:
    benchmark = sync(DEFINITION)
    for task in benchmark.tasks.all():
        for split in ("test", "dev"):
            load_gold(task=task, data=labels(GOLD), file_name="gold.csv", now=NOW, split_slug=split)
    return benchmark


@pytest.fixture
def phase(moves: Benchmark) -> Phase:
    return moves.phases.get()


def new_system(team: str, **more: Any) -> System:
    """A system of its own team, both called so unless more is said."""
    _, system = team_of(person(team.casefold()), team)
    for key, value in more.items():
        setattr(system, key, value)
    system.save()
    return system


def send(system: System, answers: str, *, file: str = "first_test.csv", at: dt.datetime = NOW) -> Submission:
    user = system.team.members.get()
    receipt = submit_predictions(
        PredictionUpload(
            system=system,
            phase=Phase.objects.get(benchmark="moves"),
            user=user,
            data=zip_of({file: labels(answers)}),
            file_name="moves.zip",
            received_at=at,
        )
    )
    return receipt.submission


def solved(number: int = 1) -> dict[str, Any]:
    found: dict[str, Any] = Release.objects.get(number=number).reports.get("solved", {})
    return found


def page(path: str = "") -> str:
    return text_of(Client().get(f"/benchmarks/moves/{path}"))


# Reached or not


def test_a_round_is_open_below_the_human_estimate(phase):
    send(new_system("Ash"), ALL_CON)
    run_batch(CUT_OFF)
    assert "solved" not in Release.objects.get().reports
    assert SAID not in page()


def test_a_system_that_reaches_exactly_the_human_estimate_solves_the_round(phase):
    ash = new_system("Ash")
    send(ash, HALF_RIGHT)
    run_batch(CUT_OFF)
    assert solved() == {
        "one": {
            "system": "Ash",
            "system_id": str(ash.pk),
            "team": "Ash",
            "score": 0.5,
            "human": 0.5,
            "release": 1,
            "published_at": "2026-11-23T00:00:00+00:00",
        }
    }


def test_development_items_solve_nothing(phase):
    system = new_system("Ash")
    send(system, GOLD, file="first_dev.csv")
    run_batch(CUT_OFF)
    assert solved() == {}


def test_neither_baselines_nor_published_systems_solve_a_round(phase):
    send(new_system("Ash", kind="baseline"), GOLD)
    send(new_system("Birch"), ALL_CON)
    run_batch(CUT_OFF)
    assert solved() == {}


def test_each_round_has_its_own_human_estimate(phase):
    system = new_system("Ash")
    send(system, ONE_WRONG)
    send(system, ONE_WRONG, file="second_test.csv")
    run_batch(CUT_OFF)
    assert list(solved()) == ["one"]  # 11/15 is above 0.5 and below 0.75
    assert solved()["one"]["score"] == pytest.approx(11 / 15)


# Several at once


def test_of_two_at_once_the_better_solves_it(phase):
    send(new_system("Ash"), HALF_RIGHT, at=EARLIER)
    send(new_system("Birch"), ONE_WRONG)
    run_batch(CUT_OFF)
    assert solved()["one"]["system"] == "Birch"


@pytest.mark.parametrize("first", ["Ash", "Birch"])
def test_of_two_equals_the_earlier_submission_solves_it(phase, first):
    for name in ("Ash", "Birch"):
        send(new_system(name), ONE_WRONG, at=EARLIER if name == first else NOW)
    run_batch(CUT_OFF)
    assert solved()["one"]["system"] == first


# Later releases


def test_a_solved_round_stays_with_who_solved_it_first(phase):
    send(new_system("Ash"), HALF_RIGHT)
    run_batch(CUT_OFF)
    birch = new_system("Birch")
    send(birch, GOLD, at=CUT_OFF)
    send(birch, GOLD, file="second_test.csv", at=CUT_OFF)
    run_batch(CUT_OFF + WEEK)
    assert solved(2)["one"] == solved(1)["one"]
    assert (solved(2)["two"]["system"], solved(2)["two"]["release"]) == ("Birch", 2)
    assert list(solved(1)) == ["one"]


def test_a_solved_round_stays_solved_when_the_submission_is_withdrawn(phase):
    ash = new_system("Ash")
    submission = send(ash, HALF_RIGHT)
    run_batch(CUT_OFF)
    user = ash.team.members.get()
    withdraw(submission=submission, user=user, now=CUT_OFF + dt.timedelta(days=1))
    run_batch(CUT_OFF + WEEK)
    assert [row["kind"] for row in Release.objects.get(number=2).boards["first"]["rows"]] == [
        "reported",
        "human",
    ]
    assert solved(2) == solved(1)


# Pages


@pytest.mark.parametrize(
    "path", ["", "tasks/first/", "boards/round-one/", "releases/1/", "releases/1/tasks/first/"]
)
def test_the_pages_of_a_solved_round_say_by_whom_and_when(phase, path):
    ash = new_system("Ash")
    send(ash, HALF_RIGHT)
    run_batch(CUT_OFF)
    (said,) = [line for line in page(path).splitlines() if SAID in line]
    assert (
        f'<b>Round one is solved:</b> <a href="/systems/{ash.pk}/">Ash</a> of Ash reached .500 (F1 macro)'
        in said
    )
    assert '<a href="/benchmarks/moves/releases/1/">release 1</a>' in said
    assert "23 Nov 2026" in said
    assert "The human estimate is .500." in said


def test_the_page_of_another_round_says_nothing_of_it(phase):
    send(new_system("Ash"), HALF_RIGHT)
    run_batch(CUT_OFF)
    assert SAID not in page("tasks/second/")


def test_a_name_is_shown_as_text(phase):
    send(new_system("Ash", name="<b>Ash</b>"), HALF_RIGHT)
    run_batch(CUT_OFF)
    assert "&lt;b&gt;Ash&lt;/b&gt;</a> of Ash reached" in page()
    assert "<b>Ash" not in page()


# Mail


def test_organisers_get_one_mail_when_a_round_is_solved_first(phase, moves, staff):
    appoint(moves, staff)
    send(new_system("Ash", name="Ash\nof the hills"), HALF_RIGHT)
    run_batch(CUT_OFF)
    (mail,) = about_rounds()
    assert mail.to == [staff.email]
    assert mail.subject == "Moves: Round one is solved by Ash of the hills"
    assert "of Ash reached .500 (F1 macro) on the test split of Round one" in " ".join(mail.body.split())
    assert "/benchmarks/moves/releases/1/\n" in mail.body

    send(new_system("Birch"), GOLD, at=CUT_OFF)
    run_batch(CUT_OFF + WEEK)
    assert Release.objects.count() == 2
    assert len(about_rounds()) == 1


def test_there_is_no_mail_about_a_release_that_was_not_published(phase, moves, staff, monkeypatch):
    appoint(moves, staff)
    send(new_system("Ash"), HALF_RIGHT)
    with monkeypatch.context() as patch:
        patch.setattr(services, "_refuse_other_names", refuse)
        run_batch(CUT_OFF)
    assert about_rounds() == []
    publish_ready(CUT_OFF)
    assert len(about_rounds()) == 1


def refuse(*arguments: Any) -> None:
    raise NotReady


def about_rounds() -> list[EmailMessage]:
    return [mail for mail in sent() if "is solved by" in mail.subject]


# The human estimate


@pytest.mark.parametrize(("made_here", "is_solved"), [(0.8, False), (0.6, True), (None, True)])
def test_an_estimate_made_here_counts_instead_of_the_published_one(phase, made_here, is_solved):
    """The published one is 0.5, and the system has 0.7."""
    submission = send(new_system("Ash"), ONE_WRONG)
    rows = [
        BoardRow(
            "Ash",
            "an id",
            "Ash",
            RowKind.SYSTEM,
            {"first": Cell(0.7, None, submission=str(submission.pk))},
            1,
        ),
        BoardRow("Readers", None, "", RowKind.HUMAN, {"first": Cell(0.5, None)}, source="Nobody, 2025"),
    ]
    if made_here is not None:
        value = Cell(made_here, None)
        rows.append(BoardRow("Readers", None, "", RowKind.HUMAN, {"first": value}, source="20 responses"))
    column = Column("first", "R1", "First", "f1_macro", "F1 macro", True)
    first = board(*rank(rows, column), columns=(column,), rank_by="first", task="first")
    second = board(columns=(column,), rank_by="first", task="second")
    release = Release(benchmark=phase.benchmark, phase=phase, number=1, published_at=NOW)
    draft = ReleaseDraft(release, (), (), (), {"first": first, "second": second})
    assert (SolvedRounds().make(draft) is not None) == is_solved


def test_as_long_as_systems_are_anonymous_pages_and_mail_call_the_solver_by_its_number(phase, moves, staff):
    Benchmark.objects.update(is_anonymous=True)
    appoint(moves, staff)
    send(new_system("Ash"), HALF_RIGHT)
    run_batch(CUT_OFF)
    assert solved()["one"]["system"] == "Ash"
    assert "<b>Round one is solved:</b> System 1 reached .500 (F1 macro)" in page()
    (mail,) = about_rounds()
    assert mail.subject == "Moves: Round one is solved by System 1"
    assert "System 1 reached .500" in mail.body
    assert "Ash" not in page() + mail.body
