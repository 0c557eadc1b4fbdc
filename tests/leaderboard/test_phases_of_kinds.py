"""From a build phase to the scores of breakers' sets: what stands on the boards of which release."""

import datetime as dt
from typing import Any

import pytest
from django.db.models import QuerySet

from benchmarks.models import Benchmark, Phase
from benchmarks.services import follow_close, reschedule
from leaderboard.models import Page, Release, ReleaseCell
from leaderboard.publication.services import refresh
from scoring.gold.versions import load_gold
from scoring.models import Batch
from scoring.queue.batches import close_due, finish_batches
from scoring.queue.wanted_runs import ensure_runs
from submissions.models import Submission, System
from submissions.systems.status_transitions import disqualify, withdraw
from tests.conftest import NOW
from tests.games import AFTERWARDS, BREAK_CLOSES, BUILD_CLOSES, IN_BREAK, IN_BUILD, SCORE_CLOSES
from tests.phases import THREE_RIGHT, TONE_GOLD, answer, build, fresh, labels_file, make_set
from tests.weeks import board, row_of, run_batch, status_of, systems_on

pytestmark = [pytest.mark.thorough, pytest.mark.django_db]

DAY = dt.timedelta(days=1)
DEV = "tone@dev"


@pytest.fixture(autouse=True)
def _published_at_once(games: Benchmark) -> None:
    games.phases.update(publish_automatically=True)


@pytest.fixture
def fir(team: Any) -> System:
    return System.objects.create(team=team, name="Fir", created_at=NOW)


def columns(published: dict[str, Any]) -> list[str]:
    return [column["key"] for column in published["columns"]]


def cells_of(number: int) -> QuerySet[ReleaseCell]:
    return ReleaseCell.objects.of(Release.objects.get(number=number))


def accuracy_of(system: str) -> float | None:
    """That on the development data, as the breakers' board takes it."""
    cells = ReleaseCell.objects.of(Release.objects.latest("number")).filter(
        system__name=system, split__slug="dev"
    )
    run = cells.get().score.run
    value: float | None = run.scores.get(metric="accuracy").value
    return value


def correct_dev_gold(games: Benchmark, now: dt.datetime) -> None:
    """The label of d4 was wrong."""
    data = labels_file(TONE_GOLD | {"d4": "1"})
    task = games.tasks.get(slug="tone")
    load_gold(task=task, data=data, file_name="tone_dev.csv", now=now, split_slug="dev")


# The build phase


def test_release_of_the_build_phase_has_the_columns_of_the_development_data(games, system):
    build(system, games, THREE_RIGHT)
    run_batch(BUILD_CLOSES)
    found = board("/benchmarks/games.json")
    assert columns(found) == [DEV, "who@dev"]
    assert row_of(found, "Larch")["cells"][DEV]["value"] == round((2 / 3 + 4 / 5) / 2, 4)
    of_task = board("/benchmarks/games/tasks/tone.json")
    assert columns(of_task) == [DEV, "tone@dev:accuracy"]
    assert row_of(of_task, "Larch")["cells"]["tone@dev:accuracy"]["value"] == 0.75


def test_before_any_set_there_are_no_boards_of_breakers_and_a_sentence_says_so(games, system):
    build(system, games)
    run_batch(BUILD_CLOSES)
    release = Release.objects.get()
    assert set(release.boards) == {"overall", "tone", "who"}
    assert "follow when the sets of pairs are made" in release.boards["overall"]["note"]
    assert "follow when the sets of pairs are made" in release.boards["tone"]["note"]


def test_boards_of_breakers_go_when_every_set_is_withdrawn(games, system):
    make_set(games)
    answer(system, games)
    make_set(games, withdrawn=True)
    run_batch(SCORE_CLOSES)
    assert set(Release.objects.get().boards) == {"overall", "tone", "who"}


def test_page_before_the_first_release_tells_the_rules_of_all_three_phases(games):
    refresh(Benchmark.objects.get(pk="games"))
    page = bytes(Page.objects.get(pk="/benchmarks/games/rules/").body).decode()
    for sentence in (
        "Handed in are predictions for the development data.",
        "Handed in are minimal pairs; a later file of a team for the same task replaces its earlier one.",
        "Handed in are predictions for the pairs of all breakers.",
    ):
        assert sentence in page
    assert "alone as" not in page


# The break phase


def test_break_phase_moves_on_without_batch_and_release(games):
    for day in range(60):
        close_due(BREAK_CLOSES + day * DAY)
    phase = fresh(games, "break")
    assert not phase.batches.exists()
    assert phase.next_cut_off_at > BREAK_CLOSES + 59 * DAY


# The score phase


def played(games: Benchmark, system: System, fir: System) -> None:
    """Larch answers all, Fir the sets alone; both phases are over."""
    build(system, games, THREE_RIGHT)
    run_batch(BUILD_CLOSES)
    make_set(games)
    answer(system, games)
    answer(fir, games)
    run_batch(SCORE_CLOSES)


def test_answers_of_the_build_phase_stand_in_the_release_of_the_score_phase(games, system, fir):
    played(games, system, fir)
    release = Release.objects.latest("number")
    found = {(one.system.name, one.split.slug, one.submission.phase.slug) for one in cells_of(2)}
    assert found == {("Larch", "dev", "build"), ("Larch", "north", "score"), ("Fir", "north", "score")}
    assert release.phase.kind == "score"


def test_breaker_earns_by_the_accuracy_of_the_build_phase(games, system, fir):
    build(system, games, THREE_RIGHT)
    run_batch(BUILD_CLOSES)
    make_set(games)
    answer(system, games, THREE_RIGHT)  # one of two pairs broken
    answer(fir, games)
    run_batch(SCORE_CLOSES)
    found = board("/benchmarks/games/boards/breakers-tone.json")
    assert row_of(found, "North")["cells"]["tone:breaker_score"]["value"] == pytest.approx(0.75 * 1 / 2)


