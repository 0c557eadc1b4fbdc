"""Publication: one transaction, one release per batch, and an archive that never changes."""

import datetime as dt
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from django.db import DatabaseError, connection, transaction
from django.test.utils import CaptureQueriesContext

from accounts.services import create_team
from benchmarks.models import Benchmark, Phase
from benchmarks.services import mark_stale
from leaderboard.assembly.release_boards import build_boards
from leaderboard.models import Page, Printing, Release, ReleaseCell
from leaderboard.pages.benchmark_pages import render_benchmark, render_release
from leaderboard.pages.rendered_release import PrintedRelease
from leaderboard.publication import services
from leaderboard.publication.batch_watch import watch_batches
from leaderboard.publication.services import NotReady, publish, publish_ready, refresh, refresh_stale
from leaderboard.rendering.held_values import HeldValues
from scoring.disclosure.standings import standings
from scoring.gold.versions import load_gold
from scoring.models import Batch
from scoring.queue.ahead import score_ahead
from scoring.queue.batches import close_due, finish_batches
from scoring.queue.runs import score_all_due
from submissions.models import Submission, System
from submissions.systems.services import change_system
from submissions.systems.status_transitions import withdraw
from tests.conftest import NOW, TOY_GOLD, person
from tests.rows_read import rows_read
from tests.threads import at_once
from tests.weeks import (
    CUT_OFF,
    HALF_WRONG,
    ONE_WRONG,
    WEEK,
    board,
    run_batch,
    status_of,
    systems_on,
    upload,
)

pytestmark = pytest.mark.postgres


@pytest.fixture
def submission(system: System, phase: Phase) -> Submission:
    return upload(system, phase)


@pytest.fixture
def batch(submission: Submission) -> Batch:
    """Scored, looked at, and waiting for its release."""
    close_due(CUT_OFF)
    score_all_due(CUT_OFF)
    finish_batches(CUT_OFF)
    watch_batches(CUT_OFF)
    return Batch.objects.get()


def pages() -> dict[str, bytes]:
    return {page.path: bytes(page.body) for page in Page.objects.all()}


def releases_shown() -> set[int]:
    """The release numbers that the current boards carry."""
    current = ("/benchmarks/toy.json", "/benchmarks/toy/tasks/mood.json", "/benchmarks/toy/tasks/colour.json")
    return {board(path)["release"] for path in current}


def test_publishing_puts_every_format_of_every_board_in_place(batch):
    publish(batch=batch, now=CUT_OFF)

    for base in ("/benchmarks/toy", "/benchmarks/toy/releases/1"):
        for path in (base, f"{base}/tasks/mood", f"{base}/tasks/colour"):
            assert {f"{path}{ending}" for ending in ("/", ".json", ".csv", ".tex")} <= pages().keys()


def test_what_systems_stand_with_is_read_in_as_many_queries_for_four_as_for_one(submission, phase):
    asked = {}
    for cut_off in (CUT_OFF, CUT_OFF + WEEK):
        run_batch(cut_off)
        with CaptureQueriesContext(connection) as queries:
            count = len(standings(Batch.objects.get(cut_off_at=cut_off)))
        asked[count] = len(queries)
        if count == 1:
            for name in ("ash", "elm", "yew"):
                team = create_team(name=name, founder=person(name), now=NOW)
                own = System.objects.create(team=team, name=name, created_at=NOW)
                upload(own, phase, at=CUT_OFF + WEEK / 2)
    assert asked[4] == asked[1]


OF_ALL_TIME = {"leaderboard_release": 2}
"""Rows that each release reads of every one before it: what the list of releases and the feed say."""


def test_no_release_reads_what_earlier_weeks_were_scored_on(system, phase, monkeypatch):
    # The watch compares the newest thousand.
    monkeypatch.setattr("leaderboard.publication.batch_watch.MOST_COMPARED", 1)
    # Other tests may have had answers of just these weeks read.
    monkeypatch.setattr(
        "leaderboard.publication.batch_watch._held", HeldValues(10_000, lambda codes: codes.nbytes)
    )
    read = []
    for week in range(5):
        before = CUT_OFF + (week - 1) * WEEK
        upload(
            system,
            phase,
            mood=" ".join("good" if week >> item & 1 else "bad" for item in range(6)),
            at=before,
        )
        score_ahead(before)
        score_all_due(before)
        with rows_read() as rows:
            run_batch(CUT_OFF + week * WEEK)
        read.append(rows)
    assert Release.objects.count() == 5
    assert dict(read[4] - read[3]) == OF_ALL_TIME


def test_publishing_twice_makes_one_release(batch):
    publish(batch=batch, now=CUT_OFF)
    with pytest.raises(NotReady):
        publish(batch=batch, now=CUT_OFF)
    assert Release.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_publishing_eight_times_at_once_makes_one_release(batch):
    published = at_once([partial(publish_ready, CUT_OFF)] * 8)

    assert sorted(map(len, published)) == [0] * 7 + [1]
    assert ReleaseCell.objects.of(Release.objects.get()).count() == 2
    assert Printing.objects.get().number == 1


def test_a_batch_that_is_being_scored_is_not_published(submission):
    close_due(CUT_OFF)
    with pytest.raises(NotReady):
        publish(batch=Batch.objects.get(), now=CUT_OFF)
    assert not Release.objects.exists()


def test_a_batch_whose_gold_labels_were_replaced_is_not_published_before_it_is_scored_anew(batch, phase):
    task = phase.benchmark.tasks.get(slug="mood")
    load_gold(task=task, data=TOY_GOLD["mood"], file_name="mood.csv", now=CUT_OFF)

    with pytest.raises(NotReady, match="scored anew"):
        publish(batch=batch, now=CUT_OFF)

    assert not Release.objects.exists()


def test_gold_labels_loaded_while_a_release_is_begun_take_no_score_off_it(batch, phase, monkeypatch):
    def _interrupted(now: dt.datetime) -> None:
        task = phase.benchmark.tasks.get(slug="mood")
        load_gold(task=task, data=TOY_GOLD["mood"], file_name="mood.csv", now=now)

    monkeypatch.setattr(services, "sign_if_possible", _interrupted)
    with pytest.raises(NotReady, match="scored anew"):
        publish(batch=batch, now=CUT_OFF)


def test_a_release_that_was_built_with_a_withdrawn_submission_does_not_go_out(
    batch, submission, owner, monkeypatch
):
    def _interrupted(printed: PrintedRelease) -> Any:
        withdraw(submission=submission, user=owner, now=CUT_OFF)
        return render_release(printed)

    with monkeypatch.context() as meanwhile:
        meanwhile.setattr(services, "render_release", _interrupted)
        with pytest.raises(NotReady, match="withdrawn, disqualified or held back at this moment"):
            publish(batch=batch, now=CUT_OFF)
    publish(batch=batch, now=CUT_OFF)
    assert systems_on(board()) == []


def test_a_batch_waits_for_the_organiser_where_the_phase_says_so(batch, phase):
    Phase.objects.update(publish_automatically=False)

    assert publish_ready(CUT_OFF) == []
    assert publish(batch=batch, now=CUT_OFF).number == 1


@pytest.mark.parametrize(
    "step", ["put_pages", "render_release", "render_benchmark", "front_pages", "_cells", "next_printing"]
)
def test_a_crash_inside_publication_leaves_nothing_behind(batch, submission, monkeypatch, step):
    refresh_stale()
    before = pages()
    monkeypatch.setattr(services, step, _crash)

    with pytest.raises(RuntimeError):
        publish(batch=batch, now=CUT_OFF)

    assert not Release.objects.exists()
    assert not ReleaseCell.objects.exists()
    assert pages() == before
    batch.refresh_from_db()
    assert batch.status == Batch.Status.SCORED
    assert status_of(submission) == Submission.Status.SCORED


def _crash(*arguments: Any, **options: Any) -> Any:
    raise RuntimeError