def test_system_without_development_predictions_is_ranked_and_named_as_left_out(games, system, fir):
    played(games, system, fir)
    assert systems_on(board("/benchmarks/games/boards/builders-tone.json")) == ["Fir", "Larch"]
    page = bytes(Page.objects.get(pk="/benchmarks/games/boards/breakers-tone/").body).decode()
    assert "Not counted, for want of predictions for the development data: Fir." in page


def test_system_that_answered_development_data_alone_has_no_empty_row(games, system, fir):
    build(fir, games)
    played(games, system, System.objects.create(team=fir.team, name="Yew", created_at=NOW))
    assert systems_on(board("/benchmarks/games.json")) == ["Larch", "Yew"]
    assert cells_of(2).filter(system=fir, split__slug="dev").exists()


@pytest.mark.parametrize("end", ["withdraw", "disqualify"])
def test_build_answer_that_was_taken_back_leaves_the_next_release_of_the_scores(
    games, system, fir, owner, end
):
    played(games, system, fir)
    submission = Submission.objects.get(phase__slug="build")
    if end == "withdraw":
        withdraw(submission=submission, user=owner, now=AFTERWARDS)
    else:
        disqualify(submission=submission, reason="Copied.", now=AFTERWARDS)
    for day in range(1, 9):
        run_batch(AFTERWARDS + day * DAY)
    release = Release.objects.latest("number")
    assert (release.number, release.phase.kind) == (3, "score")
    assert not cells_of(3).filter(split__slug="dev").exists()


def test_what_counts_is_what_the_build_phase_stands_with(games, system, fir):
    build(system, games)
    later = build(system, games, THREE_RIGHT, at=IN_BUILD + DAY)
    run_batch(BUILD_CLOSES)
    make_set(games)
    answer(system, games)
    run_batch(SCORE_CLOSES)
    assert cells_of(2).get(split__slug="dev").submission == later


def test_build_phase_whose_release_waits_is_published_with_the_scores(games, system):
    Phase.objects.filter(kind="build").update(publish_automatically=False)
    submission = build(system, games)
    run_batch(BUILD_CLOSES)
    make_set(games)
    answer(system, games)
    run_batch(SCORE_CLOSES)
    assert status_of(submission) == Submission.Status.PUBLISHED
    assert ReleaseCell.objects.filter(submission=submission).exists()


# New gold labels of the development data after the build phase


def test_corrected_development_labels_give_one_new_release_of_the_scores(games, system, fir):
    played(games, system, fir)
    assert accuracy_of("Larch") == 0.75
    correct_dev_gold(games, AFTERWARDS)
    for day in range(1, 30):
        run_batch(AFTERWARDS + day * DAY)
    assert list(Release.objects.order_by("number").values_list("phase__kind", flat=True)) == [
        "build", "score", "score",
    ]  # fmt: skip
    assert accuracy_of("Larch") == 1.0


def test_corrected_development_labels_are_scored_before_the_first_release_of_the_scores(games, system, fir):
    build(system, games, THREE_RIGHT)
    run_batch(BUILD_CLOSES)
    make_set(games)
    answer(system, games)
    close_due(SCORE_CLOSES)
    correct_dev_gold(games, SCORE_CLOSES)
    finish_batches(SCORE_CLOSES)
    assert Batch.objects.get(phase__kind="score").status == Batch.Status.SCORING
    run_batch(SCORE_CLOSES)
    assert accuracy_of("Larch") == 1.0


def test_release_waits_for_development_answers_that_are_being_scored_anew(games, system, fir):
    Phase.objects.filter(kind="score").update(publish_automatically=False)
    played(games, system, fir)
    correct_dev_gold(games, AFTERWARDS)
    ensure_runs(list(Submission.objects.filter(phase__kind="build")), now=AFTERWARDS)
    Phase.objects.filter(kind="score").update(publish_automatically=True)
    for _ in range(2):
        run_batch(AFTERWARDS)
    assert accuracy_of("Larch") == 1.0


# Phases that are opened again


def reopen(games: Benchmark, kind: str, until: dt.datetime) -> None:
    phase = fresh(games, kind)
    before, phase.closes_at = phase.closes_at, until
    phase.save(update_fields=["closes_at"])
    reschedule(phase=phase, now=until - DAY)
    follow_close(phase=phase, closed_before=before, now=until - DAY)


def test_build_phase_opened_again_takes_uploads_and_its_next_close_adds_them(games, system, fir):
    build(system, games)
    run_batch(BUILD_CLOSES)
    reopen(games, "build", IN_BREAK + DAY)
    assert not fresh(games, "break").is_open(IN_BREAK)
    build(fir, games, at=IN_BREAK)
    run_batch(IN_BREAK + DAY)
    assert sorted(systems_on(board("/benchmarks/games.json"))) == ["Fir", "Larch"]
    assert fresh(games, "break").is_open(IN_BREAK + DAY)


def test_score_phase_opened_again_takes_uploads_and_its_next_close_adds_them(games, system, fir):
    build(system, games)
    run_batch(BUILD_CLOSES)
    make_set(games)
    answer(system, games)
    run_batch(SCORE_CLOSES)
    reopen(games, "score", AFTERWARDS + DAY)
    answer(fir, games, at=AFTERWARDS)
    run_batch(AFTERWARDS + DAY)
    found = board("/benchmarks/games/boards/builders-tone.json")
    assert sorted(systems_on(found)) == ["Fir", "Larch"]
    assert accuracy_of("Larch") == 1.0