def test_a_crashed_publication_is_made_up_for_by_the_next_sweep(batch, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(services, "front_pages", _crash)
        assert publish_ready(CUT_OFF) == []

    assert [release.number for release in publish_ready(CUT_OFF)] == [1]


def test_pages_of_a_release_stay_byte_for_byte_as_they_were(system, phase):
    upload(system, phase)
    run_batch(CUT_OFF)
    archive = {path: body for path, body in pages().items() if "/releases/1" in path}
    upload(system, phase, mood=HALF_WRONG, at=CUT_OFF)
    change_system(system=system, name="Spruce", description="Renamed.")

    run_batch(CUT_OFF + WEEK)
    refresh_stale()

    assert systems_on(board()) == ["Spruce"]
    assert archive
    assert {path: body for path, body in pages().items() if path in archive} == archive


def test_releases_are_numbered_in_their_order(system, phase):
    for week in range(3):
        upload(system, phase, mood=[ONE_WRONG, HALF_WRONG, "bad " * 6][week], at=NOW + week * WEEK)
        run_batch(CUT_OFF + week * WEEK)
    assert list(Release.objects.order_by("published_at").values_list("number", flat=True)) == [1, 2, 3]


def test_a_new_release_while_stale_pages_are_rendered_is_not_covered_by_them(
    batch, phase, monkeypatch: pytest.MonkeyPatch
):
    mark_stale("toy")
    _while_rendering(monkeypatch, lambda: publish(batch=batch, now=CUT_OFF))

    refresh_stale()

    assert board()["release"] == 1
    assert b"Larch" in pages()["/benchmarks/toy/"]


def _while_rendering(monkeypatch: pytest.MonkeyPatch, action: Callable[[], Any]) -> None:
    """Have something happen after stale pages were found and before the benchmark's press is taken."""
    take_press, actions = services.take_press, iter([action])

    def _interrupted(slug: str) -> None:
        next(actions, lambda: None)()
        take_press(slug)

    monkeypatch.setattr(services, "take_press", _interrupted)


def test_a_submission_scored_during_publication_is_not_called_published(batch, system, phase, monkeypatch):
    later = upload(system, phase, mood=HALF_WRONG)

    def _interrupted(printed: PrintedRelease) -> Any:
        Submission.objects.filter(pk=later.pk).update(status=Submission.Status.SCORED)
        return render_release(printed)

    monkeypatch.setattr(services, "render_release", _interrupted)
    publish(batch=batch, now=CUT_OFF)

    assert status_of(later) == Submission.Status.SCORED


def test_all_current_boards_carry_the_same_release(system, phase):
    for week in range(2):
        upload(system, phase, mood=[ONE_WRONG, HALF_WRONG][week], at=NOW + week * WEEK)
        run_batch(CUT_OFF + week * WEEK)
        assert releases_shown() == {week + 1}


def test_rendering_the_archive_anew_gives_the_same_bytes(batch, toy: Benchmark):
    publish(batch=batch, now=CUT_OFF)
    before = {path: body for path, body in pages().items() if not path.endswith("/")}

    refresh(toy, archive=True)

    assert {path: body for path, body in pages().items() if not path.endswith("/")} == before


HISTORY = {
    "scoring_score": "id",
    "scoring_goldversion": "id",
    "scoring_sealedlabels": "version_id",
    "leaderboard_release": "id",
    "leaderboard_releasecell": "id",
}


@pytest.mark.parametrize("table", HISTORY)
@pytest.mark.parametrize("statement", ["UPDATE {table} SET {column} = {column}", "DELETE FROM {table}"])
def test_the_database_refuses_to_change_history(batch, table, statement):
    publish(batch=batch, now=CUT_OFF)
    with (
        pytest.raises(DatabaseError, match="append-only"),
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute(statement.format(table=table, column=HISTORY[table]))


def test_a_batch_that_cannot_be_published_holds_up_no_other(batch, phase, system, monkeypatch):
    other = Phase.objects.get(pk=phase.pk)
    other.pk, other.slug = None, "other"
    other.save(force_insert=True)
    upload(system, other)
    close_due(CUT_OFF + WEEK)
    score_all_due(CUT_OFF + WEEK)
    finish_batches(CUT_OFF + WEEK)

    def fail_for_the_first(**values: Any) -> Any:
        if values["phase"] == phase:
            raise ZeroDivisionError
        return build_boards(**values)

    monkeypatch.setattr(services, "build_boards", fail_for_the_first)

    assert {release.phase for release in publish_ready(CUT_OFF + WEEK)} == {other}


@pytest.mark.skipif(connection.vendor == "sqlite", reason="a SQLite file has one writer in any case")
def test_others_print_while_the_pages_of_one_benchmark_are_drawn(transactional_db, batch, monkeypatch):
    draw, drawn = render_benchmark, []

    def draw_beside_others(*arguments: Any) -> Any:
        drawn.append(at_once([services.print_front]))  # waits for the row that all benchmarks share
        return draw(*arguments)

    monkeypatch.setattr(services, "render_benchmark", draw_beside_others)
    refresh(publish(batch=batch, now=CUT_OFF).benchmark)

    assert drawn == [[None], [None]]
